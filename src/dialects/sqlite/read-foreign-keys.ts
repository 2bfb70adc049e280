// Foreign keys from the catalogue's rows, with their names from the CREATE statement.

import type { ForeignKeyAction, RawForeignKey } from '../../core/schema/raw.js';
import type { ColumnFact, ForeignKeyFact } from './catalogue.js';
import { groupBy } from './group-by.js';
import type { TableSource } from './table-source.js';

export interface ForeignKeyContext {
  readonly columns: ReadonlyMap<string, readonly ColumnFact[]>;
  readonly tableByName: ReadonlyMap<string, string>;
}

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

/** Without a target column a foreign key points to the primary key. */
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
