// Which columns look as if they held the key of another collection, by their names and types alone. Applications that keep their rules in their own code
// declare no foreign keys, but they name columns by a few habits: `author_id`, `id_customer`, `post_author`, `parent`, or as the key is called there.

import type { Collection, ColumnField, Field, Schema } from '../../../core/schema/schema.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { groupBy } from '../../../core/util/group-by.js';

export interface Candidate {
  readonly collection: Collection;
  readonly field: ColumnField;
  readonly related: Collection;
  readonly key: ColumnField;
  /** How closely the names agree; higher is closer. */
  readonly closeness: number;
}

/** Columns by which people appear in the rows of others. */
const people: ReadonlySet<string> = new Set(
  'author creator owner editor user modifier sender recipient assignee reviewer approver created_by updated_by modified_by deleted_by checked_out'.split(
    ' ',
  ),
);
const collectionsOfPeople: readonly string[] = ['user', 'account', 'member', 'person'];
/** Names that a key has in any collection: they say nothing. */
const anyKey: ReadonlySet<string> = new Set(['id', 'uuid', 'guid', 'key', 'code', 'name', 'uid', 'pk']);

const groups: Partial<Record<ColumnType, string>> = { integer: 'number', bigInteger: 'number', string: 'text', text: 'text', uuid: 'uuid' };

/** Collections by what names of columns may call them. */
interface Targets {
  /** By the name of the collection, in the singular and without a prefix that all have. */
  readonly byName: ReadonlyMap<string, readonly Collection[]>;
  /** By the name of the key, if it says more than that it is one. */
  readonly byKey: ReadonlyMap<string, readonly Collection[]>;
}

export function findCandidates(schema: Schema): readonly Candidate[] {
  const own = [...new Set(schema.collections.values())].filter(({ system, table }) => !system && table !== null);
  const targets = findTargets(own);
  return own.flatMap((collection) =>
    [...collection.fields.values()].flatMap((field) => (mayPoint(collection, field) ? candidatesOf(collection, field, targets) : [])),
  );
}

function findTargets(own: readonly Collection[]): Targets {
  const prefix = commonPrefix(own.map(({ name }) => name));
  const keyed = own.flatMap((collection) => {
    const key = keyOf(collection);
    return key === null ? [] : [{ collection, key }];
  });
  const without = (name: string): string => (name.length > prefix.length && name.startsWith(prefix) ? name.slice(prefix.length) : name);
  const named = groupBy(keyed, ({ collection }) => singular(wordsOf(without(collection.name)).join('_')));
  const telling = keyed.filter(({ key }) => !anyKey.has(key.name.toLowerCase()));
  const only = (lists: ReadonlyMap<string, readonly { readonly collection: Collection }[]>): ReadonlyMap<string, readonly Collection[]> =>
    new Map([...lists].map(([name, list]) => [name, list.map(({ collection }) => collection)]));
  return { byName: only(named), byKey: only(groupBy(telling, ({ key }) => key.name.toLowerCase())) };
}

const mayPoint = (collection: Collection, field: Field): field is ColumnField =>
  field.kind === 'column' &&
  collection.table?.kind === 'table' &&
  field.relation === null &&
  !field.column.generated &&
  !field.concealed &&
  field.column.choices === undefined &&
  groups[field.column.type] !== undefined &&
  !(collection.primaryKey.length === 1 && collection.primaryKey[0] === field.name);

function candidatesOf(collection: Collection, field: ColumnField, { byName, byKey }: Targets): readonly Candidate[] {
  const found = new Map<Collection, number>();
  const add = (some: readonly Collection[] | undefined, closeness: number): void => {
    for (const related of some ?? []) found.set(related, Math.max(closeness, found.get(related) ?? 0));
  };
  add(byKey.get(field.name.toLowerCase()), 4);
  const { words, isMarked } = stemOf(field.name);
  // The last words say what is pointed at, those before them in which part: `comment_post_ID` is a post.
  for (const from of words.keys()) add(byName.get(singular(words.slice(from).join('_'))), (from === 0 ? 3 : 2) + (isMarked ? 1 : 0));
  const last = words.at(-1) ?? '';
  if (last === 'parent') add([collection], 3);
  if (people.has(words.join('_')) || people.has(last)) for (const name of collectionsOfPeople) add(byName.get(name), 2);
  // `catid`, where one collection alone begins so.
  const [only, ...more] = found.size === 0 && isMarked && words.length === 1 && last.length > 2 ? startingWith(byName, last) : [];
  if (more.length === 0) add(only, 1);
  return [...found].flatMap(([related, closeness]) => {
    const key = keyOf(related);
    const fits = key !== null && groups[key.column.type] === groups[field.column.type];
    const isSameDatabase = collection.table?.mirrored === related.table?.mirrored;
    return fits && isSameDatabase ? [{ collection, field, related, key, closeness }] : [];
  });
}

const startingWith = (byName: Targets['byName'], start: string): readonly (readonly Collection[])[] =>
  [...byName].flatMap(([name, list]) => (name.startsWith(start) ? [list] : []));

/** The only field of the key, if it is one. */
function keyOf({ primaryKey, fields }: Collection): ColumnField | null {
  const [name, ...more] = primaryKey;
  const field = more.length > 0 || name === undefined ? undefined : fields.get(name);
  return field?.kind === 'column' ? field : null;
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const marks: ReadonlySet<string> = new Set(['id', 'uuid', 'guid', 'fk', 'key', 'ref', 'no', 'nr']);

/** Without what marks a name as that of a key, in front or behind: `id_shop`, `shopId`, `catid`. */
function stemOf(name: string): { readonly words: readonly string[]; readonly isMarked: boolean } {
  const words = wordsOf(name);
  const trimmed = words.filter((word, place) => !(marks.has(word) && (place === 0 || place === words.length - 1)));
  const glued = trimmed.at(-1) ?? '';
  if (trimmed.length < words.length || !/.{3,}id$/.test(glued)) return { words: trimmed, isMarked: trimmed.length < words.length };
  return { words: [...trimmed.slice(0, -1), glued.slice(0, -2)], isMarked: true };
}

function singular(name: string): string {
  if (/ies$/.test(name)) return `${name.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|us)es$/.test(name)) return name.slice(0, -2);
  if (name.endsWith('people')) return `${name.slice(0, -6)}person`;
  return /[^su]s$/.test(name) ? name.slice(0, -1) : name;
}

/** `wp_`, if most names begin so. */
function commonPrefix(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const prefix = /^[^_]+_/.exec(name)?.[0];
    if (prefix !== undefined) counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1]);
  return most !== undefined && most[1] >= 3 && most[1] * 2 > names.length ? most[0] : '';
}
