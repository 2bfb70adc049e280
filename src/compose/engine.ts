// Puts the engine together: reader and writer over one dialect, with the readers of dynamic values.

import { type Caller, serviceCaller } from '../core/access/view.js';
import type { CacheState } from '../core/engine/read/prepared-read.js';
import { Reader } from '../core/engine/read/reader.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import type { ChangeSink } from '../core/engine/work/changes.js';
import { type CallerValuesReader, openDynamics } from '../core/engine/work/dynamics.js';
import type { MaybePromise } from '../core/engine/work/maybe-promise.js';
import type { Work } from '../core/engine/work/work.js';
import { Hooks } from '../core/engine/write/hooks.js';
import { Writer } from '../core/engine/write/writer.js';
import { parseQueryObject } from '../core/query/parse/parse-query-object.js';
import type { ParsedQuery, QueryLimits } from '../core/query/query.js';
import type { Dialect } from '../core/vendor/dialect.js';
import { hashPassword } from '../service/secrets/hash-password.js';
import { createSeal } from '../service/secrets/seal.js';

export interface Engine {
  readonly reader: Reader;
  /** For reads of the service itself, which the limits of requests do not apply to. */
  readonly ownReader: Reader;
  readonly writer: Writer;
  readonly hooks: Hooks;
  readonly caches: () => Readonly<Record<string, CacheState>>;
  /** For stored rules that are applied in memory. */
  readonly resolveStored: (caller: Caller, literals: readonly unknown[]) => MaybePromise<(value: unknown) => unknown>;
}

export interface ComposeEngineDeps {
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly limits: QueryLimits;
  readonly secret: string;
  readonly onEffectError: (error: unknown) => void;
  /** Learns what is committed. */
  readonly changes: ChangeSink;
}

export function composeEngine({ dialect, store, limits, secret, onEffectError, changes }: ComposeEngineDeps): Engine {
  const now = (): Date => new Date();
  const values: CallerValuesReader = {
    read: (work, paths, origin) => {
      const items = ownItems(limits, work.caller, paths);
      return origin === 'request'
        ? readCallerValues(reader, work, items)
        : readCallerValues(ownReader, { ...work, caller: serviceCaller(store.current()) }, items);
    },
    check: (caller, paths) => {
      for (const { collection, query } of ownItems(limits, caller, paths)) reader.check({ caller }, collection, query);
    },
  };
  const dynamics = openDynamics(values, now);
  const seal = createSeal(secret, 'cursor');
  const reader = new Reader({ dialect, limits, dynamics, seal });
  // Not limited: a list that a rule compares with must be complete, because `_nin` would allow what is missing from it.
  const ownReader = new Reader({ dialect, limits: unlimited(limits), dynamics, seal });
  const hooks = new Hooks();
  const writer = new Writer({
    dialect,
    limits,
    dynamics,
    hooks,
    transforms: { hash: hashPassword },
    now,
    lockExclusively: store.lockExclusively,
    onEffectError,
    changes,
  });
  const resolveStored: Engine['resolveStored'] = (caller, literals) =>
    dynamics.ofStored({ caller, connection: dialect.driver, signal: null, afterCommit: null }, literals);
  return { reader, ownReader, writer, hooks, resolveStored, caches: () => ({ reads: reader.cache }) };
}

const sources = [
  { prefix: '$CURRENT_USER.', collection: 'service_users', of: 'user' },
  { prefix: '$CURRENT_ROLE.', collection: 'service_roles', of: 'role' },
] as const;

const unlimited = (limits: QueryLimits): QueryLimits => ({ ...limits, defaultLimit: -1, maxLimit: -1 });

interface OwnItem {
  readonly collection: string;
  /** null for a caller without such an item: every value is null then, but the paths are still checked. */
  readonly key: string | null;
  /** The path of each value in the item, by the text that names it. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  readonly query: ParsedQuery;
}

/** What to read of the caller's user and role. */
function ownItems(limits: QueryLimits, { accountability }: Caller, paths: readonly string[]): readonly OwnItem[] {
  return sources.flatMap(({ prefix, collection, of }) => {
    const asked = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
    return readableTogether(asked).map((fields) => ({
      collection,
      key: accountability[of],
      paths: new Map(fields.map((field) => [`${prefix}${field}`, field.split('.').map(withoutScope)])),
      query: parseQueryObject({ fields, limit: 1 }, limits),
    }));
  });
}

/** One answer cannot hold both `role` and `role.name`, so they are read by separate queries. */
function readableTogether(fields: readonly string[]): readonly (readonly string[])[] {
  if (fields.length === 0) return [];
  const hasNested = (field: string): boolean => fields.some((other) => other.startsWith(`${field}.`));
  return [fields.filter((field) => !hasNested(field)), ...readableTogether(fields.filter(hasNested))];
}

/** `item:pages` of a many-to-any is answered as `item`. */
const withoutScope = (step: string): string => step.split(':')[0] ?? step;

async function readCallerValues(reader: Reader, work: Work, own: readonly OwnItem[]): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const { collection, key, paths, query } of own) {
    if (key === null) reader.check(work, collection, query);
    const { items } = key === null ? { items: '' } : await reader.items(work, collection, query, [key]);
    const [item] = JSON.parse(`[${items}]`) as readonly unknown[];
    for (const [path, steps] of paths) values.set(path, follow(item, steps));
  }
  return values;
}

/** Through a list the values of all its entries. */
function follow(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value)) return value.flatMap((entry) => follow(entry, [step, ...rest]));
  if (typeof value !== 'object' || value === null) return null;
  return follow((value as Readonly<Record<string, unknown>>)[step] ?? null, rest);
}
