// Imports flat items of several collections in one transaction: adds them, or merges them with the items of the same key. Collections are
// written in the order of their references. Where an item gets another key than the import says, references to it are changed too.

import { type Caller, findCollection, lookUpCollection } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Key } from '../../../core/engine/work/work.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { type ErrorEntry, invalidPayload, invalidQuery, ServiceError } from '../../../core/errors/service-error.js';
import { emptyParsedQuery } from '../../../core/query/query.js';
import type { Collection, ColumnField } from '../../../core/schema/schema.js';

export const importModes = ['add', 'merge'] as const;
type ImportMode = (typeof importModes)[number];

export interface ImportChoices {
  readonly mode: ImportMode;
  /** Delete the items of the collections that the caller can see and the import does not name. */
  readonly allowDelete: boolean;
}

type Item = Readonly<Record<string, unknown>>;

export interface CollectionItems {
  readonly collection: string;
  readonly items: readonly Item[];
}

/** The keys of changed, created and deleted items, and the new key for each key that the import named and could not keep. */
export interface Imported {
  readonly existing: readonly Key[];
  readonly new: readonly Key[];
  readonly deleted: readonly Key[];
  readonly mapped: Readonly<Record<string, Key>>;
}

interface Tools {
  readonly reader: Reader;
  readonly writer: Writer;
}

/** What the shapes of the input do not say. */
export function refuseImport(entries: readonly CollectionItems[], { mode, allowDelete }: ImportChoices): void {
  if (allowDelete && mode !== 'merge') throw invalidQuery('"dangerouslyAllowDelete" needs mode=merge.');
  const names = new Set<string>();
  for (const { collection } of entries) {
    if (names.has(collection)) throw invalidPayload(`"${collection}" is in the import twice.`);
    names.add(collection);
  }
}

export async function importCollections(
  tools: Tools,
  work: TransactionWork,
  entries: readonly CollectionItems[],
  choices: ImportChoices,
): Promise<Readonly<Record<string, Imported>>> {
  const known = new Map(entries.map(({ collection, items }) => [collection, { collection: importable(work.caller, collection), items }]));
  const ordered = inOrder([...known.values()].map(({ collection }) => collection));
  const results = new Map<string, Imported>();
  const postponed: Postponed[] = [];
  for (const collection of ordered) {
    const { items = [] } = known.get(collection.name) ?? {};
    const later = linksTo(collection, (name) => known.has(name) && !results.has(name));
    const linked = items.map((item) => withMappedLinks(collection, item, results));
    results.set(collection.name, await importOne(tools, work, collection, linked, later, choices.mode, postponed));
  }
  for (const collection of ordered) await makeUpFor(tools, work, collection, postponed, results);
  if (choices.allowDelete) await deleteOthers(tools, work, ordered.toReversed(), results);
  return Object.fromEntries(entries.map(({ collection }) => [collection, results.get(collection) ?? nothing]));
}

const nothing: Imported = { existing: [], new: [], deleted: [], mapped: {} };

function importable(caller: Caller, name: string): Collection {
  const collection = lookUpCollection(caller.view, name, 'create');
  if (collection.system) throw invalidPayload(`"${name}" cannot be imported into.`);
  return collection;
}

/** The many-to-one fields to collections for which `isMeant` is true. */
const linksTo = (collection: Collection, isMeant: (name: string) => boolean): readonly ColumnField[] =>
  [...collection.fields.values()].filter(
    (field): field is ColumnField => field.kind === 'column' && field.relation?.kind === 'm2o' && isMeant(field.relation.related),
  );

/** Puts a collection after those it references. In a cycle the given order stays, and `makeUpFor` writes the missing references later. */
function inOrder(collections: readonly Collection[]): readonly Collection[] {
  const ordered = new Set<Collection>();
  const visiting = new Set<Collection>();
  const visit = (collection: Collection): void => {
    if (ordered.has(collection) || visiting.has(collection)) return;
    visiting.add(collection);
    for (const other of collections) if (linksTo(collection, (name) => name === other.name).length > 0) visit(other);
    ordered.add(collection);
  };
  collections.forEach(visit);
  return [...ordered];
}

function withMappedLinks(collection: Collection, item: Item, results: ReadonlyMap<string, Imported>): Item {
  const changed: Record<string, unknown> = {};
  for (const { name, relation } of linksTo(collection, (related) => results.has(related))) {
    const mapped = relation?.kind === 'm2o' ? results.get(relation.related)?.mapped : undefined;
    const value = item[name];
    if (mapped !== undefined && (typeof value === 'string' || typeof value === 'number') && Object.hasOwn(mapped, String(value)))
      changed[name] = mapped[String(value)];
  }
  return { ...item, ...changed };
}

/** References that can be written only when all items exist. */
interface Postponed {
  readonly collection: Collection;
  readonly key: Key;
  readonly changes: Item;
}

async function makeUpFor(
  { writer }: Tools,
  work: TransactionWork,
  collection: Collection,
  postponed: readonly Postponed[],
  results: ReadonlyMap<string, Imported>,
): Promise<void> {
  const payloads = postponed
    .filter((own) => own.collection === collection)
    .map(({ key, changes }) => {
      const parts = [key].flat();
      const keyFields = Object.fromEntries(collection.primaryKey.map((name, index) => [name, parts[index]]));
      return { ...withMappedLinks(collection, changes, results), ...keyFields };
    });
  if (payloads.length > 0) await writer.updateBatch(work, collection.name, payloads);
}

async function importOne(
  tools: Tools,
  work: TransactionWork,
  collection: Collection,
  items: readonly Item[],
  later: readonly ColumnField[],
  mode: ImportMode,
  postponed: Postponed[],
): Promise<Imported> {
  const waits = (item: Item, { name, column }: ColumnField): boolean =>
    column.nullable && item[name] !== null && item[name] !== undefined && typeof item[name] !== 'object';
  const changesOf = (item: Item): Item =>
    Object.fromEntries(later.filter((field) => waits(item, field)).map(({ name }) => [name, item[name]]));
  const changes = items.map(changesOf);
  const present = items.map((item, index) => without(item, Object.keys(changes[index] ?? {})));
  const written = mode === 'merge' ? await merge(tools, work, collection, present) : await add(tools, work, collection, present);
  written.keys.forEach((key, index) => {
    const own = changes[index] ?? {};
    if (Object.keys(own).length > 0) postponed.push({ collection, key, changes: own });
  });
  return written.imported;
}

const without = (item: Item, names: readonly string[]): Item =>
  names.length === 0 ? item : Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

interface Written {
  /** In the order of the payload. */
  readonly keys: readonly Key[];
  readonly imported: Imported;
}

/** Creates the items. An item whose key is taken gets a new one, if the database or the service generates keys. */
async function add({ reader, writer }: Tools, work: TransactionWork, collection: Collection, items: readonly Item[]): Promise<Written> {
  const [only, ...more] = collection.primaryKey;
  const key = only === undefined || more.length > 0 ? undefined : collection.fields.get(only);
  const makesKeys = key?.kind === 'column' && (key.column.autoIncrement || key.column.default !== null || key.special.has('uuid'));
  const named = items.flatMap((item) => (makesKeys && isKeyed(collection, item) ? [item[only ?? '']] : []));
  const mayRead = findCollection(work.caller.view, collection.name, 'read') !== null;
  const taken = new Set(mayRead && named.length > 0 ? (await reader.keys(work, collection.name, everything, named)).map(String) : []);
  const isTaken = (item: Item): boolean => taken.has(String(item[only ?? '']));
  const keys = await writer.create(
    work,
    collection.name,
    items.map((item) => (isTaken(item) ? without(item, [only ?? '']) : item)),
  );
  const mapped = Object.fromEntries(
    items.flatMap((item, index) => (isTaken(item) ? [[String(item[only ?? '']), keys[index] ?? ''] as const] : [])),
  );
  return { keys, imported: { ...nothing, new: keys, mapped } };
}

const everything = { ...emptyParsedQuery, query: { ...emptyParsedQuery.query, limit: -1 } };

const isKeyed = ({ primaryKey }: Collection, item: Item): boolean =>
  primaryKey.every((name) => item[name] !== undefined && item[name] !== null);

/** Creates items without a key, and upserts the others. */
async function merge({ writer }: Tools, work: TransactionWork, collection: Collection, items: readonly Item[]): Promise<Written> {
  const { name, primaryKey } = collection;
  lookUpCollection(work.caller.view, name, 'update');
  const [keyed, fresh]: [number[], number[]] = [[], []];
  for (const [index, item] of items.entries()) (isKeyed(collection, item) ? keyed : fresh).push(index);
  const at = (places: readonly number[]): readonly Item[] => places.map((index) => items[index] ?? {});
  const made = await inPlace(fresh, () => writer.create(work, name, at(fresh)));
  const laid = await inPlace(keyed, () => writer.upsert(work, name, at(keyed), primaryKey));
  const found = new Set(laid.found);
  const [created, upserted] = [made.values(), laid.keys.values()];
  const keys = items.map((item) => (isKeyed(collection, item) ? upserted : created).next().value ?? '');
  return {
    keys,
    imported: { ...nothing, existing: laid.found, new: [...laid.keys.filter((key) => !found.has(key)), ...made] },
  };
}

/** Runs a write of some items of the list; its failures name the places in the whole list. */
async function inPlace<T>(places: readonly number[], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const moved = ({ extensions, ...entry }: ErrorEntry): ErrorEntry => {
      const { index } = extensions;
      return { ...entry, extensions: typeof index === 'number' ? { ...extensions, index: places[index] ?? index } : extensions };
    };
    const [first, ...rest] = error.entries;
    throw new ServiceError([moved(first), ...rest.map(moved)], { cause: error.cause });
  }
}

/** Deletes in reverse order, so that items go before those they reference. */
async function deleteOthers(
  { reader, writer }: Tools,
  work: TransactionWork,
  collections: readonly Collection[],
  results: Map<string, Imported>,
): Promise<void> {
  for (const { name } of collections) {
    const result = results.get(name) ?? nothing;
    const kept = new Set([...result.existing, ...result.new].map((key) => JSON.stringify(key)));
    const deleted = (await reader.keys(work, name, everything)).filter((key) => !kept.has(JSON.stringify(key)));
    if (deleted.length > 0) await writer.delete(work, name, deleted);
    results.set(name, { ...result, deleted });
  }
}
