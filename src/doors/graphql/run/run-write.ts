// Runs a root field that writes: the write and the read of its answer share one transaction.

import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { AfterFlush, Key } from '../../../core/engine/work/work.js';
import { unreachable } from '../../../core/errors/service-error.js';
import type { ParsedQuery } from '../../../core/query/query.js';
import type { WriteTask } from '../compile/root-task.js';
import { answerOnce } from './answer-once.js';
import { projectValue } from './project-value.js';
import type { RunContext } from './run-context.js';

export async function runWrite(run: RunContext, field: string, task: WriteTask): Promise<string> {
  // A selection that the caller may not read is refused before anything is written.
  if (task.answer.kind === 'items') run.deps.reader.check(run.work, task.collection, task.answer.parsed);
  return answerOnce(run, field, (work) => writeAndRead(run, work, task));
}

async function writeAndRead(run: RunContext, work: TransactionWork, task: WriteTask): Promise<AfterFlush<string>> {
  const { write, collection, keys: given, payloads, answer } = task;
  const { reader, writer } = run.deps;
  if (answer.kind === 'keys') {
    await writer.delete(work, collection, given);
    return () => JSON.stringify(projectValue(answer.projection, { id: given[0], ids: given }));
  }
  const parsed = answer.kind === 'items' ? answer.parsed : null;
  if (write === 'create-one') {
    const wanted = parsed === null ? null : reader.newItem(work, collection, parsed);
    const { key, text } = await writer.createOne(work, collection, payloads[0], wanted);
    return text === null ? readOne(run, work, collection, parsed, key) : orNull(text);
  }
  if (write === 'create-many' && parsed !== null) {
    const { keys, texts } = await writer.createMany(work, collection, payloads, reader.newItems(work, collection, parsed));
    return texts === null ? readList(run, work, collection, parsed, keys) : () => `[${texts.join(',')}]`;
  }
  const keys = await writeItems(run, work, task);
  if (parsed === null) return () => 'true';
  if (answersList(task)) return readList(run, work, collection, parsed, keys);
  const [key] = keys;
  return key === undefined ? () => 'null' : readOne(run, work, collection, parsed, typeof key === 'object' ? key : [key]);
}

/** The caller may not be allowed to read what was written. */
const orNull =
  (text: AfterFlush<string | null>): AfterFlush<string> =>
  () =>
    text() ?? 'null';

const answersList = ({ write }: WriteTask): boolean => write === 'create-many' || write === 'update-many' || write === 'update-batch';

async function writeItems({ deps: { writer } }: RunContext, work: TransactionWork, task: WriteTask): Promise<readonly Key[]> {
  const { write, collection, keys, payloads } = task;
  switch (write) {
    case 'create-many':
      return writer.create(work, collection, payloads);
    case 'update-one':
    case 'update-many':
      return writer.update(work, collection, keys, payloads[0]);
    case 'update-batch':
      return writer.updateBatch(work, collection, payloads);
    case 'update-singleton':
      return [await writer.updateSingleton(work, collection, payloads[0])];
    case 'create-one':
    case 'delete-one':
    case 'delete-many':
      throw new Error(`${write} is handled by writeAndRead`);
    default:
      return unreachable(write);
  }
}

async function readList(
  { deps: { reader } }: RunContext,
  work: TransactionWork,
  collection: string,
  parsed: ParsedQuery,
  keys: readonly Key[],
): Promise<AfterFlush<string>> {
  const items = keys.length === 0 ? '' : await reader.itemsInOrder(work, collection, parsed, keys);
  return () => `[${items}]`;
}

/** Without a query nothing is read, and the answer is `true`. */
async function readOne(
  { deps: { reader } }: RunContext,
  work: TransactionWork,
  collection: string,
  parsed: ParsedQuery | null,
  key: readonly unknown[],
): Promise<AfterFlush<string>> {
  return parsed === null ? () => 'true' : orNull(await reader.enqueueItem(work, collection, key, parsed));
}
