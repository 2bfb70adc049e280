// Receives an upload form part by part: each file is streamed into its storage, and text parts describe the file that follows them. If the
// form has one file, all text parts describe it.

import { type Caller, findField, lookUpCollection } from '../../../core/access/view.js';
import type { Work } from '../../../core/engine/work/work.js';
import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { findStorage, type Storage } from '../storage/storage.js';
import { checkHeaderValues, cleanFilename, type Payload, readFormValue, titleOf } from './file-payload.js';
import { asService, type FilesDeps, filesCollection } from './files-deps.js';
import { discardContents } from './keep-contents.js';
import { type ReceivedContent, receiveContent } from './receive-content.js';

export type UploadPart =
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'file'; readonly filename: string; readonly type: string; readonly bytes: AsyncIterable<Uint8Array> };

export interface ReceivedFile {
  readonly payload: Payload;
  readonly content: ReceivedContent;
}

/** Removes the contents that it has stored if it fails. */
export async function receiveUpload(deps: FilesDeps, caller: Caller, parts: AsyncIterable<UploadPart>): Promise<readonly ReceivedFile[]> {
  const received: ReceivedFile[] = [];
  let texts: Record<string, unknown> = {};
  try {
    for await (const part of parts) {
      if (part.kind === 'text') texts[part.name] = readText(caller, part);
      else {
        received.push(await receiveFile(deps, part, texts));
        texts = {};
      }
    }
    return withTrailingTexts(received, texts);
  } catch (error) {
    await discardContents(
      deps,
      received.map(({ content }) => content),
    );
    throw error;
  }
}

function readText(caller: Caller, { name, text }: Extract<UploadPart, { kind: 'text' }>): unknown {
  if (name === 'filename_disk')
    throw invalidPayload('"filename_disk" is chosen by the service: leave it out, and name the file by "filename_download".');
  return readFormValue(caller, name, text);
}

async function receiveFile(deps: FilesDeps, part: Extract<UploadPart, { kind: 'file' }>, texts: Payload): Promise<ReceivedFile> {
  const filename = cleanFilename(part.filename);
  checkHeaderValues(Object.entries(texts));
  const storage = chooseStorage(deps, texts['storage']);
  const content = await receiveContent(storage, { filename, declaredType: part.type, bytes: part.bytes }, deps.options.uploadLimit);
  return { content, payload: { filename_download: filename, ...texts, storage: content.storage, type: content.type } };
}

function chooseStorage({ storages }: FilesDeps, named: unknown): Storage {
  const storage = named === undefined ? storages[0] : findStorage(storages, named);
  if (storage === null) throw invalidPayload('"storage" names no storage of this service.');
  return storage;
}

function withTrailingTexts(received: readonly ReceivedFile[], texts: Payload): readonly ReceivedFile[] {
  const [stray] = Object.keys(texts);
  const [first] = received;
  if (first === undefined) throw invalidPayload(refusal('no_file'));
  if (stray === undefined) return received;
  checkHeaderValues(Object.entries(texts));
  if (received.length > 1)
    throw invalidPayload(`The form field "${stray}" comes after the last file: say it before the file it describes.`);
  const { storage, type } = first.payload;
  return [{ ...first, payload: { ...first.payload, ...texts, storage, type } }];
}

/** Adds the default title and folder, where the payload has none and the caller may set the field. */
export async function withDefaults(deps: FilesDeps, work: Work, files: readonly ReceivedFile[]): Promise<readonly Payload[]> {
  const { view } = work.caller;
  const collection = lookUpCollection(view, filesCollection, 'create');
  const settings = asService(deps, work);
  const [{ storage_default_folder: folder = null } = {}] = await deps.reader.objects(settings, 'service_settings', {
    fields: ['storage_default_folder'],
    limit: 1,
  });
  return files.map(({ payload }) => {
    const defaults = { title: titleOf(String(payload['filename_download'])), ...(folder === null ? {} : { folder }) };
    const allowed = Object.entries(defaults).filter(([name]) => findField(view, collection, name, 'create') !== null);
    return { ...Object.fromEntries(allowed), ...payload };
  });
}
