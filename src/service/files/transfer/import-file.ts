// Imports a file from a URL: fetches it with the address check, stores it and describes it like an upload.

import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { makeAddressCheck } from '../../outbound/public-address.js';
import { fetchGuarded } from './fetch-guarded.js';
import { checkHeaderValues, cleanFilename, type Payload } from './file-payload.js';
import type { FilesDeps } from './files-deps.js';
import { contentTooLarge, receiveContent } from './receive-content.js';
import type { ReceivedFile } from './receive-upload.js';

/** `data`: members of the item besides those that follow from the content. */
export async function importFile(deps: FilesDeps, address: string, data: Payload): Promise<ReceivedFile> {
  if (!URL.canParse(address)) throw invalidPayload(refusal('no_url'));
  checkHeaderValues(Object.entries(data));
  const url = new URL(address);
  const { uploadLimit, importTimeoutMs, importAllow } = deps.options;
  const fetched = await fetchGuarded(url, { isAllowed: makeAddressCheck(importAllow), timeoutMs: importTimeoutMs });
  if (fetched.length !== null && fetched.length > uploadLimit) {
    await fetched.bytes[Symbol.asyncIterator]().return?.();
    throw contentTooLarge(uploadLimit);
  }
  const filename = cleanFilename(filenameOf(fetched.url));
  const [storage] = deps.storages;
  const content = await receiveContent(storage, { filename, declaredType: fetched.type, bytes: fetched.bytes }, uploadLimit);
  return { content, payload: { filename_download: filename, ...data, storage: content.storage, type: content.type } };
}

function filenameOf(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || url.hostname;
  } catch {
    return last;
  }
}
