// What the database changes by itself when items are written: foreign keys delete or empty what refers to a deleted item, and triggers may
// do anything.

import type { Change, ChangeAction } from '../../core/engine/work/changes.js';
import type { ForeignKeyAction, RawForeignKey, RowEvent } from '../../core/schema/raw.js';
import type { Collection, Schema } from '../../core/schema/schema.js';
import { hasTrigger } from '../../core/schema/triggers.js';

const eventOf = { create: 'insert', update: 'update', delete: 'delete' } as const satisfies Record<ChangeAction, RowEvent>;

/** The collections that a write may change besides its own; null: any. */
type Consequences = ReadonlySet<string> | null;

const known = new WeakMap<Schema, Map<string, Consequences>>();

/** The changes, followed by what they may have caused. */
export function spreadChanges(schema: Schema, committed: readonly Change[]): readonly Change[] {
  const caused = new Set<string | null>();
  for (const change of committed) {
    if (change.kind !== 'items') continue;
    const consequences = consequencesOf(schema, change.collection, change.action);
    if (consequences === null) caused.add(null);
    else for (const name of consequences) caused.add(name);
  }
  if (caused.size === 0) return committed;
  return [...committed, ...[...caused].map((collection): Change => ({ kind: 'unknown', collection }))];
}

function consequencesOf(schema: Schema, name: string, action: ChangeAction): Consequences {
  const ofSchema = known.get(schema) ?? new Map<string, Consequences>();
  known.set(schema, ofSchema);
  const key = `${action} ${name}`;
  const present = ofSchema.get(key);
  if (present !== undefined) return present;
  const walk: Walk = { schema, names: new Set(), seen: new Set() };
  const collection = schema.collections.get(name);
  const consequences = collection === undefined || follow(walk, collection, action) ? walk.names : null;
  ofSchema.set(key, consequences);
  return consequences;
}

interface Walk {
  readonly schema: Schema;
  readonly names: Set<string>;
  readonly seen: Set<string>;
}

/** Returns false when a trigger is reached. */
function follow(walk: Walk, collection: Collection, action: ChangeAction): boolean {
  const step = `${action} ${collection.name}`;
  if (walk.seen.has(step)) return true;
  walk.seen.add(step);
  if (hasTrigger(collection, eventOf[action])) return false;
  for (const other of walk.schema.collections.values()) {
    for (const key of other.table?.foreignKeys ?? []) {
      const effect = refersTo(key, collection) ? effectOf(collection, action, key) : null;
      if (effect === null) continue;
      walk.names.add(other.name);
      if (!follow(walk, other, effect)) return false;
    }
  }
  return true;
}

const refersTo = ({ foreignTable, foreignSchema }: RawForeignKey, { table }: Collection): boolean =>
  table !== null && foreignTable === table.name && (foreignSchema ?? table.schema) === table.schema;

/** What the database does to the items that refer to a written one; null: nothing. */
function effectOf({ primaryKey }: Collection, action: ChangeAction, key: RawForeignKey): 'delete' | 'update' | null {
  if (action === 'create') return null;
  if (action === 'delete') return key.onDelete === 'CASCADE' ? 'delete' : changes.has(key.onDelete) ? 'update' : null;
  // Primary keys do not change; other unique fields may.
  const isKey = key.foreignColumns.every((column) => primaryKey.includes(column));
  return !isKey && changes.has(key.onUpdate) ? 'update' : null;
}

const changes: ReadonlySet<ForeignKeyAction> = new Set(['CASCADE', 'SET NULL', 'SET DEFAULT']);
