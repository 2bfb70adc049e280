// A file of items into a collection: read in pieces, written in batches, all or nothing. When a batch is refused, the file is gone through
// once more without keeping anything, to tell which row it was.

import { createReadStream } from 'node:fs';
import { type Caller, lookUpCollection } from '../../core/access/view.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import type { Writer } from '../../core/engine/writer.js';
import { type ErrorEntry, invalidPayload, ServiceError, unreachable } from '../../core/errors/service-error.js';
import type { Collection } from '../../core/schema/schema.js';
import { parseCsvItems } from './csv-items.js';
import { parseJsonItems, parseJsonLines } from './json-items.js';

export type ImportFormat = 'csv' | 'json' | 'ndjson';

export interface ImportFile {
  /** Where the file lies while it is imported. */
  readonly path: string;
  readonly format: ImportFormat;
  /** Of its content. */
  readonly digest: string;
}

const batchSize = 200;

/** `transact` gives the transaction that all is written in. */
export async function importItems<T>(
  writer: Writer,
  caller: Caller,
  name: string,
  file: ImportFile,
  transact: (write: (work: TransactionWork) => Promise<void>) => Promise<T>,
): Promise<T> {
  const collection = lookUpCollection(caller.view, name, 'create');
  try {
    return await transact((work) => writeAll(writer, work, collection, file));
  } catch (error) {
    if (error instanceof BatchRefused) throw await findRow(writer, caller, collection, file, error);
    throw error;
  }
}

/** What was refused, and how many rows stood before it. */
class BatchRefused extends Error {
  readonly error: ServiceError;
  readonly before: number;

  constructor(error: ServiceError, before: number) {
    super(error.message);
    this.error = error;
    this.before = before;
  }
}

/** `singleFrom`: from this row on each is a batch of its own. */
async function writeAll(
  writer: Writer,
  work: TransactionWork,
  collection: Collection,
  file: ImportFile,
  singleFrom = Number.POSITIVE_INFINITY,
): Promise<void> {
  let done = 0;
  let batch: unknown[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    try {
      await writer.create(work, collection.name, batch);
    } catch (error) {
      // What the database wants tried again is told by the cause, and tried by the transaction.
      throw error instanceof ServiceError ? new BatchRefused(error, done) : error;
    }
    done += batch.length;
    batch = [];
  };
  for await (const item of readItems(collection, file)) {
    batch.push(item);
    if (batch.length >= batchSize || done + batch.length > singleFrom) await flush();
  }
  await flush();
}

async function findRow(
  writer: Writer,
  caller: Caller,
  collection: Collection,
  file: ImportFile,
  refused: BatchRefused,
): Promise<ServiceError> {
  try {
    await writer.transaction(caller, (work) => writeAll(writer, work, collection, file, refused.before), { dryRun: true });
  } catch (error) {
    if (error instanceof BatchRefused) return atRow(error.error, error.before + 1);
    throw error;
  }
  return refused.error;
}

function atRow({ entries: [first, ...rest], cause }: ServiceError, row: number): ServiceError {
  const place = (entry: ErrorEntry): ErrorEntry => ({
    ...entry,
    message: `Row ${row}: ${entry.message}`,
    extensions: { ...entry.extensions, row },
  });
  return new ServiceError([place(first), ...rest.map(place)], { cause });
}

function readItems(collection: Collection, { path, format }: ImportFile): AsyncIterable<unknown> {
  const text = readText(path);
  switch (format) {
    case 'csv':
      return parseCsvItems(text, collection);
    case 'json':
      return parseJsonItems(text);
    case 'ndjson':
      return parseJsonLines(text);
    default:
      return unreachable(format);
  }
}

async function* readText(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Uint8Array, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? invalidPayload('The file is not valid UTF-8.') : error;
  }
}

const formats: readonly { readonly format: ImportFormat; readonly types: RegExp; readonly names: RegExp }[] = [
  { format: 'csv', types: /^(text\/csv|application\/(csv|vnd\.ms-excel))\b/, names: /\.csv$/i },
  { format: 'ndjson', types: /^application\/(x-)?(ndjson|jsonl|json-lines|jsonlines)\b/, names: /\.(ndjson|jsonl)$/i },
  { format: 'json', types: /^application\/json\b/, names: /\.json$/i },
];

/** By the declared type, else by the name; null: none of ours. */
export const formatOf = (type: string, name: string): ImportFormat | null =>
  (formats.find(({ types }) => types.test(type)) ?? formats.find(({ names }) => names.test(name)))?.format ?? null;
