// Whole SQLite files: any column may hold values of any storage class, so a value that its type does not suggest is kept twice, as it is stored
// and in the form for other products.

import type { RawColumn } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import type { BoundValue } from '../../core/sql/sql.js';
import type { Cell, Connection, Row } from '../../core/vendor/driver.js';
import {
  bytesOf,
  commonForm,
  type ExactValue,
  type Kept,
  keepBytes,
  keepFloat,
  keepWhole,
  type NativeStructure,
  type Transfer,
} from '../../core/vendor/transfer.js';
import type { SqliteDriver } from './driver/driver.js';
import { isMoment, momentForm } from './types/moments.js';
import { quoteName, quoteNames, quoteText } from './types/quote.js';
import { hasAffinity, momentFormOf } from './types/vendor-facts.js';

export const createTransfer = (driver: SqliteDriver): Transfer => ({
  product: () => 'sqlite',
  snapshot: (work) => driver.snapshot(work),
  readNative,
  reader: (table, columns) => ({
    text: `SELECT ${columns.map(selectedColumn).join(', ')} FROM ${quoteName(table.name)}`,
    keep: (row) => keepRow(columns, row),
  }),
  writer: (table, columns, exact) => createWriter(table, columns, exact),
  loading: { before: [], after: [] },
  drop: (table) => `DROP ${table.kind === 'view' ? 'VIEW' : 'TABLE'} ${quoteName(table.name)}`,
  longKeys: true,
  keysWithTable: true,
});

/** The driver returns 1 for 1 and 1.0: where a column keeps both apart, its storage class is read, too. */
const tellsReals = (column: RawColumn): boolean => hasAffinity(column, 'BLOB');

const selectedColumn = (column: RawColumn): string => {
  const name = quoteName(column.name);
  return tellsReals(column) ? `typeof(${name}), ${name}` : name;
};

function keepRow(columns: readonly RawColumn[], row: Row): readonly Kept[] {
  let at = 0;
  return columns.map((column) => {
    const isReal = tellsReals(column) && row[at++] === 'real';
    return keepCell(column, row[at++] ?? null, isReal);
  });
}

function keepCell(column: RawColumn, cell: Cell, isReal: boolean): Kept {
  if (cell === null) return null;
  const common = suggested(column, cell, isReal);
  return common === undefined ? { x: exactOf(cell, isReal), c: commonOf(column, cell) } : common;
}

const ownMoment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}(?:\d{0,5}[1-9])?$/;
const ownDate = /^\d{4}-\d\d-\d\d$/;
const ownTime = /^\d\d:\d\d:\d\d(?:\.\d*[1-9])?$/;

/** The form for every product, if this value can be made from it again; else undefined. */
function suggested({ type }: RawColumn, cell: Cell, isReal: boolean): Kept | undefined {
  switch (type) {
    case 'boolean':
      return cell === 1 ? true : cell === 0 ? false : undefined;
    case 'integer':
    case 'bigInteger':
      return isWhole(cell) ? keepWhole(String(cell)) : undefined;
    case 'float':
      return typeof cell === 'number' ? keepFloat(cell) : undefined;
    case 'date':
      return typeof cell === 'string' && ownDate.test(cell) ? cell : undefined;
    case 'time':
      return typeof cell === 'string' && ownTime.test(cell) ? cell : undefined;
    case 'dateTime':
    case 'timestamp':
      return typeof cell === 'string' && ownMoment.test(cell) ? cell : undefined;
    case 'binary':
      return cell instanceof Uint8Array ? keepBytes(cell) : undefined;
    case 'unknown':
      return typeof cell === 'string' && !isReal ? cell : undefined;
    default:
      return typeof cell === 'string' ? cell : undefined;
  }
}

const isWhole = (cell: Cell): boolean => typeof cell === 'bigint' || Number.isSafeInteger(cell);

function exactOf(cell: Cell, isReal: boolean): ExactValue {
  if (cell instanceof Uint8Array) return ['b', Buffer.from(cell).toString('base64')];
  if (typeof cell === 'string') return ['t', cell];
  return isReal || !isWhole(cell) || Object.is(cell, -0) ? ['r', Object.is(cell, -0) ? '-0' : String(cell)] : ['i', String(cell)];
}

function commonOf(column: RawColumn, cell: Cell): Kept {
  const { type } = column;
  if (isMoment(type) && (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'bigint')) {
    const form = momentFormOf(column);
    const text = momentForm(cell, form?.kind === 'number' ? form.unit : null, type);
    return text === null ? null : text.replace('T', ' ').replace('Z', '');
  }
  if (type === 'boolean') return typeof cell === 'string' ? /^(?:t|true|y|yes|on|[1-9]\d*)$/i.test(cell) : Number(cell) !== 0;
  if (type === 'decimal' && typeof cell === 'number') return plainDigits(cell);
  if (cell instanceof Uint8Array) return type === 'binary' || type === 'unknown' ? keepBytes(cell) : Buffer.from(cell).toString('utf8');
  if (type === 'binary') return keepBytes(Buffer.from(String(cell), 'utf8'));
  return String(cell);
}

/** A number without an exponent. */
const plainDigits = (value: number): string =>
  !/e/.test(String(value)) ? String(value) : Number.isInteger(value) ? String(BigInt(value)) : value.toFixed(20).replace(/0+$/, '');

function createWriter({ name }: TableName, columns: readonly RawColumn[], exact: boolean) {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const head = `INSERT INTO ${quoteName(name)} (${quoteNames(columns.map((column) => column.name))}) VALUES `;
  return {
    text: (rows: number): string => head + Array.from({ length: rows }, () => row).join(', '),
    bind: (kept: readonly Kept[]): readonly BoundValue[] => columns.map((column, index) => bindKept(column, kept[index] ?? null, exact)),
  };
}

function bindKept(column: RawColumn, kept: Kept, exact: boolean): BoundValue {
  if (exact && typeof kept === 'object' && kept !== null && 'x' in kept) return bindExact(kept.x);
  const common = commonForm(kept);
  if (common === null) return null;
  const bytes = bytesOf(common);
  if (bytes !== null) return bytes;
  switch (column.type) {
    case 'boolean':
      return common === true || common === 'true' ? 1n : 0n;
    case 'integer':
    case 'bigInteger':
      return /^-?\d+$/.test(String(common)) ? BigInt(String(common)) : String(common);
    case 'float':
      return Number(common);
    case 'dateTime':
    case 'timestamp':
      return exact ? String(common) : ownForm(String(common));
    default:
      return String(common);
  }
}

/** The service's own form has milliseconds, and more digits where there are more. */
function ownForm(text: string): string {
  const [, whole, fraction = ''] = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(text) ?? [];
  return whole === undefined ? text : `${whole}.${fraction.replace(/0+$/, '').padEnd(3, '0')}`;
}

function bindExact([kind, text]: ExactValue): BoundValue {
  switch (kind) {
    case 'i':
      return BigInt(text);
    case 'r':
      return Number(text);
    case 't':
      return text;
    case 'b':
      return Buffer.from(text, 'base64');
  }
}

const objectsText = `SELECT s.type, s.name, s.sql, coalesce(l.type, '') FROM sqlite_schema s
LEFT JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name AND s.type = 'table'
WHERE s.sql IS NOT NULL AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY s.rowid`;
const hasCounters = "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'";

async function readNative(reading: Connection): Promise<NativeStructure> {
  const read = (text: string): Promise<readonly Row[]> => reading.rows({ kind: 'read', text, values: [] });
  const objects = (await read(objectsText)).map(([type, name, sql, list]) => ({
    type: String(type),
    name: String(name),
    sql: String(sql),
    list: String(list),
  }));
  const of = (...types: readonly string[]): readonly string[] =>
    types.flatMap((type) => objects.filter((object) => object.type === type).map(({ sql }) => sql));
  const [[counters] = []] = await read(hasCounters);
  const numbers = Number(counters) === 0 ? [] : await read('SELECT name, seq FROM sqlite_sequence ORDER BY name');
  return {
    before: objects.filter(({ type, list }) => type === 'table' && list !== 'shadow').map(({ sql }) => sql),
    after: [
      ...of('index'),
      ...numbers.flatMap(([name, seq]) => [
        `DELETE FROM sqlite_sequence WHERE name = ${quoteText(String(name))}`,
        `INSERT INTO sqlite_sequence (name, seq) VALUES (${quoteText(String(name))}, ${String(seq)})`,
      ]),
      ...of('trigger', 'view'),
    ],
    missing: objects
      .filter(({ list }) => list === 'virtual')
      .map(({ name }) => `the rows of the virtual table "${name}": it is made empty`),
  };
}
