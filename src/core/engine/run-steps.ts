// Runs a write plan step by step inside a transaction.

import type { WritePlan, WriteStep } from '../plan/write-steps.js';
import { canTell } from '../sql/insert-to-sql.js';
import { runCheck, runCheckLinks, runFetch, runFind, runLast, runList } from './run-checks.js';
import { type InsertStep, type NewTexts, runAnsweringInsert, runInsert } from './run-insert.js';
import { runLink, runUnlink } from './run-lists.js';
import { deleteRows, runUpdate } from './run-update.js';
import type { TransactionWork } from './transaction.js';
import { firstWaiting } from './waiting-steps.js';
import { type NewItemAnswer, type WriteEngine, WriteRun } from './write-run.js';
import { WriteState } from './write-state.js';

/** Everything has been sent afterwards: whoever goes on in the transaction shall not meet the failures of this write. */
export async function runSteps(
  engine: WriteEngine,
  work: TransactionWork,
  plan: WritePlan,
  answer: NewItemAnswer | null = null,
): Promise<BegunSteps> {
  const begun = await beginSteps(engine, work, plan, answer);
  await work.connection.flush();
  return begun;
}

export interface BegunSteps {
  readonly state: WriteState;
  /** Null when nothing was asked or no statement can tell it. */
  readonly texts: NewTexts | null;
}

/** The same, but what may wait still waits. `answer`: what the items of the request shall tell of themselves as they are made. */
export async function beginSteps(
  engine: WriteEngine,
  work: TransactionWork,
  plan: WritePlan,
  answer: NewItemAnswer | null,
): Promise<BegunSteps> {
  const run = new WriteRun(engine, work, plan, new WriteState(plan));
  const answering = answer === null ? null : lastInsert(plan, answer);
  const waiting = firstWaiting(run, plan);
  for (const [index, step] of plan.steps.entries()) {
    if (answer !== null && step === answering)
      return { state: run.state, texts: await runAnsweringInsert(run, answering, index >= waiting, answer) };
    await runStep(run, step, index >= waiting);
  }
  return { state: run.state, texts: null };
}

/** The step that makes the items of the request, when nothing comes after it and it can tell the answer. */
function lastInsert({ steps, roots }: WritePlan, { answer }: NewItemAnswer): InsertStep | null {
  const step = steps.at(-1);
  if (step?.kind !== 'insert' || step.rows.length !== roots.length || !canTell(answer, roots.length)) return null;
  return step.rows.every((row, index) => row.item === roots[index] && row.when === 'always') ? step : null;
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
