// What every installation has besides its collections: logging in, the structure, contents, utilities; each told to whom it is open.

import type { Action } from '../../../core/access/permission.js';
import { grantOf, type SchemaView } from '../../../core/access/view.js';
import type { Json } from './json.js';
import { type OperationFacts, operation } from './operation.js';

type Openness = 'everybody' | 'administrators' | { readonly collection: string; readonly action: Action };

interface Fixed extends OperationFacts {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly open: Openness;
}

const text = { type: 'string' };
const any: Json = { type: 'object' };
const listOfAny: Json = { type: 'array', items: any };
const tokens: Json = { type: 'object', properties: { access_token: text, refresh_token: text, expires: { type: 'integer' } } };
const bodyOf = (properties: Json, ...required: readonly string[]): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const reads = (collection: string): Openness => ({ collection, action: 'read' });

const fixed = (open: Openness, tag: string, route: string, id: string, summary: string, data: Json | null, body?: Json): Fixed => {
  const [method, path = ''] = route.split(' ');
  return { open, tag, method: method as Fixed['method'], path, id, summary, data, ...(body === undefined ? {} : { body }) };
};

const operations: readonly Fixed[] = [
  fixed(
    'everybody',
    'auth',
    'post /auth/login',
    'login',
    'Log in',
    tokens,
    bodyOf({ email: text, password: text, mode: { enum: ['json', 'cookie', 'session'] }, otp: text }, 'email', 'password'),
  ),
  fixed(
    'everybody',
    'auth',
    'post /auth/refresh',
    'refresh',
    'Renew an access token',
    tokens,
    bodyOf({ refresh_token: text, mode: { enum: ['json', 'cookie', 'session'] } }),
  ),
  fixed(
    'everybody',
    'auth',
    'post /auth/logout',
    'logout',
    'Log out',
    null,
    bodyOf({ refresh_token: text, mode: { enum: ['json', 'cookie', 'session'] } }),
  ),
  fixed(
    { collection: 'service_files', action: 'create' },
    'service_files',
    'post /files/import',
    'importFile',
    'Fetch a file by its address',
    any,
    bodyOf({ url: { type: 'string', format: 'uri' }, data: any }, 'url'),
  ),
  fixed('everybody', 'server', 'get /server/info', 'serverInfo', 'What this service is', any),
  fixed('everybody', 'utilities', 'get /utils/random/string', 'randomString', 'A random text', text),
  fixed('administrators', 'utilities', 'post /utils/cache/clear', 'clearCache', 'Clear caches', null),
  fixed(reads('service_collections'), 'structure', 'get /collections', 'listCollections', 'List collections', listOfAny),
  fixed(
    'administrators',
    'structure',
    'post /collections',
    'createCollection',
    'Create a collection',
    any,
    bodyOf({ collection: text, meta: any, schema: any, fields: listOfAny }, 'collection'),
  ),
  fixed(reads('service_collections'), 'structure', 'get /collections/{collection}', 'readCollection', 'Read a collection', any),
  fixed(
    'administrators',
    'structure',
    'patch /collections/{collection}',
    'updateCollection',
    'Update a collection',
    any,
    bodyOf({ meta: any }),
  ),
  fixed(
    'administrators',
    'structure',
    'delete /collections/{collection}',
    'deleteCollection',
    'Delete a collection with all its items',
    null,
  ),
  fixed(reads('service_fields'), 'structure', 'get /fields', 'listFields', 'List all fields', listOfAny),
  fixed(reads('service_fields'), 'structure', 'get /fields/{collection}', 'listFieldsOf', 'List the fields of a collection', listOfAny),
  fixed(
    'administrators',
    'structure',
    'post /fields/{collection}',
    'createField',
    'Create a field',
    any,
    bodyOf({ field: text, type: text, meta: any, schema: any }, 'field', 'type'),
  ),
  fixed(reads('service_fields'), 'structure', 'get /fields/{collection}/{field}', 'readField', 'Read a field', any),
  fixed(
    'administrators',
    'structure',
    'patch /fields/{collection}/{field}',
    'updateField',
    'Update a field',
    any,
    bodyOf({ type: text, meta: any, schema: any }),
  ),
  fixed('administrators', 'structure', 'delete /fields/{collection}/{field}', 'deleteField', 'Delete a field with all its data', null),
  fixed(reads('service_relations'), 'structure', 'get /relations', 'listRelations', 'List relations', listOfAny),
  fixed(
    'administrators',
    'structure',
    'post /relations',
    'createRelation',
    'Create a relation',
    any,
    bodyOf({ collection: text, field: text, related_collection: text }, 'collection', 'field'),
  ),
  fixed('administrators', 'structure', 'get /schema/snapshot', 'snapshot', 'The whole structure, to keep or to carry elsewhere', any),
];

const segments = { collection: 'Name of the collection.', field: 'Name of the field.' };

export function drawFixedPaths(view: SchemaView): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const entry of operations) {
    if (!isOpen(view, entry.open)) continue;
    paths[entry.path] ??= pathParameters(entry.path);
    (paths[entry.path] ?? {})[entry.method] = operation(entry);
  }
  if (grantOf(view, 'service_files', 'read') !== null) paths['/assets/{id}'] = assetPath;
  return paths;
}

const isOpen = (view: SchemaView, open: Openness): boolean => {
  if (open === 'everybody') return true;
  return open === 'administrators' ? view.grants.admin : grantOf(view, open.collection, open.action) !== null;
};

function pathParameters(path: string): Record<string, unknown> {
  const named = Object.entries(segments).filter(([name]) => path.includes(`{${name}}`));
  if (named.length === 0) return {};
  return { parameters: named.map(([name, description]) => ({ name, in: 'path', required: true, description, schema: text })) };
}

const imageParameters = ['width', 'height', 'fit', 'format', 'quality', 'key', 'download'];

const assetPath: Record<string, unknown> = {
  parameters: [{ name: 'id', in: 'path', required: true, description: 'The key of the file.', schema: { type: 'string', format: 'uuid' } }],
  get: {
    ...operation({ id: 'readAsset', tag: 'service_files', summary: 'The content of a file, as it is or transformed', data: null }),
    parameters: imageParameters.map((name) => ({ name, in: 'query', required: false, schema: text })),
    responses: {
      '200': { description: 'The content.', content: { '*/*': { schema: {} } } },
      '400': { $ref: '#/components/responses/BadRequest' },
      '403': { $ref: '#/components/responses/Forbidden' },
    },
  },
};
