// The GraphQL names of collections and fields. A valid GraphQL name is kept; any other name gets an alias that is derived from it alone,
// with underscores at the end where two aliases would be equal. Metadata may choose the alias: an entry
// `{language: "graphql", translation: …}` of `translations`.

import { findCollection, findField, type SchemaView } from '../../../../core/access/view.js';
import type { Collection, Field, Schema } from '../../../../core/schema/schema.js';
import { isPlainObject } from '../../../../core/util/plain-object.js';
import type { GraphqlAlias } from '../../../../service/operations/operation-deps.js';

const valid = /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/;

const isName = (name: string): boolean => valid.test(name);

/** Names of the schema's own types, which no collection may have. */
export const reservedTypes: ReadonlySet<string> = new Set([
  ...['Query', 'Mutation', 'Subscription'],
  ...['Int', 'Float', 'String', 'Boolean', 'ID'],
  ...['Date', 'JSON', 'Hash', 'Void', 'GraphQLBigInt', 'GraphQLStringOrFloat', 'GraphQLJsonFilter', 'GraphQLGeoJSON'],
  ...['delete_one', 'delete_many', 'date_functions', 'time_functions', 'datetime_functions', 'count_functions', 'EventEnum'],
  ...['string', 'id', 'number', 'big_int', 'date', 'boolean', 'hash', 'json', 'geometry', 'identity', 'presence', 'structure'].map(
    (type) => `${type}_filter_operators`,
  ),
  ...['count', 'date', 'time', 'datetime'].map((type) => `${type}_function_filter_operators`),
]);

/** The entries of a filter that are not fields. */
const reservedFields: ReadonlySet<string> = new Set(['_and', '_or', '_some', '_none']);

type Taken = { has(name: string): boolean };

/** The wished name, or the next free one. */
export function claim(taken: Taken, preferred: string): string {
  let name = preferred;
  while (taken.has(name)) name += '_';
  return name;
}

/** The GraphQL name of each thing, by its own name. Valid names are assigned first, then those of metadata, then derived aliases. */
export function nameAll(things: readonly (Collection | Field)[], reserved: Taken): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const isTaken: Taken = { has: (name) => taken.has(name) || reserved.has(name) };
  const named = new Map<string, string>();
  const take = (thing: Collection | Field, preferred: string): void => {
    const name = claim(isTaken, preferred);
    taken.add(name);
    named.set(thing.name, name);
  };
  const sorted = things.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const unchanged = sorted.filter((thing) => givenName(thing) === null && isOwnName(thing, reserved));
  for (const thing of unchanged) take(thing, thing.name);
  for (const thing of sorted) if (givenName(thing) !== null) take(thing, givenName(thing) ?? '');
  for (const thing of sorted) if (!named.has(thing.name)) take(thing, spell(thing.name));
  return named;
}

const isOwnName = ({ name }: Collection | Field, reserved: Taken): boolean => isName(name) && !reserved.has(name);

/** The alias in the metadata; null when there is none, or it is not a valid name. */
function givenName({ meta }: Collection | Field): string | null {
  const translations = meta?.['translations'];
  if (!Array.isArray(translations)) return null;
  const own: unknown = translations.find((entry: unknown) => isPlainObject(entry) && entry['language'] === 'graphql');
  const given = isPlainObject(own) ? own['translation'] : null;
  return typeof given === 'string' && isName(given) ? given : null;
}

/** `inventory.items` of another SQL schema is `inventory__items`, `Größe (cm)` is `Grosse_cm`, `🎉` is `u1f389`, `2nd` is `_2nd`. */
export function spell(name: string): string {
  const plain = Array.from(name.replaceAll('.', '__').replaceAll('ß', 'ss').normalize('NFKD'), spellSign).join('');
  const words = plain.replace(/ +/g, ' ').trim().replaceAll(' ', '_');
  const spelled = words.replace(/^__+/, '_');
  return isName(spelled) ? spelled : `_${spelled.replace(/^_+/, '')}`;
}

/** Drops combining marks, turns other ASCII signs into word breaks, and writes any other character as its code point. */
function spellSign(sign: string): string {
  if (/\w/.test(sign)) return sign;
  if (/\p{M}/u.test(sign)) return '';
  const number = sign.codePointAt(0) ?? 0;
  return number < 0x80 || /\p{Z}/u.test(sign) ? ' ' : `u${number.toString(16)}`;
}

const notEnumValues: ReadonlySet<string> = new Set(['true', 'false', 'null']);

const isText = (type: string): boolean => type === 'string' || type === 'text';

/** The only texts that a column accepts, where GraphQL can spell all of them as values of an enum; null: any text. */
export function choicesOf(field: Field): readonly string[] | null {
  const choices = field.kind === 'column' && isText(field.type) && !field.concealed ? field.column.choices : undefined;
  if (choices === undefined || choices.length === 0) return null;
  return choices.every((choice) => isName(choice) && !notEnumValues.has(choice)) ? choices : null;
}

interface FieldNames {
  readonly names: ReadonlyMap<string, string>;
  readonly taken: ReadonlySet<string>;
}

const known = new WeakMap<Collection, FieldNames>();

function namesIn(collection: Collection): FieldNames {
  const present = known.get(collection);
  if (present !== undefined) return present;
  const names = nameAll([...collection.fields.values()], reservedFields);
  const found = { names, taken: new Set(names.values()) };
  known.set(collection, found);
  return found;
}

/** The names of all fields of a collection, whatever the caller may see. */
export const fieldNames = (collection: Collection): ReadonlyMap<string, string> => namesIn(collection).names;

export const fieldName = (collection: Collection, field: Field): string => fieldNames(collection).get(field.name) ?? field.name;

/** A name derived from a field (`published_func`), with underscores appended if a field has that name. */
export const derivedName = (collection: Collection, preferred: string): string => claim(namesIn(collection).taken, preferred);

/** Collections and fields whose GraphQL name differs from their own. */
export function listAliases({ collections }: Schema): readonly GraphqlAlias[] {
  const names = nameAll([...collections.values()], reservedTypes);
  return [...collections.values()].flatMap((collection): readonly GraphqlAlias[] => {
    if (collection.system) return [];
    const own = { collection: collection.name, field: null, name: names.get(collection.name) ?? collection.name };
    const fields = [...fieldNames(collection)].filter(([field, alias]) => field !== alias);
    return [
      ...(own.name === own.collection ? [] : [own]),
      ...fields.map(([field, name]) => ({ collection: collection.name, field, name })),
    ];
  });
}

/** The aliases of what the caller may read. */
export const visibleAliases = (view: SchemaView): readonly GraphqlAlias[] =>
  listAliases(view.schema).filter(({ collection, field }) => {
    const found = findCollection(view, collection, 'read');
    return found !== null && (field === null || findField(view, found, field, 'read') !== null);
  });
