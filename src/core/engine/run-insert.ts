// New items: one statement per set of columns, the keys matched to their items. Where nobody needs an answer before the next statement,
// they wait and go along with it, their keys named as late values.

import type { ItemNumber, WriteStep } from '../plan/write-steps.js';
import type { Collection } from '../schema/schema.js';
import { answeringInsert, insertToSql, type Telling } from '../sql/insert-to-sql.js';
import { type Counter, LateValue } from '../sql/late-value.js';
import type { Bind } from '../sql/render-late.js';
import { paramsOf } from '../sql/sql.js';
import { columnField, columnType, tableOf, written } from '../sql/written.js';
import type { Row, Statement } from '../vendor/driver.js';
import type { Pending } from './gathering-connection.js';
import { groupByColumns } from './group-by-columns.js';
import { decodeCell, decodeRow } from './run-checks.js';
import type { RunRow } from './run-row.js';
import { bindValue } from './statement-values.js';
import { MAX_PREPARED_PARAMETERS, type NewItemAnswer, type WriteRun } from './write-run.js';

export type InsertStep = Extract<WriteStep, { kind: 'insert' }>;

interface NewRow extends RunRow {
  readonly item: ItemNumber;
}

/** `waits`: sent with what comes after it. */
export async function runInsert(run: WriteRun, step: InsertStep, waits: boolean): Promise<void> {
  const { collection } = step;
  const rows = await prepareRows(run, step);
  if (rows.length === 0) return;
  const returning = waits && !run.isTold(step) ? [] : step.returning;
  const insert = waits ? insertLater : insertNow;
  await run.translating(collection, rows, async () => {
    for (const group of groupByColumns(rows)) await insert(run, collection, group, returning);
  });
  if (run.engine.hooks.has(collection.name, 'create')) await tellMade(run, collection, rows);
}

/** One new item whose text its statement tells; null: the caller may not see it. */
export async function runAnsweringInsert(
  run: WriteRun,
  step: InsertStep,
  { answer, literals }: NewItemAnswer,
): Promise<Pending<string | null>> {
  const { collection } = step;
  const [row] = await prepareRows(run, step);
  if (row === undefined) throw new Error('there is no item to insert');
  const unknown = step.returning.filter((name) => !row.values.has(name));
  const counter = counterFor(run, collection, unknown, 1);
  const resolve = await run.engine.resolveFor(run.work, literals, paramsOf(answer));
  const bind: Bind = (param) => bindValue(param, literals, resolve);
  const insert = toStatement(answeringInsert(run.vendor, collection, row.values, { returning: unknown, counter, answer }, bind));
  let text: string | null = null;
  const told = ([first = []]: readonly Row[]): void => {
    tellCounter(collection, unknown, counter, [first]);
    if (counter === null) run.state.remember(collection, row.item, step.returning, decodeRow(collection, unknown, first), row.values);
    const cell = first[unknown.length] ?? null;
    text = cell === null ? null : String(cell);
  };
  run.later(counter === null ? insert : { ...insert, counter }, { collection, rows: [row], told });
  if (counter !== null) rememberLate(run, collection, [row], { returning: step.returning, unknown, counter });
  else if (unknown.length > 0) await run.work.connection.flush();
  else run.state.remember(collection, row.item, step.returning, row.values);
  await advanceCounter(run, collection, [row]);
  if (run.engine.hooks.has(collection.name, 'create')) await tellMade(run, collection, [row]);
  return () => text;
}

function prepareRows(run: WriteRun, { collection, rows }: InsertStep): Promise<readonly NewRow[]> {
  const planned = rows
    .filter((row) => run.state.isActive(row))
    .map((row): NewRow => ({ item: row.item, key: null, values: run.state.resolve(collection, row.values) }));
  return planned.length === 0 ? Promise.resolve([]) : run.before('create', collection, planned);
}

const tellMade = (run: WriteRun, collection: Collection, rows: readonly NewRow[]): Promise<void> =>
  run.after(
    'create',
    collection,
    rows.map((row) => ({ ...row, key: run.state.key(row.item) })),
  );

async function insertLater(run: WriteRun, collection: Collection, rows: readonly NewRow[], returning: readonly string[]): Promise<void> {
  const unknown = unknownOf(rows, returning);
  const counter = counterFor(run, collection, unknown, rows.length);
  if (counter === null && unknown.length > 0) return insertNow(run, collection, rows, returning);
  for (const { statement, some } of statementsOf(run, collection, rows, { returning: unknown, counter })) {
    const told = (made: readonly Row[]): void => tellCounter(collection, unknown, counter, made);
    run.later(counter === null ? statement : { ...statement, counter }, { collection, rows: some, ...(counter === null ? {} : { told }) });
  }
  if (counter !== null) rememberLate(run, collection, rows, { returning, unknown, counter });
  else if (returning.length > 0) for (const row of rows) run.state.remember(collection, row.item, returning, row.values);
}

async function insertNow(run: WriteRun, collection: Collection, rows: readonly NewRow[], returning: readonly string[]): Promise<void> {
  const unknown = unknownOf(rows, returning);
  for (const { statement, some } of statementsOf(run, collection, rows, { returning: unknown })) {
    const made =
      unknown.length === 0 ? await insertKnown(run, statement) : await insertUnknown(run, collection, statement, unknown, some.length);
    some.forEach((row, index) => {
      run.state.remember(collection, row.item, returning, made[index] ?? row.values, row.values);
    });
  }
  await advanceCounter(run, collection, rows);
}

const unknownOf = (rows: readonly NewRow[], returning: readonly string[]): readonly string[] =>
  returning.filter((name) => rows[0]?.values.has(name) !== true);

/** null: what the statement makes cannot be named before it has run. */
function counterFor(run: WriteRun, collection: Collection, unknown: readonly string[], rows: number): Counter | null {
  const [only] = unknown;
  if (only === undefined || unknown.length > 1 || !run.canCount(rows)) return null;
  return columnField(collection, only).column.autoIncrement ? run.work.connection.counter(rows) : null;
}

function tellCounter(collection: Collection, [name = '']: readonly string[], counter: Counter | null, made: readonly Row[]): void {
  counter?.settle(made.map(([cell = null]) => decodeCell(collection, name, cell)));
}

function rememberLate(
  run: WriteRun,
  collection: Collection,
  rows: readonly NewRow[],
  {
    returning,
    unknown,
    counter,
  }: { readonly returning: readonly string[]; readonly unknown: readonly string[]; readonly counter: Counter },
): void {
  for (const [index, { item, values }] of rows.entries()) {
    const late = new Map(unknown.map((name) => [name, new LateValue(counter, index)]));
    run.state.remember(collection, item, returning, late, values);
  }
}

function* statementsOf(
  run: WriteRun,
  collection: Collection,
  rows: readonly NewRow[],
  telling: Telling,
): Generator<{ readonly statement: Statement; readonly some: readonly NewRow[] }> {
  let from = 0;
  const values = rows.map((row) => row.values);
  for (const insert of insertToSql(run.vendor, collection, values, telling)) {
    yield { statement: toStatement(insert), some: rows.slice(from, from + insert.count) };
    from += insert.count;
  }
}

const toStatement = ({ text, values, lates = [] }: Omit<Statement, 'prepare'>): Statement => ({
  text,
  values,
  lates,
  prepare: values.length <= MAX_PREPARED_PARAMETERS,
});

type Made = readonly ReadonlyMap<string, unknown>[];

async function insertKnown(run: WriteRun, insert: Statement): Promise<Made> {
  await run.work.connection.run(insert);
  return [];
}

/** Counters ascend in the order of the rows, whatever the order in which they are told. */
async function insertUnknown(
  run: WriteRun,
  collection: Collection,
  insert: Statement,
  fields: readonly string[],
  count: number,
): Promise<Made> {
  if (!run.vendor.write.insertReturns) return insertCounting(run, insert, fields, count);
  const rows = (await run.work.connection.rows(insert)).map((row) => decodeRow(collection, fields, row));
  const counter = fields.find((name) => columnField(collection, name).column.autoIncrement);
  return counter === undefined ? rows : rows.toSorted((a, b) => Number(a.get(counter)) - Number(b.get(counter)));
}

async function insertCounting(run: WriteRun, insert: Statement, fields: readonly string[], count: number): Promise<Made> {
  await run.work.connection.run(insert);
  const [row] = await run.rows(run.vendor.write.lastKey());
  const [first, distance] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 1)];
  return Array.from({ length: count }, (_, index) => new Map(fields.map((name) => [name, first + index * distance])));
}

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
