// Maps PostgreSQL's types to the service's types and back. A column that the service creates reads back with the same type, except hash and
// csv, which read back as string and text (metadata keeps the difference).

import { invalidPayload } from '../../../core/errors/service-error.js';
import { type ColumnType, type GeometryType, geometryTypeByName } from '../../../core/schema/types/field-type.js';

const typeByName: Readonly<Record<string, ColumnType>> = {
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

/** The service's type of a built-in type, by its name without a length; undefined for types of extensions and unknown ones. */
export const plainType = (dataType: string): ColumnType | undefined => typeByName[dataType];

/** Precision and scale as in information_schema: bits for integers and floats, digits for decimals. */
const fixedPrecision: Readonly<Record<string, { readonly precision: number; readonly scale: number | null }>> = {
  smallint: { precision: 16, scale: 0 },
  integer: { precision: 32, scale: 0 },
  bigint: { precision: 64, scale: 0 },
  real: { precision: 24, scale: null },
  'double precision': { precision: 53, scale: null },
};

export interface ReadType {
  readonly type: ColumnType;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
}

export function readType(dataType: string, sqlType: string, typmod: number, isEnum: boolean): ReadType {
  const type = isEnum ? 'string' : (plainType(dataType) ?? readExtension(sqlType, dataType));
  const fixed = fixedPrecision[dataType] ?? (dataType === 'numeric' ? readNumeric(typmod) : null);
  const hasLength = (dataType === 'character varying' || dataType === 'character') && typmod > 4;
  return { type, maxLength: hasLength ? typmod - 4 : null, precision: fixed?.precision ?? null, scale: fixed?.scale ?? null };
}

function readNumeric(typmod: number): { readonly precision: number; readonly scale: number } | null {
  if (typmod < 4) return null;
  const bits = typmod - 4;
  // The scale is a signed integer of eleven bits.
  return { precision: (bits >> 16) & 0xffff, scale: ((bits & 0x7ff) ^ 1024) - 1024 };
}

/** Types of extensions (citext, PostGIS), which may be installed in any schema. */
function readExtension(sqlType: string, dataType: string): ColumnType {
  if (dataType.endsWith('.citext')) return 'text';
  const parts = /^(?:.*\.)?(?:geometry|geography)(?:\((\w+)(?:,\d+)?\))?$/.exec(sqlType);
  if (parts === null) return 'unknown';
  return geometryTypeByName[parts[1]?.toLowerCase() ?? ''] ?? 'geometry';
}

export interface TypeSpec {
  readonly name: string;
  readonly type: ColumnType;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly fraction?: number;
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

/** The SQL type of a new column; the inverse of `readType`. Geometry requires the PostGIS extension. */
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
    case 'time':
    case 'dateTime':
    case 'timestamp':
      return withFraction(writtenTypes[spec.type], spec.fraction);
    default:
      return writtenTypes[spec.type];
  }
}

/** `time without time zone` keeps six digits. */
const withFraction = (type: string, fraction: number | undefined): string =>
  fraction === undefined ? type : type.replace(/^(time(?:stamp)?)(?:\(\d\))?/, `$1(${fraction})`);

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
