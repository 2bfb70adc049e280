// Where contents lie. A storage knows names and bytes only; what a content means stands in its row of service_files. Names are made by
// the service (see content-name.ts), and every storage refuses others before it touches anything.

import type { Readable } from 'node:stream';

/** Both ends are included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface Storage {
  /** As the field `storage` of a file names it. */
  readonly name: string;
  /** All of it under that name, or nothing. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Bytes of a content; null when there is none of that name. */
  size(name: string): Promise<number | null>;
  /** Null when there is none of that name. Whoever asks has to read the stream or destroy it. */
  read(name: string, range?: ByteRange): Promise<Readable | null>;
  /** What is not there is removed already. */
  remove(name: string): Promise<void>;
  /** Everything whose name begins with the folder's. */
  removeFolder(folder: string): Promise<void>;
}

/** The storages by name; new contents go to the first. */
export type Storages = readonly [Storage, ...Storage[]];

export const findStorage = (storages: Storages, name: unknown): Storage | null => storages.find((storage) => storage.name === name) ?? null;
