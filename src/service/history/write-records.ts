// Stores what was written: one statement for the activity, one for the revisions, and one read per changed collection for the items as
// they are now. A revision bears the number of its activity, so that nested ones can name their parents before anything is stored.

import type { Accountability } from '../../core/access/accountability.js';
import { serviceCaller } from '../../core/access/view.js';
import type { BulkRows } from '../../core/engine/bulk-rows.js';
import type { Reader } from '../../core/engine/reader.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import { groupBy } from '../../core/plan/group-by.js';
import { parseQueryObject } from '../../core/query/parse-query-object.js';
import { defaultQueryLimits } from '../../core/query/query.js';
import type { Collection } from '../../core/schema/schema.js';
import type { JsonText } from '../../core/sql/json-text.js';
import { type LateText, LateValue } from '../../core/sql/late-value.js';
import { itemText, lateItemText } from './item-text.js';
import type { WriteRecord } from './pending-records.js';
import { storedValues } from './stored-values.js';

export interface HistoryTables {
  readonly activity: BulkRows;
  readonly revisions: BulkRows;
}

export interface HistoryContext {
  readonly tables: HistoryTables;
  readonly reader: Pick<Reader, 'items'>;
}

type Item = Readonly<Record<string, unknown>>;

export async function writeRecords(
  { tables, reader }: HistoryContext,
  work: TransactionWork,
  records: readonly WriteRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const numbers = await tables.activity.insertCounting(
    work.connection,
    records.map(({ action, collection, key }) => activityRow(work.caller.accountability, action, collection.name, lateItemText(key))),
  );
  const numberOf = new Map(records.map((record, index) => [record, numbers[index] ?? null]));
  const revised = records.filter(isRevised);
  const items = await readChanged(reader, work, revised);
  const rows = revised.flatMap((record) => {
    const [id, content] = [numberOf.get(record) ?? null, contentOf(record, items)];
    const parent = record.parent !== null && isRevised(record.parent) ? (numberOf.get(record.parent) ?? null) : null;
    return content === null ? [] : [revisionRow(id, record.collection.name, lateItemText(record.key), content, parent)];
  });
  tables.revisions.insertLater(work.connection, rows);
}

const isRevised = ({ collection, action }: WriteRecord): boolean => collection.accountability === 'all' && action !== 'delete';

export const activityRow = (
  { user, ip, userAgent, origin }: Accountability,
  action: string,
  collection: string,
  item: string | LateValue,
): Item => ({
  action,
  user,
  ip: ip?.slice(0, 50) ?? null,
  user_agent: userAgent,
  collection,
  item,
  origin: origin?.slice(0, 255) ?? null,
});

type Document = Item | JsonText | LateText;

export interface RevisionContent {
  readonly data: Document;
  readonly delta: Document;
}

export const revisionRow = (
  id: number | LateValue | null,
  collection: string,
  item: string | LateValue,
  { data, delta }: RevisionContent,
  parent: number | LateValue | null,
  version: string | null = null,
): Item => ({ id, activity: id, collection, item, data, delta, parent, version });

/** A new item is what was sent; a changed one is looked at. null: it is gone already. */
function contentOf(record: WriteRecord, items: ReadonlyMap<Collection, ReadonlyMap<string, Item>>): RevisionContent | null {
  if (record.action === 'create') {
    const data = storedValues(record.collection, record.values);
    return { data, delta: data };
  }
  const data = record.key instanceof LateValue ? undefined : items.get(record.collection)?.get(itemText(record.key));
  if (data === undefined) return null;
  return { data, delta: Object.fromEntries([...record.values.keys()].flatMap((name) => (name in data ? [[name, data[name]]] : []))) };
}

async function readChanged(
  reader: HistoryContext['reader'],
  work: TransactionWork,
  records: readonly WriteRecord[],
): Promise<ReadonlyMap<Collection, ReadonlyMap<string, Item>>> {
  const found = new Map<Collection, ReadonlyMap<string, Item>>();
  const changed = records.filter((record) => record.action === 'update');
  const inside = { ...work, caller: serviceCaller(work.caller.view.schema) };
  for (const some of groupBy(changed, (record) => record.collection.name).values()) {
    const collection = some[0]?.collection;
    if (collection === undefined) continue;
    const fields = [...collection.fields.values()].filter((field) => field.kind === 'column').map((field) => field.name);
    const query = parseQueryObject({ fields, limit: -1 }, defaultQueryLimits);
    const keys = some.flatMap(({ key }) => (key instanceof LateValue ? [] : [key]));
    const { items } = await reader.items(inside, collection.name, query, keys);
    found.set(collection, byKey(collection, JSON.parse(`[${items}]`)));
  }
  return found;
}

const byKey = (collection: Collection, items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [itemText(keyOf(collection, item)), item]));

function keyOf({ primaryKey }: Collection, item: Item): string | readonly string[] {
  const [only = '', ...more] = primaryKey.map((name) => String(item[name]));
  return more.length === 0 ? only : [only, ...more];
}
