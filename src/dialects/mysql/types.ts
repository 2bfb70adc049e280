// Column types both ways: the catalogue's words to the service's types, and back. What Tain creates reads back as the same type.

import { invalidPayload, unreachable } from '../../core/errors/service-error.js';
import type { ColumnType } from '../../core/schema/field-type.js';
import { hasUuidType, type Server } from './server.js';

const types: Readonly<Record<string, ColumnType>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  year: 'integer',
  bigint: 'bigInteger',
  float: 'float',
  double: 'float',
  decimal: 'decimal',
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
  geometry: 'geometry',
  geometrycollection: 'geometry',
  geomcollection: 'geometry',
  point: 'geometry.Point',
  linestring: 'geometry.LineString',
  polygon: 'geometry.Polygon',
  multipoint: 'geometry.MultiPoint',
  multilinestring: 'geometry.MultiLineString',
  multipolygon: 'geometry.MultiPolygon',
};

/** `checkedJson`: MariaDB's json is a longtext with the check `json_valid`. */
export function readType(dataType: string, columnType: string, checkedJson: boolean): ColumnType {
  if (columnType === 'tinyint(1)' || columnType === 'bit(1)') return 'boolean';
  // How uuids are kept where there is no type for them, by Tain and by most others.
  if (columnType === 'char(36)') return 'uuid';
  const type = types[dataType] ?? 'unknown';
  return type === 'text' && checkedJson ? 'json' : type;
}

export interface TypeSpec {
  readonly type: ColumnType;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
}

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
      return 'time(3)';
    case 'dateTime':
      return 'datetime(3)';
    case 'timestamp':
      return 'timestamp(3)';
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

/** csv and hash are told apart from text and string by the metadata only. */
export function readBack(type: ColumnType): ColumnType {
  if (type === 'csv') return 'text';
  return type === 'hash' ? 'string' : type;
}
