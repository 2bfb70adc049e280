// The columns of a list: which fields it shows, in which order and how wide. Unless somebody chose them, the title comes first, then what
// people look for; no secrets and no long documents.

import { escapeName, splitPath } from '../schema/field-path.js';
import type { Collection, Field, Schema } from '../schema/model.js';
import { pathsOfField, titleField } from '../schema/templates.js';

export interface Column {
  /** In the notation of the API: a field, or a path such as `author.country`. */
  readonly name: string;
  readonly title: string;
  /** The field at the end of the path. */
  readonly field: Field;
  readonly width: number;
  readonly align: 'start' | 'end';
  /** What the query asks for. */
  readonly reads: readonly string[];
  /** The name by which the service sorts; null: it cannot. */
  readonly sort: string | null;
  /** A field of the item itself, which can be edited in its cell. */
  readonly isOwn: boolean;
}

const mostColumns = 8;
const numbers = new Set(['integer', 'bigInteger', 'decimal', 'float']);
const moments = new Set(['date', 'time', 'dateTime', 'timestamp']);
const unsuited = new Set(['json', 'hash', 'binary', 'geometry', 'unknown', 'alias']);

export const narrowest = 60;
export const widest = 800;

export type Widths = Readonly<Record<string, number>>;

/** The columns with these names; null: the usual ones. Names that lead nowhere are left out. */
export function makeColumns(
  schema: Schema,
  collection: Collection,
  names: readonly string[] | null,
  widths: Widths = {},
): readonly Column[] {
  const title = titleField(collection);
  const wanted = names ?? usualColumns(collection);
  const columns = wanted.flatMap((name) => {
    // The name of a field may come as it is, from an address.
    const path = collection.fieldsByName.has(name) ? escapeName(name) : name;
    const column = makeColumn(schema, collection, path, title !== null && path === escapeName(title));
    const width = widths[path];
    if (column === null) return [];
    return [width === undefined ? column : { ...column, width: Math.min(widest, Math.max(narrowest, width)) }];
  });
  return columns.length > 0 || names === null ? columns : makeColumns(schema, collection, null, widths);
}

export function usualColumns(collection: Collection): readonly string[] {
  const title = titleField(collection);
  const shown = collection.fields.filter(
    ({ column, hidden, type, name, relation }) =>
      name !== title && column !== null && !hidden && relation?.kind !== 'm2a' && !isUnsuited(type),
  );
  return [...(title === null ? [] : [title]), ...shown.map(({ name }) => name)].slice(0, mostColumns).map(escapeName);
}

function makeColumn(schema: Schema, collection: Collection, name: string, isTitle: boolean): Column | null {
  const fields = followPath(schema, collection, splitPath(name));
  const field = fields?.at(-1);
  if (fields === null || field === undefined) return null;
  const shared = { name, title: fields.map(({ title }) => title).join(' › '), field, width: widthOf(field, isTitle) };
  const isOwn = fields.length === 1;
  const isList = field.relation?.kind === 'o2m' || field.relation?.kind === 'm2m';
  // A list of items is shown by its length.
  if (isOwn && isList) return { ...shared, align: 'end', width: 120, reads: [`count(${name})`], sort: `count(${name})`, isOwn: false };
  const throughList = fields.some(({ relation }) => relation?.kind === 'o2m' || relation?.kind === 'm2m');
  const reads = isOwn ? pathsOfField(schema, field) : pathsOfField(schema, field).map((path) => prefixed(name, field, path));
  return { ...shared, align: alignOf(field), reads, sort: throughList ? null : name, isOwn: isOwn && field.column !== null };
}

const prefixed = (name: string, field: Field, path: string): string =>
  `${name.slice(0, name.length - escapeName(field.name).length)}${path}`;

function followPath(schema: Schema, collection: Collection, path: readonly string[]): readonly Field[] | null {
  const fields: Field[] = [];
  let at: Collection | undefined = collection;
  for (const name of path) {
    const field: Field | undefined = at?.fieldsByName.get(name);
    if (field === undefined || field.special.includes('no-data')) return null;
    fields.push(field);
    const { relation }: Field = field;
    at =
      relation === null || relation.kind === 'm2a' ? undefined : schema.get(relation.kind === 'm2m' ? relation.junction : relation.related);
  }
  return fields;
}

/** The value of a column in a row. A path through a list gives the values of all its items. */
export function columnValue({ name, isOwn, reads, field }: Column, row: Readonly<Record<string, unknown>>): unknown {
  if (isOwn) return row[field.name];
  if (reads[0] === `count(${name})`) return row[`${field.name}_count`];
  return valueAt(row, splitPath(name));
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((entry) => valueAt(entry, [name, ...rest]));
  if (typeof value !== 'object' || value === null) return null;
  return valueAt((value as Readonly<Record<string, unknown>>)[name], rest);
}

const isUnsuited = (type: string): boolean => unsuited.has(type) || type.startsWith('geometry');
const alignOf = ({ type, relation }: Field): 'start' | 'end' => (numbers.has(type) && relation === null ? 'end' : 'start');

function widthOf({ type, relation, isKey }: Field, isTitle: boolean): number {
  if (isTitle) return 280;
  if (relation !== null) return 180;
  if (isKey && numbers.has(type)) return 90;
  if (numbers.has(type)) return 120;
  if (type === 'boolean') return 90;
  if (moments.has(type)) return 170;
  return type === 'text' ? 260 : 180;
}

/** The fields a list reads; the key is always among them. */
export function fieldsOf(collection: Collection, columns: readonly Column[]): readonly string[] {
  const paths = columns.flatMap(({ reads }) => reads);
  return [...new Set([...collection.keys.map(escapeName), ...paths])];
}
