// Makes the system tables of the definitions, their foreign keys and indexes.

import type { RawDatabase, RawTable } from '../../../core/schema/raw.js';
import { findTable } from '../../../core/vendor/ddl.js';
import { applyChange, type Migration, type MigrationWork } from '../migration.js';
import { type OrderedDefinition, orderDefinitions } from '../order-definitions.js';
import { columnSpec, foreignKeySpec, indexChanges } from '../table-spec.js';

export const systemTables: Migration = {
  version: '0001',
  name: 'system tables',
  async run(work) {
    const ordered = orderDefinitions(work.definitions);
    const before = await work.dialect.introspect(work.connection);
    for (const entry of ordered) await ensureTable(work, entry, before);
    for (const entry of ordered) await ensureLaterForeignKeys(work, entry);
    await ensureIndexes(work);
  },
};

export async function ensureTable(work: MigrationWork, entry: OrderedDefinition, before: RawDatabase): Promise<void> {
  const { definition, later } = entry;
  const table = { schema: work.systemSchema, name: definition.collection };
  if (findTable(before, table)) return;
  const relations = definition.relations.filter((relation) => !later.includes(relation));
  const foreignKeys = relations.flatMap((relation) => foreignKeySpec(definition, relation, work.systemSchema) ?? []);
  const columns = definition.fields.map((field) => columnSpec(definition, field));
  const { primaryKey } = definition;
  await applyChange(work, { kind: 'create-table', table, columns, primaryKey, foreignKeys, uniques: [], comment: null }, before);
}

/** Reads the structure before each: a vendor may have to rebuild the table from what it is now. */
async function ensureLaterForeignKeys(work: MigrationWork, { definition, later }: OrderedDefinition): Promise<void> {
  const table = { schema: work.systemSchema, name: definition.collection };
  for (const relation of later) {
    const foreignKey = foreignKeySpec(definition, relation, work.systemSchema);
    const before = await work.dialect.introspect(work.connection);
    if (foreignKey && !hasForeignKey(findTable(before, table), relation.field)) {
      await applyChange(work, { kind: 'add-foreign-key', table, foreignKey }, before);
    }
  }
}

async function ensureIndexes(work: MigrationWork): Promise<void> {
  const before = await work.dialect.introspect(work.connection);
  for (const change of work.definitions.flatMap((definition) => indexChanges(definition, work.systemSchema))) {
    if (!hasIndex(findTable(before, change.table), change.name)) await applyChange(work, change, before);
  }
}

const hasForeignKey = (table: RawTable | undefined, column: string): boolean =>
  table?.foreignKeys.some((key) => key.columns.length === 1 && key.columns[0] === column) === true;

const hasIndex = (table: RawTable | undefined, name: string): boolean => table?.indexes.some((index) => index.name === name) === true;
