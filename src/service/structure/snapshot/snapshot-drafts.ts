// Converts the objects of a snapshot into payloads and drafts for the planners.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { Ddl } from '../../../core/vendor/ddl.js';
import { parseCollectionMeta } from '../describe/collection-meta.js';
import type { CollectionObject } from '../describe/describe-collection.js';
import type { FieldObject } from '../describe/describe-field.js';
import type { Payload } from '../describe/payload.js';
import type { TableDraft } from '../plan/columns/create-table.js';
import { type FieldDraft, keyOfDrafts, parseFieldDraft } from '../plan/field-draft.js';

/** The properties of a column that a snapshot carries over: not the names of types and tables, and no foreign keys, which come with relations. */
const columnKeys = [
  'default_value',
  'default_expression',
  'is_nullable',
  'is_unique',
  'is_indexed',
  'is_primary_key',
  'primary_key_position',
  'has_auto_increment',
  'is_generated',
  'generation_expression',
  'comment',
];

const sizeKeys: Readonly<Record<string, readonly string[]>> = {
  string: ['max_length'],
  hash: ['max_length'],
  decimal: ['numeric_precision', 'numeric_scale'],
};

/** A type that only its vendor has becomes text, without its default. */
export const makeableType = (type: string): string => (type === 'unknown' ? 'text' : type);

export function fieldPayload({ collection, field, type, schema, meta }: FieldObject): Payload {
  const wanted = makeableType(type);
  const isMeant = (key: string): boolean => schema?.[key] !== undefined && !(type === 'unknown' && key.startsWith('default_'));
  const keys = [...columnKeys, ...(sizeKeys[wanted] ?? [])].filter(isMeant);
  return {
    collection,
    field,
    type: wanted,
    meta,
    schema: schema === null ? null : Object.fromEntries(keys.map((key) => [key, schema[key]])),
  };
}

function draftField(object: FieldObject, ddl: Ddl): FieldDraft {
  const draft = parseFieldDraft(fieldPayload(object), object.collection, null, ddl);
  const isUnlimited = object.type === 'string' && object.schema?.max_length === null;
  return isUnlimited && draft.column !== null ? { ...draft, column: { ...draft.column, maxLength: null } } : draft;
}

export function draftTable({ collection, meta, schema }: CollectionObject, objects: readonly FieldObject[], ddl: Ddl): TableDraft {
  const fields = objects.map((object) => draftField(object, ddl));
  const keys = keyOfDrafts(fields);
  const stated = columnsList(schema?.primary_key, 'primary_key');
  return {
    name: collection,
    meta: meta === null ? null : parseCollectionMeta(meta, { collection }),
    fields,
    primaryKey: stated === null || stated.length !== keys.length || !stated.every((name) => keys.includes(name)) ? keys : stated,
    uniques: indexLists(schema, 'uniques'),
    comment: typeof schema?.comment === 'string' ? schema.comment : null,
  };
}

export const indexLists = (schema: Payload | null, key: 'uniques' | 'indexes'): readonly (readonly string[])[] => {
  const lists = schema?.[key] ?? [];
  if (!Array.isArray(lists)) throw invalidPayload(`schema.${key} must be a list of lists of fields.`);
  return lists.map((list) => columnsList(list, key) ?? []);
};

export function columnsList(value: unknown, key: string): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) && value.every((entry): entry is string => typeof entry === 'string')) return value;
  throw invalidPayload(`schema.${key} must hold names of fields.`);
}
