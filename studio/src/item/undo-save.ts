// Takes a save back, as an ordinary write with the person's own rights. A draft of plain fields is undone by writing what was there before. A
// draft that also created, linked or removed related items is undone by the revisions that its request made, and by no others: in reverse
// order, in one batch.

import { ApiError, request, search } from '../api/client.js';
import { inverse } from '../draft/draft.js';
import type { Edits, Item } from '../draft/item.js';
import { entriesOf, isStagedEntry, isStagedList, payloadOf, relatedOf } from '../draft/staged.js';
import { readItem } from '../form/read-item.js';
import { keySegment } from '../schema/item-key.js';
import type { Collection, Schema } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { itemsPath } from '../studio-context.js';

export interface SavedDraft {
  readonly schema: Schema;
  readonly collection: Collection;
  /** The path of the item, and what it held before; null: it was created. */
  readonly path: string;
  readonly before: Item | null;
  readonly edits: Edits;
  /** The state after the save. */
  readonly etag: string | null;
  /** The revisions that the save has made; null when they are not needed. */
  readonly revisions: readonly number[] | null;
}

/** Whether an undo failed because somebody has changed the item meanwhile. */
export const isOvertaking = (error: unknown): boolean => error instanceof ApiError && (error.status === 412 || error.status === 403);

export const isStaged = (value: unknown): boolean => isStagedEntry(value) || isStagedList(value);

/** Whether undoing needs the revisions, because related items were staged. */
export const hasStaged = (edits: Edits): boolean => Object.values(edits).some(isStaged);

/** Rejects with status 412 if somebody has changed the item since, or one of those that the save changed with it. */
export async function undoSave(saved: SavedDraft): Promise<void> {
  const { schema, collection, path, before, edits, etag, revisions } = saved;
  if (revisions === null) {
    if (before === null) await request('DELETE', path, { ifMatch: etag });
    else await request('PATCH', path, { body: payloadOf(schema, collection, inverse(before, edits)), ifMatch: etag });
    return;
  }
  if (before !== null && etag !== null && (await readItem(schema, collection, path)).etag !== etag) throw new ApiError(412, []);
  const written = await readWritten(revisions);
  if (await isOvertaken(written)) throw new ApiError(412, []);
  await request('POST', '/batch', { body: { operations: written.flatMap((revision) => takeBack(saved, revision)) } });
}

interface WrittenRevision {
  readonly id: number;
  readonly collection: string;
  readonly item: string;
  readonly data: Item | null;
  readonly delta: Item | null;
  readonly activity: { readonly action: string } | null;
}

async function readWritten(revisions: readonly number[]): Promise<readonly WrittenRevision[]> {
  const fields = ['id', 'collection', 'item', 'data', 'delta', 'activity.action'];
  const query = { fields, filter: { id: { _in: revisions } }, sort: ['-id'], limit: -1 };
  const { data } = await search<readonly WrittenRevision[]>('/revisions', query);
  // A part of a save is not taken back.
  if (data.length < revisions.length) throw new ApiError(412, []);
  return data;
}

/** Whether one of the items has been changed since. */
async function isOvertaken(written: readonly WrittenRevision[]): Promise<boolean> {
  const last = written[0]?.id;
  if (last === undefined) return false;
  const items = [...new Set(written.map(({ collection }) => collection))].map((name) => ({
    collection: { _eq: name },
    item: { _in: written.filter(({ collection }) => collection === name).map(({ item }) => item) },
  }));
  const filter = { _and: [{ id: { _gt: last } }, { version: { _null: true } }, { _or: items }] };
  return (await search<readonly unknown[]>('/revisions', { fields: ['id'], filter, limit: 1 })).data.length > 0;
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
  const own = `${path}/${keySegment(collection, item)}`;
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
