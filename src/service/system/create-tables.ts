// Creates the tables of definitions: those of the service, and those of the demo.

import type { RawDatabase } from '../../core/schema/raw.js';
import type { SystemHome } from '../../core/schema/system-home.js';
import { findTable, type StructureChange } from '../../core/vendor/ddl.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { OrderedDefinition } from './order-definitions.js';
import { columnSpec, foreignKeySpec } from './table-spec.js';

type CreateTable = Extract<StructureChange, { kind: 'create-table' }>;

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
  if (!findTable(before, deps.system.find(entry.definition).table)) await applyChange(deps, tableChange(entry, deps.system), before);
}

export function tableChange({ definition, later }: OrderedDefinition, system: SystemHome): CreateTable {
  const relations = definition.relations.filter((relation) => !later.includes(relation));
  return {
    kind: 'create-table',
    table: system.find(definition).table,
    columns: definition.fields.map((field) => columnSpec(definition, field)),
    primaryKey: definition.primaryKey,
    foreignKeys: relations.flatMap((relation) => foreignKeySpec(definition, relation, system) ?? []),
    uniques: [],
    comment: null,
  };
}
