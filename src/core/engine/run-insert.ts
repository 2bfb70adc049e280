// New items: one statement per set of columns, the keys matched to their items.

import type { ItemNumber, WriteStep } from '../plan/write-steps.js';
import type { Collection } from '../schema/schema.js';
import { answeringInsert, type InsertStatement, insertToSql } from '../sql/insert-to-sql.js';
import { columnField, columnType, tableOf, written } from '../sql/written.js';
import type { Row, Statement } from '../vendor/driver.js';
import type { Told } from './gathering-connection.js';
import { groupByColumns } from './group-by-columns.js';
import { decodeRow } from './run-checks.js';
import type { RunRow } from './run-row.js';
import { MAX_PREPARED_PARAMETERS, type NewItemAnswer, type WriteRun } from './write-run.js';

interface NewRow extends RunRow {
  readonly item: ItemNumber;
}

export async function runInsert(run: WriteRun, step: Extract<WriteStep, { kind: 'insert' }>): Promise<void> {
  const { collection } = step;
  const planned = step.rows
    .filter((row) => run.state.isActive(row))
    .map((row): NewRow => ({ item: row.item, key: null, values: run.state.resolve(collection, row.values) }));
  if (planned.length === 0) return;
  const rows = await run.before('create', collection, planned);
  await run.translating(collection, rows, async () => {
    for (const group of groupByColumns(rows)) await insertGroup(run, collection, group, step.returning);
  });
  if (run.engine.hooks.has(collection.name, 'create'))
    await run.after(
      'create',
      collection,
      rows.map((row) => ({ ...row, key: run.state.key(row.item) })),
    );
}

/** The same for items nobody refers to: only who observes wants their keys, and he can wait for them. */
export async function runWaitingInsert(run: WriteRun, step: Extract<WriteStep, { kind: 'insert' }>): Promise<void> {
  const { collection } = step;
  const { hooks, vendor } = run.engine;
  const rows = step.rows.filter((row) => run.state.isActive(row));
  const counts = rows.some((row) => givesCounter(collection, row.values));
  const observed = hooks.has(collection.name, 'create');
  if (counts || hooks.has(collection.name, 'create', ['after']) || (observed && !vendor.write.insertReturns)) return runInsert(run, step);
  const sent = rows.map((row): NewRow => ({ item: row.item, key: null, values: run.state.resolve(collection, row.values) }));
  for (const group of groupByColumns(await run.before('create', collection, sent)))
    insertLater(run, collection, group, observed ? step.returning : []);
}

function insertLater(run: WriteRun, collection: Collection, rows: readonly NewRow[], returning: readonly string[]): void {
  const unknown = returning.filter((name) => rows[0]?.values.has(name) !== true);
  const values = rows.map((row) => row.values);
  let from = 0;
  for (const insert of insertToSql(run.vendor, collection, values, unknown)) {
    const some = rows.slice(from, from + insert.count);
    const told: Told = (made) => rememberLater(run, collection, some, { returning, unknown, made });
    run.later(toStatement(insert), { collection, rows: some, ...(returning.length === 0 ? {} : { told }) });
    from += insert.count;
  }
}

async function rememberLater(
  run: WriteRun,
  collection: Collection,
  rows: readonly NewRow[],
  {
    returning,
    unknown,
    made,
  }: { readonly returning: readonly string[]; readonly unknown: readonly string[]; readonly made: readonly Row[] },
): Promise<void> {
  const told = inOrder(
    collection,
    unknown,
    made.map((row) => decodeRow(collection, unknown, row)),
  );
  for (const [index, row] of rows.entries()) run.state.remember(collection, row.item, returning, told[index] ?? row.values, row.values);
  await run.after(
    'create',
    collection,
    rows.map((row) => ({ ...row, key: run.state.key(row.item) })),
  );
}

/** One new item whose text the statement tells beside its key; null: the caller may not see it. */
export async function runAnsweringInsert(
  run: WriteRun,
  { collection, rows: [planned], returning }: Extract<WriteStep, { kind: 'insert' }>,
  { answer, literals }: NewItemAnswer,
): Promise<string | null> {
  if (planned === undefined) throw new Error('there is no item to insert');
  const sent: NewRow = { item: planned.item, key: null, values: run.state.resolve(collection, planned.values) };
  const [row = sent] = await run.before('create', collection, [sent]);
  const unknown = returning.filter((name) => !row.values.has(name));
  const insert = answeringInsert(run.vendor, collection, row.values, unknown, answer);
  const last = !givesCounter(collection, row.values) && !run.engine.hooks.has(collection.name, 'create') && run.work.endsWithAct();
  const [told = []] = await run.translating(collection, [row], () => run.rows(insert, { literals, last }));
  run.state.remember(collection, row.item, returning, decodeRow(collection, unknown, told), row.values);
  await advanceCounter(run, collection, [row]);
  await run.after('create', collection, [{ ...row, key: run.state.key(row.item) }]);
  const text = told[unknown.length] ?? null;
  return text === null ? null : String(text);
}

async function insertGroup(run: WriteRun, collection: Collection, rows: readonly NewRow[], returning: readonly string[]): Promise<void> {
  const columns = rows[0]?.values ?? new Map<string, unknown>();
  const unknown = returning.filter((name) => !columns.has(name));
  let from = 0;
  for (const insert of insertToSql(
    run.vendor,
    collection,
    rows.map((row) => row.values),
    unknown,
  )) {
    const some = rows.slice(from, from + insert.count);
    const made = unknown.length === 0 ? await insertKnown(run, insert) : await insertUnknown(run, collection, insert, unknown);
    some.forEach((row, index) => {
      run.state.remember(collection, row.item, returning, made[index] ?? row.values, row.values);
    });
    from += insert.count;
  }
  await advanceCounter(run, collection, rows);
}

const toStatement = ({ text, values }: InsertStatement): Statement => ({
  text,
  values,
  prepare: values.length <= MAX_PREPARED_PARAMETERS,
});

async function insertKnown(run: WriteRun, insert: InsertStatement): Promise<readonly ReadonlyMap<string, unknown>[]> {
  await run.work.connection.run(toStatement(insert));
  return [];
}

/** Counters ascend in the order of the rows, whatever the order in which they are told. */
async function insertUnknown(
  run: WriteRun,
  collection: Collection,
  insert: InsertStatement,
  fields: readonly string[],
): Promise<readonly ReadonlyMap<string, unknown>[]> {
  if (!run.vendor.write.insertReturns) return insertCounting(run, insert, fields);
  return inOrder(
    collection,
    fields,
    (await run.work.connection.rows(toStatement(insert))).map((row) => decodeRow(collection, fields, row)),
  );
}

function inOrder(
  collection: Collection,
  fields: readonly string[],
  rows: readonly ReadonlyMap<string, unknown>[],
): readonly ReadonlyMap<string, unknown>[] {
  const counter = fields.find((name) => columnField(collection, name).column.autoIncrement);
  return counter === undefined ? rows : rows.toSorted((a, b) => Number(a.get(counter)) - Number(b.get(counter)));
}

async function insertCounting(
  run: WriteRun,
  insert: InsertStatement,
  fields: readonly string[],
): Promise<readonly ReadonlyMap<string, unknown>[]> {
  await run.work.connection.run(toStatement(insert));
  const [row] = await run.rows(run.vendor.write.lastKey());
  const [first, distance] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 1)];
  return Array.from({ length: insert.count }, (_, index) => new Map(fields.map((name) => [name, first + index * distance])));
}

/** Whether a counter has to go on behind what was given for it, which is a statement more. */
const givesCounter = (collection: Collection, values: ReadonlyMap<string, unknown>): boolean =>
  [...values.keys()].some((name) => columnField(collection, name).column.autoIncrement);

async function advanceCounter(run: WriteRun, collection: Collection, rows: readonly NewRow[]): Promise<void> {
  for (const name of rows[0]?.values.keys() ?? []) {
    const field = columnField(collection, name);
    if (!field.column.autoIncrement) continue;
    const highest = rows.reduce((most, row) => higher(most, BigInt(String(row.values.get(name) ?? 0))), 0n);
    const { syntax, write } = run.vendor;
    const advance = write.advanceCounter(tableOf(collection), field.column, syntax.param(written(highest), columnType(field), null));
    if (advance !== null) await run.rows(advance);
  }
}

function higher(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
