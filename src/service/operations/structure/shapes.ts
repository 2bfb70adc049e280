// Collections, fields and relations as shapes: `meta` has the columns of the system table, `schema` is the database's side as
// specification 2.4 lists it. What is sent may be a part, and differs from what is answered in a few members.

import type { ColumnType } from '../../../core/schema/types/field-type.js';
import type { PlainObject } from '../../../core/util/plain-object.js';
import { systemDefinitions } from '../../definitions/system-definitions.js';
import type { CollectionObject } from '../../structure/describe/describe-collection.js';
import type { FieldObject } from '../../structure/describe/describe-field.js';
import { type IndexObject, indexUses } from '../../structure/describe/describe-index.js';
import type { RelationObject } from '../../structure/describe/describe-relation.js';
import type { Suggestion } from '../../structure/suggest/suggest-relations.js';
import {
  answer,
  boolean,
  choice,
  described,
  document,
  integer,
  json,
  jsonText,
  list,
  type Members,
  object,
  optional,
  type Shape,
  text,
  withDefault,
  words,
} from '../shape.js';

const whole = integer(-2_147_483_648, 2_147_483_647);
const texts = list(optional(text()));

const shapeOfType: Partial<Record<ColumnType, Shape<unknown>>> = { integer: whole, boolean, json, csv: texts };

const each = (shape: Shape<unknown>, ...names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, optional(shape)]));

/** The columns of a metadata table; `special` is one text of flags (specification 2.3), or a list of them on the wire of the former server. */
function metaOf(collection: string): Members {
  const fields = systemDefinitions.find((definition) => definition.collection === collection)?.fields ?? [];
  const shown = fields.filter(({ hidden }) => !hidden);
  return Object.fromEntries(shown.map(({ field, type }) => [field, optional(field === 'special' ? words : (shapeOfType[type] ?? text()))]));
}

interface Resource {
  readonly name: string;
  /** Members beside `meta` and `schema`. */
  readonly own: Members;
  readonly schema: Members;
}

/** As it is answered. */
const shown = <T>({ name, own, schema }: Resource): Shape<T> =>
  answer<T>(
    {
      ...own,
      meta: optional(answer(metaOf(name), `{${name}}_meta`)),
      schema: optional(answer(schema, `{${name}}_schema`)),
    },
    `{${name}}`,
  );

/** As it is sent: the planners in `service/structure` read it. Flags may come as a list or as one text, which GraphQL takes for a list of one. */
function sent({ name, own, schema }: Resource, more: { readonly own?: Members; readonly schema?: Members } = {}): Shape<PlainObject> {
  const meta = metaOf(name);
  const part = (members: Members, of: string): Shape<PlainObject | null> =>
    optional(document({ name: `write_{${name}}_${of}_input`, members }));
  return document({
    name: `write_{${name}}_input`,
    members: {
      ...own,
      meta: part('special' in meta ? { ...meta, special: optional(texts) } : meta, 'meta'),
      schema: part({ ...schema, ...more.schema }, 'schema'),
      ...more.own,
    },
  });
}

const collection: Resource = {
  name: 'service_collections',
  own: each(text(), 'collection'),
  schema: { ...each(text(), 'name', 'schema', 'comment', 'read_only'), primary_key: optional(texts) },
};

const field: Resource = {
  name: 'service_fields',
  own: each(text(), 'collection', 'field', 'type'),
  schema: {
    ...each(text(), 'name', 'table', 'data_type'),
    default_value: optional(jsonText),
    ...each(whole, 'max_length', 'numeric_precision', 'numeric_scale', 'primary_key_position'),
    ...each(
      boolean,
      'is_generated',
      'is_nullable',
      'is_unique',
      'is_indexed',
      'is_primary_key',
      'has_auto_increment',
      'default_is_expression',
    ),
    ...each(text(), 'generation_expression', 'foreign_key_column', 'foreign_key_table', 'comment'),
    choices: optional(texts),
  },
};

const relation: Resource = {
  name: 'service_relations',
  own: each(text(), 'collection', 'field', 'related_collection'),
  schema: each(text(), 'table', 'column', 'foreign_key_table', 'foreign_key_column', 'on_update', 'on_delete', 'constraint_name'),
};

export const collectionAnswer = shown<CollectionObject>(collection);
export const fieldAnswer = shown<FieldObject>(field);
export const relationAnswer = shown<RelationObject>(relation);

/** A default may be sent as any value, or as an expression. */
export const fieldInput = sent(field, { schema: { default_value: optional(json), default_expression: optional(text()) } });
export const collectionInput = sent(collection, { own: { fields: optional(list(fieldInput)) } });
export const relationInput = sent(relation);

export const suggestionAnswer = answer<Suggestion>(
  {
    ...each(text(), 'collection', 'field', 'related_collection'),
    one_field: described(optional(text()), 'A free name for the list on the other side.'),
    compared: described(optional(whole), 'How many different values of a sample were looked up; null if there was no time left.'),
    matched: described(optional(whole), 'How many of them are keys of the related collection.'),
  },
  'suggested_relation',
);

export const indexAnswer = answer<IndexObject>(
  {
    collection: text(),
    name: text(),
    fields: list(text()),
    unique: boolean,
    backs: described(optional(choice(indexUses, 'index_use')), 'What rests on the index, which then cannot be dropped.'),
    definition: described(optional(text()), "The database's text of an index that its fields do not describe."),
  },
  'collection_index',
);

/** No vendor holds more columns in one index. */
const mostIndexFields = 16;

export const indexInput = object(
  {
    name: described(optional(text()), 'Without one, it is made of the names of the collection and the fields.'),
    fields: list(text(), { min: 1, max: mostIndexFields }),
    unique: withDefault(boolean, false),
  },
  { name: 'create_collection_index_input', strict: true },
);
