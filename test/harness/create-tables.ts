// Creates tables from a description, with the vendor's own DDL, so that all vendors share a fixture.

import type { RawColumn, RawTable } from '../../src/core/schema/raw.js';
import type { ColumnSpec, ForeignKeySpec } from '../../src/core/vendor/ddl.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';

export async function createTables(dialect: Dialect, tables: readonly RawTable[]): Promise<void> {
  for (const raw of tables) {
    const before = await dialect.introspect(dialect.driver);
    const [table, columns] = [{ schema: null, name: raw.name }, raw.columns.filter((column) => !column.generated).map(specOf)];
    const change = {
      kind: 'create-table',
      table,
      columns,
      primaryKey: raw.primaryKey,
      foreignKeys: foreignKeysOf(raw),
      uniques: [],
      comment: null,
    } as const;
    for (const step of dialect.ddl.steps(change, before)) await dialect.driver.run({ kind: 'write', text: step.text, values: [] });
  }
}

const specOf = (column: RawColumn): ColumnSpec => ({
  name: column.name,
  type: column.type,
  nullable: column.nullable,
  default: null,
  maxLength: column.type === 'string' ? (column.maxLength ?? 255) : null,
  precision: column.precision,
  scale: column.scale,
  unique: column.unique,
  indexed: column.indexed,
  primaryKey: column.primaryKey,
  autoIncrement: column.autoIncrement,
  comment: null,
  generationExpression: null,
});

const foreignKeysOf = (raw: RawTable): readonly ForeignKeySpec[] =>
  raw.foreignKeys.map((key) => ({
    ...key,
    name: `${raw.name}_${key.columns[0]}_fk`,
    foreignSchema: null,
  }));
