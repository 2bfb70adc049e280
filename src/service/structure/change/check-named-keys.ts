// What only the database can say about a key that is about to be named: whether it accepts writes there at all, and whether the stored values tell the
// items apart.

import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { hasKeyFlag } from '../../../core/schema/build/named-key.js';
import type { RawTable } from '../../../core/schema/raw.js';
import type { Collection } from '../../../core/schema/schema.js';
import { join, render, type Sql, sql } from '../../../core/sql/sql.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { advance, type ChangeSet } from '../plan/change-set.js';
import type { StructureState } from '../plan/structure-state.js';

/** Thrown by a change that names keys, to have them checked while nobody waits for its lock. */
class UncheckedKeys extends Error {
  readonly keys: readonly NamedKey[];

  constructor(keys: readonly NamedKey[]) {
    super('unchecked keys');
    this.keys = keys;
  }
}

interface NamedKey {
  readonly collection: string;
  /** As the database has it. */
  readonly table: RawTable;
  readonly fields: readonly string[];
}

/** The keys that were found good, as texts. */
export type CheckedKeys = Set<string>;

const textOf = ({ collection, fields }: NamedKey): string => JSON.stringify([collection, ...fields]);

export function requireCheckedKeys(state: StructureState, changeSet: ChangeSet, checked: CheckedKeys): void {
  const keys = newlyKeyed(state, changeSet).flatMap(({ name, table, primaryKey }): readonly NamedKey[] => {
    const stored = state.database.tables.find((candidate) => candidate.name === table?.name && candidate.schema === table.schema);
    // A table that the same change makes is empty.
    return stored === undefined ? [] : [{ collection: name, table: stored, fields: primaryKey }];
  });
  const unchecked = keys.filter((key) => !checked.has(textOf(key)));
  if (unchecked.length > 0) throw new UncheckedKeys(unchecked);
}

/** Runs a change, and again once the keys that it names are checked. */
export async function withCheckedKeys<T>(dialect: Dialect, run: (checked: CheckedKeys) => Promise<T>): Promise<T> {
  const checked: CheckedKeys = new Set();
  for (;;) {
    try {
      return await run(checked);
    } catch (error) {
      if (!(error instanceof UncheckedKeys)) throw error;
      for (const key of error.keys) {
        await checkKey(dialect, key);
        checked.add(textOf(key));
      }
    }
  }
}

/** The collections whose named key was another one before. */
function newlyKeyed(state: StructureState, changeSet: ChangeSet): readonly Collection[] {
  const isAboutKeys = changeSet.rows.some((change) => {
    if (change.collection !== 'service_fields') return false;
    return change.kind === 'insert' ? hasKeyFlag(change.row) : change.kind === 'update' && 'special' in change.set;
  });
  if (!isAboutKeys) return [];
  const { collections } = advance(state, changeSet).schema;
  const before = (name: string): string => JSON.stringify(state.schema.collections.get(name)?.primaryKey ?? []);
  return [...collections.values()].filter(
    ({ name, table, primaryKey }) => table?.namedKey !== undefined && before(name) !== JSON.stringify(primaryKey),
  );
}

async function checkKey(dialect: Dialect, { collection, table, fields }: NamedKey): Promise<void> {
  if ((await dialect.writableEvents(dialect.driver, table)).size === 0)
    throw invalidPayload(
      `The database accepts no writes to "${collection}", so a key would not make it writable${table.kind === 'view' ? ': give the view INSTEAD OF triggers, or a form that the database can update' : ''}.`,
    );
  const { syntax } = dialect;
  const columns = fields.map(syntax.identifier);
  const about = { collection, field: fields.join(',') };
  const isNull = join(
    columns.map((column) => sql`${column} IS NULL`),
    ' OR ',
  );
  const from = sql`FROM ${syntax.table(table)}`;
  const one = syntax.limitOffset(1, null);
  if (await finds(dialect, collection, sql`SELECT 1 ${from} WHERE ${isNull}${one}`)) throw invalidPayload(refusal('stored_null', about));
  const proven = table.indexes.some(
    ({ columns: own, unique, partial }) => unique && !partial && own.every((name) => fields.includes(name)),
  );
  if (proven) return;
  const repeated = sql`SELECT 1 ${from} GROUP BY ${join(columns, ', ')} HAVING COUNT(*) > 1${one}`;
  if (await finds(dialect, collection, repeated)) throw invalidPayload(refusal('stored_twice', about));
}

/** The statement timeout bounds it. */
async function finds({ driver, syntax }: Dialect, collection: string, statement: Sql): Promise<boolean> {
  try {
    const { text } = render(statement, syntax.placeholder);
    return (await driver.rows({ kind: 'read', text, values: [] })).length > 0;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.kind !== 'timeout') throw error;
    throw invalidPayload(
      `"${collection}" is too large to see in time whether its values are unique: give it a unique index over these fields first.`,
    );
  }
}
