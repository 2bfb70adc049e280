// The file of an import, laid down beside the database before anything is written: a slow sender holds no transaction, and the file can
// be read twice.

import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { invalidPayload } from '../../core/errors/service-error.js';
import { formatOf, type ImportFile } from '../../service/utilities/import-items.js';
import { unsupportedMediaType } from '../http/body-parsers.js';
import { contentTooLarge } from '../http/read-body.js';

/** The file is gone when `act` is done. */
export async function withImportFile<T>(request: FastifyRequest, limit: number, act: (file: ImportFile) => Promise<T>): Promise<T> {
  if (!request.isMultipart()) throw unsupportedMediaType(request.headers['content-type'] ?? '', 'Content-Type header');
  const path = join(tmpdir(), `tain-import-${randomUUID()}`);
  try {
    const part = await request.file();
    if (part === undefined) throw invalidPayload('The form holds no file.');
    const format = formatOf(part.mimetype, part.filename);
    if (format === null) {
      part.file.resume();
      throw unsupportedMediaType(part.mimetype, 'file of the form');
    }
    const hash = createHash('sha256');
    part.file.on('data', (chunk: Buffer) => hash.update(chunk));
    await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    if (part.file.truncated) throw contentTooLarge(limit);
    return await act({ path, format, digest: hash.digest('hex') });
  } finally {
    await rm(path, { force: true });
  }
}
