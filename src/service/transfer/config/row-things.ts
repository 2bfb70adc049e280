// Rows of configuration as things, and back.

import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { SystemField } from '../../../core/schema/system-definition.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { RowKind } from './row-kinds.js';
import { ConfigurationRefused, type Document, fileName, inOrder, isSameValue, slug, type Thing } from './thing.js';

export type Row = Readonly<Record<string, unknown>>;

/** The rows of a kind and, by their names, of its children; personal ones included. */
export type RowsByKind = ReadonlyMap<string, readonly Row[]>;

export async function readRows(
  { dialect, system }: { readonly dialect: Dialect; readonly system: SystemHome },
  kinds: readonly RowKind[],
): Promise<RowsByKind> {
  const found = new Map<string, readonly Row[]>();
  for (const kind of flatten(kinds))
    found.set(kind.name, await systemRows(dialect.syntax, kind.definition, system).read(dialect.driver, 'all'));
  return found;
}

export const flatten = (kinds: readonly RowKind[]): readonly RowKind[] =>
  kinds.flatMap((kind) => [kind, ...flatten(kind.children.map((child) => child.kind))]);

export const keyOf = ({ definition }: RowKind): string => definition.primaryKey[0] ?? 'id';

const isPersonal = ({ personal }: RowKind, row: Row): boolean => personal.some((field) => (row[field] ?? null) !== null);

/** The rows that belong to things, of one parent if the kind has one. */
export function ownRows(kind: RowKind, rows: RowsByKind, parent: { readonly field: string; readonly key: unknown } | null): readonly Row[] {
  return (rows.get(kind.name) ?? []).filter((row) => !isPersonal(kind, row) && (parent === null || row[parent.field] === parent.key));
}

export function rowThings(kinds: readonly RowKind[], rows: RowsByKind): readonly Thing[] {
  return kinds.flatMap((kind) => thingsOf(kind, rows));
}

function thingsOf(kind: RowKind, rows: RowsByKind): readonly Thing[] {
  const own = ownRows(kind, rows, null);
  if (kind.identity === 'single')
    return own.slice(0, 1).map((row) => ({ kind: kind.name, key: '', path: `${kind.name}.yaml`, document: documentOf(kind, row, rows) }));
  if (kind.identity === 'group') return groupThings(kind, own, rows);
  return own.map((row) => {
    const key = String(row[keyOf(kind)]);
    const name = row['name'] ?? row['key'] ?? '';
    return {
      kind: kind.name,
      key,
      path: `${kind.name}/${slug(String(name))}--${key.slice(0, 8)}.yaml`,
      document: documentOf(kind, row, rows),
    };
  });
}

function groupThings(kind: RowKind, own: readonly Row[], rows: RowsByKind): readonly Thing[] {
  const { group } = kind;
  if (group === null) return [];
  const names = [...new Set(own.map((row) => textOf(row[group])))].toSorted();
  return names.map((name) => ({
    kind: kind.name,
    key: name,
    path: `${kind.name}/${name === '' ? 'all' : fileName(name)}.yaml`,
    document: {
      [group]: name === '' ? null : name,
      entries: inTextOrder(own.filter((row) => textOf(row[group]) === name).map((row) => without(documentOf(kind, row, rows), group))),
    },
  }));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const without = (document: Document, name: string): Document =>
  Object.fromEntries(Object.entries(document).filter(([key]) => key !== name));

const inTextOrder = (documents: readonly Document[]): readonly Document[] =>
  documents.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** The key where it travels, what is not at its default, and the children. */
function documentOf(kind: RowKind, row: Row, rows: RowsByKind): Document {
  const key = row[keyOf(kind)];
  const stated = kind.fields
    .filter((field) => !isSameValue(row[field.field], defaultOf(field)))
    .map((field) => [field.field, inOrder(row[field.field])] as const);
  const children = kind.children.flatMap(({ parent, kind: child }) => {
    const list = ownRows(child, rows, { field: parent, key }).map((entry) => documentOf(child, entry, rows));
    return list.length === 0 ? [] : [[child.name, inTextOrder(list)] as const];
  });
  return { ...(kind.identity === 'uuid' ? { [keyOf(kind)]: key } : {}), ...Object.fromEntries(stated), ...Object.fromEntries(children) };
}

const defaultOf = ({ default: preset }: SystemField): unknown => (preset?.kind === 'literal' ? preset.value : null);

/** The values of the fields that a document states or leaves at their default. Refuses what no field takes. */
export function valuesOf(kind: RowKind, document: Document, place: string): Row {
  const known = new Set([...kind.fields.map(({ field }) => field), ...kind.children.map((child) => child.kind.name), keyOf(kind)]);
  const unknown = Object.keys(document).find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new ConfigurationRefused(`${place}: "${unknown}" is nothing that ${kind.name} have; known are ${[...known].join(', ')}`);
  const missing = kind.fields.find((field) => !field.nullable && defaultOf(field) === null && (document[field.field] ?? null) === null);
  if (missing !== undefined) throw new ConfigurationRefused(`${place}: "${missing.field}" is missing`);
  return Object.fromEntries(kind.fields.map((field) => [field.field, document[field.field] ?? defaultOf(field)]));
}

export function childDocuments(document: Document, name: string, place: string): readonly Document[] {
  const list = document[name] ?? [];
  if (Array.isArray(list) && list.every(isPlainObject)) return list;
  throw new ConfigurationRefused(`${place}: "${name}" has to be a list of objects`);
}
