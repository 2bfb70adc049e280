// Reads one item as a form needs it: all its fields, and of the items it refers to what their titles need.

import { request } from '../api/client.js';
import type { Item } from '../draft/item.js';
import type { Collection, Schema } from '../schema/model.js';
import { pathsOfField } from '../schema/templates.js';

export interface LoadedItem {
  readonly item: Item;
  readonly etag: string | null;
}

export async function readItem(schema: Schema, collection: Collection, path: string, version?: string): Promise<LoadedItem> {
  const read = () => request<Item>('GET', path, { query: queryOfForm(schema, collection, version) });
  const { data, etag } = await read();
  if (etag !== null || version !== undefined) return { item: data, etag };
  // The service sends no entity tag for very long queries. The tag of the item's own columns serves as well if it is read first, so that it
  // is not newer than the item.
  const columns = await request('GET', path, { query: { fields: '*' } });
  return { item: (await read()).data, etag: columns.etag };
}

export const queryOfForm = (schema: Schema, collection: Collection, version?: string) => ({
  fields: fieldsOfForm(schema, collection).join(','),
  ...(version === undefined ? {} : { version }),
});

/** Every field of its own, and the titles of what its fields refer to. */
export const fieldsOfForm = (schema: Schema, collection: Collection): readonly string[] => [
  '*',
  ...collection.fields.flatMap((field) => (field.relation?.kind === 'm2o' ? pathsOfField(schema, field) : [])),
];
