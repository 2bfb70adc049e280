// /collections, /fields, /relations, /indexes and /schema. The header `Prefer: dry-run` of a change shows what it would do.

import type { FastifyRequest } from 'fastify';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import * as changes from '../../../service/operations/structure/changes.js';
import { compareSnapshot, takeSnapshot } from '../../../service/operations/structure/documents.js';
import * as reads from '../../../service/operations/structure/reads.js';
import { parseYamlBody } from '../../http/body/body-parsers.js';
import { payloadBounds } from '../../http/body/parse-json-body.js';
import { contentTooLarge } from '../../http/body/read-body.js';
import { readFormParts } from '../form-parts.js';
import type { InputValues, RestRoute } from './rest-route.js';

const changing = (
  { change, operation }: changes.StructureChange,
  method: RestRoute['method'],
  path: string,
  more: Partial<RestRoute> = {},
): RestRoute => ({
  operation,
  method,
  path,
  // Deletions answer 204.
  ...(method === 'DELETE' ? { answer: { kind: 'nothing' } } : { body: 'data' }),
  dryRun: { operation: changes.previewStructure, fixed: { change } },
  ...more,
});

/** None of the field operations takes query parameters (specification 4.4). */
const bare = { takesQuery: false } as const;

const collections: readonly RestRoute[] = [
  { operation: reads.listCollections, method: 'GET', path: '/collections', fixed: { keys: null } },
  {
    operation: reads.listCollections,
    method: 'SEARCH',
    path: '/collections',
    read: searchedKeys,
    described: { id: 'searchCollections', summary: 'List collections by their names' },
  },
  { operation: reads.readCollection, method: 'GET', path: '/collections/{collection}', names: { name: 'collection' } },
  changing(changes.createCollection, 'POST', '/collections'),
  changing(changes.updateCollections, 'PATCH', '/collections'),
  changing(changes.updateCollection, 'PATCH', '/collections/{collection}'),
  changing(changes.deleteCollection, 'DELETE', '/collections/{collection}'),
];

/** Collections cannot be filtered, so any `query` selects all of them. */
function searchedKeys({ body }: FastifyRequest): InputValues {
  if (!isPlainObject(body) || !('keys' in body || 'query' in body)) throw invalidPayload('"keys" or "query" is required.');
  return { keys: body['keys'] };
}

const fields: readonly RestRoute[] = [
  { operation: reads.listFields, method: 'GET', path: '/fields', ...bare },
  { operation: reads.listFieldsOf, method: 'GET', path: '/fields/{collection}', ...bare },
  { operation: reads.readField, method: 'GET', path: '/fields/{collection}/{field}', ...bare },
  changing(changes.createField, 'POST', '/fields/{collection}', bare),
  changing(changes.updateFields, 'PATCH', '/fields/{collection}', bare),
  changing(changes.updateField, 'PATCH', '/fields/{collection}/{field}', bare),
  changing(changes.deleteField, 'DELETE', '/fields/{collection}/{field}', bare),
];

const relations: readonly RestRoute[] = [
  { operation: reads.listRelations, method: 'GET', path: '/relations' },
  { operation: reads.listRelationsOf, method: 'GET', path: '/relations/{collection}' },
  { operation: reads.readRelation, method: 'GET', path: '/relations/{collection}/{field}' },
  changing(changes.createRelation, 'POST', '/relations'),
  { operation: reads.listSuggestedRelations, method: 'GET', path: '/utils/relations/suggest' },
  changing(changes.updateRelation, 'PATCH', '/relations/{collection}/{field}'),
  changing(changes.deleteRelation, 'DELETE', '/relations/{collection}/{field}'),
];

const indexes: readonly RestRoute[] = [
  { operation: reads.listIndexes, method: 'GET', path: '/indexes' },
  { operation: reads.listIndexesOf, method: 'GET', path: '/indexes/{collection}' },
  { operation: reads.readIndex, method: 'GET', path: '/indexes/{collection}/{name}' },
  changing(changes.createIndex, 'POST', '/indexes/{collection}'),
  changing(changes.deleteIndex, 'DELETE', '/indexes/{collection}/{name}'),
];

const documents: readonly RestRoute[] = [
  {
    operation: takeSnapshot,
    method: 'GET',
    path: '/schema/snapshot',
    names: { include: 'includeCollections', exclude: 'excludeCollections' },
  },
  { operation: compareSnapshot, method: 'POST', path: '/schema/diff', query: ['mode'], body: 'snapshot', ...orFile('snapshot') },
  changing(changes.applySnapshot, 'POST', '/schema/apply', { query: ['force', 'lossy'], ...orFile('data') }),
  changing(changes.changeStructure, 'POST', '/schema/changes'),
];

/** The document may be a file of a form instead of the body, in YAML or JSON. */
function orFile(member: string): Pick<RestRoute, 'form' | 'read'> {
  return {
    form: 'also',
    read: async (request, { uploadLimit }) =>
      request.isMultipart() ? { [member]: await readDocument(request, Math.min(uploadLimit, mostDocumentBytes)) } : {},
  };
}

/** More than the structure of ten thousand tables. */
const mostDocumentBytes = 64 * 1024 * 1024;

async function readDocument(request: FastifyRequest, limit: number): Promise<unknown> {
  for await (const part of readFormParts(request)) {
    if (part.kind !== 'file') continue;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of part.bytes) {
      size += chunk.length;
      if (size >= limit) throw contentTooLarge(limit);
      chunks.push(chunk);
    }
    return parseYamlBody(Buffer.concat(chunks), payloadBounds(limit));
  }
  throw invalidPayload('The form holds no file.');
}

export const structureRoutes: readonly RestRoute[] = [...collections, ...fields, ...relations, ...indexes, ...documents];
