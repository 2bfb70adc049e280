// Indexes from the catalogue's rows, one per column.

import type { RawIndex } from '../../core/schema/raw.js';
import type { IndexColumnFact } from './catalogue.js';
import { groupBy } from './group-by.js';

export function readIndexes(facts: readonly IndexColumnFact[]): readonly RawIndex[] {
  return [...groupBy(facts, (fact) => fact.index)].map(([name, columns]) => ({
    name,
    columns: columns.flatMap(({ column }) => (column === null ? [] : [column])),
    unique: columns[0]?.unique ?? false,
    partial: columns.some((fact) => fact.partial || fact.column === null),
  }));
}
