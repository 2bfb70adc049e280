// All ways to read a list with the same query: URL, SEARCH body, export, GraphQL.

import type { Answer, Api } from './api.js';

export type QueryObject = Readonly<Record<string, unknown>>;
export type ListReader = (query: QueryObject) => Promise<Answer>;

/** Writes lists of names with commas, objects as JSON. */
export function asUrl(query: QueryObject): string {
  return Object.entries(query)
    .map(([key, value]) => `${key}=${encodeURIComponent(spell(value))}`)
    .join('&');
}

const spell = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value);

export function listReaders(api: Api, collection: string): Readonly<Record<string, ListReader>> {
  const path = `/items/${collection}`;
  const items = `query($query: JSON) { items(collection: "${collection}", query: $query) }`;
  return {
    GET: (query) => api.get(`${path}?${asUrl(query)}`),
    SEARCH: (query) => api.search(path, { query }),
    export: (query) => api.get(`${path}?${asUrl({ ...query, export: 'csv' })}`),
    'export to a file': (query) => api.post(`/utils/export/${collection}`, { query, format: 'csv' }),
    GraphQL: (query) => api.graphql(items, { query }, '/graphql/system'),
  };
}
