// A content of the service's own making as an item of the files.

import type { Caller } from '../../core/access/view.js';
import type { Writer } from '../../core/engine/writer.js';
import { type FilesContext, filesCollection } from '../files/files-context.js';
import { discardUnkept, expectWrite } from '../files/keep-contents.js';
import { receiveUpload, type UploadPart } from '../files/receive-upload.js';
import type { ExportFile } from './export-to-file.js';

export async function keepFile(files: FilesContext, writer: Writer, caller: Caller, file: ExportFile): Promise<void> {
  const received = await receiveUpload(files, caller, partsOf(file));
  const own = await expectWrite(
    files,
    caller,
    received.map(({ content }) => content),
  );
  try {
    const details = { ...(file.title === null ? {} : { title: file.title }), ...(file.folder === null ? {} : { folder: file.folder }) };
    const payloads = received.map(({ payload }) => ({ ...payload, ...details }));
    await writer.transaction(own, (work) => writer.create(work, filesCollection, payloads));
  } finally {
    await discardUnkept(files, own);
  }
}

async function* partsOf({ filename, type, bytes }: ExportFile): AsyncGenerator<UploadPart> {
  yield { kind: 'file', filename, type, bytes };
}
