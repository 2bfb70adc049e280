// Whole PostgreSQL databases: every value as the text that its type writes and reads.

import type { RawColumn } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import type { BoundValue } from '../../core/sql/sql.js';
import type { Cell } from '../../core/vendor/driver.js';
import {
  bytesOf,
  commonForm,
  type Kept,
  keepBytes,
  keepFloat,
  keepWhole,
  type TableWriter,
  type Transfer,
} from '../../core/vendor/transfer.js';
import { readNative } from './catalogue/native-structure.js';
import type { PostgresDriver } from './driver/connection.js';
import { quoteName, quoteNames, quoteTable } from './types/quote.js';
import { exactType, hasOwnText } from './types/vendor-facts.js';

export const createTransfer = (driver: PostgresDriver): Transfer => ({
  product: () => 'postgres',
  snapshot: (work) => driver.snapshot(work),
  readNative,
  reader: (table, columns) => ({
    // The rows of a partitioned table are in its partitions; those of tables that inherit are theirs.
    text: `SELECT ${columns.map(selectedColumn).join(', ')} FROM ${table.partitionedBy.length > 0 ? '' : 'ONLY '}${quoteTable(table)}`,
    keep: (row) => columns.map((column, index) => keepCell(column, row[index] ?? null)),
  }),
  writer: createWriter,
  loading: { before: [], after: [] },
  drop: (table) => `DROP ${table.kind === 'view' ? 'VIEW' : 'TABLE'} ${quoteTable(table)}`,
  longKeys: true,
  keysWithTable: false,
});

/** A time with a zone is read in UTC, whatever form its text would have. */
const selectedColumn = ({ name, type, dataType }: RawColumn): string =>
  type === 'timestamp' && dataType === 'timestamp with time zone'
    ? `(${quoteName(name)} AT TIME ZONE 'UTC')::text`
    : `${quoteName(name)}::text`;

function keepCell({ type }: RawColumn, cell: Cell): Kept {
  if (cell === null) return null;
  const text = String(cell);
  switch (type) {
    case 'boolean':
      return text === 'true';
    case 'integer':
    case 'bigInteger':
      return keepWhole(text);
    case 'float':
      return keepFloat(Number(text));
    case 'binary':
      return keepBytes(Buffer.from(text.slice(2), 'hex'));
    default:
      return text;
  }
}

function createWriter(table: TableName, columns: readonly RawColumn[]): TableWriter {
  const casts = columns.map(castOf);
  const head = `INSERT INTO ${quoteTable(table)} (${quoteNames(columns.map(({ name }) => name))}) OVERRIDING SYSTEM VALUE VALUES `;
  const row = (at: number): string => `(${casts.map((cast, index) => `$${at * casts.length + index + 1}::${cast}`).join(', ')})`;
  return {
    text: (rows) => head + Array.from({ length: rows }, (_, at) => row(at)).join(', '),
    bind: (kept) => columns.map((_, index) => bindKept(kept[index] ?? null)),
  };
}

/** Without a length: a cast would cut what is too long, and an assignment refuses it. */
function castOf(column: RawColumn): string {
  if (hasOwnText(column)) return exactType(column);
  if (column.dataType === 'character') return 'bpchar';
  return column.dataType === 'bit' ? 'varbit' : column.dataType;
}

function bindKept(kept: Kept): BoundValue {
  const common = commonForm(kept);
  if (common === null) return null;
  const bytes = bytesOf(common);
  return bytes === null ? String(common) : `\\x${bytes.toString('hex')}`;
}
