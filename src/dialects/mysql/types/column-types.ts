// Maps the types of MariaDB and MySQL to the service's types and back. A column that the service creates reads back with the same type, except
// csv and hash, which read back as text and string (metadata keeps the difference).

import { invalidPayload, unreachable } from '../../../core/errors/service-error.js';
import { type ColumnType, geometryTypeByName } from '../../../core/schema/types/field-type.js';
import { hasUuidType, type Server } from './server.js';

const typeByName: Readonly<Record<string, ColumnType>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  year: 'integer',
  bigint: 'bigInteger',
  float: 'float',
  double: 'float',
  decimal: 'decimal',
  enum: 'string',
  // The words are joined by commas, as in a csv.
  set: 'csv',
  char: 'string',
  varchar: 'string',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  date: 'date',
  time: 'time',
  datetime: 'dateTime',
  timestamp: 'timestamp',
  json: 'json',
  uuid: 'uuid',
  binary: 'binary',
  varbinary: 'binary',
  tinyblob: 'binary',
  blob: 'binary',
  mediumblob: 'binary',
  longblob: 'binary',
  // Of numbers of four bytes each.
  vector: 'binary',
  ...geometryTypeByName,
  geometrycollection: 'geometry',
  geomcollection: 'geometry',
};

/** `checkedJson`: whether the column has the check `json_valid`, by which MariaDB marks a longtext as json. */
export function readType(dataType: string, columnType: string, checkedJson: boolean): ColumnType {
  if (columnType === 'tinyint(1)' || columnType === 'bit(1)') return 'boolean';
  // Servers without a uuid type store uuids as char(36), and most programs do so.
  if (columnType === 'char(36)') return 'uuid';
  const type = typeByName[dataType] ?? 'unknown';
  return type === 'text' && checkedJson ? 'json' : type;
}

export interface TypeSpec {
  readonly type: ColumnType;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly fraction?: number;
}

/** The SQL type of a new column; the inverse of `readType`. */
export function writeType(spec: TypeSpec, server: Server): string {
  switch (spec.type) {
    case 'string':
      return `varchar(${spec.maxLength ?? 255})`;
    case 'hash':
      return 'varchar(255)';
    case 'text':
    case 'csv':
      return 'longtext';
    case 'integer':
      return 'int';
    case 'bigInteger':
      return 'bigint';
    case 'float':
      return 'double';
    case 'decimal':
      return `decimal(${spec.precision ?? 10},${spec.scale ?? 5})`;
    case 'boolean':
      return 'tinyint(1)';
    case 'date':
      return 'date';
    case 'time':
      return `time(${spec.fraction ?? 3})`;
    case 'dateTime':
      return `datetime(${spec.fraction ?? 3})`;
    case 'timestamp':
      return `timestamp(${spec.fraction ?? 3})`;
    case 'json':
      return 'json';
    case 'uuid':
      return hasUuidType(server) ? 'uuid' : 'char(36)';
    case 'binary':
      return spec.maxLength === null ? 'longblob' : `varbinary(${spec.maxLength})`;
    case 'geometry':
      return 'geometry';
    case 'geometry.Point':
      return 'point';
    case 'geometry.LineString':
      return 'linestring';
    case 'geometry.Polygon':
      return 'polygon';
    case 'geometry.MultiPoint':
      return 'multipoint';
    case 'geometry.MultiLineString':
      return 'multilinestring';
    case 'geometry.MultiPolygon':
      return 'multipolygon';
    case 'unknown':
      throw invalidPayload('A field of type "unknown" cannot be created.');
    default:
      return unreachable(spec.type);
  }
}
