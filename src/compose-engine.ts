// Puts the engine together: reader and writer over one dialect, with dynamic values read as the service itself.

import { serviceCaller } from './core/access/view.js';
import { openDynamics, type ReadCallerValues } from './core/engine/dynamics.js';
import { Hooks } from './core/engine/hooks.js';
import { Reader } from './core/engine/reader.js';
import type { SchemaStore } from './core/engine/schema-store.js';
import { Writer } from './core/engine/writer.js';
import type { QueryLimits } from './core/query/query.js';
import type { Dialect } from './core/vendor/dialect.js';
import { hashPassword } from './service/secrets/hash-password.js';
import { createSeal } from './service/secrets/seal.js';

export interface Engine {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly hooks: Hooks;
}

export interface EngineFloor {
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly limits: QueryLimits;
  readonly secret: string;
  readonly onEffectError: (error: unknown) => void;
}

export function composeEngine({ dialect, store, limits, secret, onEffectError }: EngineFloor): Engine {
  const readCallerValues: ReadCallerValues = (work, paths) => callerValues(reader, store, work, paths);
  const now = (): Date => new Date();
  const resolveFor = openDynamics(readCallerValues, now);
  const seal = createSeal(secret, 'cursor');
  const reader = new Reader({ driver: dialect.driver, syntax: dialect.syntax, limits, resolveFor, seal });
  const hooks = new Hooks();
  const writer = new Writer({
    dialect,
    limits,
    resolveFor,
    hooks,
    transforms: { hash: hashPassword },
    now,
    holdOthers: store.holdOthers,
    onEffectError,
  });
  return { reader, writer, hooks };
}

const sources = [
  { prefix: '$CURRENT_USER.', collection: 'service_users', of: 'user' },
  { prefix: '$CURRENT_ROLE.', collection: 'service_roles', of: 'role' },
] as const;

/** The caller's own item, read with the service's rights: a rule may name what its caller cannot see. */
async function callerValues(
  reader: Reader,
  store: SchemaStore,
  work: Parameters<ReadCallerValues>[0],
  paths: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const { prefix, collection, of } of sources) {
    const asked = paths.filter((path) => path.startsWith(prefix));
    const key = work.caller.accountability[of];
    if (asked.length === 0 || key === null) continue;
    const fields = asked.map((path) => path.slice(prefix.length));
    const [item] = await reader.objects({ ...work, caller: serviceCaller(store.current()) }, collection, {
      fields,
      filter: { id: { _eq: key } },
      limit: 1,
    });
    for (const path of asked) values.set(path, follow(item, path.slice(prefix.length).split('.')));
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
