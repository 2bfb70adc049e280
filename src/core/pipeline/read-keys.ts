// An INSERT whose keys are needed at once: sent alone, answered with a row per inserted row.

import { render } from '../sql/sql.js';
import type { WriteVendor } from '../sql/write/keys-to-sql.js';
import type { Connection, Row, Statement } from '../vendor/driver.js';

/**
 * `insert` asks for its keys by RETURNING where the vendor has it. MySQL has not: there the table's one generated key is computed from the
 * first key of the INSERT and the distance between keys, which MySQL guarantees for an INSERT of a known number of rows.
 */
export async function insertReadingKeys(
  connection: Connection,
  { syntax, write }: WriteVendor,
  insert: Statement,
  count: number,
): Promise<readonly Row[]> {
  if (write.insertReturns) return connection.rows(insert);
  await connection.run(insert);
  const [row] = await connection.rows({ kind: 'read', text: render(write.lastKey(), syntax.placeholder).text, values: [] });
  const [first, distance] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 1)];
  return Array.from({ length: count }, (_, index) => [first + index * distance]);
}
