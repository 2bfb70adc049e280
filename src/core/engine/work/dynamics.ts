// Fetches what dynamic values need before a statement runs: `$CURRENT_USER.path` needs the caller's own item, which is read only if a value
// refers to it. A path in the request is read with the caller's rights; a path in a stored rule, preset or validation with the service's.

import type { CallerValues } from '../../access/accountability.js';
import { isDynamic, neededCallerPaths, resolveDynamicValues } from '../../access/dynamic-values.js';
import { type Caller, serviceCaller } from '../../access/view.js';
import { invalidQuery, ServiceError } from '../../errors/service-error.js';
import { rootOf } from '../../plan/names/value-source.js';
import type { QueryLimits } from '../../query/query.js';
import type { Param } from '../../sql/sql.js';
import { dynamicLiterals, type IsKnownPath } from './dynamic-literals.js';
import { type MaybePromise, whenReady } from './maybe-promise.js';
import type { Origin, Resolve } from './statement-values.js';
import type { Work } from './work.js';

export interface Dynamics {
  /** For the parameters of one statement and the literals of its request. */
  ofStatement(work: Work, literals: readonly unknown[], params: readonly Param[]): MaybePromise<Resolve>;
  /** For the presets and validation rules of a write. */
  ofWrite(work: Work, limits: QueryLimits): MaybePromise<(value: unknown) => unknown>;
  /** For stored rules that are applied in memory; `literals` are theirs. */
  ofStored(work: Work, literals: readonly unknown[]): MaybePromise<(value: unknown) => unknown>;
  /** Refuses the paths of the request that `ofStatement` would refuse, without reading anything. */
  check(caller: Caller, literals: readonly unknown[], params: readonly Param[]): void;
}

/** The caller's own values, by the texts that ask for them: `$CURRENT_USER.email`. */
export interface CallerValuesReader {
  read(work: Work, paths: readonly string[], origin: Origin): Promise<CallerValues>;
  /** Throws FORBIDDEN for a path this caller may not read. */
  check(caller: Caller, paths: readonly string[]): void;
}

type DynamicLiterals = Readonly<Record<Origin, readonly unknown[]>>;

const asItIs: Resolve = (value) => value;
const noValues: CallerValues = new Map();

export function openDynamics(reader: CallerValuesReader, now: () => Date): Dynamics {
  const valuesFor = (work: Work, literals: readonly unknown[], origin: Origin): MaybePromise<CallerValues> => {
    const paths = origin === 'request' ? askedPaths(literals) : neededCallerPaths(literals);
    return paths.length === 0 ? noValues : reader.read(work, paths, origin);
  };
  const resolveWith = ({ caller: { accountability } }: Work, values: Readonly<Record<Origin, CallerValues>>): Resolve => {
    const at = now();
    return (value, origin) => resolveDynamicValues([value], { accountability, values: values[origin], now: at })[0];
  };
  const ofStored: Dynamics['ofStored'] = (work, literals) =>
    whenReady(valuesFor(work, literals, 'rule'), (rule) => {
      const resolve = resolveWith(work, { request: noValues, rule });
      return (value) => resolve(value, 'rule');
    });
  const isKnownPath: IsKnownPath = (schema, path) => {
    try {
      reader.check(serviceCaller(schema), [path]);
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  };
  return {
    ofStored,
    ofWrite: (work, limits) => ofStored(work, dynamicLiterals(work.caller.view, limits, isKnownPath)),
    ofStatement(work, literals, params) {
      const found = findDynamic(literals, params);
      if (found === null) return asItIs;
      return whenReady(valuesFor(work, found.request, 'request'), (request) =>
        whenReady(valuesFor(work, found.rule, 'rule'), (rule) => resolveWith(work, { request, rule })),
      );
    },
    check(caller, literals, params) {
      const paths = askedPaths(findDynamic(literals, params)?.request ?? []);
      if (paths.length > 0) reader.check(caller, paths);
    },
  };
}

/** Bounds the distinct paths of one request, because each is looked up and read. */
const mostPaths = 100;

function askedPaths(literals: readonly unknown[]): readonly string[] {
  const paths = neededCallerPaths(literals);
  if (paths.length > mostPaths) throw invalidQuery(`At most ${mostPaths} different values of the caller can be asked for.`);
  return paths;
}

/** The dynamic values among what the parameters bind; null when there are none, as in most statements. */
function findDynamic(literals: readonly unknown[], params: readonly Param[]): DynamicLiterals | null {
  let found: { readonly request: unknown[]; readonly rule: unknown[] } | null = null;
  for (const { source } of params) {
    const root = rootOf(source);
    if (root.kind !== 'slot' && root.kind !== 'rule') continue;
    const value = root.kind === 'slot' ? literals[root.slot] : root.value;
    if (!isDynamic(value)) continue;
    found ??= { request: [], rule: [] };
    found[root.kind === 'slot' ? 'request' : 'rule'].push(value);
  }
  return found;
}
