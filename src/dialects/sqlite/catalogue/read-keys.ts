// Indexes and foreign keys from the rows of the catalogue, and what ANALYZE knows about the indexes.

import type { ForeignKeyAction, RawForeignKey, RawIndex } from '../../../core/schema/raw.js';
import { groupBy } from '../../../core/util/group-by.js';
import type { ColumnFact, ForeignKeyFact, IndexColumnFact, IndexStatistic } from './catalogue.js';
import type { TableSource } from './table-source.js';

/** `texts`: the CREATE INDEX statements by their names. */
export function readIndexes(facts: readonly IndexColumnFact[], texts: ReadonlyMap<string, string>): readonly RawIndex[] {
  return [...groupBy(facts, (fact) => fact.index)].map(([name, columns]) => {
    const partial = columns.some((fact) => fact.partial || fact.column === null);
    const definition = partial ? texts.get(name) : undefined;
    return {
      name,
      columns: columns.flatMap(({ column }) => (column === null ? [] : [column])),
      unique: columns[0]?.unique ?? false,
      partial,
      ...(columns[0]?.constraint === true ? { constraint: true } : {}),
      ...(definition === undefined ? {} : { definition }),
    };
  });
}

/**
 * Estimates how many distinct values each column has that an index begins with. The numbers are those of the last ANALYZE and may be
 * outdated, so only the speed of a statement may depend on them, never its result.
 */
export function countValues(indexes: readonly RawIndex[], statistics: readonly IndexStatistic[]): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const { index, counts } of statistics) {
    const known = indexes.find(({ name, partial }) => name === index && !partial);
    const [column] = known?.columns ?? [];
    const [entries = Number.NaN, alike = Number.NaN] = counts.split(' ').map(Number);
    if (column !== undefined && entries >= 0 && alike > 0) values.set(column, Math.ceil(entries / alike));
  }
  return values;
}

/** What the catalogue knows about the tables that foreign keys refer to. */
export interface ForeignKeyContext {
  readonly columns: ReadonlyMap<string, readonly ColumnFact[]>;
  /** By the name in lower case. */
  readonly tableByName: ReadonlyMap<string, string>;
}

/** The catalogue has no names of foreign keys; they are read from the CREATE TABLE statement. */
export function readForeignKeys(
  facts: readonly ForeignKeyFact[],
  source: TableSource | null,
  context: ForeignKeyContext,
): readonly RawForeignKey[] {
  return [...groupBy(facts, (fact) => String(fact.id)).values()].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    const foreignTable = context.tableByName.get(first.foreignTable.toLowerCase()) ?? first.foreignTable;
    const columns = parts.map((part) => part.column);
    return [
      {
        name: findName(columns, source),
        columns,
        foreignSchema: null,
        foreignTable,
        foreignColumns: foreignColumns(parts, context.columns.get(foreignTable) ?? []),
        onDelete: toAction(first.onDelete),
        onUpdate: toAction(first.onUpdate),
      },
    ];
  });
}

/** A foreign key that names no target column refers to the primary key. */
function foreignColumns(parts: readonly ForeignKeyFact[], target: readonly ColumnFact[]): readonly string[] {
  const key = target.filter((column) => column.key > 0).sort((a, b) => a.key - b.key);
  return parts.map(({ foreignColumn }, index) => {
    if (foreignColumn === null) return key[index]?.name ?? 'rowid';
    return target.find((column) => column.name.toLowerCase() === foreignColumn.toLowerCase())?.name ?? foreignColumn;
  });
}

function findName(columns: readonly string[], source: TableSource | null): string | null {
  if (source === null) return null;
  const wanted = columns.join('\0').toLowerCase();
  const constraint = source.constraints.find(({ rule, columns: own }) => rule === 'foreign key' && own.join('\0').toLowerCase() === wanted);
  if (constraint !== undefined) return constraint.name;
  const column = source.columns.find(({ name }) => name.toLowerCase() === wanted);
  return column?.clauses.find((clause) => clause.rule === 'references')?.name ?? null;
}

const actions: readonly ForeignKeyAction[] = ['RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'];
const toAction = (text: string): ForeignKeyAction => actions.find((action) => action === text.toUpperCase()) ?? 'NO ACTION';
