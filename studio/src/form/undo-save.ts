// Takes a save back, as an ordinary write with the person's own rights. A draft of plain fields is undone by writing what was there before. A
// draft that also created, linked or removed related items is undone by the revisions it made: in reverse order, in one batch.

import { ApiError, request, search } from '../api/client.js';
import { type Edits, type Item, inverse } from '../draft/draft.js';
import { entriesOf, isStagedEntry, isStagedList, payloadOf, relatedOf } from '../draft/staged.js';
import type { Collection, Schema } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { itemsPath } from '../studio-context.js';
import { readItem } from './read-item.js';

export interface SavedDraft {
  readonly schema: Schema;
  readonly user: string;
  readonly collection: Collection;
  /** The path of the item, and what it held before; null: it was created. */
  readonly path: string;
  readonly before: Item | null;
  readonly edits: Edits;
  /** The state after the save. */
  readonly etag: string | null;
  /** The numbers of the last revision before and after the save; null when they were not needed. */
  readonly range: readonly [number, number] | null;
}

export const isStaged = (value: unknown): boolean => isStagedEntry(value) || isStagedList(value);

/** Whether undoing needs the revisions, because related items were staged. */
export const hasStaged = (edits: Edits): boolean => Object.values(edits).some(isStaged);

/** The number of the newest revision; null for people who may not read revisions. */
export async function lastRevision(): Promise<number | null> {
  try {
    const { data } = await search<readonly { readonly id: number }[]>('/revisions', { fields: ['id'], sort: ['-id'], limit: 1 });
    return data[0]?.id ?? 0;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  }
}

/** Rejects with status 412 if somebody has changed the item since. */
export async function undoSave(saved: SavedDraft): Promise<void> {
  const { schema, collection, path, before, edits, etag, range } = saved;
  if (range === null) {
    if (before === null) await request('DELETE', path, { ifMatch: etag });
    else await request('PATCH', path, { body: payloadOf(schema, collection, inverse(before, edits)), ifMatch: etag });
    return;
  }
  const { etag: now } = await readItem(schema, collection, path);
  if (etag !== null && now !== etag) throw new ApiError(412, []);
  const operations = (await readWritten(saved, range)).flatMap((revision) => takeBack(saved, revision));
  await request('POST', '/batch', { body: { operations } });
}

interface WrittenRevision {
  readonly id: number;
  readonly collection: string;
  readonly item: string;
  readonly data: Item | null;
  readonly delta: Item | null;
  readonly activity: { readonly action: string } | null;
}

const mostRevisions = 500;

async function readWritten({ user }: SavedDraft, [from, to]: readonly [number, number]): Promise<readonly WrittenRevision[]> {
  const filter = { id: { _gt: from, _lte: to }, activity: { user: { _eq: user } } };
  const fields = ['id', 'collection', 'item', 'data', 'delta', 'activity.action'];
  return (await search<readonly WrittenRevision[]>('/revisions', { fields, filter, sort: ['-id'], limit: mostRevisions })).data;
}

interface Operation {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

function takeBack(saved: SavedDraft, { collection: name, item, data, delta, activity }: WrittenRevision): readonly Operation[] {
  const collection = saved.schema.get(name);
  if (collection === undefined) return [];
  const path = itemsPath(collection);
  const own = `${path}/${encodeURIComponent(item)}`;
  switch (activity?.action) {
    case 'create':
      return [{ method: 'DELETE', path: own }];
    case 'delete':
      return data === null ? [] : [{ method: 'POST', path, body: data }];
    default: {
      const known = own === saved.path ? saved.before : beforeOf(saved.schema, saved.collection, saved.edits, name, item);
      const names = Object.keys(delta ?? {}).filter((field) => known !== null && field in known);
      const body = payloadOf(saved.schema, collection, Object.fromEntries(names.map((field) => [field, known?.[field] ?? null])));
      return names.length === 0 ? [] : [{ method: 'PATCH', path: own, body }];
    }
  }
}

/** What a staged item held before it was edited, as the draft that was saved knows it. */
function beforeOf(schema: Schema, collection: Collection, edits: Edits, name: string, item: string): Item | null {
  for (const [field, value] of Object.entries(edits)) {
    const relation = collection.fieldsByName.get(field)?.relation ?? null;
    for (const entry of entriesOf(value)) {
      const related = relatedOf(schema, relation, entry);
      if (related === undefined) continue;
      if (related.name === name && plainText(entry.key) === item) return entry.shown;
      const below = beforeOf(schema, related, entry.edits, name, item);
      if (below !== null) return below;
    }
  }
  return null;
}
