// Runs prepared reads: binds the values, sends the statement, and passes on the JSON texts that the database wrote.

import type { Caller } from '../../access/view.js';
import { type Bind, fillTemplate, type StatementTemplate, writeTemplate } from '../../pipeline/render-pending.js';
import type { QueryLimits } from '../../query/query.js';
import { PendingKey } from '../../sql/pending-key.js';
import { readSql } from '../../sql/read/read-to-sql.js';
import { startStatement } from '../../sql/start-statement.js';
import { type Dialect, syntaxFor } from '../../vendor/dialect.js';
import type { Row, Statement } from '../../vendor/driver.js';
import { explainStatement } from '../../vendor/explain-statement.js';
import type { Dynamics } from '../work/dynamics.js';
import { type MaybePromise, whenReady } from '../work/maybe-promise.js';
import type { StageClock } from '../work/stage-clock.js';
import type { Mark } from '../work/statement-values.js';
import { bindValue, checkLiterals, makeStatement, type StatementOptions } from '../work/statement-values.js';
import type { TransactionWork } from '../work/transaction.js';
import type { AfterFlush, Work } from '../work/work.js';
import {
  type CacheState,
  type PreparedCounts,
  type PreparedRead,
  ReadPreparer,
  type ReadQuestion,
  type WantedCounts,
} from './prepared-read.js';

export interface RunnerDeps {
  readonly dialect: Pick<Dialect, 'driver' | 'syntax' | 'mirrored'>;
  readonly limits: QueryLimits;
  readonly dynamics: Dynamics;
}

export interface Counts {
  /** Undefined when it was not asked for. */
  readonly total: number | undefined;
  readonly filtered: number;
}

export class ReadRunner {
  readonly #deps: RunnerDeps;
  readonly #preparer: ReadPreparer;
  readonly #pendingReads = new WeakMap<PreparedRead, StatementTemplate & { readonly name: string }>();

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.#preparer = new ReadPreparer(deps.dialect, deps.limits);
  }

  get cache(): CacheState {
    return this.#preparer.state;
  }

  prepare(caller: Caller, question: ReadQuestion, clock: StageClock | null = null): PreparedRead {
    return this.#preparer.prepare(caller, question, clock);
  }

  /** Prepares without running, and refuses what running would refuse. */
  check(caller: Caller, question: ReadQuestion): void {
    const { statement } = this.prepare(caller, question);
    this.#deps.dynamics.check(caller, question.literals, statement.params);
    checkLiterals(statement.params, question.literals);
  }

  /** The texts of all items joined by commas. */
  texts(work: Work, read: PreparedRead, question: ReadQuestion): MaybePromise<string> {
    return whenReady(this.rows(work, read, question), joinTexts);
  }

  rows(
    work: Work,
    read: PreparedRead,
    question: ReadQuestion,
    { marks = [] }: Pick<StatementOptions, 'marks'> = {},
  ): MaybePromise<readonly Row[]> {
    const { cheap } = read;
    return whenReady(this.#statement(work, read, question, { marks, cheap }), (statement) => {
      const near = cheap ? work.connection.rowsAtOnce?.(statement) : null;
      return near ?? work.connection.rows(statement, work.signal ?? undefined);
    });
  }

  /** Queues the read of one item behind what the transaction has queued so far, its own INSERT perhaps; yields null when there is no item. */
  async enqueueText(work: TransactionWork, read: PreparedRead, question: ReadQuestion): Promise<AfterFlush<string | null>> {
    let text: string | null = null;
    const onRows = ([row]: readonly Row[]): void => {
      const cell = row?.[0] ?? null;
      text = cell === null ? null : String(cell);
    };
    work.connection.enqueue(await this.#pendingStatement(work, read, question), { onRows });
    return () => text;
  }

  /** Queues a read; `onTexts` gets the texts of all items joined by commas when the statement behind it has run. */
  async enqueueTexts(work: TransactionWork, read: PreparedRead, question: ReadQuestion, onTexts: (texts: string) => void): Promise<void> {
    const onRows = (rows: readonly Row[]): void => onTexts(joinTexts(rows));
    work.connection.enqueue(await this.#statement(work, read, question, {}), { onRows });
  }

  /** The items' texts one by one, all at once in memory. */
  async list(work: Work, question: ReadQuestion): Promise<readonly string[]> {
    const read = this.#preparer.prepare(work.caller, { ...question, streamed: true }, work.clock);
    return (await this.rows(work, read, question)).map((row) => String(row[0]));
  }

  /** The items' texts in batches, read as fast as the caller takes them. */
  async *stream(work: Work, question: ReadQuestion): AsyncGenerator<readonly string[]> {
    const read = this.#preparer.prepare(work.caller, { ...question, streamed: true }, work.clock);
    const statement = await this.#statement(work, read, question, {});
    for await (const batch of this.#deps.dialect.driver.stream(statement, work.signal ?? undefined))
      yield batch.map((row) => String(row[0]));
  }

  async counts(work: Work, question: ReadQuestion, wanted: WantedCounts): Promise<Counts> {
    const statement = await this.#statement(work, this.#preparer.counts(work.caller, question, wanted), question, {});
    const [row = []] = await work.connection.rows(statement, work.signal ?? undefined);
    return { total: wanted.total ? Number(row[1] ?? 0) : undefined, filtered: Number(row[0] ?? 0) };
  }

  /** Runs the vendor's EXPLAIN for a read and returns its answer unchanged. */
  async explain(work: Work, read: PreparedRead, question: ReadQuestion, marks: readonly Mark[]): Promise<unknown> {
    const { text, values } = await this.#statement(work, read, question, { marks });
    const syntax = syntaxFor(this.#deps.dialect, read.collection.table);
    return explainStatement(work.connection, syntax, { text, values, mirrored: read.mirrored }, work.signal ?? undefined);
  }

  async #pendingStatement(work: Work, read: PreparedRead, question: ReadQuestion): Promise<Statement> {
    const { literals } = question;
    const key = literals.find((literal) => literal instanceof PendingKey);
    if (key === undefined || read.bound.kind !== 'read') return this.#statement(work, read, question, {});
    const { dialect, dynamics } = this.#deps;
    const { syntax } = dialect;
    const resolve = await dynamics.ofStatement(work, literals, read.statement.params);
    const bind: Bind = (param) => bindValue(param, literals, resolve);
    const known = this.#pendingReads.get(read);
    // The key of a created item nearly always has the same name, so the text of the last one fits.
    const template =
      known?.name === key.name
        ? known
        : { name: key.name, ...writeTemplate(syntax, readSql(startStatement(syntax), read.bound.read, false), bind) };
    this.#pendingReads.set(read, template);
    return { kind: 'read', tables: template.tables, text: template.text, ...fillTemplate(syntax, template.params, bind), prepare: true };
  }

  #statement(work: Work, read: PreparedCounts, { literals }: ReadQuestion, options: StatementOptions): MaybePromise<Statement> {
    const { statement, mirrored } = read;
    return whenReady(this.#deps.dynamics.ofStatement(work, literals, statement.params), (resolve) => {
      const made = makeStatement(statement, literals, resolve, { mirrored, ...options });
      const { readAfter } = work;
      // The service's own collections decide about rights, so they are always read from the primary: a copy may lag behind.
      return readAfter === undefined || read.collection.system ? made : { ...made, readAfter };
    });
  }
}

function joinTexts(rows: readonly Row[]): string {
  const first = rows[0];
  if (rows.length === 1 && first !== undefined) return first[0] === null ? '' : String(first[0]);
  return rows.map((row) => String(row[0])).join(',');
}
