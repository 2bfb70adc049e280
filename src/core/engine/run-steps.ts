// Runs a write plan step by step inside a transaction.

import type { WritePlan, WriteStep } from '../plan/write-steps.js';
import { runCheck, runCheckLinks, runFetch, runFind, runLast, runList } from './run-checks.js';
import { runInsert } from './run-insert.js';
import { runLink, runUnlink } from './run-lists.js';
import { deleteRows, runUpdate } from './run-update.js';
import type { TransactionWork } from './transaction.js';
import { type WriteEngine, WriteRun } from './write-run.js';
import { WriteState } from './write-state.js';

export async function runSteps(engine: WriteEngine, work: TransactionWork, plan: WritePlan): Promise<WriteState> {
  const run = new WriteRun(engine, work, new WriteState(plan));
  for (const step of plan.steps) await runStep(run, step);
  return run.state;
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
