// Creates the tables of definitions: those of the service, and those of the demo.

import type { RawDatabase } from '../../core/schema/raw.js';
import type { SystemHome } from '../../core/schema/system-home.js';
import { findTable, type StructureChange } from '../../core/vendor/ddl.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { OrderedDefinition } from './order-definitions.js';
import { columnSpec, foreignKeySpec } from './table-spec.js';

export interface MigrationDeps {
  readonly dialect: Dialect;
  readonly connection: Connection;
  readonly system: SystemHome;
}

/** Runs the statements of one change. `before` is the structure that the change starts from. */
export async function applyChange({ dialect, connection }: MigrationDeps, change: StructureChange, before: RawDatabase): Promise<void> {
  for (const step of dialect.ddl.steps(change, before)) await connection.run({ kind: 'ddl', text: step.text, values: [] });
}

/** Creates a table unless it exists. Leaves out its `later` foreign keys and its indexes. */
export async function ensureTable(deps: MigrationDeps, entry: OrderedDefinition, before: RawDatabase): Promise<void> {
  const { definition, later } = entry;
  const table = deps.system.find(definition).table;
  if (findTable(before, table)) return;
  const relations = definition.relations.filter((relation) => !later.includes(relation));
  const foreignKeys = relations.flatMap((relation) => foreignKeySpec(definition, relation, deps.system) ?? []);
  const columns = definition.fields.map((field) => columnSpec(definition, field));
  const { primaryKey } = definition;
  await applyChange(deps, { kind: 'create-table', table, columns, primaryKey, foreignKeys, uniques: [], comment: null }, before);
}
