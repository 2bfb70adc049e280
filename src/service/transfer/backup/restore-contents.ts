// Stores the contents of files as they come out of a backup, one after the other, each whole or not at all.

import { PassThrough } from 'node:stream';
import { findStorage, type Storages } from '../../files/storage/storage.js';
import { BackupRefused, type PartHead } from './backup-file.js';

type FileHead = Extract<PartHead, { readonly kind: 'file' }>;

export interface ContentWriter {
  begin(part: FileHead): Promise<void>;
  bytes(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
}

export function restoreContents(storages: Storages): ContentWriter {
  let content: PassThrough | null = null;
  let storing: Promise<void> = Promise.resolve();
  let failed = false;
  return {
    async begin({ storage, name }) {
      const target = findStorage(storages, storage);
      if (target === null) throw new BackupRefused(`the storage "${storage}" is not configured`);
      content = new PassThrough();
      failed = false;
      storing = target.write(name, content);
      storing.catch(() => {
        failed = true;
        content?.destroy();
      });
    },
    async bytes(chunk) {
      const stream = content;
      if (stream === null || failed) return storing;
      if (stream.write(chunk)) return;
      await Promise.race([storing, new Promise((resolve) => stream.once('drain', resolve).once('close', resolve))]);
    },
    async end() {
      content?.end();
      content = null;
      await storing;
    },
  };
}
