// The history of an item as the service keeps it, newest first: who did what, and the item as it was afterwards.

import { search } from '../api/client.js';
import type { Item } from '../draft/draft.js';
import { plainText } from '../schema/templates.js';

export interface Revision {
  readonly id: number;
  /** The item after the change; before it, when it was deleted. */
  readonly data: Item;
  readonly delta: Item | null;
  readonly action: string;
  readonly time: string;
  readonly person: string;
}

interface RawRevision {
  readonly id: number;
  readonly data: Item | null;
  readonly delta: Item | null;
  readonly activity: { readonly action?: string; readonly timestamp?: string; readonly user?: Item | null } | null;
}

const fields = [
  'id',
  'data',
  'delta',
  'activity.action',
  'activity.timestamp',
  'activity.user.first_name',
  'activity.user.last_name',
  'activity.user.email',
];

export const pageSize = 30;

export async function readRevisions(collection: string, item: string, limit: number, signal?: AbortSignal): Promise<readonly Revision[]> {
  const filter = { collection: { _eq: collection }, item: { _eq: item }, version: { _null: true } };
  const { data } = await search<readonly RawRevision[]>('/revisions', { fields, filter, sort: ['-id'], limit }, signal);
  return data.map(({ id, data: state, delta, activity }) => ({
    id,
    data: state ?? {},
    delta,
    action: activity?.action ?? 'update',
    time: activity?.timestamp ?? '',
    person: personOf(activity?.user ?? null),
  }));
}

function personOf(user: Item | null): string {
  if (user === null) return '';
  return [user['first_name'], user['last_name']].map(plainText).filter(Boolean).join(' ') || plainText(user['email']);
}
