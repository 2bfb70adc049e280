// Runs one root field and answers its JSON text. Items come from the database as the text they are answered with.

import { lookUpCollection } from '../../../core/access/view.js';
import { parseKeyValue } from '../../../core/engine/item-key.js';
import { unreachable } from '../../../core/errors/service-error.js';
import type { RootField, RootTask } from '../compile/root-field.js';
import { projectValue } from './project-value.js';
import type { RunContext } from './run-context.js';
import { runIntrospection } from './run-introspection.js';
import { runOperationField } from './run-operation-field.js';
import { overlayVersion, readVersion } from './run-version.js';
import { runWrite } from './run-write.js';
import { shapeGroups } from './shape-groups.js';

export async function runTask(run: RunContext, field: RootField, task: RootTask): Promise<string> {
  const { reader } = run.engines;
  switch (task.kind) {
    case 'constant':
      return task.text;
    case 'introspection':
      return runIntrospection(run, field.key, task.nodes);
    case 'items':
      return `[${(await reader.items(run.work, task.collection, task.parsed)).items}]`;
    case 'singleton':
    case 'item':
      return runItem(run, task);
    case 'aggregated':
      return shapeGroups((await reader.items(run.work, task.collection, task.parsed)).items, task.shape);
    case 'version': {
      const item = await readVersion(run, task.collection, task.id, task.version);
      return JSON.stringify(projectValue(run.compile, task.field.type, task.nodes, item));
    }
    case 'write':
      return runWrite(run, field, task);
    case 'operation':
      return runOperationField(run, field, task);
    default:
      return unreachable(task);
  }
}

async function runItem(run: RunContext, task: Extract<RootTask, { kind: 'singleton' | 'item' }>): Promise<string> {
  const { collection, parsed, version } = task;
  const text = await readItem(run, task);
  if (version === null) return text;
  return overlayVersion(run, { collection, parsed, version, id: task.kind === 'item' ? task.id : null }, text);
}

async function readItem(
  { engines: { reader }, work }: RunContext,
  task: Extract<RootTask, { kind: 'singleton' | 'item' }>,
): Promise<string> {
  if (task.kind === 'singleton') return reader.singleton(work, task.collection, task.parsed);
  const collection = lookUpCollection(work.caller.view, task.collection, 'read');
  return reader.item(work, task.collection, parseKeyValue(collection, task.id), task.parsed);
}
