// A root field that is an operation of the service.

import { isListType, isNonNullType, isObjectType, OperationTypeNode } from 'graphql';
import { compileQuery } from '../compile/compile-read.js';
import type { RootField, RootTask } from '../compile/root-field.js';
import type { Operation } from '../operations/operation.js';
import { answerOnceApart } from './answer-once.js';
import { projectValue } from './project-value.js';
import type { RunContext } from './run-context.js';

type Task = Extract<RootTask, { kind: 'operation' }>;

export async function runOperationField(run: RunContext, field: RootField, task: Task): Promise<string> {
  const operation = run.engines.operations.get(task.name);
  if (operation === undefined) throw new Error(`there is no operation ${task.name}`);
  const act = (): Promise<string> => answer(run, operation, task);
  return operation.once === true ? answerOnceApart(run, field, act) : act();
}

async function answer(run: RunContext, operation: Operation, task: Task): Promise<string> {
  const value = await call(run, operation, task);
  const read = operation.reads === undefined ? null : await readItems(run, operation.reads, task, value);
  return read ?? JSON.stringify(projectValue(run.compile, task.field.type, task.nodes, value));
}

function call(run: RunContext, operation: Operation, { args }: Task): Promise<unknown> {
  const { work, request, reply } = run;
  const start = async (): Promise<unknown> => operation.run({ args, caller: work.caller, work, request, reply });
  if (run.operation.operation !== OperationTypeNode.QUERY) return start();
  const question = JSON.stringify([operation.name, args]);
  const shared = run.shared.get(question) ?? start();
  run.shared.set(question, shared);
  return shared;
}

/** The items of the keys an operation answers; null when the caller gets the keys themselves. */
async function readItems(run: RunContext, collection: string, { field, nodes }: Task, keys: unknown): Promise<string | null> {
  const type = isNonNullType(field.type) ? field.type.ofType : field.type;
  const { reader } = run.engines;
  if (isObjectType(type)) return reader.item(run.work, collection, [keys], compileQuery(run.compile, field, nodes, {}));
  if (!isListType(type) || !Array.isArray(keys)) return null;
  return `[${(await reader.items(run.work, collection, compileQuery(run.compile, field, nodes, {}), keys)).items}]`;
}
