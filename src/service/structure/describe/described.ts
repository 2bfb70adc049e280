// Clients send whole objects back, of this database or of another one. What in them merely describes (types of the vendor, names of
// constraints, sizes of types that have none, generated keys of metadata rows) asks for nothing and is left out before a payload is read.

import type { ColumnType } from '../../../core/schema/types/field-type.js';
import type { Payload } from './payload.js';

const hasAll = (payload: Payload, keys: readonly string[]): boolean => keys.every((key) => Object.hasOwn(payload, key));

const leftOut = (payload: Payload, isLeftOut: (key: string, value: unknown) => boolean): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([key, value]) => !isLeftOut(key, value)));

/** Present in every answer about a column; a schema that lacks one of them is a request of its own. */
const ofEveryColumn = ['name', 'table', 'data_type'];
const describing: ReadonlySet<string> = new Set([...ofEveryColumn, 'schema', 'foreign_key_schema', 'choices']);
const sizes: ReadonlySet<string> = new Set(['length', 'max_length', 'numeric_precision', 'numeric_scale']);
const sizesOf: Partial<Record<string, readonly string[]>> = {
  string: ['length', 'max_length'],
  hash: ['length', 'max_length'],
  binary: ['length', 'max_length'],
  decimal: ['numeric_precision', 'numeric_scale'],
} satisfies Partial<Record<ColumnType, readonly string[]>>;
const impliedByKey: ReadonlySet<string> = new Set(['is_nullable', 'is_unique', 'is_indexed']);

/** What the `schema` of a field asks of its column. The same object if it does not describe one. */
export function askedOfColumn(schema: Payload, type: string): Payload {
  if (!hasAll(schema, ofEveryColumn)) return schema;
  const isKey = schema.is_primary_key === true;
  const isCounter = schema.has_auto_increment === true;
  return leftOut(
    schema,
    (key, value) =>
      describing.has(key) ||
      (sizes.has(key) && sizesOf[type]?.includes(key) !== true) ||
      (isKey && impliedByKey.has(key)) ||
      (isCounter && key.startsWith('default_')) ||
      (value === null && /^(?:is|has)_/.test(key)),
  );
}

/** The same of a new column, whose foreign key is described by its relation, which is created as such. */
export const askedOfNewColumn = (schema: Payload, type: string): Payload =>
  hasAll(schema, ofEveryColumn)
    ? leftOut(askedOfColumn(schema, type), (key) => key === 'foreign_key_table' || key === 'foreign_key_column')
    : schema;

const ofTable: ReadonlySet<string> = new Set([
  'name',
  'schema',
  'sql',
  'read_only',
  'collation',
  'engine',
  'owner',
  'catalog',
  'row_count',
]);

/** What the `schema` of a collection asks of its table. */
export const askedOfTable = (schema: Payload): Payload =>
  Object.hasOwn(schema, 'name') ? leftOut(schema, (key) => ofTable.has(key)) : schema;

/** What the `schema` of a relation asks of its foreign key: vendors and databases name constraints differently. */
export const askedOfKey = (schema: Payload): Payload =>
  hasAll(schema, ['table', 'column']) ? leftOut(schema, (key) => key === 'constraint_name' || key === 'foreign_key_schema') : schema;

/** Keys of other versions of the protocol, for which no row has a column. */
const ofOtherVersions: ReadonlySet<string> = new Set(['id', 'system', 'status', 'autosave_revision_interval']);

/** What `meta` asks of a row of metadata, if it names the row: the key and the origin of one are the database's. */
export const askedOfMeta = (meta: Payload): Payload =>
  Object.hasOwn(meta, 'collection') || Object.hasOwn(meta, 'many_collection') ? leftOut(meta, (key) => ofOtherVersions.has(key)) : meta;
