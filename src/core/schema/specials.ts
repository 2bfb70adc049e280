// Special flags that refine the type of a column. A type that a vendor's column cannot express is recorded as such a flag, so that a field
// reads back with the type it was created with.

import type { RawColumn } from './raw.js';
import type { ColumnType } from './types/field-type.js';

const typeByFlag: ReadonlyMap<string, ColumnType> = new Map<string, ColumnType>([
  ['hash', 'hash'],
  ['cast-csv', 'csv'],
  ['cast-json', 'json'],
  ['cast-boolean', 'boolean'],
  ['cast-timestamp', 'timestamp'],
  ['cast-datetime', 'dateTime'],
  ['cast-date', 'date'],
  ['cast-time', 'time'],
  ['cast-decimal', 'decimal'],
  ['cast-uuid', 'uuid'],
  ['cast-big-integer', 'bigInteger'],
]);

const flagByType: ReadonlyMap<ColumnType, string> = new Map([...typeByFlag].map(([flag, type]) => [type, flag]));

/** The column types that can store values of the flagged type; a flag on any other column is ignored. */
const carriers: Readonly<Partial<Record<ColumnType, readonly ColumnType[]>>> = {
  boolean: ['integer', 'bigInteger', 'decimal', 'float', 'boolean'],
  timestamp: ['timestamp', 'dateTime', 'string', 'text'],
  dateTime: ['timestamp', 'dateTime', 'string', 'text'],
  json: ['json', 'string', 'text', 'unknown'],
  bigInteger: ['integer'],
};

const textCarriers: readonly ColumnType[] = ['string', 'text', 'unknown'];

/** The field type of a column, refined by its flags. */
export function refineType(column: RawColumn, special: ReadonlySet<string>): ColumnType {
  for (const flag of special) {
    const type = typeByFlag.get(flag);
    if (type !== undefined && (carriers[type] ?? textCarriers).includes(column.type)) return type;
  }
  const isTextUuid = special.has('uuid') && column.type === 'string' && column.maxLength === 36;
  return isTextUuid ? 'uuid' : column.type;
}

/** Whether a flag states nothing but the type. */
export const isTypeFlag = (flag: string): boolean => typeByFlag.has(flag);

/** The flags that a new field needs so that it reads back as `type` from a column that alone would read back as `readBack`. */
export function flagsForType(type: ColumnType, readBack: ColumnType): readonly string[] {
  const flag = flagByType.get(type);
  return type === readBack || flag === undefined ? [] : [flag];
}
