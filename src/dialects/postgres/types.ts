// PostgreSQL's types and the service's, both ways. What the service makes reads back as the same type; hash and csv are told apart
// from string and text by metadata alone.

import { invalidPayload } from '../../core/errors/service-error.js';
import type { ColumnType, geometryTypes } from '../../core/schema/field-type.js';

type GeometryType = (typeof geometryTypes)[number];

const readTypes: Readonly<Record<string, ColumnType>> = {
  'character varying': 'string',
  character: 'string',
  name: 'string',
  text: 'text',
  citext: 'text',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'bigInteger',
  real: 'float',
  'double precision': 'float',
  numeric: 'decimal',
  boolean: 'boolean',
  date: 'date',
  'time without time zone': 'time',
  'timestamp without time zone': 'dateTime',
  'timestamp with time zone': 'timestamp',
  json: 'json',
  jsonb: 'json',
  uuid: 'uuid',
  bytea: 'binary',
};

/** Precision and scale as information_schema tells them: bits for integers and floats, digits for decimals. */
const fixedPrecision: Readonly<Record<string, { readonly precision: number; readonly scale: number | null }>> = {
  smallint: { precision: 16, scale: 0 },
  integer: { precision: 32, scale: 0 },
  bigint: { precision: 64, scale: 0 },
  real: { precision: 24, scale: null },
  'double precision': { precision: 53, scale: null },
};

const geometryNames: Readonly<Record<string, GeometryType>> = {
  point: 'geometry.Point',
  linestring: 'geometry.LineString',
  polygon: 'geometry.Polygon',
  multipoint: 'geometry.MultiPoint',
  multilinestring: 'geometry.MultiLineString',
  multipolygon: 'geometry.MultiPolygon',
};

export interface ReadType {
  readonly type: ColumnType;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
}

export function readType(dataType: string, sqlType: string, typmod: number, isEnum: boolean): ReadType {
  const type = isEnum ? 'string' : (readTypes[dataType] ?? readGeometry(sqlType));
  const fixed = fixedPrecision[dataType] ?? (dataType === 'numeric' ? readNumeric(typmod) : null);
  const hasLength = (dataType === 'character varying' || dataType === 'character') && typmod > 4;
  return { type, maxLength: hasLength ? typmod - 4 : null, precision: fixed?.precision ?? null, scale: fixed?.scale ?? null };
}

function readNumeric(typmod: number): { readonly precision: number; readonly scale: number } | null {
  if (typmod < 4) return null;
  const bits = typmod - 4;
  // The scale is a signed number of eleven bits.
  return { precision: (bits >> 16) & 0xffff, scale: ((bits & 0x7ff) ^ 1024) - 1024 };
}

function readGeometry(sqlType: string): ColumnType {
  const parts = /^(?:.*\.)?(?:geometry|geography)(?:\((\w+)(?:,\d+)?\))?$/.exec(sqlType);
  if (parts === null) return 'unknown';
  return geometryNames[parts[1]?.toLowerCase() ?? ''] ?? 'geometry';
}

export interface TypeSpec {
  readonly name: string;
  readonly type: ColumnType;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
}

const hashLength = 255;

const writtenTypes: Readonly<Record<Exclude<ColumnType, GeometryType | 'string' | 'hash' | 'decimal' | 'unknown'>, string>> = {
  text: 'text',
  csv: 'text',
  integer: 'integer',
  bigInteger: 'bigint',
  float: 'double precision',
  boolean: 'boolean',
  date: 'date',
  time: 'time without time zone',
  dateTime: 'timestamp(3) without time zone',
  timestamp: 'timestamp(3) with time zone',
  json: 'json',
  uuid: 'uuid',
  binary: 'bytea',
};

/** The SQL type of a column to be made. `hasPostgis`: geometry needs the extension. */
export function writeType(spec: TypeSpec, hasPostgis: boolean): string {
  switch (spec.type) {
    case 'string':
      return spec.maxLength === null ? 'character varying' : `character varying(${digits(spec, spec.maxLength)})`;
    case 'hash':
      return `character varying(${digits(spec, spec.maxLength ?? hashLength)})`;
    case 'decimal':
      return spec.precision === null ? 'numeric' : `numeric(${digits(spec, spec.precision)}, ${digits(spec, spec.scale ?? 0)})`;
    case 'unknown':
      throw invalidPayload(`Field "${spec.name}" has a type this service cannot make.`);
    case 'geometry':
    case 'geometry.Point':
    case 'geometry.LineString':
    case 'geometry.Polygon':
    case 'geometry.MultiPoint':
    case 'geometry.MultiLineString':
    case 'geometry.MultiPolygon':
      return writeGeometry(spec, spec.type, hasPostgis);
    default:
      return writtenTypes[spec.type];
  }
}

function writeGeometry(spec: TypeSpec, type: GeometryType, hasPostgis: boolean): string {
  if (!hasPostgis) {
    throw invalidPayload(
      `Field "${spec.name}" of type "${type}" needs the PostGIS extension, which this database does not have (CREATE EXTENSION postgis).`,
    );
  }
  return `geometry(${type === 'geometry' ? 'Geometry' : type.slice('geometry.'.length)}, 4326)`;
}

function digits(spec: TypeSpec, value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw invalidPayload(`Field "${spec.name}" has a length, precision or scale that is not a whole number.`);
  return String(value);
}

export function readBackType(type: ColumnType): ColumnType {
  if (type === 'hash') return 'string';
  return type === 'csv' ? 'text' : type;
}
