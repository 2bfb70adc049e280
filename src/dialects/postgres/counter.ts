// Counters behind integer keys: a sequence does not notice keys that clients choose, so it is moved past them.

import type { TableName } from '../../core/schema/table-name.js';
import { quoteLiteral, quoteName, quoteTable } from './quoting.js';

/**
 * Moves the counter of a column past the highest stored key, never back; without effect when it is there already or when the column
 * has no sequence of its own. To be run after an insert with keys that the client chose.
 */
export function continueCounter(table: TableName, column: string): string {
  const target = quoteTable(table);
  const name = quoteName(column);
  const sequence = `pg_get_serial_sequence(${quoteLiteral(target)}, ${quoteLiteral(column)})`;
  return (
    `SELECT setval(s.sequence, h.highest) FROM (SELECT ${sequence}::regclass AS sequence) s, (SELECT max(${name}) AS highest FROM ${target}) h` +
    ' WHERE s.sequence IS NOT NULL AND h.highest > coalesce(pg_sequence_last_value(s.sequence), 0)'
  );
}
