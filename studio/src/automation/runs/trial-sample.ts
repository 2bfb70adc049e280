// What a flow is tried out with: what its trigger would hand it, empty or with the values of an item.

import { request } from '../../api/client.js';
import type { Item } from '../../draft/item.js';
import { textOf, textsOf } from '../automation-data.js';
import type { Flow } from '../flow-model.js';

export function sampleFor({ id, trigger, options }: Flow): unknown {
  const collection = textsOf(options?.['collections'])[0] ?? '';
  switch (trigger) {
    case 'event':
      return eventOf(options, collection, null, {});
    case 'manual':
      return manualOf(id, collection, []);
    case 'webhook':
      return { path: `/trigger/${id}`, method: textOf(options?.['method']) || 'GET', query: {}, body: {}, headers: {} };
    case 'operation':
      return {};
    default:
      return null;
  }
}

/** With an item as it is stored. */
export async function readSample({ id, trigger, options }: Flow, collection: string, key: string): Promise<unknown> {
  const { data } = await request<Item>('GET', `/items/${encodeURIComponent(collection)}/${encodeURIComponent(key)}`, {
    query: { fields: '*' },
  });
  return trigger === 'manual' ? manualOf(id, collection, [key]) : eventOf(options, collection, key, data);
}

const manualOf = (id: string, collection: string, keys: readonly string[]) => ({
  path: `/trigger/${id}`,
  method: 'POST',
  query: {},
  body: { collection, keys },
  headers: {},
});

/** Of what the flow waits for, the first. */
function eventOf(options: Flow['options'], collection: string, key: string | null, payload: Item) {
  const scope = textsOf(options?.['scope'])[0] ?? 'items.create';
  const event = scope.startsWith('items.') ? `${collection}.${scope}` : scope;
  const keys = key === null ? [] : [key];
  if (scope.endsWith('create')) return { event, collection, payload, ...(key === null ? {} : { key }) };
  return scope.endsWith('delete') ? { event, collection, payload: keys, keys } : { event, collection, payload, keys };
}
