// Files for tests: forms, generated images, a storage folder.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Answer, Api } from './api.js';

export interface StorageFolder {
  readonly root: string;
  /** The names of all files in it. */
  list(): readonly string[];
  remove(): void;
}

export function makeStorageFolder(): StorageFolder {
  const root = mkdtempSync(join(tmpdir(), 'tain_test_files_'));
  return {
    root,
    list: () => readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface FormFile {
  readonly name: string;
  readonly type?: string;
  readonly bytes: string | Uint8Array;
}

/** Puts texts before files, as clients do. */
export function makeForm(files: readonly FormFile[], texts: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.append(name, text);
  for (const { name, type = 'text/plain', bytes } of files) {
    form.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type }), name);
  }
  return form;
}

export const upload = (api: Api, file: FormFile, texts: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  api.request('POST', '/files', { raw: makeForm([file], texts) });

export const makeImage = (width: number, height: number, format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3b5bdb' } })
    .toFormat(format)
    .toBuffer();
