// A file from elsewhere: fetched behind the guard, stored, and described as an upload would be.

import { invalidPayload } from '../../core/errors/service-error.js';
import { fetchGuarded } from './fetch-guarded.js';
import { cleanFilename, type Payload } from './file-payload.js';
import type { FilesContext } from './files-context.js';
import { makeAddressCheck } from './public-address.js';
import { contentTooLarge, receiveContent } from './receive-content.js';
import type { ReceivedFile } from './receive-upload.js';

export async function importFile(context: FilesContext, body: unknown): Promise<ReceivedFile> {
  const { url, data } = readImportBody(body);
  const { uploadLimit, importTimeoutMs, importAllow } = context.options;
  const fetched = await fetchGuarded(url, { isAllowed: makeAddressCheck(importAllow), timeoutMs: importTimeoutMs });
  if (fetched.length !== null && fetched.length > uploadLimit) {
    await fetched.bytes[Symbol.asyncIterator]().return?.();
    throw contentTooLarge(uploadLimit);
  }
  const filename = cleanFilename(filenameOf(fetched.url));
  const [storage] = context.storages;
  const content = await receiveContent(storage, { filename, declaredType: fetched.type, bytes: fetched.bytes }, uploadLimit);
  return { content, payload: { filename_download: filename, ...data, storage: content.storage, type: content.type } };
}

function readImportBody(body: unknown): { readonly url: URL; readonly data: Payload } {
  if (typeof body !== 'object' || body === null || !('url' in body) || typeof body.url !== 'string')
    throw invalidPayload('"url" is required.');
  if (!URL.canParse(body.url)) throw invalidPayload('"url" is no address.');
  const url = new URL(body.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalidPayload('"url" has to begin with http:// or https://.');
  const data = 'data' in body ? body.data : {};
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw invalidPayload('"data" has to be an object.');
  return { url, data: data as Payload };
}

function filenameOf(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || url.hostname;
  } catch {
    return last;
  }
}
