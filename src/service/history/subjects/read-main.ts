// Reads the items that versions, shares and revisions refer to by collection and key text.

import { type Caller, findField, makeView, type SchemaView, serviceCaller } from '../../../core/access/view.js';
import { parseKeySegment } from '../../../core/engine/read/item-key.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Work } from '../../../core/engine/work/work.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { escapeName } from '../../../core/query/escape-name.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import { defaultQueryLimits, emptyParsedQuery, type ParsedQuery } from '../../../core/query/query.js';
import type { Collection } from '../../../core/schema/schema.js';
import { itemText } from './item-text.js';

export type MainReader = Pick<Reader, 'item'>;

/** The JSON text of the item's columns that the caller may read, concealed values as stars. A missing or hidden item is FORBIDDEN. */
export async function readMain(reader: MainReader, work: Work, collection: Collection, item: string): Promise<string> {
  const fields = columnsFor(work.caller, collection);
  const query = parseQueryObject({ fields }, defaultQueryLimits);
  const text = await reader.item(work, collection.name, keyParts(collection, item), query);
  // Written as in `readWhole`, because digests of the two texts are compared.
  return JSON.stringify(JSON.parse(text));
}

/** Many items with all columns, read as the service, by the text of their keys. */
export async function readItems(
  reader: Pick<Reader, 'items'>,
  work: Work,
  collection: Collection,
  items: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const inside = asService(work);
  const { items: texts } = await reader.items(inside, collection.name, wholeQuery(inside, collection), keysOf(collection, items));
  return byKeyText(collection, texts);
}

/** The same as JSON texts. */
export async function readWhole(...args: Parameters<typeof readItems>): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await readItems(...args))].map(([item, row]) => [item, JSON.stringify(row)]));
}

/** Queues the read of the items; `onItems` gets the items when the next statement has run. */
export function enqueueWhole(
  reader: Pick<Reader, 'enqueueItems'>,
  work: TransactionWork,
  collection: Collection,
  items: readonly string[],
  onItems: (items: ReadonlyMap<string, Item>) => void,
): Promise<void> {
  const inside = asService(work);
  const onTexts = (texts: string): void => onItems(byKeyText(collection, texts));
  return reader.enqueueItems(inside, collection.name, wholeQuery(inside, collection), keysOf(collection, items), onTexts);
}

export type Item = Readonly<Record<string, unknown>>;

const asService = <W extends Work>(work: W): W => ({ ...work, caller: serviceCaller(work.caller.view.schema) });

const wholeQuery = ({ caller }: Work, collection: Collection): ParsedQuery =>
  parseQueryObject({ fields: columnsFor(caller, collection), limit: -1 }, defaultQueryLimits);

const byKeyText = (collection: Collection, texts: string): ReadonlyMap<string, Item> =>
  new Map((JSON.parse(`[${texts}]`) as readonly Item[]).map((row) => [textOfKey(collection, row), row]));

/** The readable columns, escaped as a query needs them. */
const columnsFor = ({ view }: Caller, collection: Collection): readonly string[] =>
  [...collection.fields.values()].flatMap(({ kind, name }) =>
    kind === 'column' && findField(view, collection, name, 'read') !== null ? [escapeName(name)] : [],
  );

/** The items that the caller may read, even if they may read none of their key fields. */
export async function findReadable(
  reader: Pick<Reader, 'keys'>,
  work: Work,
  collection: Collection,
  items: readonly string[],
): Promise<ReadonlySet<string>> {
  const inside = { ...work, caller: withAllFields(work.caller, collection.name) };
  return new Set((await reader.keys(inside, collection.name, emptyParsedQuery, keysOf(collection, items))).map(itemText));
}

/** Whether `findReadable` answers callers of the same view differently, because a rule names who asks. */
export const isReadablePersonal = (reader: Pick<Reader, 'facts'>, caller: Caller, { name }: Collection): boolean =>
  reader.facts({ caller: withAllFields(caller, name) }, name, emptyParsedQuery).dynamic.length > 0;

/** The caller with the same item rules and all fields. */
const withAllFields = (caller: Caller, name: string): Caller => ({ ...caller, view: viewOfAllFields(caller.view, name) });

function viewOfAllFields({ schema, grants }: SchemaView, name: string): SchemaView {
  const present = grants.byCollection.get(name);
  if (grants.admin || present?.read === undefined) return makeView(schema, grants);
  const read = present.read.map((permission) => ({ ...permission, fields: '*' as const }));
  const byCollection = new Map([...grants.byCollection, [name, { ...present, read }]]);
  return makeView(schema, { ...grants, key: `${grants.key} keys of ${name}`, byCollection });
}

export function findVersioned({ view }: Caller, name: string): Collection {
  const collection = view.schema.collections.get(name);
  if (collection === undefined || collection.table === null) throw forbidden();
  return collection;
}

/** The parts of a key text. Only composite keys are percent-encoded in it. */
export const keyParts = (collection: Collection, item: string): readonly unknown[] =>
  parseKeySegment(collection, collection.primaryKey.length > 1 ? item : encodeURIComponent(item));

const keysOf = (collection: Collection, items: readonly string[]): readonly unknown[] =>
  collection.primaryKey.length > 1 ? items.map((item) => keyParts(collection, item)) : items;

/** The key text of an item that was read. */
function textOfKey({ primaryKey }: Collection, row: Item): string {
  const [only = '', ...more] = primaryKey.map((name) => String(row[name]));
  return itemText(more.length === 0 ? only : [only, ...more]);
}
