// The structure as a document: collections, fields and relations, without what only this database knows (keys of metadata rows, system
// collections). Applied to another database of any vendor, it produces the same structure. A view's text belongs to one vendor, so the
// document lists views by name only.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { RawDefault, RawTable } from '../../../core/schema/raw.js';
import type { Collection, Relation, Schema } from '../../../core/schema/schema.js';
import type { SystemDefinition } from '../../../core/schema/system-definition.js';
import { restateDefault } from '../describe/column-default.js';
import { type CollectionObject, describeCollection, describeTable } from '../describe/describe-collection.js';
import { describeField, type FieldObject } from '../describe/describe-field.js';
import { describeRelation, type RelationObject } from '../describe/describe-relation.js';
import { onWire } from '../describe/on-wire.js';
import { asArray, asObject, asText, type Payload } from '../describe/payload.js';
import { isServiceField } from '../plan/find-structure.js';
import { describeCompositeKeys } from './composite-keys.js';
import { type NameOf, readForeignSnapshot } from './foreign-snapshot.js';
import { portableExpression } from './portable-expression.js';
import { columnsList } from './snapshot-drafts.js';

/** Values of `version` in the document: the whole structure, or a part of it. */
export const wholeVersion = 1;
export const partialVersion = 2;

export interface Snapshot {
  readonly collections: readonly CollectionObject[];
  readonly fields: readonly FieldObject[];
  readonly relations: readonly RelationObject[];
  /** Names of the views, for information: applying a snapshot ignores them. */
  readonly views: readonly string[];
}

export function takeSnapshot(schema: Schema, definitions: readonly SystemDefinition[]): Snapshot {
  const all = [...schema.collections.values()].map(withoutNamedKey).toSorted(byName);
  const collections = all.filter(({ table }) => table?.kind !== 'view');
  const own = (collection: string, field: string): boolean => isServiceField(definitions, collection, field);
  return {
    collections: collections.filter((collection) => !collection.system).map(shownCollection),
    fields: collections.flatMap((collection) => fieldsOf(collection, schema).filter((field) => !own(field.collection, field.field))),
    relations: collections.flatMap((collection) =>
      relationsOf(schema, collection).filter((relation) => !own(relation.collection, relation.field)),
    ),
    views: all.filter(({ table }) => table?.kind === 'view').map(({ name }) => name),
  };
}

/** A named key is a flag of its fields: elsewhere, too, it becomes no key of the database. */
const withoutNamedKey = (collection: Collection): Collection =>
  collection.table?.namedKey === undefined ? collection : { ...collection, primaryKey: [], table: { ...collection.table, primaryKey: [] } };

const byName = (a: Collection, b: Collection): number => (a.name < b.name ? -1 : 1);

function shownCollection(collection: Collection): CollectionObject {
  const { table } = collection;
  return { ...describeCollection(collection), schema: table === null ? null : { ...describeTable(table), ...keysOf(table) } };
}

/** The primary key, and the indexes and foreign keys over several columns; fields describe those over one column. */
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

/** Leaves out aliases without metadata: the relation that implies them brings them back. */
function fieldsOf(collection: Collection, schema: Schema): readonly FieldObject[] {
  return [...collection.fields.values()]
    .filter((field) => field.kind === 'column' || field.meta !== null)
    .map((field) => onWire(describeField(collection, field), schema))
    .map(({ schema, meta, ...field }) => ({
      ...field,
      schema: schema === null ? null : portableSchema(schema, collection),
      meta: withoutId(meta),
    }));
}

/** `is_indexed` counts indexes over this column only. A computed default goes to `default_expression`, apart from a literal text. */
const portableSchema = ({ default_is_expression: _, ...schema }: Payload, { table }: Collection): Payload => ({
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
    .flatMap((relation) => portableRelation(schema, relation) ?? []);
  const distinct = new Map(shown.toReversed().map((relation) => [relation.field, relation]));
  return [...distinct.values()]
    .toSorted((a, b) => (a.field < b.field ? -1 : 1))
    .map((relation) => ({ ...relation, meta: withoutId(relation.meta) }));
}

/** The table lists a foreign key over several columns; its relation appears here only with its metadata. */
function portableRelation(schema: Schema, relation: Relation): RelationObject | null {
  const isComposite = (relation.foreignKey?.columns.length ?? 0) > 1;
  if (isComposite && !relation.stated) return null;
  const shown = onWire(describeRelation(schema, relation), schema);
  return isComposite ? { ...shown, schema: null } : shown;
}

function withoutId(meta: Payload | null): Payload | null {
  if (meta === null) return null;
  const { id: _, system: __, ...rest } = meta;
  return rest;
}

export interface ParsedSnapshot extends Snapshot {
  /** What it says and has no counterpart here. */
  readonly ignored: readonly string[];
  /** Collections that it does not name are left as they are. */
  readonly partial: boolean;
}

/** Checks the shape of a document from outside, as far as diff and apply rely on it. */
export function parseSnapshot(value: unknown, nameOf: NameOf): ParsedSnapshot {
  const { payload, ignored } = readForeignSnapshot(asObject(value, 'The snapshot'), nameOf);
  if (payload.version !== wholeVersion && payload.version !== partialVersion)
    throw invalidPayload(`The snapshot must have "version": ${wholeVersion}, or ${partialVersion} if it is a part of the structure.`);
  const list = (key: string): readonly Payload[] =>
    asArray(payload[key], `"${key}"`).map((entry) => asObject(entry, `An entry of "${key}"`));
  return {
    ignored,
    partial: payload.version === partialVersion,
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
