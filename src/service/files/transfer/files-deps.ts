// The dependencies of all operations on files.

import type { Caller } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { Work } from '../../../core/engine/work/work.js';
import type { QueryLimits } from '../../../core/query/query.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { ImagePool } from '../images/image-pool.js';
import type { Storages } from '../storage/storage.js';

interface FilesOptions {
  /** The most bytes of a content. */
  readonly uploadLimit: number;
  /** The time limit for fetching a content from a URL. */
  readonly importTimeoutMs: number;
  /** Addresses and blocks that are not public and may be fetched from nevertheless. */
  readonly importAllow: readonly string[];
  /** The transformations that anonymous callers may request: named presets only, or all that the project's settings allow. */
  readonly publicTransformations: 'presets' | 'all';
}

export interface FilesDeps {
  readonly storages: Storages;
  readonly reader: Reader;
  /** For reads outside of a request's transaction. */
  readonly connection: Connection;
  readonly limits: QueryLimits;
  readonly options: FilesOptions;
  /** The service as caller, with the current schema. */
  readonly serviceCaller: () => Caller;
  readonly images: ImagePool;
  /** Stored contents whose items are not written yet, by the caller object made for that write (keep-contents.ts). */
  readonly pending: WeakMap<Caller, PendingContents>;
  /** Receives the error of a content that could not be removed. */
  readonly report: (error: unknown) => void;
}

/** The facts of stored contents in the order of their items; `kept` becomes true when the write commits. */
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

/** The same work with the permissions of the service. */
export const asService = (deps: FilesDeps, work: Work): Work => ({ ...work, caller: deps.serviceCaller() });

export const filesCollection = 'service_files';
