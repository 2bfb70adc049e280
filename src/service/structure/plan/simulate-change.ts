// The catalogue after a change, as far as the checks of the next planner need it. Only planning uses it: before statements are written,
// the runner introspects the database again.

import { unreachable } from '../../../core/errors/service-error.js';
import type { RawColumn, RawDatabase, RawDefault, RawIndex, RawTable } from '../../../core/schema/raw.js';
import { type ColumnSpec, type Ddl, type DefaultSpec, findTable, type StructureChange } from '../../../core/vendor/ddl.js';
import { isSame } from '../describe/payload.js';

export function simulateChange(database: RawDatabase, change: StructureChange, ddl: Ddl): RawDatabase {
  switch (change.kind) {
    case 'create-table':
      return { tables: [...database.tables, makeTable(change, ddl)] };
    case 'drop-table':
      return { tables: database.tables.filter((table) => table !== findTable(database, change.table)) };
    default: {
      const present = findTable(database, change.table);
      return { tables: database.tables.map((table) => (table === present ? changeTable(table, change, ddl) : table)) };
    }
  }
}

function makeTable(change: Extract<StructureChange, { kind: 'create-table' }>, ddl: Ddl): RawTable {
  return {
    ...change.table,
    kind: 'table',
    comment: change.comment,
    columns: change.columns.map((spec) => makeColumn({ ...spec, primaryKey: change.primaryKey.includes(spec.name) }, ddl)),
    primaryKey: change.primaryKey,
    foreignKeys: change.foreignKeys,
    indexes: change.uniques.map((columns) => ({ name: '', columns, unique: true, partial: false })),
    checks: [],
    partitionedBy: [],
    triggers: null,
    estimatedRows: null,
    vendor: {},
  };
}

function changeTable(table: RawTable, change: Exclude<StructureChange, { kind: 'create-table' | 'drop-table' }>, ddl: Ddl): RawTable {
  switch (change.kind) {
    case 'add-column':
      return {
        ...table,
        columns: [...table.columns, makeColumn(change.column, ddl)],
        primaryKey: change.column.primaryKey ? [change.column.name] : table.primaryKey,
      };
    case 'alter-column':
      return {
        ...table,
        columns: table.columns.map((column) => (column.name === change.column.name ? makeColumn(change.column, ddl) : column)),
      };
    case 'drop-column':
      return withoutColumn(table, change.column);
    case 'add-foreign-key':
      return { ...table, foreignKeys: [...table.foreignKeys, change.foreignKey] };
    case 'drop-foreign-key':
      return { ...table, foreignKeys: table.foreignKeys.filter((key) => !isSame(key, change.foreignKey)) };
    case 'create-index':
      return withIndexes(table, [...table.indexes, { name: change.name, columns: change.columns, unique: change.unique, partial: false }]);
    case 'drop-index':
      return withIndexes(
        table,
        table.indexes.filter((index) => index.name !== change.name),
      );
    default:
      return unreachable(change);
  }
}

/**
 * Updates what columns say about their indexes. A column whose indexes do not change keeps its facts: a table that an earlier change of the
 * same list creates has them in its columns only.
 */
function withIndexes(table: RawTable, indexes: readonly RawIndex[]): RawTable {
  const factsOf = (name: string, among: readonly RawIndex[]) => {
    const leading = among.filter(({ columns }) => columns[0] === name);
    return {
      indexed: leading.length > 0,
      unique: leading.some(({ columns, unique, partial }) => columns.length === 1 && unique && !partial),
    };
  };
  const columns = table.columns.map((column) => {
    const [before, after] = [factsOf(column.name, table.indexes), factsOf(column.name, indexes)];
    return isSame(before, after) ? column : { ...column, ...after };
  });
  return { ...table, columns, indexes };
}

const withoutColumn = (table: RawTable, name: string): RawTable => ({
  ...table,
  columns: table.columns.filter((column) => column.name !== name),
  foreignKeys: table.foreignKeys.filter((key) => !key.columns.includes(name)),
  indexes: table.indexes.filter((index) => !index.columns.includes(name)),
});

/** The column that introspection would report after the change. */
export function makeColumn(spec: ColumnSpec, ddl: Ddl): RawColumn {
  return {
    name: spec.name,
    dataType: spec.type,
    type: ddl.readBackType(spec),
    default: spec.autoIncrement ? { kind: 'counter', value: '' } : makeDefault(spec.default),
    maxLength: spec.maxLength,
    precision: spec.precision,
    scale: spec.scale,
    generated: spec.generationExpression !== null,
    generationExpression: spec.generationExpression,
    nullable: spec.nullable && !spec.primaryKey,
    unique: spec.unique,
    indexed: spec.indexed || spec.unique,
    primaryKey: spec.primaryKey,
    autoIncrement: spec.autoIncrement,
    comment: spec.comment,
    collation: null,
    vendor: {},
  };
}

function makeDefault(spec: DefaultSpec | null): RawDefault | null {
  if (spec === null) return null;
  switch (spec.kind) {
    case 'literal':
      return { kind: 'literal', value: spec.value };
    case 'now':
      return { kind: 'expression', value: 'CURRENT_TIMESTAMP' };
    case 'expression':
      return { kind: 'expression', value: spec.text };
    default:
      return unreachable(spec);
  }
}
