// The storages of this service: the folder, and the bucket when one is configured, which then takes what is new.

import { openLocalStorage } from './local-storage.js';
import { openS3Storage } from './s3-storage.js';
import type { Storages } from './storage.js';

export interface StorageOptions {
  readonly root: string;
  /** s3://key:secret@bucket/prefix?region=…&endpoint=… */
  readonly bucketUrl: string | null;
}

export async function openStorages({ root, bucketUrl }: StorageOptions): Promise<Storages> {
  const local = openLocalStorage(root);
  return bucketUrl === null ? [local] : [await openS3Storage(bucketUrl), local];
}
