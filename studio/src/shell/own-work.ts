// What somebody worked on: the items they edited last, by the activity the service keeps, and the drafts that wait in this browser.

import { search } from '../api/client.js';
import { targetOf } from '../mirror/api-request.js';
import { addressKey } from '../schema/item-key.js';
import type { Collection, Schema } from '../schema/model.js';
import { renderTemplate, templateOf, templatePaths } from '../schema/templates.js';

export interface WorkedOn {
  readonly collection: Collection;
  readonly href: string;
  /** Empty: a new item without a name. */
  readonly title: string;
  readonly time: Date | null;
}

const mostRecent = 8;
/** Reads more entries than are shown, because an item is often saved several times in a row. */
const mostRead = 60;
const mostTitles = 20;
const mostNamed = 200;

interface Entry {
  readonly action: string;
  readonly timestamp: string;
  readonly collection: string;
  readonly item: string;
  /** With the fields of titles, as `json(data, title)` is answered. */
  readonly revisions?: readonly Readonly<Record<string, unknown>>[];
}

const isOwn = ({ isSystem, isFolder }: Collection): boolean => !isSystem && !isFolder;

/** Titles come from the revisions behind the activity, so that one request is enough; without a right to these, keys serve as titles. */
export function requestOfRecent(schema: Schema, user: string, mayReadRevisions: boolean) {
  const own = [...schema.values()].filter(isOwn);
  const titles = [...new Set(own.flatMap((collection) => templatePaths(templateOf(collection))))].filter((path) => /^\w+$/.test(path));
  const named = mayReadRevisions ? titles.slice(0, mostTitles).map((name) => `json(revisions.data, ${name})`) : [];
  const among = own.length > mostNamed ? {} : { collection: { _in: own.map(({ name }) => name) } };
  return {
    path: '/activity',
    query: {
      fields: ['action', 'timestamp', 'collection', 'item', ...named],
      filter: { user: { _eq: user }, action: { _in: ['create', 'update', 'delete'] }, ...among },
      sort: ['-id'],
      limit: mostRead,
    },
  };
}

export async function readRecent(schema: Schema, { path, query }: ReturnType<typeof requestOfRecent>, signal: AbortSignal) {
  return recentOf(schema, (await search<readonly Entry[]>(path, query, signal)).data);
}

/** Each item once, where it was edited last; those that were deleted since are left out. */
export function recentOf(schema: Schema, entries: readonly Entry[]): readonly WorkedOn[] {
  const last = new Map<string, Entry>();
  for (const entry of entries) {
    const place = JSON.stringify([entry.collection, entry.item]);
    if (!last.has(place)) last.set(place, entry);
  }
  const found = [...last.values()].flatMap(({ action, timestamp, collection: name, item, revisions }): readonly WorkedOn[] => {
    const collection = schema.get(name);
    if (collection === undefined || !isOwn(collection) || action === 'delete') return [];
    const title = titleIn(collection, valuesOf(revisions?.[0] ?? {})) || (collection.singleton ? collection.title : item);
    return [{ collection, href: hrefOf(collection, item), title, time: new Date(timestamp) }];
  });
  return found.slice(0, mostRecent);
}

/** `{data_title_json: 'Emma'}` → `{title: 'Emma'}`. */
const valuesOf = (revision: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(revision).map(([name, value]) => [/^data_(.*)_json$/.exec(name)?.[1] ?? name, value]));

const titleIn = (collection: Collection, item: Readonly<Record<string, unknown>>): string => renderTemplate(templateOf(collection), item);

const hrefOf = ({ name, singleton }: Collection, key: string): string =>
  `/c/${encodeURIComponent(name)}${singleton ? '' : `/${key === '+' ? key : addressKey(key)}`}`;

/** The drafts of a person among what the browser keeps, newest first. */
export function draftsIn(storage: Pick<Storage, 'key' | 'length' | 'getItem'>, schema: Schema, user: string): readonly WorkedOn[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  const found = names.flatMap((name) => {
    const place = name.startsWith(`draft:${user}:`) ? name.slice(`draft:${user}:`.length) : null;
    const draft = place === null ? null : readDraft(storage.getItem(name));
    return place === null || draft === null ? [] : draftAt(schema, place, draft);
  });
  return found.toSorted((left, right) => (right.time?.getTime() ?? 0) - (left.time?.getTime() ?? 0));
}

interface Draft {
  readonly edits: Readonly<Record<string, unknown>>;
  readonly origin?: Readonly<Record<string, unknown>>;
  /** Of the item with the edits; empty where nothing was known of the item. */
  readonly title?: string;
  readonly time?: string | null;
}

function readDraft(text: string | null): Draft | null {
  try {
    const draft = JSON.parse(text ?? 'null') as Partial<Draft> | null;
    return draft?.edits === undefined ? null : { ...draft, edits: draft.edits };
  } catch {
    return null;
  }
}

/** `draftPlace` names it: the path of the item in the API, or the collection of a new one. */
function draftAt(schema: Schema, place: string, { edits, origin, title, time }: Draft): readonly WorkedOn[] {
  const [path = '', version] = place.split('?version=');
  const isNew = path.endsWith('/+');
  const target = isNew ? { collection: schema.get(path.slice(0, -2)), key: '+' } : targetOf(schema, path);
  const { collection, key = null } = target ?? {};
  if (collection === undefined || (key === null && !collection.singleton)) return [];
  const moment = typeof time === 'string' ? new Date(time) : null;
  const fallback = isNew ? '' : (key ?? collection.title);
  const query = version === undefined ? '' : `?version=${encodeURIComponent(version)}`;
  const href = collection.isSystem && collection.singleton ? path : hrefOf(collection, key ?? '') + query;
  return [{ collection, href, title: title || titleIn(collection, { ...origin, ...edits }) || fallback, time: moment }];
}
