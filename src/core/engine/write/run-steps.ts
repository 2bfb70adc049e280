// Runs a write plan step by step inside a transaction.

import { canAnswer } from '../../pipeline/insert-to-sql.js';
import type { WritePlan, WriteStep } from '../../plan/write/write-steps.js';
import type { TransactionWork } from '../work/transaction.js';
import type { NewItemAnswer } from '../work/work.js';
import { deferredFrom } from './deferred-inserts.js';
import { runCheck, runCheckLinks, runFetch, runFind, runLast, runList, runSharedColumns } from './run-checks.js';
import { type InsertStep, type NewTexts, runAnsweringInsert, runInsert } from './run-insert.js';
import { runLink, runUnlink } from './run-lists.js';
import { deleteRows, runUpdate } from './run-update.js';
import { type WriteEngine, WriteRun } from './write-run.js';
import { WriteState } from './write-state.js';

/** Sends everything before it resolves: a failure of this write must not surface in a later call of the same transaction. */
export async function runSteps(
  engine: WriteEngine,
  work: TransactionWork,
  plan: WritePlan,
  answer: NewItemAnswer | null = null,
): Promise<StartedSteps> {
  const started = await beginSteps(engine, work, plan, answer);
  await work.connection.flush();
  return started;
}

export interface StartedSteps {
  readonly state: WriteState;
  /** null when no answer was asked for, or no INSERT can return it. */
  readonly texts: NewTexts | null;
}

/** The same, but deferred inserts stay queued. `answer`: what the INSERTs of the root items return. */
export async function beginSteps(
  engine: WriteEngine,
  work: TransactionWork,
  plan: WritePlan,
  answer: NewItemAnswer | null,
): Promise<StartedSteps> {
  const run = new WriteRun(engine, work, plan, new WriteState(plan));
  const answering = answer === null ? null : lastInsert(plan, answer);
  const deferred = deferredFrom(run, plan);
  for (const [index, step] of plan.steps.entries()) {
    if (answer !== null && step === answering)
      return { state: run.state, texts: await runAnsweringInsert(run, answering, index >= deferred, answer) };
    await runStep(run, step, index >= deferred);
  }
  return { state: run.state, texts: null };
}

/** The step that inserts the root items, if it is the last one and can return the answer. */
function lastInsert({ steps, roots }: WritePlan, { answer }: NewItemAnswer): InsertStep | null {
  const step = steps.at(-1);
  if (step?.kind !== 'insert' || step.rows.length !== roots.length || !canAnswer(answer, roots.length)) return null;
  return step.rows.every((row, index) => row.item === roots[index] && row.when === 'always') ? step : null;
}

function runStep(run: WriteRun, step: WriteStep, deferred: boolean): Promise<void> {
  switch (step.kind) {
    case 'find':
      return runFind(run, step);
    case 'check':
      return runCheck(run, step);
    case 'check-links':
      return runCheckLinks(run, step);
    case 'fetch':
      return runFetch(run, step);
    case 'check-shared':
      return runSharedColumns(run, step);
    case 'insert':
      return runInsert(run, step, deferred);
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
