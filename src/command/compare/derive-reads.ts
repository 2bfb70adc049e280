// The reads that are compared, derived from the structure that the first server reports: lists, nested items, filters, aggregates, GraphQL,
// descriptions, files. The same structure gives the same reads.

import { isPlainObject } from '../../core/util/plain-object.js';
import type { Server } from './server.js';

export interface Read {
  /** What the report groups by. */
  readonly endpoint: string;
  readonly path: string;
  /** `type`: compare the media type only. The bytes of a resized image depend on the version of a library. */
  readonly ofContent?: 'type';
}

interface FieldFacts {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
}

interface CollectionFacts {
  readonly name: string;
  readonly isSingleton: boolean;
  readonly fields: readonly FieldFacts[];
  /** Fields that lead to other items. */
  readonly relations: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

const systemName = /^(?:directus|service)_/;
const mostRelations = 6;
const mostFilters = 8;
const mostFiles = 20;

/** `caller` has to be an administrator: what others may read differs from caller to caller, and so do their answers. */
export async function deriveReads(server: Server, caller: string): Promise<readonly Read[]> {
  const collections = await readStructure(server, caller);
  const files = await rowsOf(server, `/files?fields=id,type&sort=id&limit=${mostFiles}`, caller);
  return [...systemReads, ...collections.flatMap(readsOf), ...files.flatMap(assetsOf)];
}

async function rowsOf(server: Server, path: string, caller: string): Promise<readonly Row[]> {
  const { status, body } = await server.get(path, caller);
  const data = isPlainObject(body) ? body['data'] : null;
  if (status !== 200 || !Array.isArray(data)) throw new Error(`GET ${path} answered ${status}: is the token that of an administrator?`);
  return data as readonly Row[];
}

async function readStructure(server: Server, caller: string): Promise<readonly CollectionFacts[]> {
  const collections = await rowsOf(server, '/collections', caller);
  const fields = await rowsOf(server, '/fields', caller);
  const relations = await rowsOf(server, '/relations', caller);
  return collections
    .filter(({ collection, schema }) => schema !== null && schema !== undefined && !systemName.test(String(collection)))
    .map(({ collection, meta }) => {
      const name = String(collection);
      return {
        name,
        isSingleton: isPlainObject(meta) && meta['singleton'] === true,
        fields: fields.filter((field) => field['collection'] === name && field['type'] !== 'alias').map(factsOf),
        relations: relationsOf(name, relations),
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const factsOf = ({ field, type, schema }: Row): FieldFacts => ({
  name: String(field),
  type: String(type),
  isKey: isPlainObject(schema) && schema['is_primary_key'] === true,
});

/** Leaves out many-to-any relations, which lead to several collections. */
function relationsOf(name: string, relations: readonly Row[]): readonly string[] {
  return relations.flatMap(({ collection, field, related_collection: related, meta }) => {
    const back = isPlainObject(meta) ? meta['one_field'] : null;
    return [
      ...(collection === name && related !== null ? [String(field)] : []),
      ...(related === name && typeof back === 'string' ? [back] : []),
    ];
  });
}

const read = (endpoint: string, path: string, query: Readonly<Record<string, string | number>> = {}): Read => {
  const parameters = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return { endpoint, path: parameters.length === 0 ? path : `${path}?${parameters.join('&')}` };
};

const systemReads: readonly Read[] = [
  ...[
    '/users/me',
    '/roles/me',
    '/policies/me/globals',
    '/permissions/me',
    '/collections',
    '/fields',
    '/relations',
    '/folders',
    '/server/info',
  ],
].map((path) => read(path.replace(/\/me.*/, '/me'), path));

function readsOf(collection: CollectionFacts): readonly Read[] {
  const { name, fields, relations, isSingleton } = collection;
  const path = `/items/${name}`;
  const described = ['/collections', '/fields', '/relations'].map((place) => read(`${place}/…`, `${place}/${name}`));
  if (isSingleton) return [read('/items (singleton)', path), ...described];
  const keys = fields.filter(({ isKey }) => isKey).map((field) => field.name);
  // Without a key the order of items is undefined, and so is the content of a page.
  if (keys.length === 0) return [read('/items (aggregate)', path, { 'aggregate[count]': '*' }), ...described];
  const order = { sort: keys.join(',') };
  return [
    read('/items', path, { ...order, limit: 50 }),
    read('/items (page)', path, { ...order, limit: 5, page: 2, meta: '*' }),
    ...relations
      .slice(0, mostRelations)
      .map((relation) => read('/items (nested)', path, { ...order, limit: 20, fields: `${keys.join(',')},${relation}.*` })),
    ...filtersOf(fields).map((filter) => read('/items (filter)', path, { ...order, limit: 50, fields: keys.join(','), filter })),
    ...aggregatesOf(fields).map((query) => read('/items (aggregate)', path, query)),
    ...graphqlOf(collection, order.sort),
    ...described,
  ];
}

const numeric: ReadonlySet<string> = new Set(['integer', 'float', 'decimal', 'bigInteger']);
const dated: ReadonlySet<string> = new Set(['date', 'dateTime', 'timestamp']);
const textual: ReadonlySet<string> = new Set(['string', 'text']);

function filterOf({ name, type }: FieldFacts): unknown {
  if (textual.has(type)) return { [name]: { _icontains: 'e' } };
  if (numeric.has(type)) return { [name]: { _gte: 2 } };
  if (dated.has(type)) return { [name]: { _lt: '$NOW' } };
  if (type === 'boolean') return { [name]: { _eq: true } };
  return { [name]: { _nnull: true } };
}

const filtersOf = (fields: readonly FieldFacts[]): readonly string[] =>
  fields
    .filter(({ isKey, type }) => !isKey && type !== 'hash')
    .slice(0, mostFilters)
    .map((field) => JSON.stringify(filterOf(field)));

function aggregatesOf(fields: readonly FieldFacts[]): readonly Readonly<Record<string, string>>[] {
  const number = fields.find(({ isKey, type }) => !isKey && numeric.has(type))?.name;
  const group = fields.find(({ isKey, type }) => !isKey && (type === 'boolean' || type === 'string'))?.name;
  return [
    { 'aggregate[count]': '*' },
    ...(number === undefined ? [] : [{ 'aggregate[min]': number, 'aggregate[max]': number, 'aggregate[sum]': number }]),
    ...(group === undefined ? [] : [{ 'aggregate[count]': '*', 'groupBy[]': group, sort: group }]),
  ];
}

/** Names that GraphQL cannot spell are served under others, which differ. */
function graphqlOf({ name, fields, relations }: CollectionFacts, sort: string): readonly Read[] {
  const names = fields
    .filter(({ name: field }) => isName(field) && !relations.includes(field))
    .slice(0, 12)
    .map((field) => field.name);
  if (!isName(name) || names.length === 0 || sort.includes(',')) return [];
  return [read('/graphql', '/graphql', { query: `{ ${name}(limit: 10, sort: ["${sort}"]) { ${names.join(' ')} } }` })];
}

const isName = (text: string): boolean => /^[A-Za-z][A-Za-z0-9_]*$/.test(text);

function assetsOf({ id, type }: Row): readonly Read[] {
  const path = `/assets/${String(id)}`;
  const isPicture = /^image\/(?:png|jpeg|webp)$/.test(String(type));
  return [read('/assets', path), ...(isPicture ? [{ ...read('/assets (smaller)', path, { width: 20 }), ofContent: 'type' as const }] : [])];
}
