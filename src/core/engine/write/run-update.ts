// Updates and deletions of existing items. The guard is part of the statement; if it changed other than the expected number of rows, the write is
// FORBIDDEN and everything is rolled back.

import type { BoundFilter } from '../../plan/names/bound-filter.js';
import type { ItemKey } from '../../plan/write/item-key.js';
import type { WriteStep } from '../../plan/write/write-steps.js';
import type { Collection } from '../../schema/schema.js';
import { hasBeforeTrigger } from '../../schema/triggers.js';
import { empty, type Sql } from '../../sql/sql.js';
import { selectByValues } from '../../sql/write/keys-to-sql.js';
import { deleteToSql, type KeyedRow, type UpdateStatement, updateEach, updateSame } from '../../sql/write/update-to-sql.js';
import type { ChangedRow } from '../work/run-row.js';
import { groupByColumns } from './group-by-columns.js';
import { wrongCount } from './named-keys.js';
import { requireItems } from './run-checks.js';
import type { WriteRun } from './write-run.js';

export async function runUpdate(run: WriteRun, { collection, rows, guard, after }: Extract<WriteStep, { kind: 'update' }>): Promise<void> {
  const active = rows.filter((row) => run.state.isActive(row));
  await updateRows(
    run,
    collection,
    active.map((row) => ({ item: row.item, key: run.state.key(row.item), values: run.state.resolve(collection, row.values) })),
    guard,
    after,
  );
}

export async function updateRows(
  run: WriteRun,
  collection: Collection,
  rows: readonly ChangedRow[],
  guard: BoundFilter | null,
  after: BoundFilter | null,
): Promise<void> {
  const unchanged = rows.filter((row) => row.values.size === 0);
  await requireItems(
    run,
    collection,
    unchanged.map((row) => row.key),
    guard,
  );
  const changed = rows.filter((row) => row.values.size > 0);
  if (changed.length === 0) return;
  const prepared = await run.before('update', collection, changed, () => enqueueLock(run, collection, changed, guard));
  await run.translating(collection, prepared, async () => {
    for (const group of groupByColumns(prepared)) await updateGroup(run, collection, group, guard);
  });
  if (after !== null)
    await requireItems(
      run,
      collection,
      prepared.map((row) => row.key),
      after,
    );
  await run.after('update', collection, prepared);
}

async function updateGroup(run: WriteRun, collection: Collection, rows: readonly KeyedRow[], guard: BoundFilter | null): Promise<void> {
  const keys = rows.map((row) => row.key);
  const [first] = rows;
  if (first === undefined) return;
  const same = rows.every((row) => row.values === first.values || sameValues(row.values, first.values));
  const skips = hasBeforeTrigger(collection, 'update');
  const inPlace = skips ? await holdItems(run, collection, keys, guard) : await lockFirst(run, collection, keys, guard, keys.length === 1);
  const statements = same
    ? updateSame(run.vendor, collection, keys, first.values, inPlace)
    : updateEach(run.vendor, collection, rows, inPlace);
  await touchAll(run, collection, statements, skips);
}

function sameValues(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  for (const [name, value] of a) if (value !== b.get(name)) return false;
  return true;
}

/** `skips`: a trigger or rule may replace the statement, so its count means nothing; the items are known to exist. */
async function touchAll(run: WriteRun, collection: Collection, statements: readonly UpdateStatement[], skips: boolean): Promise<void> {
  for (const { statement, count } of statements) {
    const touched = await run.run(statement);
    if (touched !== count && !skips) throw wrongCount(collection, touched, count);
  }
}

/**
 * Where a statement cannot read the table it changes, the guard is checked before it, and the items stay locked until the transaction ends.
 * `single`: it is the update of a single row.
 */
async function lockFirst(
  run: WriteRun,
  collection: Collection,
  keys: readonly ItemKey[],
  guard: BoundFilter | null,
  single: boolean,
): Promise<BoundFilter | null> {
  const { guardsInPlace } = run.vendor.write;
  if (guard === null || guardsInPlace === 'always') return guard;
  if (guardsInPlace === 'single row' && (single || !readsOtherRows(guard))) return guard;
  return holdItems(run, collection, keys, guard);
}

/** A vendor with a single writer has no locks and needs none. Items that the guard hides stay unlocked: the update will refuse them. */
async function enqueueLock(run: WriteRun, collection: Collection, rows: readonly ChangedRow[], guard: BoundFilter | null): Promise<void> {
  if (run.vendor.write.forUpdate === empty) return;
  const keys = rows.map((row) => row.key);
  await run.enqueueLock(lockItems(run, collection, keys, guard), collection, rows);
}

async function holdItems(run: WriteRun, collection: Collection, keys: readonly ItemKey[], guard: BoundFilter | null): Promise<null> {
  const rows = await run.rows(lockItems(run, collection, keys, guard), 'write');
  if (rows.length !== keys.length) throw wrongCount(collection, rows.length, keys.length);
  return null;
}

const lockItems = ({ vendor }: WriteRun, collection: Collection, keys: readonly ItemKey[], guard: BoundFilter | null): Sql =>
  selectByValues(vendor, { collection, by: collection.primaryKey, lists: keys, guard, locks: true, columns: collection.primaryKey });

/** Whether the guard reads more than the item itself. */
function readsOtherRows(guard: BoundFilter): boolean {
  switch (guard.kind) {
    case 'and':
    case 'or':
      return guard.filters.some(readsOtherRows);
    case 'nothing':
      return false;
    case 'compare':
      return guard.value.kind !== 'column';
    case 'exists':
    case 'exists-any':
      return true;
  }
}

const noValues: ReadonlyMap<string, unknown> = new Map();

export async function deleteRows(
  run: WriteRun,
  collection: Collection,
  keys: readonly ItemKey[],
  guard: BoundFilter | null,
): Promise<void> {
  if (keys.length === 0) return;
  const rows = keys.map((key) => ({ key, values: noValues }));
  await run.before('delete', collection, rows);
  await run.translating(collection, [], async () => {
    const skips = hasBeforeTrigger(collection, 'delete');
    const inPlace = skips ? await holdItems(run, collection, keys, guard) : await lockFirst(run, collection, keys, guard, false);
    await touchAll(run, collection, deleteToSql(run.vendor, collection, keys, inPlace), skips);
  });
  await run.after('delete', collection, rows);
}
