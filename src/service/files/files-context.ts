// What file functions work with.

import type { Caller } from '../../core/access/view.js';
import type { Reader } from '../../core/engine/reader.js';
import type { Work } from '../../core/engine/work.js';
import type { QueryLimits } from '../../core/query/query.js';
import type { Storages } from './storage.js';
import type { Turnstile } from './turnstile.js';

interface FilesOptions {
  /** Bytes of the largest content. */
  readonly uploadLimit: number;
  /** How long fetching a content from elsewhere may take. */
  readonly importTimeoutMs: number;
  /** Addresses or blocks that are not public and may be fetched from all the same. */
  readonly importAllow: readonly string[];
}

export interface FilesContext {
  readonly storages: Storages;
  readonly reader: Reader;
  readonly limits: QueryLimits;
  readonly options: FilesOptions;
  /** The service itself, with the schema of this moment. */
  readonly serviceCaller: () => Caller;
  /** Images are worked on a few at a time. */
  readonly imageTurns: Turnstile;
  /** Contents that wait for the write they belong to, by the caller made for it. */
  readonly pending: WeakMap<Caller, PendingContents>;
  /** A content that could not be removed. */
  readonly report: (error: unknown) => void;
}

/** What is known of a stored content besides its payload, in the order of the items it belongs to. */
interface PendingContents {
  readonly facts: readonly ContentFacts[];
  kept: boolean;
}

export interface ContentFacts {
  readonly storage: string;
  readonly filename_disk: string;
  readonly filesize: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly uploaded_on: string;
}

/** The same work with the rights of the service. */
export const asService = (context: FilesContext, work: Work): Work => ({ ...work, caller: context.serviceCaller() });

export const filesCollection = 'service_files';
