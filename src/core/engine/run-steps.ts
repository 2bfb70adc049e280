// Runs a write plan step by step inside a transaction.

import type { WritePlan, WriteStep } from '../plan/write-steps.js';
import { runCheck, runCheckLinks, runFetch, runFind, runLast, runList } from './run-checks.js';
import { runAnsweringInsert, runInsert, runWaitingInsert } from './run-insert.js';
import { runLink, runUnlink } from './run-lists.js';
import { deleteRows, runUpdate } from './run-update.js';
import type { TransactionWork } from './transaction.js';
import { mayWait } from './waiting-steps.js';
import { type NewItemAnswer, type WriteEngine, WriteRun } from './write-run.js';
import { WriteState } from './write-state.js';

export async function runSteps(engine: WriteEngine, work: TransactionWork, plan: WritePlan): Promise<WriteState> {
  const run = new WriteRun(engine, work, new WriteState(plan));
  for (const [index, step] of plan.steps.entries()) {
    if (step.kind === 'insert' && mayWait(plan, index)) await runWaitingInsert(run, step);
    else await runStep(run, step);
  }
  // Whoever goes on in the transaction shall not meet the failures of this write.
  if (!work.endsWithAct()) await work.connection.flush();
  return run.state;
}

/** The same for one new item, whose insert stands last: its text is told by the statement that makes it. */
export async function runAnsweringSteps(
  engine: WriteEngine,
  work: TransactionWork,
  plan: WritePlan,
  { insert, answer }: { readonly insert: InsertStep; readonly answer: NewItemAnswer },
): Promise<{ readonly state: WriteState; readonly text: string | null }> {
  const run = new WriteRun(engine, work, new WriteState(plan));
  for (const step of plan.steps) if (step !== insert) await runStep(run, step);
  const text = await runAnsweringInsert(run, insert, answer);
  return { state: run.state, text };
}

export type InsertStep = Extract<WriteStep, { kind: 'insert' }>;

/** The step that makes the one item of the plan, when nothing comes after it. */
export function lastInsert({ steps, roots }: WritePlan): InsertStep | null {
  const step = steps.at(-1);
  return step?.kind === 'insert' && step.rows.length === 1 && step.rows[0]?.item === roots[0] && step.rows[0]?.when === 'always'
    ? step
    : null;
}

function runStep(run: WriteRun, step: WriteStep): Promise<void> {
  switch (step.kind) {
    case 'find':
      return runFind(run, step);
    case 'check':
      return runCheck(run, step);
    case 'check-links':
      return runCheckLinks(run, step);
    case 'fetch':
      return runFetch(run, step);
    case 'insert':
      return runInsert(run, step);
    case 'update':
      return runUpdate(run, step);
    case 'list':
      return runList(run, step);
    case 'last':
      return runLast(run, step);
    case 'unlink':
      return runUnlink(run, step);
    case 'link':
      return runLink(run, step);
    case 'delete':
      return deleteRows(run, step.collection, step.keys, step.guard);
  }
}
