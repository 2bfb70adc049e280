// The types of the service (specification 2.2). A vendor's types map to these in dialects/*/types.ts.

export const geometryTypes = [
  'geometry',
  'geometry.Point',
  'geometry.LineString',
  'geometry.Polygon',
  'geometry.MultiPoint',
  'geometry.MultiLineString',
  'geometry.MultiPolygon',
] as const;

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

/** `alias` has no column. */
export type FieldType = ColumnType | 'alias';
