// How a read is executed: the plan, the statement, and the database's own explanation with the indexes that would help.

import { demandsOfGroups, demandsOfRead } from '../../plan/read/index-demands.js';
import { printGroups, printRead } from '../../plan/read/print-read.js';
import { emptyParsedQuery } from '../../query/query.js';
import { syntaxFor } from '../../vendor/dialect.js';
import type { Work } from '../work/work.js';
import { listQuestion } from './read-question.js';
import type { ReadRunner, RunnerDeps } from './read-runner.js';
import type { PreparedWindow } from './read-window.js';
import { type PlanSummary, summarisePlan } from './summarise-plan.js';

export interface Explanation extends PlanSummary {
  /** The lines of the plan, indented by their depth. */
  readonly plan: readonly string[];
  readonly sql: string;
  /** The database's own plan. */
  readonly database: unknown;
}

/** A scan of this many rows is expensive already; counting further would not change the advice. */
const mostCountedRows = 100_000;

export async function explainRead(
  runner: ReadRunner,
  dialect: RunnerDeps['dialect'],
  work: Work,
  { question, read, marks }: PreparedWindow,
): Promise<Explanation> {
  const { bound, statement } = read;
  const lines = bound.kind === 'read' ? printRead(bound.read) : printGroups(bound.groups);
  const database = await runner.explain(work, read, question, marks);
  const summary = await summarisePlan(syntaxFor(dialect, read.collection.table).readPlan(database), {
    collections: statement.aliases,
    demands: bound.kind === 'read' ? demandsOfRead(bound.read) : demandsOfGroups(bound.groups),
    stopsAt: bound.kind === 'read' && bound.read.page.filter === null && bound.read.page.offset === null ? bound.read.page.limit : null,
    countRows: async ({ name, table }) => {
      const all = listQuestion(work, name, emptyParsedQuery, null);
      const { filtered } = await runner.counts(work, all, { total: false, atMost: mostCountedRows });
      return filtered > mostCountedRows ? Math.max(filtered - 1, table?.estimatedRows ?? 0) : filtered;
    },
  });
  return { plan: lines, sql: statement.text, database, ...summary };
}
