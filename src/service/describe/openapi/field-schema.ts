// A field as a JSON schema: the type its values have on the wire.

import type { SchemaView } from '../../../core/access/view.js';
import type { Collection, ColumnField, Field } from '../../../core/schema/schema.js';
import type { FieldType } from '../../../core/schema/types/field-type.js';
import { type Json, ref } from './json.js';

export interface Drawing {
  readonly view: SchemaView;
  /** Names of the collections this caller may read. */
  readonly readable: ReadonlyMap<string, string>;
}

const wireTypes: Readonly<Record<string, Json>> = {
  string: { type: 'string' },
  text: { type: 'string' },
  integer: { type: 'integer' },
  bigInteger: { type: 'string', description: 'A whole number, as text to keep it exact.' },
  float: { type: 'number' },
  decimal: { type: 'string', description: 'A decimal number, as text to keep it exact.' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', examples: ['14:30:00'] },
  dateTime: { type: 'string', examples: ['2026-01-31T14:30:00'] },
  timestamp: { type: 'string', format: 'date-time' },
  csv: { type: 'array', items: { type: 'string' } },
  uuid: { type: 'string', format: 'uuid' },
  hash: { type: 'string', description: 'Stored as a digest; reads as stars.' },
  binary: { type: 'string', contentEncoding: 'base64' },
};

const typeSchema = (type: FieldType): Json => {
  if (type.startsWith('geometry')) return { type: 'object', description: 'GeoJSON.' };
  return wireTypes[type] ?? {};
};

/** null: nothing to say, as for dividers and notices. */
export function fieldSchema(drawing: Drawing, field: Field): Json | null {
  switch (field.kind) {
    case 'presentation':
      return null;
    case 'relation':
      return described(field, {
        type: 'array',
        items: linkSchema(drawing, field.relation.related, keySchema(drawing, field.relation.related)),
      });
    case 'reference':
      return described(field, orNull(linkSchema(drawing, field.relation.related, keySchema(drawing, field.relation.related))));
    case 'column':
      return described(field, columnSchema(drawing, field));
  }
}

function described({ note }: Field, schema: Json): Json {
  return note === null ? schema : { ...schema, description: note };
}

function columnSchema(drawing: Drawing, field: ColumnField): Json {
  const { column, relation, type } = field;
  const plain = { ...typeSchema(type), ...(column.maxLength !== null && type === 'string' ? { maxLength: column.maxLength } : {}) };
  const value = withChoices(plain, column.choices);
  const schema = relation?.kind === 'm2o' ? linkSchema(drawing, relation.related, value) : value;
  return column.nullable ? orNull(schema) : schema;
}

/** The only values a column takes; of a list of words, each of them. */
function withChoices(schema: Json, choices: readonly string[] | undefined): Json {
  if (choices === undefined) return schema;
  return schema['type'] === 'array' ? { ...schema, items: { type: 'string', enum: choices } } : { ...schema, enum: choices };
}

/** By itself the key; with nested fields the item. */
function linkSchema({ readable }: Drawing, related: string, key: Json): Json {
  const name = readable.get(related);
  return name === undefined ? key : { oneOf: [key, ref('schemas', name)] };
}

function orNull(schema: Json): Json {
  if (Array.isArray(schema['oneOf'])) return { oneOf: [...(schema['oneOf'] as readonly Json[]), { type: 'null' }] };
  if (schema['type'] === undefined) return schema;
  const choices = schema['enum'];
  return { ...schema, type: [schema['type'], 'null'], ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}) };
}

/** The key of an item, as a path or a link carries it. */
export function keySchema({ view }: Drawing, name: string): Json {
  const collection = view.schema.collections.get(name);
  const key = collection === undefined ? null : onlyKey(collection);
  return key === null ? { type: 'string', description: 'The parts of the key, joined by commas.' } : typeSchema(key.type);
}

function onlyKey({ primaryKey, fields }: Collection): Field | null {
  const [name, ...more] = primaryKey;
  return name === undefined || more.length > 0 ? null : (fields.get(name) ?? null);
}
