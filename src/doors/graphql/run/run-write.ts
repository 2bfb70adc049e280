// A writing root field: one transaction, in which the answer is read, too.

import type { TransactionWork } from '../../../core/engine/transaction.js';
import type { Key } from '../../../core/engine/work.js';
import { ServiceError, unreachable } from '../../../core/errors/service-error.js';
import type { ParsedQuery } from '../../../core/query/query.js';
import { ownKey } from '../../../service/auth/own-account.js';
import type { RootField, RootTask, WriteTask } from '../compile/root-field.js';
import { answerOnce } from './answer-once.js';
import { projectValue } from './project-value.js';
import type { RunContext } from './run-context.js';

type Write = Extract<RootTask, { kind: 'write' }>;

export async function runWrite(run: RunContext, field: RootField, task: Write): Promise<string> {
  const { write, parsed } = task;
  // What the answer may not name is refused before anything is written.
  if (parsed !== null) run.engines.reader.check(run.work, write.collection, parsed);
  return answerOnce(run, field, (work) => writeAndRead(run, work, task));
}

async function writeAndRead(run: RunContext, work: TransactionWork, task: Write): Promise<string> {
  const { write, parsed, field, nodes } = task;
  const { collection } = write;
  if (write.kind === 'delete-one' || write.kind === 'delete-many') {
    await run.engines.writer.delete(work, collection, write.keys);
    return JSON.stringify(projectValue(run.compile, field.type, nodes, { id: write.keys[0], ids: write.keys }));
  }
  const keys = await writeItems(run, work, write);
  if (parsed === null) return 'true';
  return isList(write) ? readList(run, work, collection, parsed, keys) : readOne(run, work, collection, parsed, keys[0]);
}

const isList = ({ kind }: WriteTask): boolean => kind === 'create-many' || kind === 'update-many' || kind === 'update-batch';

async function writeItems({ engines: { writer } }: RunContext, work: TransactionWork, write: WriteTask): Promise<readonly Key[]> {
  const { kind, collection, keys, payloads } = write;
  switch (kind) {
    case 'create-one':
    case 'create-many':
      return writer.create(work, collection, payloads);
    case 'update-own':
      return writer.update(work, collection, [ownKey(work.caller)], payloads[0]);
    case 'update-one':
    case 'update-many':
      return writer.update(work, collection, keys, payloads[0]);
    case 'update-batch':
      return writer.updateBatch(work, collection, payloads);
    case 'update-singleton':
      return [await writer.updateSingleton(work, collection, payloads[0])];
    case 'delete-one':
    case 'delete-many':
      throw new Error('a deletion answers no items');
    default:
      return unreachable(kind);
  }
}

async function readList(
  { engines: { reader } }: RunContext,
  work: TransactionWork,
  collection: string,
  parsed: ParsedQuery,
  keys: readonly Key[],
): Promise<string> {
  return keys.length === 0 ? '[]' : `[${await reader.itemsInOrder(work, collection, parsed, keys)}]`;
}

async function readOne(
  run: RunContext,
  work: TransactionWork,
  collection: string,
  parsed: ParsedQuery,
  key: Key | undefined,
): Promise<string> {
  if (key === undefined) return 'null';
  try {
    return await run.engines.reader.item(work, collection, typeof key === 'object' ? key : [key], parsed);
  } catch (error) {
    // Written, and outside of what the caller may read.
    if (error instanceof ServiceError && error.code === 'FORBIDDEN') return 'null';
    throw error;
  }
}
