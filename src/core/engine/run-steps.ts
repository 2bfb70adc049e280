// Runs a write plan step by step inside a transaction.

import type { WritePlan, WriteStep } from '../plan/write-steps.js';
import type { Pending } from './gathering-connection.js';
import { runCheck, runCheckLinks, runFetch, runFind, runLast, runList } from './run-checks.js';
import { type InsertStep, runAnsweringInsert, runInsert } from './run-insert.js';
import { runLink, runUnlink } from './run-lists.js';
import { deleteRows, runUpdate } from './run-update.js';
import type { TransactionWork } from './transaction.js';
import { firstWaiting } from './waiting-steps.js';
import { type NewItemAnswer, type WriteEngine, WriteRun } from './write-run.js';
import { WriteState } from './write-state.js';

/** Everything has been sent afterwards: whoever goes on in the transaction shall not meet the failures of this write. */
export async function runSteps(engine: WriteEngine, work: TransactionWork, plan: WritePlan): Promise<WriteState> {
  const { state } = await beginSteps(engine, work, plan, null);
  await work.connection.flush();
  return state;
}

/**
 * The same, but what may wait still waits. `answer`: what the insert of the one item of the plan shall tell of it; `text` is null when no
 * statement can tell it.
 */
export async function beginSteps(
  engine: WriteEngine,
  work: TransactionWork,
  plan: WritePlan,
  answer: NewItemAnswer | null,
): Promise<{ readonly state: WriteState; readonly text: Pending<string | null> | null }> {
  const run = new WriteRun(engine, work, plan, new WriteState(plan));
  const answering = answer === null ? null : lastInsert(plan);
  const waiting = firstWaiting(run, plan);
  for (const [index, step] of plan.steps.entries()) {
    if (answer !== null && step === answering) return { state: run.state, text: await runAnsweringInsert(run, answering, answer) };
    await runStep(run, step, index >= waiting);
  }
  return { state: run.state, text: null };
}

/** The step that makes the one item of the plan, when nothing comes after it. */
function lastInsert({ steps, roots }: WritePlan): InsertStep | null {
  const step = steps.at(-1);
  return step?.kind === 'insert' && step.rows.length === 1 && step.rows[0]?.item === roots[0] && step.rows[0]?.when === 'always'
    ? step
    : null;
}

function runStep(run: WriteRun, step: WriteStep, waits: boolean): Promise<void> {
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
      return runInsert(run, step, waits);
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
