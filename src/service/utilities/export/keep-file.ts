// Stores a content that the service has generated as a file item, and resolves to its key.

import type { Caller } from '../../../core/access/view.js';
import type { Key } from '../../../core/engine/work/work.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { type FilesDeps, filesCollection } from '../../files/transfer/files-deps.js';
import { keepContents } from '../../files/transfer/keep-contents.js';
import { receiveUpload, type UploadPart } from '../../files/transfer/receive-upload.js';
import type { ExportFile } from './export-to-file.js';

export async function keepFile(files: FilesDeps, writer: Writer, caller: Caller, file: ExportFile): Promise<Key | null> {
  const received = await receiveUpload(files, caller, partsOf(file));
  const contents = received.map(({ content }) => content);
  const details = { ...(file.title === null ? {} : { title: file.title }), ...(file.folder === null ? {} : { folder: file.folder }) };
  const payloads = received.map(({ payload }) => ({ ...payload, ...details }));
  const [key = null] = await keepContents(files, caller, contents, (author) =>
    writer.transaction(author, (work) => writer.create(work, filesCollection, payloads)),
  );
  return key;
}

async function* partsOf({ filename, type, bytes }: ExportFile): AsyncGenerator<UploadPart> {
  yield { kind: 'file', filename, type, bytes };
}
