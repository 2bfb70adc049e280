// Runs the task of one root field and answers its JSON text. The text of items comes from the database and is passed through.

import { executeSync } from 'graphql';
import { lookUpCollection } from '../../../core/access/view.js';
import { parseKeyValue } from '../../../core/engine/read/item-key.js';
import { unreachable } from '../../../core/errors/service-error.js';
import { emptyParsedQuery } from '../../../core/query/query.js';
import type { RootField, RootTask } from '../compile/root-task.js';
import { projectValue } from './project-value.js';
import type { RunContext } from './run-context.js';
import { runOperationField } from './run-operation-field.js';
import { runWrite } from './run-write.js';
import { shapeGroups } from './shape-groups.js';

export async function runTask(run: RunContext, { key, task }: RootField): Promise<string> {
  const { reader } = run.deps;
  switch (task.kind) {
    case 'failed':
      throw task.error;
    case 'constant':
      return task.text;
    case 'introspection':
      return runIntrospection(task, key);
    case 'items':
      return `[${(await reader.items(run.work, task.collection, task.parsed)).items}]`;
    case 'singleton':
    case 'item':
      return runItem(run, task);
    case 'aggregated':
      return shapeGroups((await reader.items(run.work, task.collection, task.parsed)).items, task.shape);
    case 'version':
      return runVersion(run, task);
    case 'events':
      return 'null';
    case 'write':
      return runWrite(run, key, task);
    case 'operation':
      return runOperationField(run, key, task);
    default:
      return unreachable(task);
  }
}

/** Questions about the schema are the only ones that graphql-js executes. */
function runIntrospection({ schema, document, variables }: Extract<RootTask, { kind: 'introspection' }>, key: string): string {
  const { data, errors } = executeSync({ schema, document, variableValues: variables });
  if (errors?.[0] !== undefined) throw errors[0];
  return JSON.stringify(data?.[key] ?? null);
}

async function runItem({ deps, work }: RunContext, task: Extract<RootTask, { kind: 'singleton' | 'item' }>): Promise<string> {
  const { collection: name, version } = task;
  const [reader, parsed] = version === null ? [deps.reader, task.parsed] : [deps.versions, { ...task.parsed, version }];
  if (task.kind === 'singleton') return reader.singleton(work, name, parsed);
  return reader.item(work, name, parseKeyValue(lookUpCollection(work.caller.view, name, 'read'), task.id), parsed);
}

async function runVersion({ deps, work }: RunContext, task: Extract<RootTask, { kind: 'version' }>): Promise<string> {
  const { collection: name, id, version } = task;
  const reader = version === null ? deps.reader : deps.versions;
  const parsed = { ...emptyParsedQuery, version, versionRaw: true };
  const text =
    typeof id === 'string'
      ? await reader.item(work, name, parseKeyValue(lookUpCollection(work.caller.view, name, 'read'), id), parsed)
      : await reader.singleton(work, name, parsed);
  return JSON.stringify(projectValue(task.projection, JSON.parse(text)));
}
