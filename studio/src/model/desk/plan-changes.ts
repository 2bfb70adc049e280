// Forms of the model as changes of the API. Pure.

import type { Collection, Schema } from '../../schema/model.js';
import type { ModelMessages } from '../../text/english/model.js';
import type { Card } from './desk.js';

export interface NewField {
  readonly name: string;
  /** A type, or `→collection` for a reference. */
  readonly type: string;
}

type NewCard = Omit<Card, 'id'>;

export const referencePrefix = '→';

/** The type of a column that refers to items of a collection. */
function keyType(schema: Schema, collection: string): string {
  const related = schema.get(collection);
  return (related?.key === null ? undefined : related?.fieldsByName.get(related?.key ?? '')?.type) ?? 'integer';
}

/** Of a decimal nobody has said more about: that of a price. */
export const usualDigits = { numeric_precision: 10, numeric_scale: 2 } as const;

const fieldPayload = (schema: Schema, { name, type }: NewField) => ({
  field: name,
  type: type.startsWith(referencePrefix) ? keyType(schema, type.slice(1)) : type,
  schema: type === 'decimal' ? usualDigits : {},
  meta: {},
});

const relationCard = (text: ModelMessages, collection: string, field: string, related: string, details: object = {}): NewCard => ({
  title: text.titles.createRelation(`${collection}.${field}`, related),
  change: { change: 'create_relation', data: { collection, field, related_collection: related, ...details } },
});

export interface NewCollection {
  readonly name: string;
  readonly note: string;
  readonly template: string;
  readonly fields: readonly NewField[];
}

/** The collection with its fields, then a relation for each reference. */
export function planCollection(schema: Schema, text: ModelMessages, { name, note, template, fields }: NewCollection): readonly NewCard[] {
  const key = {
    field: 'id',
    type: 'integer',
    schema: { is_primary_key: true, has_auto_increment: true },
    meta: { hidden: true, readonly: true },
  };
  const data = {
    collection: name,
    schema: {},
    meta: { note: note || null, display_template: template || null },
    fields: [key, ...fields.map((field) => fieldPayload(schema, field))],
  };
  const references = fields.filter(({ type }) => type.startsWith(referencePrefix));
  return [
    { title: text.titles.createCollection(name), change: { change: 'create_collection', data } },
    ...references.map((field) => relationCard(text, name, field.name, field.type.slice(1))),
  ];
}

export type RelationKind = 'm2o' | 'o2m' | 'm2m';

export interface NewRelation {
  readonly kind: RelationKind;
  readonly here: Collection;
  readonly there: Collection;
  /** The field here: a reference, or a list. */
  readonly field: string;
  /** The list there (may be empty), the reference there, or nothing for a many-to-many. */
  readonly other: string;
  readonly junction: string;
  readonly onDelete: string;
}

export function planRelation(schema: Schema, text: ModelMessages, relation: NewRelation): readonly NewCard[] {
  const { kind, here, there, field, other, junction, onDelete } = relation;
  const rule = { schema: { on_delete: onDelete } };
  if (kind === 'm2o')
    return [
      ...newReference(schema, text, here.name, field, there.name),
      ...newList(text, there.name, other, 'list-o2m', 'o2m'),
      relationCard(text, here.name, field, there.name, { ...rule, meta: { one_field: other || null } }),
    ];
  if (kind === 'o2m')
    return [
      ...newReference(schema, text, there.name, other, here.name),
      ...newList(text, here.name, field, 'list-o2m', 'o2m'),
      relationCard(text, there.name, other, here.name, { ...rule, meta: { one_field: field } }),
    ];
  const [mine, theirs] = [`${here.name}_id`, there.name === here.name ? `related_${there.name}_id` : `${there.name}_id`];
  const fields = [
    { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true }, meta: { hidden: true } },
    { field: mine, type: keyType(schema, here.name), schema: {}, meta: { hidden: true } },
    { field: theirs, type: keyType(schema, there.name), schema: {}, meta: { hidden: true } },
  ];
  const between = { collection: junction, schema: {}, meta: { hidden: true }, fields };
  const cascade = { schema: { on_delete: 'CASCADE' } };
  return [
    { title: text.titles.createCollection(junction), change: { change: 'create_collection', data: between } },
    ...newList(text, here.name, field, 'list-m2m', 'm2m'),
    relationCard(text, junction, mine, here.name, { ...cascade, meta: { one_field: field, junction_field: theirs } }),
    relationCard(text, junction, theirs, there.name, { ...cascade, meta: { junction_field: mine } }),
  ];
}

const newReference = (schema: Schema, text: ModelMessages, collection: string, field: string, related: string): readonly NewCard[] => [
  {
    title: text.titles.createField(`${collection}.${field}`),
    change: { change: 'create_field', collection, data: fieldPayload(schema, { name: field, type: `${referencePrefix}${related}` }) },
  },
];

function newList(text: ModelMessages, collection: string, field: string, widget: string, special: string): readonly NewCard[] {
  if (field === '') return [];
  const data = { field, type: 'alias', meta: { special: [special], interface: widget } };
  return [{ title: text.titles.createField(`${collection}.${field}`), change: { change: 'create_field', collection, data } }];
}
