// The port for storing the contents of files. A storage knows names and bytes only; everything else about a file is in its row of
// service_files. The service generates the names (content-name.ts), and every storage refuses other names before it does any I/O.

import type { Readable } from 'node:stream';

/** A range of bytes; both ends are inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface StoredContent {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

export interface Storage {
  /** The value of the field `storage` in its files. */
  readonly name: string;
  /** Stores the whole content under the name, or nothing if it fails. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** The size in bytes; null if there is no such content. */
  size(name: string): Promise<number | null>;
  /** Resolves to null if there is no such content. The caller must read the stream to its end or destroy it. */
  read(name: string, range?: ByteRange): Promise<Readable | null>;
  /** Does nothing if there is no such content. */
  remove(name: string): Promise<void>;
  /** The contents of all folders with this prefix (`variants-`), or of one folder (`variants-x/`). */
  list(prefix: string): AsyncIterable<StoredContent>;
  /** Removes a folder with all its contents. */
  removeFolder(folder: string): Promise<void>;
}

/** New contents go to the first storage; files name theirs in `storage`. */
export type Storages = readonly [Storage, ...Storage[]];

export const findStorage = (storages: Storages, name: unknown): Storage | null => storages.find((storage) => storage.name === name) ?? null;

/** Reads a stream into one buffer. Only for contents whose size was checked before. */
export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
