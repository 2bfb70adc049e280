// Stores what was written: one statement for the activity, one for the revisions, and one read per changed collection for the items as
// they are now.

import { serviceCaller } from '../../core/access/view.js';
import type { BulkRows } from '../../core/engine/bulk-rows.js';
import type { Reader } from '../../core/engine/reader.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import { groupBy } from '../../core/plan/group-by.js';
import { parseQueryObject } from '../../core/query/parse-query-object.js';
import { defaultQueryLimits } from '../../core/query/query.js';
import type { Collection } from '../../core/schema/schema.js';
import { LateValue } from '../../core/sql/late-value.js';
import { type ActivityNumber, type ActivityRow, activityRows, type Document, type RevisionRow, revisionRows } from './history-rows.js';
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
  const acts = records.map(({ action, collection, key }): ActivityRow => [action, collection.name, lateItemText(key)]);
  const numbers = await tables.activity.insertCounting(work.connection, activityRows(work.caller.accountability, acts));
  for (const [index, number] of numbers.entries()) {
    const record = records[index];
    if (record !== undefined) record.number = number;
  }
  const items = await readChanged(reader, work, records);
  const rows: RevisionRow[] = [];
  for (const record of records) {
    const content = isRevised(record) ? contentOf(record, items) : null;
    if (content !== null && record.number !== null) rows.push(revisionOf(record, record.number, content));
  }
  tables.revisions.insertLater(work.connection, revisionRows(rows));
}

const isRevised = ({ collection, action }: WriteRecord): boolean => collection.accountability === 'all' && action !== 'delete';

function revisionOf({ collection, key, parent }: WriteRecord, number: ActivityNumber, { data, delta }: RevisionContent): RevisionRow {
  const above = parent !== null && isRevised(parent) ? parent.number : null;
  return [number, number, collection.name, lateItemText(key), data, delta, above];
}

interface RevisionContent {
  readonly data: Document;
  readonly delta: Document;
}

/** A new item is what was sent; a changed one is looked at. null: it is gone already. */
function contentOf(record: WriteRecord, items: ChangedItems): RevisionContent | null {
  if (record.action === 'create') {
    const data = storedValues(record.collection, record.values);
    return { data, delta: data };
  }
  const data = record.key instanceof LateValue ? undefined : items.get(record.collection)?.get(itemText(record.key));
  if (data === undefined) return null;
  const delta = Object.fromEntries([...record.values.keys()].flatMap((name) => (name in data ? [[name, data[name]]] : [])));
  return { data: JSON.stringify(data), delta: JSON.stringify(delta) };
}

type ChangedItems = ReadonlyMap<Collection, ReadonlyMap<string, Item>>;

async function readChanged(
  reader: HistoryContext['reader'],
  work: TransactionWork,
  records: readonly WriteRecord[],
): Promise<ChangedItems> {
  const found = new Map<Collection, ReadonlyMap<string, Item>>();
  const changed = records.filter((record) => record.action === 'update' && isRevised(record));
  if (changed.length === 0) return found;
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
