// The field types of the service (specification 2.2). Each dialect maps the types of its vendor to these in `types/column-types.ts`.

export const geometryTypes = [
  'geometry',
  'geometry.Point',
  'geometry.LineString',
  'geometry.Polygon',
  'geometry.MultiPoint',
  'geometry.MultiLineString',
  'geometry.MultiPolygon',
] as const;

export type GeometryType = (typeof geometryTypes)[number];

/** By the name that databases give the type, in lower case: `linestring`. */
export const geometryTypeByName: Readonly<Record<string, GeometryType>> = Object.fromEntries(
  geometryTypes.map((type) => [type.replace('geometry.', '').toLowerCase(), type]),
);

export const columnTypes = [
  'string',
  'text',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
  'dateTime',
  'timestamp',
  'json',
  'csv',
  'uuid',
  'hash',
  'binary',
  ...geometryTypes,
  'unknown',
] as const;

export type ColumnType = (typeof columnTypes)[number];

/** `alias`: a field without a column. */
export type FieldType = ColumnType | 'alias';

export const isGeometryType = (type: ColumnType): type is GeometryType => type.startsWith('geometry');
