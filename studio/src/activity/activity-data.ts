// What people did, as the service keeps it, and the values behind one entry.

import { search } from '../api/client.js';
import type { Item } from '../draft/item.js';
import type { Person } from '../schema/person.js';
import { useText } from '../text/use-text.js';

export const useRunningText = () => useText('running');

export interface Entry {
  readonly id: number;
  readonly action: string;
  readonly timestamp: string;
  /** Absent when the person may not be read. */
  readonly user?: Person | null;
  readonly ip?: string | null;
  readonly user_agent?: string | null;
  readonly collection: string;
  readonly item: string;
}

/** What is chosen above the list. Empty: everything. */
export interface Chosen {
  readonly user: string;
  readonly action: string;
  readonly collection: string;
  readonly since: string;
}

export async function readEntries(chosen: Chosen, limit: number, signal: AbortSignal): Promise<readonly Entry[]> {
  const { path, query } = requestOfEntries(chosen, limit);
  return (await search<readonly Entry[]>(path, query, signal)).data;
}

export function requestOfEntries({ user, action, collection, since }: Chosen, limit: number) {
  const filter = {
    ...(user === '' ? {} : { user: { _eq: user } }),
    ...(action === '' ? {} : { action: { _eq: action } }),
    ...(collection === '' ? {} : { collection: { _eq: collection } }),
    ...(since === '' ? {} : { timestamp: { _gte: `$NOW(-${since})` } }),
  };
  const fields = ['id', 'action', 'timestamp', 'ip', 'user_agent', 'collection', 'item', ...person.map((field) => `user.${field}`)];
  return { path: '/activity', query: { fields, sort: ['-id'], limit, ...(Object.keys(filter).length === 0 ? {} : { filter }) } };
}

const person = ['id', 'first_name', 'last_name', 'email'];

/** The people to choose from; none when they may not be read. */
export async function readPeople(signal: AbortSignal): Promise<readonly Person[]> {
  return (await search<readonly Person[]>('/users', { fields: person, sort: ['first_name', 'email'], limit: 500 }, signal)).data;
}

export interface Values {
  readonly after: Item;
  /** undefined: the item did not exist before, or its former state is unknown. */
  readonly before: Item | undefined;
  /** The values that were sent; null: unknown. */
  readonly delta: Item | null;
}

/** The item after an entry and before it; null when nothing was kept. */
export async function readValues({ id, collection, item }: Entry, signal: AbortSignal): Promise<Values | null> {
  const fields = ['id', 'data', 'delta'];
  type Revision = { readonly id: number; readonly data: Item | null; readonly delta: Item | null };
  const [revision] = (
    await search<readonly Revision[]>('/revisions', { fields, filter: { activity: { _eq: id }, item: { _eq: item } }, limit: 1 }, signal)
  ).data;
  if (revision === undefined) return null;
  const filter = { collection: { _eq: collection }, item: { _eq: item }, id: { _lt: revision.id }, version: { _null: true } };
  const [previous] = (await search<readonly Revision[]>('/revisions', { fields, filter, sort: ['-id'], limit: 1 }, signal)).data;
  return { after: revision.data ?? revision.delta ?? {}, before: previous?.data ?? undefined, delta: revision.delta };
}
