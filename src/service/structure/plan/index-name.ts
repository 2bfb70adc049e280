// Names of indexes for which the request gives none.

import { createHash } from 'node:crypto';
import type { TableName } from '../../../core/schema/table-name.js';

const maxBytes = 63;

/** The same for the same table, columns and ending; a name that is too long is replaced by a digest. */
export function indexName(table: TableName, columns: readonly string[], ending: string): string {
  const wanted = `${table.name}_${columns.join('_')}_${ending}`;
  if (Buffer.byteLength(wanted) <= maxBytes) return wanted;
  return `index_${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`;
}
