// Records every write of a collection with accountability, inside the transaction of the write. Hooks collect the writes
// (pending-records.ts); before the commit, write-records.ts stores them.

import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { TransactionScope } from '../../../core/engine/work/transaction-scope.js';
import { everywhere, type Hooks, type ObservedEvent } from '../../../core/engine/write/hooks.js';
import { itemText } from '../subjects/item-text.js';
import { enqueueWhole, readWhole } from '../subjects/read-main.js';
import { PendingRecords } from './pending-records.js';
import { type HistoryDeps, stateBefore, writeRecords } from './write-records.js';

/** A transaction with more pending records stores them before its next write, which bounds the memory. */
const maxPending = 400;

export function recordWrites(hooks: Hooks, deps: HistoryDeps): void {
  const pending = new WeakMap<TransactionScope, PendingRecords>();
  const recordsOf = (work: TransactionWork): PendingRecords => {
    const known = pending.get(work.scope);
    const records = known ?? new PendingRecords();
    if (known === undefined) {
      pending.set(work.scope, records);
      work.scope.beforeCommit(() => writeRecords(deps, work, records.take()));
    }
    return records;
  };
  const record = async (event: ObservedEvent): Promise<void> => {
    const { work, collection, items } = event;
    if (collection.accountability === null || items.length === 0) return;
    const records = recordsOf(work);
    // `take` before `add`, and store after it: events that arrive during `writeRecords` must find this one added already.
    const full = records.size >= maxPending && records.isNewWrite(event) ? records.take() : [];
    records.add(event);
    if (full.length > 0) await writeRecords(deps, work, full);
  };
  hooks.before(everywhere, 'delete', async ({ work, collection, items }) => {
    if (collection.accountability !== 'all') return undefined;
    const keys = items.flatMap(({ key }) => (key === null ? [] : [itemText(key)]));
    recordsOf(work).keepDeleted(collection, await readWhole(deps.reader, work, collection, keys));
    return undefined;
  });
  hooks.before(everywhere, 'update', async ({ work, collection, items, hold }) => {
    if (collection.accountability !== 'all') return undefined;
    const named = new Map(items.flatMap(({ key, values }) => (key === null ? [] : [[itemText(key), [...values.keys()]] as const])));
    // Both are sent with the update itself, so that knowing what was there costs no wait of its own.
    await hold();
    await enqueueWhole(deps.reader, work, collection, [...named.keys()], (found) => {
      const states = [...found].map(([text, item]) => [text, stateBefore(collection, item, named.get(text) ?? [])] as const);
      recordsOf(work).keepUpdated(collection, new Map(states));
    });
    return undefined;
  });
  for (const action of ['create', 'update', 'delete'] as const) hooks.observe(everywhere, action, record);
}
