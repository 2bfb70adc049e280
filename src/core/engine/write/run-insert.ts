// Runs the insert steps of a write plan: one statement per set of columns, the generated keys assigned to their items. An insert whose keys
// are not needed before the next statement is deferred: it is queued, and its keys are pending (docs/write-pipeline.md).

import { ServiceError } from '../../errors/service-error.js';
import { insertToSql, type Returning } from '../../pipeline/insert-to-sql.js';
import { type KeyBatch, maxPendingKeys } from '../../pipeline/key-batch.js';
import { insertReadingKeys } from '../../pipeline/read-keys.js';
import type { Bind } from '../../pipeline/render-pending.js';
import type { ItemNumber, WriteStep } from '../../plan/write/write-steps.js';
import { failedValue } from '../../plan/write/write-value.js';
import type { Collection } from '../../schema/schema.js';
import { hasBeforeTrigger, hasTrigger, insertsReturnNothing } from '../../schema/triggers.js';
import { join, paramsOf } from '../../sql/sql.js';
import { columnField, columnType, tableOf, written } from '../../sql/written.js';
import type { Row, Statement } from '../../vendor/driver.js';
import { inKeyOrder } from '../../vendor/key-order.js';
import type { RunRow } from '../work/run-row.js';
import { bindValue } from '../work/statement-values.js';
import type { NewItemAnswer } from '../work/work.js';
import { groupByColumns } from './group-by-columns.js';
import { refuseRepeatedKeys } from './named-keys.js';
import { decodeCell } from './run-checks.js';
import { maxPreparedParameters, type WriteRun } from './write-run.js';

export type InsertStep = Extract<WriteStep, { kind: 'insert' }>;

/** The texts of new items by their numbers; null: the caller may not read the item. Complete after `flush`. */
export type NewTexts = ReadonlyMap<ItemNumber, string | null>;

interface NewRow extends RunRow {
  readonly item: ItemNumber;
}

/** Rows of one set of columns, and what is wanted of them. */
interface Group {
  readonly collection: Collection;
  readonly rows: readonly NewRow[];
  /** The fields to remember, the primary key among them. */
  readonly remembered: readonly string[];
  /** Those of them that only the database knows: the INSERT returns them. */
  readonly generated: readonly string[];
  readonly answer: BoundAnswer | null;
}

interface BoundAnswer extends Pick<NewItemAnswer, 'answer'> {
  readonly bind: Bind;
  readonly texts: Map<ItemNumber, string | null>;
}

/** `deferred`: queued and sent with what comes after it. */
export async function runInsert(run: WriteRun, step: InsertStep, deferred: boolean): Promise<void> {
  await insertStep(run, step, deferred, null);
}

/** The same, and the INSERTs return the texts of their items. */
export async function runAnsweringInsert(run: WriteRun, step: InsertStep, deferred: boolean, asked: NewItemAnswer): Promise<NewTexts> {
  const { answer, literals } = asked;
  const resolve = await run.engine.dynamics.ofStatement(run.work, literals, paramsOf(answer));
  const texts = new Map<ItemNumber, string | null>();
  await insertStep(run, step, deferred, { answer, texts, bind: (param) => bindValue(param, literals, resolve) });
  return texts;
}

async function insertStep(run: WriteRun, step: InsertStep, deferred: boolean, answer: BoundAnswer | null): Promise<void> {
  const { collection } = step;
  const planned = step.rows
    .filter((row) => run.state.isActive(row))
    .map((row): NewRow => ({ item: row.item, key: null, values: run.state.resolve(collection, row.values) }));
  if (planned.length === 0) return;
  const rows = await drawKeys(run, collection, await run.before('create', collection, planned));
  const isNamed = collection.table?.namedKey !== undefined;
  const waits = deferred && !isNamed;
  const remembered = waits && !run.isReferredTo(step) ? [] : step.returning;
  await run.translating(collection, rows, async () => {
    for (const some of groupByColumns(rows)) {
      const generated = generatedFields(run, collection, remembered, some[0]);
      await insertGroup(run, { collection, rows: some, remembered, generated, answer }, waits);
    }
  });
  if (isNamed)
    await refuseRepeatedKeys(
      run,
      collection,
      rows.map(({ item }) => run.state.key(item)),
    );
  if (!run.isObserved('create', collection)) return;
  await run.after(
    'create',
    collection,
    rows.map((row) => ({ ...row, key: run.state.key(row.item) })),
  );
}

/** Where a trigger may change the values that are sent, those count as generated too. */
function generatedFields(run: WriteRun, collection: Collection, remembered: readonly string[], row: NewRow | undefined): readonly string[] {
  if (insertsReturnNothing(collection)) return [];
  const changed = run.vendor.write.insertReturns && hasBeforeTrigger(collection, 'insert');
  return changed ? remembered : remembered.filter((name) => row?.values.has(name) !== true);
}

/**
 * Where a trigger or rule may store a row elsewhere, the INSERT reports neither a count nor a key, and MySQL reports none but a counter's. These keys are
 * taken beforehand, so that the items are known by them wherever they end up.
 */
async function drawKeys(run: WriteRun, collection: Collection, rows: readonly NewRow[]): Promise<readonly NewRow[]> {
  let drawn = rows;
  for (const name of unreportedKeys(run, collection)) drawn = await drawKey(run, collection, name, drawn);
  return drawn;
}

function unreportedKeys({ vendor }: WriteRun, collection: Collection): readonly string[] {
  const column = (name: string) => columnField(collection, name).column;
  return collection.primaryKey.filter((name) =>
    column(name).autoIncrement
      ? hasBeforeTrigger(collection, 'insert')
      : !vendor.write.insertReturns && column(name).default?.kind === 'expression',
  );
}

async function drawKey(run: WriteRun, collection: Collection, name: string, rows: readonly NewRow[]): Promise<readonly NewRow[]> {
  const lacking = rows.filter(({ values }) => !values.has(name));
  if (lacking.length === 0) return rows;
  const draw = run.vendor.write.drawValues(tableOf(collection), columnField(collection, name).column, lacking.length);
  const keys = draw === null ? [] : (await run.rows(draw, 'write')).map(([cell = null]) => cell);
  return rows.map((row) => {
    const key = row.values.has(name) ? null : (keys[lacking.indexOf(row)] ?? null);
    return key === null ? row : { ...row, values: new Map([...row.values, [name, decodeCell(collection, name, key)]]) };
  });
}

async function insertGroup(run: WriteRun, group: Group, deferred: boolean): Promise<void> {
  const batch = deferred ? batchFor(run, group) : null;
  if (!deferred || (batch === null && group.generated.length > 0)) return insertNow(run, group);
  enqueueGroup(run, group, batch);
}

function enqueueGroup(run: WriteRun, group: Group, batch: KeyBatch | null): void {
  const { collection, rows, remembered, generated, answer } = group;
  for (const { statement, some } of statementsOf(run, group, batch)) {
    const onRows = (made: readonly Row[]): void => {
      const ordered = inOrder(group, made);
      batch?.settle(ordered.map(([cell = null]) => decodeCell(collection, generated[0] ?? '', cell)));
      keepTexts(group, some, ordered);
    };
    const isSilentInsert = batch === null && answer === null;
    const explained = { collection, rows: some };
    run.enqueue(batch === null ? statement : { batch, ...statement }, isSilentInsert ? explained : { onRows, ...explained });
  }
  if (remembered.length === 0) return;
  for (const [index, { item, values }] of rows.entries())
    run.state.remember(collection, item, remembered, (name) => (batch !== null && !values.has(name) ? batch.key(index) : values.get(name)));
}

/** null: later statements cannot refer to what the INSERT generates. */
function batchFor(run: WriteRun, { collection, rows, generated }: Group): KeyBatch | null {
  const [only] = generated;
  if (only === undefined || generated.length > 1 || run.vendor.syntax.pending === null || rows.length > maxPendingKeys) return null;
  return columnField(collection, only).column.autoIncrement ? run.work.connection.newBatch(rows.length) : null;
}

async function insertNow(run: WriteRun, group: Group): Promise<void> {
  const { collection, rows, remembered, generated } = group;
  for (const { statement, some } of statementsOf(run, group, null)) {
    const made = inOrder(group, await readFilledKeys(run, group, await send(run, group, statement, some.length)));
    const isComplete = made.length >= some.length;
    for (const [index, { item, values }] of some.entries()) {
      const cells = isComplete ? made[index] : undefined;
      run.state.remember(collection, item, remembered, (name) => {
        const place = generated.indexOf(name);
        if (place === -1 || cells === undefined) return values.has(name) ? values.get(name) : refuseUnknown(collection, name);
        const cell = cells[place] ?? null;
        if (cell === null && hasTrigger(collection, 'insert') && collection.primaryKey.includes(name)) refuseUnknown(collection, name);
        return decodeCell(collection, name, cell);
      });
    }
    keepTexts(group, some, made);
  }
  await advanceCounter(run, collection, rows);
}

/** A trigger or rule kept the row from being stored, or stored it where its key cannot be found out. */
function refuseUnknown(collection: Collection, field: string): never {
  throw new ServiceError([
    failedValue(
      { collection: collection.name, name: field },
      'trigger',
      [],
      `A trigger or rule of the database acts on "${collection.name}": give the value of "${field}" yourself.`,
    ),
  ]);
}

/** RETURNING shows null for keys that a trigger fills in after the row is stored: these rows are read again. */
async function readFilledKeys(run: WriteRun, { collection, generated }: Group, made: readonly Row[]): Promise<readonly Row[]> {
  if (
    collection.table?.kind === 'view' ||
    !hasTrigger(collection, 'insert') ||
    !made.some((row) => generated.some((_, place) => row[place] === null))
  )
    return made;
  const { syntax, write } = run.vendor;
  const columns = join(generated.map(syntax.identifier), ', ');
  const last = write.lastRows(syntax.table(tableOf(collection)), columns, made.length);
  return last === null ? made : run.rows(last);
}

async function send(run: WriteRun, { collection, generated, answer }: Group, statement: Statement, count: number): Promise<readonly Row[]> {
  const { connection } = run.work;
  const isReported = run.vendor.write.insertReturns || generated.every((name) => columnField(collection, name).column.autoIncrement);
  if (generated.length > 0 && isReported) return insertReadingKeys(connection, run.vendor, statement, count);
  if (answer !== null) return connection.rows(statement);
  await connection.run(statement);
  return [];
}

function inOrder({ collection, generated }: Group, made: readonly Row[]): readonly Row[] {
  const column = generated.findIndex((name) => columnField(collection, name).column.autoIncrement);
  return column === -1 ? made : inKeyOrder(made, column);
}

function keepTexts({ answer, generated }: Group, rows: readonly NewRow[], made: readonly Row[]): void {
  if (answer === null) return;
  for (const [index, { item }] of rows.entries()) {
    const cell = made[index]?.[generated.length] ?? null;
    answer.texts.set(item, cell === null ? null : String(cell));
  }
}

function* statementsOf(
  run: WriteRun,
  { collection, rows, generated, answer }: Group,
  batch: KeyBatch | null,
): Generator<{ readonly statement: Statement; readonly some: readonly NewRow[] }> {
  const returning: Returning = { fields: generated, batch, ...(answer === null ? {} : { answer: answer.answer }) };
  const values = rows.map((row) => row.values);
  const { clock } = run.work;
  let from = 0;
  clock?.start('sql');
  for (const insert of insertToSql(run.vendor, collection, values, returning, answer?.bind)) {
    clock?.stop();
    const prepare = insert.values.length <= maxPreparedParameters;
    yield { statement: { prepare, ...insert }, some: rows.slice(from, from + insert.count) };
    from += insert.count;
    clock?.start('sql');
  }
  clock?.stop();
}

/** After keys were given for a generated column: later keys have to follow the highest of them. */
async function advanceCounter(run: WriteRun, collection: Collection, rows: readonly NewRow[]): Promise<void> {
  for (const name of rows[0]?.values.keys() ?? []) {
    const field = columnField(collection, name);
    if (!field.column.autoIncrement) continue;
    const highest = rows.reduce((most, row) => higher(most, BigInt(String(row.values.get(name) ?? 0))), 0n);
    const { syntax, write } = run.vendor;
    const advance = write.advanceCounter(tableOf(collection), field.column, syntax.param(written(highest), columnType(field), null));
    if (advance !== null) await run.rows(advance, 'write');
  }
}

function higher(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
