// A batch: operations over several collections in one transaction. Each does what a request to its path would do; one that fails rolls all
// of them back, and its error is the answer.

import type { Caller } from '../../../core/access/view.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import { type ErrorEntry, forbiddenCollection, invalidPayload, routeNotFound, ServiceError } from '../../../core/errors/service-error.js';
import { parseUrlQuery } from '../../../core/query/parse/parse-url-query.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import { resources } from '../../system/resources.js';
import { collectionOf, type ItemDeps, keyOfSegment } from '../items/item-target.js';
import { prepareWrite } from '../items/write-operation.js';
import { checkValues, readCondition } from './batch-conditions.js';
import type { BatchStep } from './batch-step.js';

/** The JSON text of what the operations answered, in their order. */
export async function runBatch(deps: ItemDeps, work: TransactionWork, operations: readonly BatchStep[]): Promise<string> {
  const answers = new Map<string, unknown>();
  const texts: string[] = [];
  await deps.writer.lockInOrder(work, itemsToChange(work.caller, operations));
  for (const [index, operation] of operations.entries()) {
    const text = await runOperation(deps, work.caller, work, operation, answers).catch((error: unknown) => {
      throw atOperation(error, index);
    });
    if (operation.id !== null) answers.set(operation.id, text === null ? null : JSON.parse(text));
    texts.push(text === null ? '{"status":204,"body":null}' : `{"status":200,"body":${text}}`);
  }
  return `[${texts.join(',')}]`;
}

/**
 * The items that the batch will change, by collection, as far as their keys are known beforehand. They are locked in one order at the
 * start: batches that change the same items in different orders would deadlock otherwise.
 */
function itemsToChange(caller: Caller, operations: readonly BatchStep[]): ReadonlyMap<string, readonly unknown[]> {
  const changes = operations.filter(({ method }) => method === 'PATCH' || method === 'DELETE');
  const items = new Map<string, unknown[]>();
  if (changes.length < 2) return items;
  for (const { path, body } of changes) {
    try {
      const target = targetOf(caller, path);
      items.set(target.collection, [...(items.get(target.collection) ?? []), ...keysOfTarget(caller, target, body)]);
    } catch (error) {
      // Ignored here: the operation reports the error of its path when it runs.
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  return items;
}

const keysOfTarget = (caller: Caller, { collection, segment }: Target, body: unknown): readonly unknown[] =>
  segment === null ? keysInBody(caller, collection, body) : [keyOfSegment(caller, collection, segment)];

function keysInBody(caller: Caller, name: string, body: unknown): readonly unknown[] {
  const listed = isPlainObject(body) && Array.isArray(body['keys']) ? body['keys'] : body;
  if (!Array.isArray(listed)) return [];
  const key = collectionOf(caller, name)?.primaryKey ?? [];
  return listed.map((entry: unknown) => (isPlainObject(entry) ? readParts(entry, key) : entry));
}

/** The key of a listed item. */
function readParts(item: Readonly<Record<string, unknown>>, key: readonly string[]): unknown {
  const parts = key.map((field) => item[field]);
  return parts.length === 1 ? parts[0] : parts;
}

/** The text of the answer; null when there is none. */
async function runOperation(
  deps: ItemDeps,
  caller: Caller,
  work: TransactionWork,
  operation: BatchStep,
  answers: ReadonlyMap<string, unknown>,
): Promise<string | null> {
  const { method, path } = operation;
  const target = targetOf(caller, path);
  const condition = readCondition(operation.if_match);
  if (condition !== null && method !== 'PATCH' && method !== 'DELETE') throw invalidPayload('"if_match" is for PATCH and DELETE.');
  if (method === 'GET') return readInside(deps, work, target);
  if (target.readOnly) throw routeNotFound(path);
  const body = resolveReferences(operation.body, answers);
  if (condition?.kind === 'tag' && target.segment === null)
    throw invalidPayload('An entity tag in "if_match" needs a path that names one item.');
  const ifMatch = condition?.kind === 'tag' ? condition.tag : null;
  const write = prepareWrite(deps, caller, { ...target, method, body, ifMatch, url: path });
  if (condition !== null && condition.kind !== 'tag')
    await checkValues(deps, work, target.collection, keysOfTarget(caller, target, body), condition);
  const answer = await write(work);
  await work.connection.flush();
  return answer().text;
}

/** Replaces references such as `{"$ref": "a.data.id"}` by that value of the answer of operation "a". `answers`: the bodies so far, by their ids. */
export function resolveReferences(value: unknown, answers: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((entry) => resolveReferences(entry, answers));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === '$ref') return follow(entries[0][1], answers);
  return Object.fromEntries(entries.map(([name, entry]) => [name, resolveReferences(entry, answers)]));
}

function follow(reference: unknown, answers: ReadonlyMap<string, unknown>): unknown {
  if (typeof reference !== 'string') throw invalidPayload('"$ref" has to be a text such as "a.data.id".');
  const [id = '', ...path] = reference.split('.');
  if (!answers.has(id)) throw invalidPayload(`"$ref" names "${id.slice(0, 60)}", and no earlier operation has this id.`);
  let at = answers.get(id);
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step))
      throw invalidPayload(`"$ref" asks for "${reference.slice(0, 100)}", which the operation did not answer.`);
    at = (at as Readonly<Record<string, unknown>>)[step];
  }
  return at;
}

async function readInside(deps: ItemDeps, work: TransactionWork, { collection, segment, query }: Target): Promise<string> {
  const parsed = parseUrlQuery(query, deps.limits);
  if (parsed.export !== null || parsed.explain || parsed.version !== null) throw invalidPayload('A batch reads items as JSON only.');
  if (segment !== null) return `{"data":${await deps.reader.itemBySegment(work, collection, segment, parsed)}}`;
  if (collectionOf(work.caller, collection)?.singleton === true) return `{"data":${await deps.reader.singleton(work, collection, parsed)}}`;
  const { items, meta } = await deps.reader.items(work, collection, parsed);
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
