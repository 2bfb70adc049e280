// About how many different values a column has, from what ANALYZE has counted. It may be old: nothing but speed may depend on it.

import type { RawIndex } from '../../core/schema/raw.js';
import type { IndexStatistic } from './catalogue.js';

/** By the name of the column an index begins with. */
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
