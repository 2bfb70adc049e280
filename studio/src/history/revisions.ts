// The history of an item as the service keeps it, newest first: who did what, and the item as it was afterwards.

import { search } from '../api/client.js';
import type { Item } from '../draft/item.js';
import { type Schema, systemCollection } from '../schema/model.js';
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
  readonly previous?: Item | null;
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

/** The action of the state before the first revision: nobody's. */
export const foundAction = 'found';

/**
 * The last of them, if the item was there before anything was recorded of it, is the item as it was found. `keepsPrevious`: whether
 * revisions tell what they replaced.
 */
export async function readHistory(
  schema: Schema,
  collection: string,
  item: string,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Revision[]> {
  const keepsPrevious = systemCollection(schema, 'revisions')?.fieldsByName.has('previous') === true;
  const raw = await readRaw(collection, item, limit, keepsPrevious ? [...fields, 'previous'] : fields, signal);
  const first = raw.at(-1);
  const previous = raw.length < limit && first?.activity?.action === 'update' ? first.previous : null;
  const revisions = raw.map(revisionOf);
  if (first === undefined || previous === null || previous === undefined) return revisions;
  const found: Revision = { id: 0, data: { ...first.data, ...previous }, delta: previous, action: foundAction, time: '', person: '' };
  return [...revisions, found];
}

export const readRevisions = async (collection: string, item: string, limit: number, signal?: AbortSignal): Promise<readonly Revision[]> =>
  (await readRaw(collection, item, limit, fields, signal)).map(revisionOf);

async function readRaw(collection: string, item: string, limit: number, read: readonly string[], signal: AbortSignal | undefined) {
  const filter = { collection: { _eq: collection }, item: { _eq: item }, version: { _null: true } };
  return (await search<readonly RawRevision[]>('/revisions', { fields: read, filter, sort: ['-id'], limit }, signal)).data;
}

function revisionOf({ id, data: state, delta, activity }: RawRevision): Revision {
  return {
    id,
    data: state ?? {},
    delta,
    action: activity?.action ?? 'update',
    time: activity?.timestamp ?? '',
    person: personOf(activity?.user ?? null),
  };
}

function personOf(user: Item | null): string {
  if (user === null) return '';
  return [user['first_name'], user['last_name']].map(plainText).filter(Boolean).join(' ') || plainText(user['email']);
}
