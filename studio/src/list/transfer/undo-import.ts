// Takes an import back: what it created is deleted, but for items that somebody has changed since. Those are found by their values, whoever
// wrote them, and by the history, which also knows of what happened before these were read.

import { request, search } from '../../api/client.js';
import { isEqual } from '../../draft/draft.js';
import type { Item } from '../../draft/item.js';
import { escapeName } from '../../schema/field-path.js';
import { keyText } from '../../schema/item-key.js';
import type { Collection } from '../../schema/model.js';
import { itemsPath } from '../../studio-context.js';

/** Larger imports cannot be taken back in one step. */
export const mostImportUndone = 10_000;

const partSize = 500;

/** Reads the items as the import has left them. Resolves to what takes it back, and says how many of them were changed since, and stay. */
export async function rememberImport(
  collection: Collection,
  keys: readonly unknown[],
  mayReadRevisions: boolean,
): Promise<() => Promise<number>> {
  const written = await readByKey(collection, keys);
  return async () => {
    const [now, revised] = [await readByKey(collection, keys), mayReadRevisions ? await findRevised(collection, keys) : new Set<string>()];
    const present = keys.filter((key) => now.has(String(key)));
    const same = present.filter((key) => !revised.has(String(key)) && isEqual(now.get(String(key)), written.get(String(key))));
    if (same.length > 0) await request('DELETE', itemsPath(collection), { body: same });
    return present.length - same.length;
  };
}

async function readByKey(collection: Collection, keys: readonly unknown[]): Promise<ReadonlyMap<string, Item>> {
  const names = collection.fields.filter(({ column }) => column !== null).map(({ name }) => escapeName(name));
  const found = new Map<string, Item>();
  for (const part of partsOf(keys)) {
    const body = { keys: part, query: { fields: names, limit: -1 } };
    const { data } = await request<readonly Item[]>('SEARCH', itemsPath(collection), { body });
    for (const item of data) found.set(keyText(collection, item) ?? '', item);
  }
  return found;
}

/** Items whose last revision is not their creation. */
async function findRevised({ name }: Collection, keys: readonly unknown[]): Promise<ReadonlySet<string>> {
  const last = new Map<string, string>();
  for (const part of partsOf(keys)) {
    const filter = { collection: { _eq: name }, item: { _in: part.map(String) }, version: { _null: true } };
    const query = { fields: ['item', 'activity.action'], filter, sort: ['-id'], limit: -1 };
    const { data } = await search<readonly Revised[]>('/revisions', query);
    for (const { item, activity } of data) if (!last.has(item)) last.set(item, activity?.action ?? 'create');
  }
  return new Set([...last].flatMap(([item, action]) => (action === 'create' ? [] : [item])));
}

interface Revised {
  readonly item: string;
  readonly activity: { readonly action: string } | null;
}

const partsOf = (keys: readonly unknown[]): readonly (readonly unknown[])[] =>
  Array.from({ length: Math.ceil(keys.length / partSize) }, (_, index) => keys.slice(index * partSize, (index + 1) * partSize));
