// Hangs history onto the engine: every write of a collection that is accounted for is recorded inside its own transaction.

import { everywhere, type Hooks, type ObservedEvent } from '../../core/engine/hooks.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import { PendingRecords } from './pending-records.js';
import { type HistoryContext, writeRecords } from './write-records.js';

/** A transaction of many writes is recorded on the way, so that what waits stays small. */
const mostPending = 400;

export function recordWrites(hooks: Hooks, context: HistoryContext): void {
  const pending = new WeakMap<TransactionWork['beforeCommit'], PendingRecords>();
  const record = async (event: ObservedEvent): Promise<void> => {
    const { work, collection, items } = event;
    if (collection.accountability === null || items.length === 0) return;
    const known = pending.get(work.beforeCommit);
    const records = known ?? new PendingRecords();
    if (known === undefined) {
      pending.set(work.beforeCommit, records);
      work.beforeCommit(() => writeRecords(context, work, records.take()));
    }
    // Taken before the event is added and written after it: parts of a bulk that end meanwhile stand behind it.
    const full = records.size >= mostPending && records.isNewWrite(event) ? records.take() : [];
    records.add(event);
    if (full.length > 0) await writeRecords(context, work, full);
  };
  for (const action of ['create', 'update', 'delete'] as const) hooks.observe(everywhere, action, record);
}
