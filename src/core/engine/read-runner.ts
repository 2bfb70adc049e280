// Runs planned reads: finds the values, sends the statement, hands back texts as the database wrote them.

import type { Caller } from '../access/view.js';
import type { QueryLimits } from '../query/query.js';
import { LateValue } from '../sql/late-value.js';
import { readSql } from '../sql/read-to-sql.js';
import { type Bind, fillLate, type LateTemplate, writeLate } from '../sql/render-late.js';
import type { Rendered } from '../sql/sql.js';
import type { Syntax } from '../sql/syntax.js';
import type { Driver, Row, Statement } from '../vendor/driver.js';
import { goOnWith, type MaybeLater } from './at-once.js';
import type { Mark } from './cursor.js';
import type { ResolveFor } from './dynamics.js';
import type { Pending } from './gathering-connection.js';
import { type ReadPlan, ReadPlanner, type ReadQuestion } from './read-plan.js';
import { bindValue, makeStatement, type StatementOptions } from './statement-values.js';
import type { TransactionWork } from './transaction.js';
import type { Work } from './work.js';

export interface RunnerOptions {
  readonly driver: Driver;
  readonly syntax: Syntax;
  readonly limits: QueryLimits;
  readonly resolveFor: ResolveFor;
}

export interface Counts {
  readonly total: number;
  readonly filtered: number;
}

export class ReadRunner {
  readonly #options: RunnerOptions;
  readonly #planner: ReadPlanner;
  readonly #lateReads = new WeakMap<ReadPlan, LateTemplate & { readonly name: string }>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#planner = new ReadPlanner(options.syntax, options.limits);
  }

  plan(caller: Caller, question: ReadQuestion): ReadPlan {
    return this.#planner.plan(caller, question);
  }

  /** The texts of all items joined by commas. */
  texts(work: Work, plan: ReadPlan, question: ReadQuestion): MaybeLater<string> {
    return goOnWith(this.rows(work, plan, question), joinTexts);
  }

  rows(
    work: Work,
    plan: ReadPlan,
    question: ReadQuestion,
    { marks = [] }: Pick<StatementOptions, 'marks'> = {},
  ): MaybeLater<readonly Row[]> {
    const { cheap } = plan;
    return goOnWith(this.#statement(work, plan.statement, question, { marks, cheap }), (statement) => {
      const near = cheap ? work.connection.rowsAtOnce?.(statement) : null;
      return near ?? work.connection.rows(statement, work.signal ?? undefined);
    });
  }

  /** The text of one item, read behind what the transaction has still to send; null when there is none. */
  async textLater(work: TransactionWork, plan: ReadPlan, question: ReadQuestion): Promise<Pending<string | null>> {
    let text: string | null = null;
    const told = ([row]: readonly Row[]): void => {
      const cell = row?.[0] ?? null;
      text = cell === null ? null : String(cell);
    };
    work.connection.later(await this.#lateStatement(work, plan, question), { told });
    return () => text;
  }

  /** The items' texts in batches, as fast as they are taken. */
  async *stream(work: Work, question: ReadQuestion): AsyncGenerator<readonly string[]> {
    const plan = this.#planner.plan(work.caller, { ...question, streamed: true });
    const statement = await this.#statement(work, plan.statement, question, {});
    for await (const batch of this.#options.driver.stream(statement, work.signal ?? undefined)) yield batch.map((row) => String(row[0]));
  }

  async counts(work: Work, question: ReadQuestion): Promise<Counts> {
    const statement = await this.#statement(work, this.#planner.counts(work.caller, question), question, {});
    const [row = []] = await work.connection.rows(statement, work.signal ?? undefined);
    return { total: Number(row[0] ?? 0), filtered: Number(row[1] ?? 0) };
  }

  /** The database's own words about the plan's statement: its JSON document, or its lines. */
  async explain(work: Work, plan: ReadPlan, question: ReadQuestion, marks: readonly Mark[]): Promise<unknown> {
    const statement = await this.#statement(work, plan.statement, question, { marks });
    const explaining: Statement = { text: this.#options.syntax.explain(statement.text), values: statement.values };
    const lines = (await work.connection.rows(explaining, work.signal ?? undefined)).map((row) => row.at(-1));
    const [only] = lines;
    return lines.length === 1 && typeof only === 'string' && /^\s*[[{]/.test(only) ? JSON.parse(only) : lines;
  }

  async #lateStatement(work: Work, plan: ReadPlan, question: ReadQuestion): Promise<Statement> {
    const { literals } = question;
    const late = literals.find((literal) => literal instanceof LateValue);
    if (late === undefined || plan.bound.kind !== 'read') return this.#statement(work, plan.statement, question, {});
    const { syntax, resolveFor } = this.#options;
    const resolve = await resolveFor(work, literals, plan.statement.params);
    const bind: Bind = (param) => bindValue(param, literals, resolve);
    const known = this.#lateReads.get(plan);
    // Keys of new items mostly go by the same name.
    const kept =
      known?.name === late.name ? known : { name: late.name, ...writeLate(syntax, readSql(syntax, plan.bound.read, false), bind) };
    this.#lateReads.set(plan, kept);
    return { text: kept.text, ...fillLate(syntax, kept.params, bind), prepare: true };
  }

  #statement(work: Work, rendered: Rendered, { literals }: ReadQuestion, options: StatementOptions): MaybeLater<Statement> {
    return goOnWith(this.#options.resolveFor(work, literals, rendered.params), (resolve) =>
      makeStatement(rendered, literals, resolve, options),
    );
  }
}

function joinTexts(rows: readonly Row[]): string {
  const first = rows[0];
  if (rows.length === 1 && first !== undefined) return first[0] === null ? '' : String(first[0]);
  return rows.map((row) => String(row[0])).join(',');
}
