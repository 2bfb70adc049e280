// The steps that read: which items exist, which of them the caller may use, what they contain, and what a list contains.

import { refusal } from '../../errors/refusals.js';
import { forbidden, invalidPayload, serviceError } from '../../errors/service-error.js';
import type { BoundFilter } from '../../plan/names/bound-filter.js';
import { isReference, type WriteValues } from '../../plan/write/bound-write.js';
import { type ItemKey, keyText } from '../../plan/write/item-key.js';
import type { FindItem, WriteStep } from '../../plan/write/write-steps.js';
import { coerceField } from '../../plan/write/write-value.js';
import type { Collection } from '../../schema/schema.js';
import { countByValues, highestByValues, selectByValues } from '../../sql/write/keys-to-sql.js';
import { columnField } from '../../sql/written.js';
import type { Cell, Row } from '../../vendor/driver.js';
import type { WriteRun } from './write-run.js';

type Step<K extends WriteStep['kind']> = Extract<WriteStep, { kind: K }>;

export async function runCheck(run: WriteRun, { collection, items, guard }: Step<'check'>): Promise<void> {
  await requireItems(
    run,
    collection,
    items.map((item) => run.state.key(item)),
    guard,
  );
}

/** Throws FORBIDDEN unless all these items exist and pass the guard: missing and hidden items are answered alike. */
export async function requireItems(
  run: WriteRun,
  collection: Collection,
  keys: readonly ItemKey[],
  guard: BoundFilter | null,
): Promise<void> {
  const unique = [...new Map(keys.map((key) => [keyText(key), key])).values()];
  if (unique.length > 0 && (await count(run, collection, collection.primaryKey, unique, guard)) !== unique.length) throw forbidden();
}

export async function runCheckLinks(run: WriteRun, { collection, fields, lists, guard, readsAll }: Step<'check-links'>): Promise<void> {
  const present = await count(run, collection, fields, lists, guard);
  if (present >= lists.length) return;
  if (!readsAll) throw forbidden();
  throw serviceError('INVALID_FOREIGN_KEY', `There is no such item in collection "${collection.name}".`, {
    collection: collection.name,
    field: fields.join(','),
  });
}

async function count(
  run: WriteRun,
  collection: Collection,
  by: readonly string[],
  lists: readonly (readonly unknown[])[],
  guard: BoundFilter | null,
): Promise<number> {
  const [row] = await run.rows(countByValues(run.vendor, { collection, by, lists, guard }));
  return Number(row?.[0] ?? 0);
}

export async function runFind(run: WriteRun, { collection, items }: Step<'find'>): Promise<void> {
  const fields = items[0]?.match.fields ?? [];
  const columns = [...new Set([...collection.primaryKey, ...fields])];
  const lists = items.map(({ match }) => match.values);
  const rows = await run.rows(selectByValues(run.vendor, { collection, by: fields, lists, guard: null, locks: true, columns }), 'write');
  const byMatch = new Map(
    rows.map((row) => decodeRow(collection, columns, row)).map((values) => [keyText(fields.map((name) => values.get(name))), values]),
  );
  for (const item of items) decide(run, collection, item, byMatch.get(keyText(item.match.values)));
}

function decide(
  run: WriteRun,
  collection: Collection,
  { item, create, update }: FindItem,
  values: ReadonlyMap<string, unknown> | undefined,
): void {
  run.state.decide(item, values !== undefined);
  const way = values === undefined ? create : update;
  if (way.kind === 'refused') throw way.error;
  if (values === undefined) return;
  run.state.remember(collection, item, collection.primaryKey, (name) => values.get(name));
  if (create.kind === 'ready') refuseOtherKey(collection, values, create.variant.values);
}

function refuseOtherKey(collection: Collection, found: ReadonlyMap<string, unknown>, sent: WriteValues): void {
  for (const name of collection.primaryKey) {
    const value = sent.get(name);
    const other = sent.has(name) && !isReference(value) && !isUuidOfOurs(collection, name) && String(value) !== String(found.get(name));
    if (other) throw invalidPayload(refusal('key_unchangeable', { field: name }));
  }
}

/** A UUID that was generated in case the item is new does not contradict the key of the item that was found. */
const isUuidOfOurs = (collection: Collection, name: string): boolean => collection.fields.get(name)?.special.has('uuid') ?? false;

export async function runFetch(run: WriteRun, { collection, items, fields }: Step<'fetch'>): Promise<void> {
  const columns = [...collection.primaryKey, ...fields];
  const lists = items.map((item) => run.state.key(item));
  const rows = await run.rows(
    selectByValues(run.vendor, { collection, by: collection.primaryKey, lists, guard: null, locks: false, columns }),
  );
  const byKey = new Map(
    rows
      .map((row) => decodeRow(collection, columns, row))
      .map((values) => [keyText(collection.primaryKey.map((name) => values.get(name))), values]),
  );
  for (const item of items) {
    const values = byKey.get(keyText(run.state.key(item)));
    if (values === undefined) throw forbidden();
    run.state.remember(collection, item, columns, (name) => values.get(name));
  }
}

/** Items that the guard hides are left to the update, which refuses them. */
export async function runSharedColumns(run: WriteRun, { collection, rows, columns, guard }: Step<'check-shared'>): Promise<void> {
  const { primaryKey } = collection;
  const active = rows.filter((row) => run.state.isActive(row));
  if (active.length === 0) return;
  const wanted = new Map(active.map((row) => [keyText(run.state.key(row.item)), run.state.resolve(collection, row.values)]));
  const lists = active.map((row) => run.state.key(row.item));
  const found = await run.rows(
    selectByValues(run.vendor, { collection, by: primaryKey, lists, guard, locks: true, columns: [...primaryKey, ...columns] }),
    'write',
  );
  for (const row of found) {
    const present = decodeRow(collection, [...primaryKey, ...columns], row);
    const values = wanted.get(keyText(primaryKey.map((name) => present.get(name))));
    const changed = columns.find((name) => {
      const [before, after] = [present.get(name) ?? null, values?.get(name) ?? null];
      return before !== null && after !== null && keyText([before]) !== keyText([after]);
    });
    if (changed !== undefined)
      throw invalidPayload(`"${changed}" would change, and other foreign keys of the item use it: name "${changed}" as well.`);
  }
}

export async function runList(run: WriteRun, { list, relation, parents, keys, visible }: Step<'list'>): Promise<void> {
  const { related, owner, relation: facts } = relation;
  const links = facts.pairs.map(({ column }) => column);
  const columns = [...related.primaryKey, ...links];
  const byKeys = { by: related.primaryKey, lists: keys ?? [] };
  const byParents = { by: links, lists: parents.map((parent) => run.state.parentKey(owner, parent, facts)) };
  const rows = await run.rows(
    selectByValues(run.vendor, { collection: related, ...(keys === null ? byParents : byKeys), guard: visible, locks: true, columns }),
    'write',
  );
  for (const row of rows) {
    const values = decodeRow(related, columns, row);
    const key = related.primaryKey.map((name) => values.get(name));
    const parent = links.map((name) => values.get(name) ?? null);
    run.state.list(list).set(keyText(key), { key, parent: parent.includes(null) ? null : parent });
  }
}

export async function runLast(run: WriteRun, { list, relation, parents }: Step<'last'>): Promise<void> {
  const { related, owner, relation: facts } = relation;
  if (facts.sortField === null) return;
  const lists = parents.map((parent) => run.state.parentKey(owner, parent, facts));
  const by = facts.pairs.map(({ column }) => column);
  const rows = await run.rows(highestByValues(run.vendor, related, { by, lists, column: facts.sortField }));
  const parentOf = (row: Row): string => keyText(by.map((name, index) => decodeCell(related, name, row[index] ?? null)));
  run.state.setEnds(list, new Map(rows.map((row) => [parentOf(row), Number(row.at(-1) ?? 0)])));
}

function decodeRow(collection: Collection, columns: readonly string[], row: Row): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [index, name] of columns.entries()) values.set(name, decodeCell(collection, name, row[index] ?? null));
  return values;
}

export function decodeCell(collection: Collection, name: string, cell: Cell): unknown {
  const result = coerceField(columnField(collection, name), cell);
  return result.ok ? result.value : cell;
}
