// An upload form, part after part: each file goes into the storage as it arrives, texts describe the file that follows them. With one
// file in the form every text is about it.

import { type Caller, findField, lookUpCollection } from '../../core/access/view.js';
import type { Work } from '../../core/engine/work.js';
import { invalidPayload } from '../../core/errors/service-error.js';
import { cleanFilename, type Payload, readFormValue, titleOf } from './file-payload.js';
import { asService, type FilesContext, filesCollection } from './files-context.js';
import { discardContents } from './keep-contents.js';
import { type ReceivedContent, receiveContent } from './receive-content.js';
import { findStorage, type Storage } from './storage.js';

export type UploadPart =
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'file'; readonly filename: string; readonly type: string; readonly bytes: AsyncIterable<Uint8Array> };

export interface ReceivedFile {
  readonly payload: Payload;
  readonly content: ReceivedContent;
}

/** What was stored before a failure is removed again. */
export async function receiveUpload(
  context: FilesContext,
  caller: Caller,
  parts: AsyncIterable<UploadPart>,
): Promise<readonly ReceivedFile[]> {
  const received: ReceivedFile[] = [];
  let texts: Record<string, unknown> = {};
  try {
    for await (const part of parts) {
      if (part.kind === 'text') texts[part.name] = readFormValue(caller, part.name, part.text);
      else {
        received.push(await receiveFile(context, part, texts));
        texts = {};
      }
    }
    return withLateTexts(received, texts);
  } catch (error) {
    await discardContents(
      context,
      received.map(({ content }) => content),
    );
    throw error;
  }
}

async function receiveFile(context: FilesContext, part: Extract<UploadPart, { kind: 'file' }>, texts: Payload): Promise<ReceivedFile> {
  const filename = cleanFilename(part.filename);
  const storage = chooseStorage(context, texts['storage']);
  const content = await receiveContent(storage, { filename, declaredType: part.type, bytes: part.bytes }, context.options.uploadLimit);
  return { content, payload: { filename_download: filename, ...texts, storage: content.storage, type: content.type } };
}

function chooseStorage({ storages }: FilesContext, named: unknown): Storage {
  const storage = named === undefined ? storages[0] : findStorage(storages, named);
  if (storage === null) throw invalidPayload('"storage" names no storage of this service.');
  return storage;
}

function withLateTexts(received: readonly ReceivedFile[], texts: Payload): readonly ReceivedFile[] {
  const [stray] = Object.keys(texts);
  const [first] = received;
  if (first === undefined) throw invalidPayload('The form holds no file.');
  if (stray === undefined) return received;
  if (received.length > 1)
    throw invalidPayload(`The form field "${stray}" comes after the last file: say it before the file it describes.`);
  const { storage, type } = first.payload;
  return [{ ...first, payload: { ...first.payload, ...texts, storage, type } }];
}

/** What a new file is called and where it lies, when nobody says and the caller may say so. */
export async function withDefaults(context: FilesContext, work: Work, files: readonly ReceivedFile[]): Promise<readonly Payload[]> {
  const { view } = work.caller;
  const collection = lookUpCollection(view, filesCollection, 'create');
  const settings = asService(context, work);
  const [{ storage_default_folder: folder = null } = {}] = await context.reader.objects(settings, 'service_settings', {
    fields: ['storage_default_folder'],
    limit: 1,
  });
  return files.map(({ payload }) => {
    const defaults = { title: titleOf(String(payload['filename_download'])), ...(folder === null ? {} : { folder }) };
    const allowed = Object.entries(defaults).filter(([name]) => findField(view, collection, name, 'create') !== null);
    return { ...Object.fromEntries(allowed), ...payload };
  });
}
