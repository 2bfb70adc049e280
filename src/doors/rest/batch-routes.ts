// /batch: operations over several collections as one transaction. Each is what a request of its own would be; one that fails takes all
// back, and its error is the answer.

import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../core/access/view.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import { type ErrorEntry, forbiddenCollection, invalidPayload, ServiceError } from '../../core/errors/service-error.js';
import { parseUrlQuery } from '../../core/query/parse-url-query.js';
import { resources } from '../../service/system/resources.js';
import { resolveReferences } from '../../service/utilities/batch-references.js';
import { type Batch, type BatchOperation, parseBatch } from '../../service/utilities/parse-batch.js';
import { routeNotFound } from '../http/answer-error.js';
import { answerOnce } from './answer-once.js';
import { collectionOf } from './item-target.js';
import type { WriteDoor } from './write-door.js';
import { prepareWrite } from './write-operation.js';

export function addBatchRoutes(app: FastifyInstance, door: WriteDoor): void {
  app.post('/batch', async (request, reply) => {
    const batch = parseBatch(request.body);
    return answerOnce(door, request, reply, (work) => runBatch(door, work, batch), { choices: { dryRun: batch.dryRun } });
  });
}

export async function runBatch(door: WriteDoor, work: TransactionWork, { operations }: Batch) {
  const answers = new Map<string, unknown>();
  const texts: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const text = await runOperation(door, work.caller, work, operation, answers).catch((error: unknown) => {
      throw atOperation(error, index);
    });
    if (operation.id !== null) answers.set(operation.id, text === null ? null : JSON.parse(text));
    texts.push(text === null ? '{"status":204,"body":null}' : `{"status":200,"body":${text}}`);
  }
  return { status: 200, text: `{"data":[${texts.join(',')}]}` };
}

/** The text of the answer; null when there is none. */
async function runOperation(
  door: WriteDoor,
  caller: Caller,
  work: TransactionWork,
  operation: BatchOperation,
  answers: ReadonlyMap<string, unknown>,
): Promise<string | null> {
  const { method, path } = operation;
  const target = targetOf(caller, path);
  if (method === 'GET') return readInside(door, work, target);
  if (target.readOnly) throw routeNotFound(path);
  const body = resolveReferences(operation.body, answers);
  const answer = await prepareWrite(door, caller, { ...target, method, body, ifMatch: null, url: path })(work);
  await work.connection.flush();
  return answer().text;
}

async function readInside(door: WriteDoor, work: TransactionWork, { collection, segment, query }: Target): Promise<string> {
  const parsed = parseUrlQuery(query, door.limits);
  if (parsed.export !== null || parsed.explain || parsed.version !== null) throw invalidPayload('A batch reads items as JSON only.');
  if (segment !== null) return `{"data":${await door.reader.itemBySegment(work, collection, segment, parsed)}}`;
  if (collectionOf(work.caller, collection)?.singleton === true) return `{"data":${await door.reader.singleton(work, collection, parsed)}}`;
  const { items, meta } = await door.reader.items(work, collection, parsed);
  return meta === null ? `{"data":[${items}]}` : `{"data":[${items}],"meta":${meta}}`;
}

interface Target {
  readonly collection: string;
  readonly segment: string | null;
  readonly query: string;
  readonly readOnly: boolean;
}

/** `/items/books/1?fields=id` or `/users/…`; other paths are no items. */
function targetOf(caller: Caller, path: string): Target {
  const [plain = '', query = ''] = splitOnce(path, '?');
  const [first = '', ...rest] = plain.split('/').filter((part) => part !== '');
  const resource = resources.find((entry) => entry.path === first);
  if (resource === undefined && first !== 'items') throw routeNotFound(path);
  const [name, segments] = resource === undefined ? [decode(rest[0] ?? ''), rest.slice(1)] : [resource.collection, rest];
  if (name === '' || segments.length > 1) throw routeNotFound(path);
  if (resource === undefined && collectionOf(caller, name)?.system !== false) throw forbiddenCollection(name);
  return { collection: name, segment: segments[0] ?? null, query, readOnly: resource?.readOnly ?? false };
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidPayload('A path of the batch is not percent-encoded UTF-8.');
  }
}

function atOperation(error: unknown, operation: number): unknown {
  if (!(error instanceof ServiceError)) return error;
  const place = (entry: ErrorEntry): ErrorEntry => ({ ...entry, extensions: { ...entry.extensions, operation } });
  const [first, ...rest] = error.entries;
  return new ServiceError([place(first), ...rest.map(place)], { cause: error.cause });
}
