// Writes an uploaded file to a temporary file before the import begins: a slow client holds no transaction open, and the file can be read
// twice.

import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unsupportedMediaType } from '../../../core/errors/service-error.js';
import { formatOf, type ImportFile } from './import-items.js';

export interface UploadedFile {
  readonly filename: string;
  readonly type: string;
  /** Throws CONTENT_TOO_LARGE above the limit. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Drops unread bytes, which would otherwise block the rest of the request. */
  discard(): void;
}

/** Calls `act` with the temporary file and removes the file afterwards. */
export async function withImportFile<T>(file: UploadedFile, act: (file: ImportFile) => Promise<T>): Promise<T> {
  const path = join(tmpdir(), `tain-import-${randomUUID()}`);
  try {
    const format = formatOf(file.type, file.filename);
    if (format === null) throw unsupportedMediaType(file.type, 'file of the form');
    const hash = createHash('sha256');
    await pipeline(digesting(file.bytes, hash), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return await act({ path, format, digest: hash.digest('hex') });
  } finally {
    file.discard();
    await rm(path, { force: true });
  }
}

async function* digesting(bytes: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
