// /files/import, the forms that /files takes besides JSON, and the contents at /assets.

import type { FastifyRequest } from 'fastify';
import { UploadForm } from '../../../service/operations/carried-values.js';
import * as files from '../../../service/operations/files.js';
import { readFormParts } from '../form-parts.js';
import type { InputValues, RestRoute } from './rest-route.js';

const formOf = (request: FastifyRequest): InputValues => ({ file: new UploadForm(() => readFormParts(request)) });

const form = { query: ['query'], form: 'or-json', read: formOf, described: false } as const;

export const fileRoutes: readonly RestRoute[] = [
  { operation: files.uploadFiles, method: 'POST', path: '/files', ...form },
  { operation: files.replaceFile, method: 'PATCH', path: '/files/{key}', names: { id: 'key' }, headed: { match: 'if-match' }, ...form },
  { operation: files.importFile, method: 'POST', path: '/files/import', query: ['query'] },
  { operation: files.readAsset, method: 'GET', path: '/assets/{id}', headed: { accept: 'accept' } },
  // The name after the key is for people and search engines.
  { operation: files.readAsset, method: 'GET', path: '/assets/{id}/{name}', headed: { accept: 'accept' }, described: false },
];
