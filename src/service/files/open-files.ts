// Opens the storages, and starts what files need: the pool for images, the hooks in the engine, the daily removal of old variants.

import type { Hooks } from '../../core/engine/write/hooks.js';
import { repeatEvery } from '../../core/util/repeat.js';
import { guardFiles } from './guard-files.js';
import { openImagePool } from './images/image-pool.js';
import { removeOldVariants } from './images/variants.js';
import { openLocalStorage } from './storage/local-storage.js';
import { openS3Storage } from './storage/s3-storage.js';
import type { Storages } from './storage/storage.js';
import type { FilesDeps } from './transfer/files-deps.js';

const dayMs = 86_400_000;

export interface OpenFiles {
  readonly files: FilesDeps;
  stop(): void;
}

export function openFiles(hooks: Hooks, given: Omit<FilesDeps, 'images' | 'pending'>): OpenFiles {
  const files: FilesDeps = { ...given, images: openImagePool(), pending: new WeakMap() };
  guardFiles(hooks, files);
  const stopSweeping = repeatEvery(dayMs, () => removeOldVariants(given.storages), given.report);
  return {
    files,
    stop() {
      stopSweeping();
      files.images.close();
    },
  };
}

export interface StorageOptions {
  readonly root: string;
  /** s3://key:secret@bucket/prefix?region=…&endpoint=… */
  readonly bucketUrl: string | null;
  /** What `storage` says in files of the folder, and in files of the bucket. */
  readonly names: readonly string[];
}

/** The local folder, and the bucket if one is configured. The bucket then receives new contents. */
export async function openStorages({ root, bucketUrl, names: [folder, bucket] }: StorageOptions): Promise<Storages> {
  const local = openLocalStorage(root, folder);
  return bucketUrl === null ? [local] : [await openS3Storage(bucketUrl, bucket), local];
}
