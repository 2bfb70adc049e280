// Imports a file of items into a collection: streams it, writes batches in one transaction, all or nothing. If a batch is refused, a dry
// run writes the rows of that batch one by one, to name the row in the error.

import { createReadStream } from 'node:fs';
import { type Caller, lookUpCollection } from '../../../core/access/view.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { type ErrorEntry, invalidPayload, ServiceError, unreachable } from '../../../core/errors/service-error.js';
import type { Collection } from '../../../core/schema/schema.js';
import { parseCsvItems } from './csv-items.js';
import { parseJsonItems, parseJsonLines } from './json-items.js';

export type ImportFormat = 'csv' | 'json' | 'ndjson';

export interface ImportFile {
  /** The temporary file. */
  readonly path: string;
  readonly format: ImportFormat;
  /** A digest of its content. */
  readonly digest: string;
}

const batchSize = 200;

/** `transact` opens the transaction for the whole import. */
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

/** The refusal of a batch, and the number of rows before the batch. */
class BatchRefused extends Error {
  readonly error: ServiceError;
  readonly before: number;

  constructor(error: ServiceError, before: number) {
    super(error.message);
    this.error = error;
    this.before = before;
  }
}

/** From the row `singleFrom` on, each row is a batch. */
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
      // The transaction finds errors that call for a retry by their cause.
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

/** `index` is a place in a batch, of which clients do not know. */
function atRow({ entries: [first, ...rest], cause }: ServiceError, row: number): ServiceError {
  const place = ({ message, extensions: { index: _, ...extensions }, ...entry }: ErrorEntry): ErrorEntry => ({
    ...entry,
    message: `Row ${row}: ${message}`,
    extensions: { ...extensions, row },
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

/** The format by the declared type, else by the file name; null if it is not supported. */
export const formatOf = (type: string, name: string): ImportFormat | null =>
  (formats.find(({ types }) => types.test(type)) ?? formats.find(({ names }) => names.test(name)))?.format ?? null;
