// What the database changes by itself when items are written: foreign keys delete or empty what refers to a deleted item, and triggers may
// do anything.

import type { Change, ChangeAction } from '../../core/engine/work/changes.js';
import type { ForeignKeyAction, RawForeignKey, RowEvent } from '../../core/schema/raw.js';
import type { Collection, Schema } from '../../core/schema/schema.js';
import { hasTrigger } from '../../core/schema/triggers.js';

/** `move`: an update that changes the primary key. Only other programs make such updates. */
type Effect = ChangeAction | 'move';

const eventOf = { create: 'insert', update: 'update', move: 'update', delete: 'delete' } as const satisfies Record<Effect, RowEvent>;

/** The collections that a write may change besides its own; null: any. */
type Consequences = ReadonlySet<string> | null;

const known = new WeakMap<Schema, Map<string, Consequences>>();

/** The changes, followed by what they may have caused. */
export function spreadChanges(schema: Schema, committed: readonly Change[]): readonly Change[] {
  const caused = new Set<string | null>();
  for (const change of committed) {
    if (change.kind !== 'items') continue;
    for (const name of consequencesOf(schema, change.collection, change.action, 'with triggers') ?? [null]) caused.add(name);
  }
  if (caused.size === 0) return committed;
  return [...committed, ...[...caused].map((collection): Change => ({ kind: 'unknown', collection }))];
}

/**
 * Adds what foreign keys do to the changes of a log that reports the effects of triggers but not of foreign keys. `moved`: the collections
 * in which keys have changed.
 */
export function withCascades(schema: Schema, logged: readonly Change[], moved: ReadonlySet<string>): readonly Change[] {
  const caused = new Set<string>();
  for (const change of logged) {
    const { collection } = change;
    if (collection === null) continue;
    for (const effect of effectsOf(change, moved.has(collection)))
      for (const name of consequencesOf(schema, collection, effect, 'without triggers') ?? []) caused.add(name);
  }
  return [...logged, ...[...caused].map((collection): Change => ({ kind: 'unknown', collection, logged: true }))];
}

function effectsOf(change: Change, mayMove: boolean): readonly Effect[] {
  if (change.kind === 'unknown') return ['delete', 'move'];
  return [change.action === 'update' && mayMove ? 'move' : change.action];
}

type Scope = 'with triggers' | 'without triggers';

function consequencesOf(schema: Schema, name: string, effect: Effect, scope: Scope): Consequences {
  const ofSchema = known.get(schema) ?? new Map<string, Consequences>();
  known.set(schema, ofSchema);
  const key = `${scope} ${effect} ${name}`;
  const present = ofSchema.get(key);
  if (present !== undefined) return present;
  const walk: Walk = { schema, scope, names: new Set(), seen: new Set() };
  const collection = schema.collections.get(name);
  const consequences = collection === undefined || follow(walk, collection, effect) ? walk.names : null;
  ofSchema.set(key, consequences);
  return consequences;
}

interface Walk {
  readonly schema: Schema;
  readonly scope: Scope;
  readonly names: Set<string>;
  readonly seen: Set<string>;
}

/** Returns false when a trigger is reached. */
function follow(walk: Walk, collection: Collection, effect: Effect): boolean {
  const step = `${effect} ${collection.name}`;
  if (walk.seen.has(step)) return true;
  walk.seen.add(step);
  if (walk.scope === 'with triggers' && hasTrigger(collection, eventOf[effect])) return false;
  for (const other of walk.schema.collections.values()) {
    for (const key of other.table?.foreignKeys ?? []) {
      const next = refersTo(key, collection) ? effectOf(collection, effect, other, key) : null;
      if (next === null) continue;
      walk.names.add(other.name);
      if (!follow(walk, other, next)) return false;
    }
  }
  return true;
}

const refersTo = ({ foreignTable, foreignSchema }: RawForeignKey, { table }: Collection): boolean =>
  table !== null && foreignTable === table.name && (foreignSchema ?? table.schema) === table.schema;

/** What the database does to the items of `other` that refer to a written one; null: nothing. */
function effectOf({ primaryKey }: Collection, effect: Effect, other: Collection, key: RawForeignKey): Effect | null {
  if (effect === 'create') return null;
  if (effect === 'delete') return key.onDelete === 'CASCADE' ? 'delete' : changes.has(key.onDelete) ? 'update' : null;
  // Primary keys do not change by an update through the service; other unique fields may.
  const isKey = key.foreignColumns.every((column) => primaryKey.includes(column));
  if ((isKey && effect !== 'move') || !changes.has(key.onUpdate)) return null;
  return key.columns.some((column) => other.primaryKey.includes(column)) ? 'move' : 'update';
}

const changes: ReadonlySet<ForeignKeyAction> = new Set(['CASCADE', 'SET NULL', 'SET DEFAULT']);
