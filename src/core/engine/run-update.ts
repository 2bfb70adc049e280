// Existing items that change or go: guarded in the statement itself; rows touched that are not the rows asked for mean that it is
// forbidden, and everything is taken back.

import { forbidden } from '../errors/service-error.js';
import type { BoundFilter } from '../plan/bound.js';
import type { ItemKey } from '../plan/item-key.js';
import type { WriteStep } from '../plan/write-steps.js';
import type { Collection } from '../schema/schema.js';
import { selectByValues } from '../sql/keys-to-sql.js';
import { deleteToSql, type KeyedRow, type UpdateStatement, updateEach, updateSame } from '../sql/update-to-sql.js';
import { groupByColumns } from './group-by-columns.js';
import { requireItems } from './run-checks.js';
import type { ChangedRow } from './run-row.js';
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
  const prepared = await run.before('update', collection, changed);
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
  const inPlace = await lockFirst(run, collection, keys, guard, same);
  const statements = same
    ? updateSame(run.vendor, collection, keys, first.values, inPlace)
    : updateEach(run.vendor, collection, rows, inPlace);
  await touchAll(run, statements);
}

function sameValues(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  for (const [name, value] of a) if (value !== b.get(name)) return false;
  return true;
}

async function touchAll(run: WriteRun, statements: readonly UpdateStatement[]): Promise<void> {
  for (const { statement, count } of statements) if ((await run.run(statement)) !== count) throw forbidden();
}

/** Where a statement may not look at the table it changes, the guard is asked before, and the items are held until the end. */
async function lockFirst(
  run: WriteRun,
  collection: Collection,
  keys: readonly ItemKey[],
  guard: BoundFilter | null,
  same: boolean,
): Promise<BoundFilter | null> {
  const { guardsInPlace } = run.vendor.write;
  if (guard === null || guardsInPlace === 'always') return guard;
  if (guardsInPlace === 'same values' && (same || !looksAround(guard))) return guard;
  const rows = await run.rows(
    selectByValues(run.vendor, { collection, by: collection.primaryKey, lists: keys, guard, locks: true, columns: collection.primaryKey }),
  );
  if (rows.length !== keys.length) throw forbidden();
  return null;
}

/** Whether it reads more than the item itself. */
function looksAround(guard: BoundFilter): boolean {
  switch (guard.kind) {
    case 'and':
    case 'or':
      return guard.filters.some(looksAround);
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
    await touchAll(run, deleteToSql(run.vendor, collection, keys, await lockFirst(run, collection, keys, guard, false)));
  });
  await run.after('delete', collection, rows);
}
