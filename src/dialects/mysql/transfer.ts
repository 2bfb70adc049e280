// Whole databases of MariaDB and MySQL. The statements of one of the two products are not those of the other.

import type { RawColumn, RawTable } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import { isGeometryType } from '../../core/schema/types/field-type.js';
import type { BoundValue } from '../../core/sql/sql.js';
import type { Cell, Connection } from '../../core/vendor/driver.js';
import {
  bytesOf,
  commonForm,
  type Kept,
  keepBytes,
  keepFloat,
  keepWhole,
  type NativeStructure,
  type TableWriter,
  type Transfer,
} from '../../core/vendor/transfer.js';
import type { MysqlDriver } from './driver/driver.js';
import { quoteName } from './types/quote.js';
import type { Server } from './types/server.js';
import { bitsOfColumn } from './types/vendor-facts.js';

export const createTransfer = (driver: MysqlDriver, server: () => Server): Transfer => ({
  product: () => (server().mariadb ? 'mariadb' : 'mysql'),
  snapshot: (work) => driver.snapshot(work),
  readNative,
  reader: (table, columns) => ({
    text: `SELECT ${columns.map(selectedColumn).join(', ')} FROM ${quoteName(table.name)}`,
    keep: (row) => columns.map((column, index) => keepCell(column, row[index] ?? null)),
  }),
  writer: createWriter,
  // Without the mode, a zero in a counted column would become the next number.
  loading: {
    before: ["SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',NO_AUTO_VALUE_ON_ZERO'), foreign_key_checks = 0, unique_checks = 0"],
    after: ["SET SESSION sql_mode = REPLACE(@@SESSION.sql_mode, 'NO_AUTO_VALUE_ON_ZERO', ''), foreign_key_checks = 1, unique_checks = 1"],
  },
  drop: (table) => `DROP ${table.kind === 'view' ? 'VIEW' : 'TABLE'} ${quoteName(table.name)}`,
  longKeys: false,
  keysWithTable: false,
});

function selectedColumn(column: RawColumn): string {
  const name = quoteName(column.name);
  if (isGeometryType(column.type)) return `ST_AsGeoJSON(${name}, 15)`;
  // A number of four bytes has its own text: right unless it needs more digits.
  if (column.type === 'float')
    return column.dataType === 'float' ? `IF(CAST(CONCAT(${name}) AS FLOAT) = ${name}, CONCAT(${name}), ${name} + 0e0)` : `${name} + 0e0`;
  const bits = bitsOfColumn(column);
  if (bits !== null) return `LPAD(BIN(${name}), ${bits}, '0')`;
  return column.type === 'boolean' ? `${name} + 0` : name;
}

function keepCell(column: RawColumn, cell: Cell): Kept {
  if (cell === null) return null;
  if (cell instanceof Uint8Array) return column.type === 'binary' ? keepBytes(cell) : Buffer.from(cell).toString('utf8');
  const text = String(cell);
  switch (column.type) {
    case 'boolean':
      return text === '1' ? true : text === '0' ? false : { x: ['i', text], c: true };
    case 'integer':
    case 'bigInteger':
      return keepWhole(text);
    case 'float':
      return keepFloat(Number(text));
    case 'binary':
      return keepBytes(Buffer.from(text, 'utf8'));
    default:
      return text;
  }
}

function createWriter(table: TableName, columns: readonly RawColumn[], exact: boolean): TableWriter {
  const row = `(${columns.map(({ type }) => (isGeometryType(type) ? 'ST_GeomFromGeoJSON(?)' : '?')).join(', ')})`;
  const head = `INSERT INTO ${quoteName(table.name)} (${columns.map(({ name }) => quoteName(name)).join(', ')}) VALUES `;
  return {
    text: (rows) => head + Array.from({ length: rows }, () => row).join(', '),
    bind: (kept) => columns.map((column, index) => bindKept(column, kept[index] ?? null, exact)),
  };
}

function bindKept(column: RawColumn, kept: Kept, exact: boolean): BoundValue {
  if (exact && typeof kept === 'object' && kept !== null && 'x' in kept) return kept.x[1];
  const common = commonForm(kept);
  if (common === null) return null;
  const bytes = bytesOf(common);
  if (bytes !== null) return bytes;
  if (bitsOfColumn(column) !== null && /^[01]+$/.test(String(common))) return BigInt(`0b${String(common)}`);
  if (column.type === 'boolean') return common === true || common === 'true' ? 1 : 0;
  return typeof common === 'number' ? common : String(common);
}

async function readNative(reading: Connection, tables: readonly RawTable[]): Promise<NativeStructure> {
  const rows = (text: string) => reading.rows({ kind: 'read', text, values: [] });
  const create = async (kind: string, name: string, at: number): Promise<string> => {
    const [row] = await rows(`SHOW CREATE ${kind} ${quoteName(name)}`);
    return String(row?.[at]).replace(/ DEFINER=`(?:[^`]|``)*`@`(?:[^`]|``)*`/, '');
  };
  const views = (
    await rows("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'VIEW' ORDER BY 1")
  ).map(([name]) => String(name));
  const triggers = (
    await rows('SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY action_order, 1')
  ).map(([name]) => String(name));
  const routines = (await rows('SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE() ORDER BY 1')).map(
    ([name]) => String(name),
  );
  const before: string[] = [];
  for (const { kind, name } of tables) if (kind === 'table') before.push(await create('TABLE', name, 1));
  const after: string[] = [];
  for (const name of views) after.push((await create('VIEW', name, 1)).replace(/^CREATE ALGORITHM=UNDEFINED/, 'CREATE'));
  for (const name of triggers) after.push(await create('TRIGGER', name, 2));
  return { before, after, missing: routines.map((name) => `the stored routine "${name}"`) };
}
