// Maps the declared types of SQLite columns to the service's types and back. A column that the service declares reads back with the same
// type, except csv and hash, which read back as text and string (metadata keeps the difference). Geometry is stored as GeoJSON text.

import type { ValueFacts } from '../../../core/schema/types/coerced.js';
import { type ColumnType, geometryTypeByName } from '../../../core/schema/types/field-type.js';
import type { ColumnSpec } from '../../../core/vendor/ddl.js';

export type Affinity = 'INTEGER' | 'TEXT' | 'BLOB' | 'REAL' | 'NUMERIC';

export interface DeclaredType {
  /** Lower case, without the numbers in parentheses. */
  readonly name: string;
  readonly numbers: readonly number[];
  readonly affinity: Affinity;
}

const typeByName: Readonly<Record<string, ColumnType>> = {
  varchar: 'string',
  'character varying': 'string',
  'varying character': 'string',
  nvarchar: 'string',
  'native character': 'string',
  char: 'string',
  character: 'string',
  nchar: 'string',
  text: 'text',
  tinytext: 'text',
  mediumtext: 'text',
  longtext: 'text',
  clob: 'text',
  int: 'integer',
  integer: 'integer',
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int2: 'integer',
  int4: 'integer',
  bigint: 'bigInteger',
  int8: 'bigInteger',
  'big int': 'bigInteger',
  'unsigned big int': 'bigInteger',
  'bigint unsigned': 'bigInteger',
  real: 'float',
  float: 'float',
  double: 'float',
  'double precision': 'float',
  decimal: 'decimal',
  numeric: 'decimal',
  decimal_text: 'decimal',
  boolean: 'boolean',
  bool: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'dateTime',
  'timestamp without time zone': 'dateTime',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  'timestamp with time zone': 'timestamp',
  json: 'json',
  jsonb: 'json',
  uuid: 'uuid',
  blob: 'binary',
  binary: 'binary',
  varbinary: 'binary',
  bytea: 'binary',
  ...geometryTypeByName,
};

/** The one name by which a column states that its integers have four bytes. It is shown as `integer`. */
const shortInteger = 'int4';

/** SQLite's integers have eight bytes, whatever the column is called: programs keep milliseconds since 1970 in an INTEGER. */
export const readRange = (type: ColumnType, { name }: DeclaredType): ValueFacts['range'] | null =>
  type === 'integer' && name !== shortInteger ? { min: -(2n ** 63n), max: 2n ** 63n - 1n } : null;

/** The name of the type on the wire. */
export const shownName = ({ name }: DeclaredType): string => (name === shortInteger ? 'integer' : name);

const uuidLength = 36;
const hashLength = 255;

export function parseDeclaredType(declared: string): DeclaredType {
  const [, before = '', inside = '', after = ''] = /^([^(]*)(?:\(([^)]*)\))?(.*)$/s.exec(declared) ?? [];
  const name = `${before} ${after}`.trim().replace(/\s+/g, ' ').toLowerCase();
  const numbers = inside
    .split(',')
    .map((text) => Number.parseInt(text, 10))
    .filter(Number.isInteger);
  return { name, numbers, affinity: affinityOf(declared) };
}

/** SQLite's rules for affinity, in SQLite's order: `point` contains INT and therefore has INTEGER affinity. */
function affinityOf(declared: string): Affinity {
  const text = declared.toUpperCase();
  if (text.includes('INT')) return 'INTEGER';
  if (/CHAR|CLOB|TEXT/.test(text)) return 'TEXT';
  if (text === '' || text.includes('BLOB')) return 'BLOB';
  return /REAL|FLOA|DOUB/.test(text) ? 'REAL' : 'NUMERIC';
}

export function readType({ name, numbers, affinity }: DeclaredType): ColumnType {
  if (name === 'char' && numbers[0] === uuidLength) return 'uuid';
  if (name === 'tinyint' && numbers[0] === 1) return 'boolean';
  return typeByName[name] ?? typeByAffinity(name, affinity);
}

function typeByAffinity(name: string, affinity: Affinity): ColumnType {
  switch (affinity) {
    case 'INTEGER':
      return name.includes('big') ? 'bigInteger' : 'integer';
    case 'TEXT':
      return 'text';
    case 'REAL':
      return 'float';
    default:
      return name === '' || affinity === 'NUMERIC' ? 'unknown' : 'binary';
  }
}

/** Only char and varchar have a maximal length (specification 2.4). */
export const readMaxLength = ({ name, numbers }: DeclaredType): number | null => (/char/.test(name) ? (numbers[0] ?? null) : null);

export function readPrecision(type: DeclaredType): { readonly precision: number | null; readonly scale: number | null } {
  if (readType(type) !== 'decimal') return { precision: null, scale: null };
  const [precision = null, scale = null] = type.numbers;
  return { precision, scale: precision === null ? null : (scale ?? 0) };
}

/** A column that keeps other than milliseconds says so. */
const digitsOf = ({ fraction }: ColumnSpec): string => (fraction === undefined || fraction === 3 ? '' : `(${fraction})`);

/** The fractional digits of a second that a moment keeps, if the column states them. */
export const readFraction = (type: ColumnType, { numbers }: DeclaredType): number | null =>
  (type === 'dateTime' || type === 'timestamp') && numbers[0] !== undefined && numbers[0] >= 0 && numbers[0] <= 6 ? numbers[0] : null;

/** The type to declare for a new column; the inverse of `readType`. */
export function writeType(spec: ColumnSpec): string {
  switch (spec.type) {
    case 'string':
      return `varchar(${spec.maxLength ?? 255})`;
    case 'hash':
      return `varchar(${spec.maxLength ?? hashLength})`;
    case 'integer':
      // Only a key declared as INTEGER generates keys. Any other column says that it has four bytes, as it has on the other vendors.
      return spec.autoIncrement ? 'integer' : shortInteger;
    case 'bigInteger':
      // Only a key declared as INTEGER generates keys.
      return spec.autoIncrement ? 'integer' : 'bigint';
    case 'float':
      return 'double';
    case 'decimal':
      // The name contains TEXT for its affinity: NUMERIC affinity would keep only 15 digits.
      return `decimal_text(${spec.precision ?? 10},${spec.scale ?? 5})`;
    case 'uuid':
      return `char(${uuidLength})`;
    case 'dateTime':
      return `datetime${digitsOf(spec)}`;
    case 'timestamp':
      return `timestamp${digitsOf(spec)}`;
    case 'binary':
      return 'blob';
    case 'csv':
    case 'unknown':
      return 'text';
    default:
      return spec.type.replace('geometry.', '').toLowerCase();
  }
}
