// What a caller may read as TypeScript, in the form that `@directus/sdk` takes: one flat interface per collection, and `Schema`, which
// lists them. Times, JSON and comma-separated lists have the type names that this client recognises.

import { findCollection, type SchemaView, visibleFields } from '../../core/access/view.js';
import type { Collection, ColumnField, Field, Schema } from '../../core/schema/schema.js';
import type { FieldType } from '../../core/schema/types/field-type.js';
import { pascalCase, uniqueNames } from './unique-names.js';

export function describeTypes(view: SchemaView): string {
  const { schema } = view;
  const collections = [...schema.collections.values()].filter(({ name }) => findCollection(view, name, 'read') !== null);
  const names = uniqueNames(collections, ({ name }) => identifier(pascalCase(name)));
  const drawing = { view, schema, names };
  const members = collections.map(({ name, singleton }) => `  ${property(name)}: ${names.get(name)}${singleton ? '' : '[]'};`);
  return [
    '// Written by `tain types`; written anew, not changed by hand.',
    ...collections.map((collection) => describeCollection(drawing, collection)),
    `export interface Schema {\n${members.join('\n')}\n}\n`,
  ].join('\n\n');
}

interface Drawing {
  readonly view: SchemaView;
  readonly schema: Schema;
  readonly names: ReadonlyMap<string, string>;
}

function describeCollection(drawing: Drawing, collection: Collection): string {
  const { name, note } = collection;
  const lines = visibleFields(drawing.view, collection, 'read').flatMap((field) => {
    const type = typeOf(drawing, collection, field);
    return type === null ? [] : [`${comment(field.note, '  ')}  ${property(field.name)}: ${type};`];
  });
  return `${comment(note, '')}export interface ${drawing.names.get(name)} {\n${lines.join('\n')}\n}`;
}

const comment = (note: string | null, indent: string): string =>
  note === null ? '' : `${indent}/** ${note.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n`;

const property = (name: string): string => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name));

/** The name `Schema` is reserved for the list of all collections. */
const identifier = (name: string): string => (/^\p{L}/u.test(name) && name !== 'Schema' ? name : `Collection${name}`);

/** null: a field without data. */
function typeOf(drawing: Drawing, collection: Collection, field: Field): string | null {
  switch (field.kind) {
    case 'presentation':
      return null;
    case 'relation':
      return listType(drawing, field.relation.related);
    case 'reference':
      return `${keyType(drawing, field.relation.related)} | ${drawing.names.get(field.relation.related) ?? 'unknown'} | null`;
    case 'column':
      return columnType(drawing, collection, field);
  }
}

const listType = (drawing: Drawing, related: string): string =>
  `${keyType(drawing, related)}[] | ${drawing.names.get(related) ?? 'unknown'}[]`;

/** A key of several fields is one text. */
function keyType({ schema }: Drawing, related: string): string {
  const keys = schema.collections.get(related)?.primaryKey ?? [];
  const [key = ''] = keys;
  const type = schema.collections.get(related)?.fields.get(key)?.type;
  return keys.length === 1 && type !== undefined ? plainType(type) : 'string';
}

function columnType({ names }: Drawing, collection: Collection, { name, type, column, relation }: ColumnField): string {
  const related = relation === null ? [] : relation.kind === 'm2o' ? [relation.related] : relation.allowed;
  const chosen = (type === 'string' || type === 'text') && column.choices !== undefined ? column.choices : choicesOf(collection, name);
  const plain = chosen.length > 0 ? chosen.map((choice) => JSON.stringify(choice)) : [plainType(type)];
  const types = [...plain, ...related.flatMap((target) => names.get(target) ?? [])];
  return [...types, ...(column.nullable ? ['null'] : [])].join(' | ');
}

/** The collections that the column of a many-to-any may name; by this type the client knows the fields of the related item. */
const choicesOf = ({ fields }: Collection, column: string): readonly string[] =>
  [...fields.values()].flatMap((field) =>
    field.kind === 'column' && field.relation?.kind === 'm2a' && field.relation.collectionField === column ? field.relation.allowed : [],
  );

const plainTypes: Readonly<Partial<Record<FieldType, string>>> = {
  integer: 'number',
  float: 'number',
  boolean: 'boolean',
  date: "'datetime'",
  time: "'datetime'",
  dateTime: "'datetime'",
  timestamp: "'datetime'",
  json: "'json'",
  csv: "'csv'",
  unknown: 'unknown',
};

const plainType = (type: FieldType): string => plainTypes[type] ?? (type.startsWith('geometry') ? "'json'" : 'string');
