// Names for what DDL makes beside tables and columns. PostgreSQL cuts names at 63 bytes without a word, and names of indexes share
// one space with the tables of a schema.

import { createHash } from 'node:crypto';
import type { RawDatabase } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';

const maxBytes = 63;

export function deriveName(before: RawDatabase, table: TableName, columns: readonly string[], ending: 'unique' | 'index' | 'pkey'): string {
  const plain = [table.name, ...(ending === 'pkey' ? [] : columns), ending].join('_');
  if (Buffer.byteLength(plain) <= maxBytes && !isTaken(before, table.schema, plain)) return plain;
  const hash = createHash('md5')
    .update(JSON.stringify([table.name, columns, ending]))
    .digest('hex')
    .slice(0, 8);
  return `${cut(plain, maxBytes - hash.length - 1)}_${hash}`;
}

const isTaken = (before: RawDatabase, schema: string | null, name: string): boolean =>
  before.tables.some((table) => table.schema === schema && (table.name === name || table.indexes.some((index) => index.name === name)));

function cut(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  // Never inside of a character: a continuation byte begins with 10.
  let end = Math.min(bytes, buffer.length);
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return buffer.toString('utf8', 0, end);
}
