// /utils, /batch, /extensions and the triggers of flows.

import { readFile } from 'node:fs/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { invalidPayload, unsupportedMediaType } from '../../../core/errors/service-error.js';
import { batch } from '../../../service/operations/batch/batch.js';
import { Upload } from '../../../service/operations/carried-values.js';
import { installExtension, listExtensions, readRegistry } from '../../../service/operations/extensions.js';
import { readManualFlows, replayRun, testFlow, triggerFlow } from '../../../service/operations/flows.js';
import { createSyncId, deleteSyncId, listSyncIds, readSyncId } from '../../../service/operations/sync-ids.js';
import * as utilities from '../../../service/operations/utilities.js';
import { type UploadedFile, withImportFile } from '../../../service/utilities/import/receive-import.js';
import { parseJsonBody, payloadBounds } from '../../http/body/parse-json-body.js';
import { contentTooLarge } from '../../http/body/read-body.js';
import { nestedParameters } from '../../http/request/url-query.js';
import type { InputValues, RestDeps, RestRoute } from './rest-route.js';

/** A token in the address is for the service, not for the flow. */
function triggerOf(request: FastifyRequest): InputValues {
  const { access_token: _, ...query } = nestedParameters(request);
  return { query, body: request.body ?? {}, headers: request.headers };
}

const trigger = { operation: triggerFlow, path: '/flows/trigger/{id}', read: triggerOf, answer: { kind: 'value' } } as const;

/** The addresses of the extension that directus-sync needs on the former server. */
const syncPath = '/directus-extension-sync/table/{table}';
const syncRoutes: readonly RestRoute[] = [
  { operation: listSyncIds, method: 'GET', path: syncPath, answer: { kind: 'value' } },
  { operation: createSyncId, method: 'POST', path: syncPath, answer: { kind: 'value' } },
  { operation: readSyncId, method: 'GET', path: `${syncPath}/{by}/{id}`, answer: { kind: 'value' } },
  { operation: deleteSyncId, method: 'DELETE', path: `${syncPath}/{by}/{id}` },
];

export const utilityRoutes: readonly RestRoute[] = [
  { operation: batch, method: 'POST', path: '/batch' },
  { operation: utilities.randomString, method: 'GET', path: '/utils/random/string' },
  { operation: utilities.generateHash, method: 'POST', path: '/utils/hash/generate' },
  { operation: utilities.verifyHash, method: 'POST', path: '/utils/hash/verify' },
  { operation: utilities.sortItems, method: 'POST', path: '/utils/sort/{collection}', answer: { kind: 'empty' } },
  { operation: utilities.revert, method: 'POST', path: '/utils/revert/{id}', names: { revision: 'id' } },
  {
    operation: utilities.importItems,
    method: 'POST',
    path: '/utils/import/{collection}',
    form: 'also',
    read: (request, { uploadLimit }) => ({ file: new Upload(() => openFile(request, uploadLimit)) }),
    answer: { kind: 'empty' },
  },
  {
    operation: utilities.importCollections,
    method: 'POST',
    path: '/utils/import',
    query: ['mode', 'dry_run', 'dangerously_allow_delete'],
    names: { dry_run: 'dryRun', dangerously_allow_delete: 'dangerouslyAllowDelete' },
    body: 'data',
    form: 'also',
    read: async (request, deps) => (request.isMultipart() ? { data: await readDocument(request, deps) } : {}),
  },
  { operation: utilities.exportItems, method: 'POST', path: '/utils/export/{collection}' },
  { operation: utilities.explainAccess, method: 'POST', path: '/utils/access/explain' },
  { ...trigger, method: 'POST', query: ['query'], body: 'body', form: 'whatever', fixed: { method: 'POST', headers: {} } },
  { operation: readManualFlows, method: 'GET', path: '/flows/manual' },
  { operation: testFlow, method: 'POST', path: '/flows/{id}/test' },
  { operation: replayRun, method: 'POST', path: '/runs/{id}/replay', answer: { kind: 'nothing' } },
  {
    ...trigger,
    method: 'GET',
    fixed: { method: 'GET', body: null, headers: {} },
    described: { id: 'triggerFlowByGet', summary: 'Run a flow that waits for GET requests' },
  },
  { operation: listExtensions, method: 'GET', path: '/extensions' },
  { operation: readRegistry, method: 'GET', path: '/extensions/registry', answer: { kind: 'value' } },
  { operation: installExtension, method: 'POST', path: '/extensions/registry/install', body: 'data' },
  ...syncRoutes,
  { operation: utilities.tryMail, method: 'POST', path: '/utils/mail/test' },
  { operation: utilities.clearCache, method: 'POST', path: '/utils/cache/clear', answer: { kind: 'empty' } },
];

async function openFile(request: FastifyRequest, limit: number): Promise<UploadedFile> {
  if (!request.isMultipart()) throw unsupportedMediaType(request.headers['content-type'] ?? '', 'Content-Type header');
  const part = await request.file();
  if (part === undefined) throw invalidPayload('The form holds no file.');
  return { filename: part.filename, type: part.mimetype, bytes: bytesOf(part, limit), discard: () => void part.file.resume() };
}

/** The parser cuts a file off at the limit and says so at its end. */
async function* bytesOf({ file }: MultipartFile, limit: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of file) yield chunk as Uint8Array;
  if (file.truncated) throw contentTooLarge(limit);
}

/** A file instead of the body. */
async function readDocument(request: FastifyRequest, { uploadLimit }: RestDeps): Promise<unknown> {
  return withImportFile(await openFile(request, uploadLimit), async ({ path, format }) => {
    if (format !== 'json') throw invalidPayload('A file of several collections has to be JSON.');
    return parseJsonBody(await readFile(path), payloadBounds(uploadLimit));
  });
}
