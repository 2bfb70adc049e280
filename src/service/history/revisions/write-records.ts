// Stores pending records: one insert for the activity, one for the revisions, and one read per changed collection for the items after the
// change. An update that left its item as it was is an activity without a revision. After the commit a request that asks is told their keys.

import { createHash } from 'node:crypto';
import type { BulkRows } from '../../../core/engine/own-rows/bulk-rows.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Collection } from '../../../core/schema/schema.js';
import { groupBy } from '../../../core/util/group-by.js';
import { knownItemText, pendingItemText } from '../subjects/item-text.js';
import { type Item, readItems } from '../subjects/read-main.js';
import { type ActivityNumber, type ActivityRow, activityRows, type Document, type RevisionRow, revisionRows } from './history-rows.js';
import type { StateBefore, WriteRecord } from './pending-records.js';
import { storedValues } from './stored-values.js';

export interface HistoryTables {
  readonly activity: BulkRows;
  readonly revisions: BulkRows;
  /** Whether revisions have a column for what they replaced: those of another server have none. */
  readonly keepsPrevious: boolean;
  /** Whether the activity has columns for the access key of a request: that of another server has none. */
  readonly keepsAccessKeys: boolean;
}

export interface HistoryDeps {
  readonly tables: HistoryTables;
  readonly reader: Pick<Reader, 'items' | 'enqueueItems'>;
}

export async function writeRecords({ tables, reader }: HistoryDeps, work: TransactionWork, records: readonly WriteRecord[]): Promise<void> {
  if (records.length === 0) return;
  const acts = records.map(({ action, collection, key }): ActivityRow => [action, collection.name, pendingItemText(key)]);
  const numbers = await tables.activity.insertWithIds(work.connection, activityRows(tables, work.accountable, acts));
  for (const [index, number] of numbers.entries()) {
    const record = records[index];
    if (record !== undefined) record.number = number;
  }
  const items = await readChanged(reader, work, records);
  const contents = new Map<WriteRecord, RevisionContent>();
  for (const record of records) {
    const content = isRevised(record) ? contentOf(record, items) : null;
    if (content !== null) contents.set(record, content);
  }
  const rows = parentsFirst([...contents.keys()]).flatMap((record) => revisionOf(record, contents));
  tables.revisions.enqueueInsert(work.connection, revisionRows(tables, rows));
  const { onRevisions = null } = work;
  if (onRevisions !== null) work.afterCommit(() => onRevisions(rows.map(([id]) => keyOf(id))));
}

/** The keys that were pending exist after the commit. */
const keyOf = (id: ActivityNumber): number => (typeof id === 'number' ? id : Number(id.current()));

/** A nested item may be written before the one that contains it, and MariaDB checks a key that refers to the same table row by row. */
const parentsFirst = (records: readonly WriteRecord[]): readonly WriteRecord[] =>
  records.some(({ parent }) => parent !== null) ? records.toSorted((a, b) => depthOf(a) - depthOf(b)) : records;

const depthOf = ({ parent }: WriteRecord): number => (parent === null ? 0 : 1 + depthOf(parent));

const isRevised = ({ collection, action, deletedText }: WriteRecord): boolean =>
  collection.accountability === 'all' && (action !== 'delete' || deletedText !== null);

function revisionOf(record: WriteRecord, contents: ReadonlyMap<WriteRecord, RevisionContent>): readonly RevisionRow[] {
  const { collection, key, parent, number } = record;
  const content = contents.get(record);
  if (content === undefined || number === null) return [];
  const above = parent !== null && contents.has(parent) ? parent.number : null;
  const previous = record.before === null ? null : JSON.stringify(record.before.previous);
  return [[number, number, collection.name, pendingItemText(key), content.data, content.delta, above, previous]];
}

interface RevisionContent {
  readonly data: Document;
  /** null if the item was deleted. */
  readonly delta: Document | null;
}

/** A created item is recorded as sent, a deleted one as it was before, an updated one as read back. null if it does not exist any more or is as before. */
function contentOf(record: WriteRecord, items: ChangedItems): RevisionContent | null {
  if (record.action === 'create') {
    const data = storedValues(record.collection, record.values);
    return { data, delta: data };
  }
  if (record.action === 'delete') return record.deletedText === null ? null : { data: record.deletedText, delta: null };
  const item = knownItemText(record.key);
  const data = item === null ? undefined : items.get(record.collection)?.get(item);
  if (data === undefined || isAsBefore(record, data)) return null;
  const delta = Object.fromEntries([...record.values.keys()].flatMap((name) => (name in data ? [[name, data[name]]] : [])));
  return { data: JSON.stringify(data), delta: JSON.stringify(delta) };
}

/** Concealed values are read as stars, so a write of one always counts as a change. */
function isAsBefore({ collection, values, before }: WriteRecord, data: Item): boolean {
  if (before === null || before.digest !== digestOf(collection, data)) return false;
  return ![...values.keys()].some((name) => {
    const field = collection.fields.get(name);
    return field?.kind === 'column' && field.concealed;
  });
}

/** An item before an update: all of it as a digest, and the values of the fields that change. */
export const stateBefore = (collection: Collection, item: Item, names: Iterable<string>): StateBefore => ({
  digest: digestOf(collection, item),
  previous: Object.fromEntries([...names].flatMap((name) => (Object.hasOwn(item, name) ? [[name, item[name]]] : []))),
});

/** What is compared of an item: everything but who wrote it when. */
function digestOf({ fields }: Collection, item: Item): string {
  const compared = Object.entries(item).filter(([name]) => {
    const field = fields.get(name);
    return field?.kind !== 'column' || !updateStamps.some((stamp) => field.special.has(stamp));
  });
  return createHash('sha256').update(JSON.stringify(compared)).digest('base64');
}

const updateStamps = ['date-updated', 'user-updated', 'role-updated'];

type ChangedItems = ReadonlyMap<Collection, ReadonlyMap<string, Item>>;

async function readChanged(reader: HistoryDeps['reader'], work: TransactionWork, records: readonly WriteRecord[]): Promise<ChangedItems> {
  const found = new Map<Collection, ReadonlyMap<string, Item>>();
  const changed = records.filter((record) => record.action === 'update' && isRevised(record));
  for (const [collection, some] of groupBy(changed, (record) => record.collection)) {
    const keys = some.flatMap(({ key }) => knownItemText(key) ?? []);
    found.set(collection, await readItems(reader, work, collection, keys));
  }
  return found;
}
