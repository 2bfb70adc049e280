// Rows of a catalogue view by the text of one of their cells, in the order they came.

import type { Row } from '../../core/vendor/driver.js';

export function groupRows(rows: readonly Row[], cell: number): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = String(row[cell]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
