// The structure as things: one per collection, with its fields and relations. What only one vendor reports, and what is at its default, is left
// out, so that the same structure has the same text on every vendor.

import { collectionMetaDefaults, fieldMetaDefaults } from '../../../core/schema/meta-defaults.js';
import { isTypeFlag } from '../../../core/schema/specials.js';
import { coerceValue } from '../../../core/schema/types/coerce-value.js';
import { columnTypes } from '../../../core/schema/types/field-type.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { FieldObject } from '../../structure/describe/describe-field.js';
import type { RelationObject } from '../../structure/describe/describe-relation.js';
import { splitFlags } from '../../structure/describe/field-meta.js';
import type { Payload } from '../../structure/describe/payload.js';
import { type Snapshot, wholeVersion } from '../../structure/snapshot/snapshot.js';
import { type Document, fileName, inOrder, isSameValue, type Thing } from './thing.js';

export const structureKind = 'collections';

const relationMeta: Payload = {
  one_field: null,
  one_collection_field: null,
  one_allowed_collections: null,
  junction_field: null,
  sort_field: null,
  one_deselect_action: 'nullify',
};

const columnDefaults: Payload = {
  max_length: null,
  numeric_precision: null,
  numeric_scale: null,
  default_value: null,
  default_expression: null,
  is_nullable: true,
  is_unique: false,
  is_indexed: false,
  is_primary_key: false,
  has_auto_increment: false,
  generation_expression: null,
  comment: null,
};

export function structureThings({ collections, fields, relations }: Snapshot): readonly Thing[] {
  const names = [...new Set([...collections, ...fields].map(({ collection }) => collection))].toSorted();
  return names.map((name) => {
    const collection = collections.find((entry) => entry.collection === name);
    const schema = collection?.schema ?? null;
    const document: Document = {
      collection: name,
      ...(collection === undefined
        ? {}
        : { kind: schema === null ? 'folder' : 'table', ...part('meta', stated(collection.meta, collectionMetaDefaults)) }),
      ...(schema === null ? {} : keysOf(schema)),
      ...part('fields', Object.fromEntries(sorted(fields, name).map((field) => [field.field, fieldDocument(field)]))),
      ...part('relations', Object.fromEntries(sorted(relations, name).map((relation) => [relation.field, relationDocument(relation)]))),
    };
    return { kind: structureKind, key: name, path: `${structureKind}/${fileName(name)}.yaml`, document };
  });
}

const sorted = <T extends { readonly collection: string; readonly field: string }>(list: readonly T[], collection: string): readonly T[] =>
  list.filter((entry) => entry.collection === collection).toSorted((a, b) => (a.field < b.field ? -1 : 1));

const part = (name: string, value: Document): Document => (Object.keys(value).length === 0 ? {} : { [name]: value });

/** The entries that are not at their default, in the order of the defaults. */
function stated(values: Payload | null, defaults: Payload): Document {
  return Object.fromEntries(
    Object.keys(defaults).flatMap((key) => {
      const value = values?.[key] ?? null;
      return values === null || isSameValue(value, defaults[key]) ? [] : [[key, inOrder(value)]];
    }),
  );
}

/** Without the indexes that some vendors make with every foreign key. */
function keysOf(schema: Payload): Document {
  const keys = listOf(schema.foreign_keys);
  const implied = keys.map((key) => (isPlainObject(key) ? key['columns'] : null));
  const indexes = listOf(schema.indexes).filter((index) => !implied.some((columns) => isSameValue(columns, index)));
  return {
    primary_key: schema.primary_key,
    ...(listOf(schema.uniques).length === 0 ? {} : { uniques: schema.uniques }),
    ...(indexes.length === 0 ? {} : { indexes }),
    ...(keys.length === 0 ? {} : { foreign_keys: keys.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) }),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function fieldDocument({ type, schema, meta }: FieldObject): Document {
  const shown = type === 'unknown' ? 'text' : type;
  const special = splitFlags(meta?.special ?? null).filter((flag) => !isTypeFlag(flag));
  return {
    type: shown,
    ...(schema === null ? {} : part('column', columnDocument(shown, schema))),
    ...(meta === null
      ? {}
      : { meta: stated({ ...meta, special: special.length === 0 ? null : special.toSorted() }, { ...fieldMetaDefaults, special: null }) }),
  };
}

function columnDocument(type: string, schema: Payload): Document {
  const isKey = schema.is_primary_key === true;
  const isPointing = schema.foreign_key_table !== null && schema.foreign_key_table !== undefined;
  return stated(
    {
      ...schema,
      max_length: type === 'string' && schema.max_length !== 255 ? schema.max_length : null,
      numeric_precision: type === 'decimal' ? schema.numeric_precision : null,
      numeric_scale: type === 'decimal' ? schema.numeric_scale : null,
      default_value: defaultOf(type, schema.default_value),
      is_nullable: isKey || schema.is_nullable,
      is_unique: schema.is_unique === true && !isKey,
      is_indexed: schema.is_indexed === true && !isKey && !isPointing && schema.is_unique !== true,
    },
    columnDefaults,
  );
}

/** Vendors write the same literal differently: `1`, `true`, `1.00`. */
function defaultOf(type: string, value: unknown): unknown {
  const known = columnTypes.find((candidate) => candidate === type);
  if (value === null || value === undefined || known === undefined || known === 'json') return value;
  const coerced = coerceValue(known, value);
  if (!coerced.ok || coerced.value instanceof Uint8Array) return value;
  if (type === 'decimal') return Number(coerced.value);
  return typeof coerced.value === 'bigint' ? String(coerced.value) : coerced.value;
}

function relationDocument({ related_collection, schema, meta }: RelationObject): Document {
  return {
    to: related_collection,
    ...(schema === null ? {} : { on_delete: schema.on_delete, on_update: schema.on_update }),
    ...(meta === null ? {} : { meta: stated(meta, relationMeta) }),
  };
}

/** The document of a snapshot: `kept` as it is, but for the collections that these things describe. */
export function snapshotWith(kept: Snapshot, things: readonly Thing[]): Payload {
  const documents = things.map(({ document }) => document);
  return {
    version: wholeVersion,
    collections: [...kept.collections, ...documents.filter(({ kind }) => kind !== undefined).map(readCollection)],
    fields: [
      ...kept.fields,
      ...documents.flatMap((document) => entriesOf(document['fields']).map(([field, entry]) => readField(document, field, entry))),
    ],
    relations: [
      ...kept.relations,
      ...documents.flatMap((document) => entriesOf(document['relations']).map(([field, entry]) => readRelation(document, field, entry))),
    ],
    systemFields: [],
    views: [],
  };
}

const entriesOf = (value: unknown): readonly (readonly [string, Document])[] =>
  isPlainObject(value) ? Object.entries(value).map(([name, entry]) => [name, isPlainObject(entry) ? entry : {}]) : [];

const objectOf = (value: unknown): Payload => (isPlainObject(value) ? value : {});

function readCollection(document: Document): Payload {
  const { collection, kind, meta, primary_key, uniques = [], indexes = [], foreign_keys = [] } = document;
  return {
    collection,
    meta: meta === undefined && kind === 'table' ? null : { ...collectionMetaDefaults, ...objectOf(meta) },
    schema: kind === 'folder' ? null : { name: collection, primary_key, uniques, indexes, foreign_keys },
  };
}

function readField({ collection }: Document, field: string, entry: Document): Payload {
  const { type, column, meta } = entry;
  const stated = objectOf(column);
  const schema: Payload = {
    name: field,
    table: collection,
    ...columnDefaults,
    ...(type === 'string' ? { max_length: 255 } : {}),
    foreign_key_table: null,
    ...stated,
  };
  return {
    collection,
    field,
    type,
    schema: type === 'alias' ? null : { ...schema, is_nullable: stated['is_primary_key'] === true ? false : schema.is_nullable },
    meta: meta === undefined ? null : { ...fieldMetaDefaults, ...objectOf(meta) },
  };
}

function readRelation({ collection }: Document, field: string, entry: Document): Payload {
  const { to, on_delete, on_update, meta } = entry;
  return {
    collection,
    field,
    related_collection: to ?? null,
    schema: on_delete === undefined ? null : { on_delete, on_update },
    meta: meta === undefined ? null : { ...relationMeta, ...objectOf(meta) },
  };
}
