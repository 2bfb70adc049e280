// The order of generated keys. No vendor promises that RETURNING lists the rows as VALUES gave them, but every vendor generates keys in
// that order and ascending: sorting by the generated key assigns each returned row to the row that was sent.

import type { Row } from './driver.js';

/** `column`: the place of the generated key in each row. Rows that ascend already are returned as they are. */
export function inKeyOrder(rows: readonly Row[], column: number): readonly Row[] {
  const ascending = rows.every((row, index) => index === 0 || Number(rows[index - 1]?.[column]) < Number(row[column]));
  return ascending ? rows : rows.toSorted((a, b) => Number(a[column]) - Number(b[column]));
}
