// The structure as a document: collections, fields and relations, without what only this database knows (numbers of rows, the service's
// own collections). Applied elsewhere, on any vendor, it gives the same structure. Views are written in the words of one vendor, so only
// their names are told.

import { invalidPayload } from '../../core/errors/service-error.js';
import type { RawDefault, RawTable } from '../../core/schema/raw.js';
import type { Collection, Schema } from '../../core/schema/schema.js';
import type { SystemDefinition } from '../../core/schema/system-definition.js';
import { restateDefault } from './column-default.js';
import { describeCompositeKeys } from './composite-keys.js';
import { type CollectionObject, describeCollection } from './describe-collection.js';
import { describeField, type FieldObject } from './describe-field.js';
import { describeRelation, type RelationObject } from './describe-relation.js';
import { isOwnField } from './find-structure.js';
import { asArray, asObject, asText, type Payload } from './payload.js';
import { portableExpression } from './portable-expression.js';
import { columnsList } from './snapshot-drafts.js';

export interface Snapshot {
  readonly collections: readonly CollectionObject[];
  readonly fields: readonly FieldObject[];
  readonly relations: readonly RelationObject[];
  /** Names of the views there are; nothing is made, changed or dropped by them. */
  readonly views: readonly string[];
}

export function takeSnapshot(schema: Schema, definitions: readonly SystemDefinition[]): Snapshot {
  const all = [...schema.collections.values()].toSorted(byName);
  const collections = all.filter(({ table }) => table?.kind !== 'view');
  const own = (collection: string, field: string): boolean => isOwnField(definitions, collection, field);
  return {
    collections: collections.filter((collection) => !collection.system).map(shownCollection),
    fields: collections.flatMap((collection) => fieldsOf(collection).filter((field) => !own(field.collection, field.field))),
    relations: collections.flatMap((collection) =>
      relationsOf(schema, collection).filter((relation) => !own(relation.collection, relation.field)),
    ),
    views: all.filter(({ table }) => table?.kind === 'view').map(({ name }) => name),
  };
}

const byName = (a: Collection, b: Collection): number => (a.name < b.name ? -1 : 1);

function shownCollection(collection: Collection): CollectionObject {
  const { schema, ...shown } = describeCollection(collection);
  return { ...shown, schema: schema === null || collection.table === null ? schema : { ...schema, ...keysOf(collection.table) } };
}

/** Keys and indexes over several columns; those over one are told by their field. */
function keysOf(table: RawTable): Payload {
  const several = table.indexes.filter((index) => index.columns.length > 1 && !index.partial && !isPrimaryKey(table, index.columns));
  const sorted = (unique: boolean): readonly (readonly string[])[] =>
    several
      .filter((index) => index.unique === unique)
      .map((index) => index.columns)
      .toSorted(byText);
  return { primary_key: table.primaryKey, uniques: sorted(true), indexes: sorted(false), foreign_keys: describeCompositeKeys(table) };
}

const isPrimaryKey = (table: RawTable, columns: readonly string[]): boolean => columns.join('\0') === table.primaryKey.join('\0');
const byText = (a: readonly string[], b: readonly string[]): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** An alias that nothing but a relation speaks of comes with the relation. */
function fieldsOf(collection: Collection): readonly FieldObject[] {
  return [...collection.fields.values()]
    .filter((field) => field.kind === 'column' || field.meta !== null)
    .map((field) => describeField(collection, field))
    .map(({ schema, meta, ...field }) => ({
      ...field,
      schema: schema === null ? null : portableSchema(schema, collection),
      meta: withoutId(meta),
    }));
}

/** Indexes over several columns are told with the table; a default that is computed is told apart from one that is a text. */
const portableSchema = (schema: Payload, { table }: Collection): Payload => ({
  ...schema,
  ...computedDefault(table?.columns.find(({ name }) => name === schema.name)?.default ?? null),
  is_indexed: schema.is_indexed === true && table?.indexes.some(({ columns }) => columns.length === 1 && columns[0] === schema.name),
  generation_expression: typeof schema.generation_expression === 'string' ? portableExpression(schema.generation_expression) : null,
});

function computedDefault(raw: RawDefault | null): Payload {
  const spec = restateDefault(raw);
  return spec?.kind === 'expression' ? { default_value: null, default_expression: spec.text } : {};
}

function relationsOf(schema: Schema, collection: Collection): readonly RelationObject[] {
  const shown = schema.relations
    .filter((relation) => relation.collection === collection.name)
    .map((relation) => describeRelation(schema, relation));
  const distinct = new Map(shown.toReversed().map((relation) => [relation.field, relation]));
  return [...distinct.values()].map((relation) => ({ ...relation, meta: withoutId(relation.meta) }));
}

function withoutId(meta: Payload | null): Payload | null {
  if (meta === null) return null;
  const { id: _, system: __, ...rest } = meta;
  return rest;
}

/** A document of somebody else's making, as far as everything below relies on it. */
export function parseSnapshot(value: unknown): Snapshot {
  const payload = asObject(value, 'The snapshot');
  if (payload.version !== 1) throw invalidPayload('The snapshot must have "version": 1.');
  const list = (key: string): readonly Payload[] =>
    asArray(payload[key], `"${key}"`).map((entry) => asObject(entry, `An entry of "${key}"`));
  if (payload.systemFields !== undefined && asArray(payload.systemFields, '"systemFields"').length > 0) {
    throw invalidPayload('"systemFields" must be empty: the fields of the service itself are not changed by a snapshot.');
  }
  return {
    collections: list('collections').map(readCollection),
    fields: list('fields').map(readField),
    relations: list('relations').map(readRelation),
    views: columnsList(payload.views, 'views') ?? [],
  };
}

const part = (entry: Payload, key: string): Payload | null =>
  entry[key] === undefined || entry[key] === null ? null : asObject(entry[key], `"${key}"`);

export const readCollection = (entry: Payload): CollectionObject => ({
  collection: asText(entry.collection, '"collection"'),
  meta: part(entry, 'meta'),
  schema: part(entry, 'schema'),
});

export const readField = (entry: Payload): FieldObject => ({
  collection: asText(entry.collection, '"collection"'),
  field: asText(entry.field, '"field"'),
  type: asText(entry.type, '"type"'),
  schema: part(entry, 'schema'),
  meta: part(entry, 'meta'),
});

export const readRelation = (entry: Payload): RelationObject => ({
  collection: asText(entry.collection, '"collection"'),
  field: asText(entry.field, '"field"'),
  related_collection:
    entry.related_collection === null || entry.related_collection === undefined
      ? null
      : asText(entry.related_collection, '"related_collection"'),
  schema: part(entry, 'schema'),
  meta: part(entry, 'meta'),
});
