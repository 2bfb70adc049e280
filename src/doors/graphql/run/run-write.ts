// A writing root field: one transaction, in which the answer is read, too.

import type { Pending } from '../../../core/engine/gathering-connection.js';
import type { TransactionWork } from '../../../core/engine/transaction.js';
import type { Key } from '../../../core/engine/work.js';
import { unreachable } from '../../../core/errors/service-error.js';
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

async function writeAndRead(run: RunContext, work: TransactionWork, task: Write): Promise<Pending<string>> {
  const { write, parsed, field, nodes } = task;
  const { collection } = write;
  const { reader, writer } = run.engines;
  if (write.kind === 'delete-one' || write.kind === 'delete-many') {
    await writer.delete(work, collection, write.keys);
    return () => JSON.stringify(projectValue(run.compile, field.type, nodes, { id: write.keys[0], ids: write.keys }));
  }
  if (write.kind === 'create-one') {
    const wanted = parsed === null ? null : reader.newItem(work, collection, parsed);
    const { key, text } = await writer.createOne(work, collection, write.payloads[0], wanted);
    return text === null ? readOne(run, work, collection, parsed, key) : orNull(text);
  }
  if (write.kind === 'create-many' && parsed !== null) {
    const { keys, texts } = await writer.createMany(work, collection, write.payloads, reader.newItems(work, collection, parsed));
    return texts === null ? readList(run, work, collection, parsed, keys) : () => `[${texts.join(',')}]`;
  }
  const keys = await writeItems(run, work, write);
  if (parsed !== null && isList(write)) return readList(run, work, collection, parsed, keys);
  const [key] = keys;
  return key === undefined ? () => 'null' : readOne(run, work, collection, parsed, typeof key === 'object' ? key : [key]);
}

/** What was written may be outside of what the caller may read. */
const orNull =
  (text: Pending<string | null>): Pending<string> =>
  () =>
    text() ?? 'null';

const isList = ({ kind }: WriteTask): boolean => kind === 'create-many' || kind === 'update-many' || kind === 'update-batch';

async function writeItems({ engines: { writer } }: RunContext, work: TransactionWork, write: WriteTask): Promise<readonly Key[]> {
  const { kind, collection, keys, payloads } = write;
  switch (kind) {
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
    case 'create-one':
    case 'delete-one':
    case 'delete-many':
      throw new Error(`${kind} has a way of its own`);
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
): Promise<Pending<string>> {
  const items = keys.length === 0 ? '' : await reader.itemsInOrder(work, collection, parsed, keys);
  return () => `[${items}]`;
}

/** Without a query nothing is read. */
async function readOne(
  { engines: { reader } }: RunContext,
  work: TransactionWork,
  collection: string,
  parsed: ParsedQuery | null,
  key: readonly unknown[],
): Promise<Pending<string>> {
  return parsed === null ? () => 'true' : orNull(await reader.itemLater(work, collection, key, parsed));
}
