// Creates tables, and adds and drops columns, foreign keys and indexes.

import type { RawDatabase, RawForeignKey, RawTable } from '../../../core/schema/raw.js';
import type { ColumnSpec, ForeignKeySpec, StructureChange } from '../../../core/vendor/ddl.js';
import type { ClauseRule, ColumnSource, ConstraintSource } from '../catalogue/table-source.js';
import { quoteName, quoteNames } from '../types/quote.js';
import { defineColumn } from './column-definition.js';
import { columnIndex, createIndex, dropIndex, freeName, indexesNaming, takenNames } from './index-steps.js';
import { copyColumns, definitionsOf, rebuildTable, tableSource } from './rebuild-table.js';

type CreateTable = Extract<StructureChange, { readonly kind: 'create-table' }>;

export function createTable(change: CreateTable, before: RawDatabase): readonly string[] {
  const table = change.table.name;
  const isKey = (column: ColumnSpec): boolean => change.primaryKey.includes(column.name);
  const single = change.primaryKey.length === 1;
  const definitions = [
    ...change.columns.map((column) => defineColumn({ ...column, primaryKey: isKey(column) }, single && isKey(column))),
    ...(change.primaryKey.length > 1 ? [`PRIMARY KEY (${quoteNames(change.primaryKey)})`] : []),
    ...change.foreignKeys.map(foreignKeyConstraint),
  ];
  const taken = new Set(takenNames(before));
  const unique = (columns: readonly string[]): string => {
    const name = freeName(`${table}_${columns.join('_')}_unique`, taken);
    taken.add(name.toLowerCase());
    return createIndex(name, table, columns, true);
  };
  return [
    `CREATE TABLE ${quoteName(table)} (${definitions.join(', ')})`,
    ...change.columns.flatMap((column) => columnIndex({ ...column, primaryKey: single && isKey(column) }, table, taken)),
    ...change.uniques.map(unique),
  ];
}

const foreignKeyConstraint = (key: ForeignKeySpec): string =>
  `CONSTRAINT ${quoteName(key.name)} FOREIGN KEY (${quoteNames(key.columns)}) REFERENCES ${quoteName(key.foreignTable)} (${quoteNames(key.foreignColumns)}) ON DELETE ${key.onDelete} ON UPDATE ${key.onUpdate}`;

export function addColumn(table: RawTable, spec: ColumnSpec, before: RawDatabase): readonly string[] {
  const definition = defineColumn(spec, spec.primaryKey);
  const index = columnIndex(spec, table.name, takenNames(before));
  if (canAddInPlace(spec)) return [`ALTER TABLE ${quoteName(table.name)} ADD COLUMN ${definition}`, ...index];
  return [...rebuildTable(table, { definitions: definitionsOf(tableSource(table), definition) }), ...index];
}

/**
 * ADD COLUMN takes no primary key, no computed default, and no NOT NULL without a default. It accepts a generated column whose expression names an
 * unknown function, after which every read fails; a rebuild reports the error at once.
 */
function canAddInPlace(spec: ColumnSpec): boolean {
  if (spec.primaryKey || spec.generationExpression !== null) return false;
  return spec.default === null ? spec.nullable : spec.default.kind === 'literal';
}

export function dropColumn(table: RawTable, column: string): readonly string[] {
  const source = tableSource(table);
  const indexes = indexesNaming(table, column);
  const own = source.columns.find((candidate) => candidate.name === column);
  const isPlain =
    own !== undefined &&
    !own.clauses.some(({ rule }) => rule === 'primary key' || rule === 'unique' || rule === 'references' || rule === 'check');
  const bound = source.constraints.filter((constraint) => constraint.columns.includes(column));
  if (isPlain && bound.length === 0)
    return [...indexes.map(dropIndex), `ALTER TABLE ${quoteName(table.name)} DROP COLUMN ${quoteName(column)}`];
  return rebuildTable(table, {
    definitions: definitionsOf({
      columns: source.columns.filter((candidate) => candidate !== own),
      constraints: source.constraints.filter((constraint) => !bound.includes(constraint)),
    }),
    copy: copyColumns(table).filter((part) => part.column !== column),
    withoutIndexes: indexes,
  });
}

export function addForeignKey(table: RawTable, key: ForeignKeySpec): readonly string[] {
  return rebuildTable(table, { definitions: [...definitionsOf(tableSource(table)), foreignKeyConstraint(key)] });
}

/** Finds the foreign key by its name, or by its columns if it has no name. */
export function dropForeignKey(table: RawTable, { name, columns }: RawForeignKey): readonly string[] {
  const source = tableSource(table);
  const isOverColumns = (constraint: ConstraintSource): boolean => constraint.columns.join('\0') === columns.join('\0');
  const named = name !== null && source.constraints.some((constraint) => constraint.rule === 'foreign key' && constraint.name === name);
  const goes = (constraint: ConstraintSource): boolean =>
    constraint.rule === 'foreign key' && (named ? constraint.name === name : isOverColumns(constraint));
  const withoutReference = (candidate: ColumnSource): ColumnSource => (named ? candidate : withoutClause(candidate, columns, 'references'));
  const constraints = source.constraints.filter((constraint) => !goes(constraint));
  return rebuildTable(table, { definitions: definitionsOf({ columns: source.columns.map(withoutReference), constraints }) });
}

/** The index of a UNIQUE constraint is dropped by removing the constraint. */
export function dropTableIndex(table: RawTable, name: string): readonly string[] {
  if (!name.toLowerCase().startsWith('sqlite_autoindex_')) return [dropIndex(name)];
  const columns = table.indexes.find((index) => index.name === name)?.columns ?? [];
  const source = tableSource(table);
  const isSame = (constraint: ConstraintSource): boolean =>
    constraint.rule === 'unique' && constraint.columns.join('\0') === columns.join('\0');
  const definitions = definitionsOf({
    columns: source.columns.map((candidate) => withoutClause(candidate, columns, 'unique')),
    constraints: source.constraints.filter((constraint) => !isSame(constraint)),
  });
  return rebuildTable(table, { definitions });
}

/** Removes the column clause that is equivalent to a table constraint over this single column. */
const withoutClause = (column: ColumnSource, columns: readonly string[], unwanted: ClauseRule): ColumnSource =>
  columns.length === 1 && column.name === columns[0]
    ? { ...column, clauses: column.clauses.filter(({ rule }) => rule !== unwanted) }
    : column;
