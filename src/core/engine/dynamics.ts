// Finds what dynamic values need before a statement runs: `$CURRENT_USER.path` wants the caller's own item, read once per request and
// only when something asks for it.

import type { CallerValues } from '../access/accountability.js';
import { neededCallerPaths, resolveDynamicValues } from '../access/dynamic-values.js';
import type { Param } from '../sql/sql.js';
import type { MaybeLater } from './at-once.js';
import type { Resolve } from './statement-values.js';
import type { Work } from './work.js';

export type ResolveFor = (work: Work, literals: readonly unknown[], params: readonly Param[]) => MaybeLater<Resolve>;

/** Reads the caller's own values, by the texts that ask for them: `$CURRENT_USER.email`. */
export type ReadCallerValues = (work: Work, paths: readonly string[]) => Promise<CallerValues>;

const asItIs: Resolve = (value) => value;
const noValues: CallerValues = new Map();

export function openDynamics(readCallerValues: ReadCallerValues, now: () => Date): ResolveFor {
  return (work, literals, params) => {
    if (!literals.some(isDynamic) && !params.some(hasDynamicConstant)) return asItIs;
    const constants = params.flatMap((param) => (param.source.kind === 'constant' ? [param.source.value] : []));
    const paths = neededCallerPaths([...literals, ...constants]);
    const resolveWith = (values: CallerValues): Resolve => {
      const context = { accountability: work.caller.accountability, values, now: now() };
      return (value) => resolveDynamicValues([value], context)[0];
    };
    return paths.length === 0 ? resolveWith(noValues) : readCallerValues(work, paths).then(resolveWith);
  };
}

const hasDynamicConstant = ({ source }: Param): boolean => source.kind === 'constant' && isDynamic(source.value);

function isDynamic(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('$');
  return Array.isArray(value) && value.some(isDynamic);
}
