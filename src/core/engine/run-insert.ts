// New items: one statement per set of columns, the keys matched to their items. Where nobody needs an answer before the next statement,
// they wait and go along with it, their keys named as late values.

import type { ItemNumber, WriteStep } from '../plan/write-steps.js';
import type { Collection } from '../schema/schema.js';
import { insertToSql, type Telling } from '../sql/insert-to-sql.js';
import { type Counter, LateValue } from '../sql/late-value.js';
import type { Bind } from '../sql/render-late.js';
import { paramsOf } from '../sql/sql.js';
import { columnField, columnType, tableOf, written } from '../sql/written.js';
import type { Row, Statement } from '../vendor/driver.js';
import { groupByColumns } from './group-by-columns.js';
import { decodeCell } from './run-checks.js';
import type { RunRow } from './run-row.js';
import { bindValue } from './statement-values.js';
import { MAX_PREPARED_PARAMETERS, type NewItemAnswer, type WriteRun } from './write-run.js';

export type InsertStep = Extract<WriteStep, { kind: 'insert' }>;

/** The texts of new items by their numbers; null: the caller may not see the item. Complete once everything was sent. */
export type NewTexts = ReadonlyMap<ItemNumber, string | null>;

interface NewRow extends RunRow {
  readonly item: ItemNumber;
}

/** Rows of one set of columns and what is wanted of them. */
interface Group {
  readonly collection: Collection;
  readonly rows: readonly NewRow[];
  /** The fields to remember, and those of them that only the database knows. */
  readonly returning: readonly string[];
  readonly unknown: readonly string[];
  readonly answer: BoundAnswer | null;
}

interface BoundAnswer extends Pick<NewItemAnswer, 'answer'> {
  readonly bind: Bind;
  readonly texts: Map<ItemNumber, string | null>;
}

/** `waits`: sent with what comes after it. */
export async function runInsert(run: WriteRun, step: InsertStep, waits: boolean): Promise<void> {
  await insertStep(run, step, waits, null);
}

/** The same, asking the statements for the texts of their items. */
export async function runAnsweringInsert(run: WriteRun, step: InsertStep, waits: boolean, asked: NewItemAnswer): Promise<NewTexts> {
  const { answer, literals } = asked;
  const resolve = await run.engine.resolveFor(run.work, literals, paramsOf(answer));
  const texts = new Map<ItemNumber, string | null>();
  await insertStep(run, step, waits, { answer, texts, bind: (param) => bindValue(param, literals, resolve) });
  return texts;
}

async function insertStep(run: WriteRun, step: InsertStep, waits: boolean, answer: BoundAnswer | null): Promise<void> {
  const { collection } = step;
  const planned = step.rows
    .filter((row) => run.state.isActive(row))
    .map((row): NewRow => ({ item: row.item, key: null, values: run.state.resolve(collection, row.values) }));
  if (planned.length === 0) return;
  const rows = await run.before('create', collection, planned);
  const returning = waits && !run.isTold(step) ? [] : step.returning;
  await run.translating(collection, rows, async () => {
    for (const some of groupByColumns(rows)) {
      const unknown = returning.filter((name) => some[0]?.values.has(name) !== true);
      await insertGroup(run, { collection, rows: some, returning, unknown, answer }, waits);
    }
  });
  if (!run.engine.hooks.has(collection.name, 'create')) return;
  await run.after(
    'create',
    collection,
    rows.map((row) => ({ ...row, key: run.state.key(row.item) })),
  );
}

async function insertGroup(run: WriteRun, group: Group, waits: boolean): Promise<void> {
  const counter = waits ? counterFor(run, group) : null;
  if (!waits || (counter === null && group.unknown.length > 0)) return insertNow(run, group);
  for (const { statement, some } of statementsOf(run, group, counter)) {
    const told = (made: readonly Row[]): void => {
      const ordered = inOrder(group, made);
      counter?.settle(ordered.map(([cell = null]) => decodeCell(group.collection, group.unknown[0] ?? '', cell)));
      keepTexts(group, some, ordered);
    };
    const silent = counter === null && group.answer === null;
    const explained = { collection: group.collection, rows: some };
    run.later(counter === null ? statement : { counter, ...statement }, silent ? explained : { told, ...explained });
  }
  if (group.returning.length === 0) return;
  for (const [index, { item, values }] of group.rows.entries())
    run.state.remember(group.collection, item, group.returning, (name) =>
      counter !== null && !values.has(name) ? new LateValue(counter, index) : values.get(name),
    );
}

/** null: what the statement makes cannot be named before it has run. */
function counterFor(run: WriteRun, { collection, rows, unknown }: Group): Counter | null {
  const [only] = unknown;
  if (only === undefined || unknown.length > 1 || !run.canCount(rows.length)) return null;
  return columnField(collection, only).column.autoIncrement ? run.work.connection.counter(rows.length) : null;
}

async function insertNow(run: WriteRun, group: Group): Promise<void> {
  const { collection, rows, returning, unknown } = group;
  for (const { statement, some } of statementsOf(run, group, null)) {
    const made = inOrder(group, await send(run, group, statement, some.length));
    for (const [index, { item, values }] of some.entries()) {
      const cells = made[index] ?? [];
      run.state.remember(collection, item, returning, (name) => {
        const place = unknown.indexOf(name);
        return place === -1 ? values.get(name) : decodeCell(collection, name, cells[place] ?? null);
      });
    }
    keepTexts(group, some, made);
  }
  await advanceCounter(run, collection, rows);
}

async function send(run: WriteRun, { unknown, answer }: Group, statement: Statement, count: number): Promise<readonly Row[]> {
  const { connection } = run.work;
  if (unknown.length > 0 && !run.vendor.write.insertReturns) return insertCounting(run, statement, count);
  if (unknown.length > 0 || answer !== null) return connection.rows(statement);
  await connection.run(statement);
  return [];
}

/** Of a vendor that does not tell what it made: the one counter of the table. */
async function insertCounting(run: WriteRun, statement: Statement, count: number): Promise<readonly Row[]> {
  await run.work.connection.run(statement);
  const [row] = await run.rows(run.vendor.write.lastKey());
  const [first, distance] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 1)];
  return Array.from({ length: count }, (_, index) => [first + index * distance]);
}

/** Counters ascend in the order of the rows, whatever the order in which they are told. */
function inOrder({ collection, unknown }: Group, made: readonly Row[]): readonly Row[] {
  const place = unknown.findIndex((name) => columnField(collection, name).column.autoIncrement);
  if (place === -1 || made.every((row, index) => index === 0 || Number(made[index - 1]?.[place]) < Number(row[place]))) return made;
  return made.toSorted((a, b) => Number(a[place]) - Number(b[place]));
}

function keepTexts({ answer, unknown }: Group, rows: readonly NewRow[], made: readonly Row[]): void {
  if (answer === null) return;
  for (const [index, { item }] of rows.entries()) {
    const cell = made[index]?.[unknown.length] ?? null;
    answer.texts.set(item, cell === null ? null : String(cell));
  }
}

function* statementsOf(
  run: WriteRun,
  { collection, rows, unknown, answer }: Group,
  counter: Counter | null,
): Generator<{ readonly statement: Statement; readonly some: readonly NewRow[] }> {
  const telling: Telling = { returning: unknown, counter, ...(answer === null ? {} : { answer: answer.answer }) };
  const values = rows.map((row) => row.values);
  let from = 0;
  for (const insert of insertToSql(run.vendor, collection, values, telling, answer?.bind)) {
    const prepare = insert.values.length <= MAX_PREPARED_PARAMETERS;
    yield { statement: { prepare, ...insert }, some: rows.slice(from, from + insert.count) };
    from += insert.count;
  }
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
