// Runs a root field that calls an operation of the service.

import { OperationTypeNode } from 'graphql';
import { JsonText } from '../../../service/operations/carried-values.js';
import type { RootTask } from '../compile/root-task.js';
import type { Operation } from '../operations/operation.js';
import { answerOnceApart, idempotencyKeyOf } from './answer-once.js';
import { projectValue } from './project-value.js';
import type { RunContext } from './run-context.js';

type OperationTask = Extract<RootTask, { kind: 'operation' }>;

export async function runOperationField(run: RunContext, key: string, task: OperationTask): Promise<string> {
  const operation = run.deps.operations.get(task.name);
  if (operation === undefined) throw new Error(`there is no operation ${task.name}`);
  const act = (): Promise<string> => answer(run, operation, key, task);
  return operation.once === true ? answerOnceApart(run, key, act) : act();
}

async function answer(run: RunContext, operation: Operation, key: string, task: OperationTask): Promise<string> {
  const value = await call(run, operation, key, task);
  const { answer } = task;
  if (value instanceof JsonText) return textOf(answer, value);
  if (answer.kind !== 'value') throw new Error(`the operation ${task.name} answers no items`);
  return JSON.stringify(projectValue(answer.projection, value));
}

/** JSON text is the answer where the selection was its query, and where there is nothing to select. */
function textOf(answer: OperationTask['answer'], { text }: JsonText): string {
  if (answer.kind !== 'value' || answer.projection.kind === 'leaf') return text;
  return JSON.stringify(projectValue(answer.projection, JSON.parse(text)));
}

/** Root fields of a query that make the same call share it. */
function call(run: RunContext, operation: Operation, key: string, { args, answer }: OperationTask): Promise<unknown> {
  const { work, request, reply } = run;
  const idempotencyKey = idempotencyKeyOf(run, key);
  const selected = answer.kind === 'value' ? null : answer.parsed;
  const start = async (): Promise<unknown> => operation.run({ args, caller: work.caller, work, request, reply, idempotencyKey, selected });
  // An operation that reads what is selected does not ask the same with another selection.
  if (run.operation.definition.operation !== OperationTypeNode.QUERY || operation.selects === true) return start();
  const question = JSON.stringify([operation.name, args]);
  const shared = run.shared.get(question) ?? start();
  run.shared.set(question, shared);
  return shared;
}
