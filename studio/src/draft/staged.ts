// Related items inside a draft: new ones, linked ones and changed ones are staged with the item they belong to and saved in its request.
// `payloadOf` turns a draft into the body of that request. Pure, imports no framework.

import { keyFields, keyValue } from '../schema/item-key.js';
import type { Collection, Field, Relation, Schema } from '../schema/model.js';
import type { Edits, Item } from './item.js';

/** One related item. As the value of a many-to-one field it stands for the item that the field refers to. */
export interface StagedEntry {
  readonly $staged: 'entry';
  /** Tells entries of one list apart. */
  readonly id: string;
  /** The key of the stored row in the list (of the junction, if there is one); null: the entry was added. */
  readonly row: unknown;
  /** The key of the related item; null: it is new. */
  readonly key: unknown;
  /** What is stored of the related item, for its title. */
  readonly shown: Item;
  readonly edits: Edits;
  /** The collection of the related item where several are possible. */
  readonly collection?: string;
}

/** The changes to a list of related items. Rows that it does not name stay as they are. */
export interface StagedList {
  readonly $staged: 'list';
  /** Added and changed entries. */
  readonly entries: readonly StagedEntry[];
  /** Keys of rows to remove. */
  readonly removed: readonly unknown[];
  /** The ids of all entries of the list in their new order; absent while the order is as stored. */
  readonly order?: readonly OrderedEntry[];
}

/** An entry by its id, and the key of its stored row, if it has one. */
interface OrderedEntry {
  readonly id: string;
  readonly row: unknown;
}

export const emptyList: StagedList = { $staged: 'list', entries: [], removed: [] };

const isStaged = (value: unknown, kind: string): boolean =>
  typeof value === 'object' && value !== null && (value as { readonly $staged?: unknown }).$staged === kind;
export const isStagedEntry = (value: unknown): value is StagedEntry => isStaged(value, 'entry');
export const isStagedList = (value: unknown): value is StagedList => isStaged(value, 'list');

export const entryValues = ({ shown, edits }: StagedEntry): Item => ({ ...shown, ...edits });

export const isUnchanged = ({ entries, removed, order }: StagedList): boolean =>
  entries.length === 0 && removed.length === 0 && order === undefined;

/** Puts an entry in the place of the one with its id, or at the end. Neither a stored row nor a new item needs an entry without edits. */
export function putEntry(list: StagedList, entry: StagedEntry): StagedList {
  const isLinked = entry.row === null && entry.key !== null;
  const isNeeded = isLinked || Object.keys(entry.edits).length > 0;
  const isThere = list.entries.some(({ id }) => id === entry.id);
  const entries = isThere ? list.entries.flatMap((each) => (each.id !== entry.id ? [each] : isNeeded ? [entry] : [])) : [...list.entries];
  return { ...list, entries: isThere || !isNeeded ? entries : [...entries, entry] };
}

export const dropEntry = (list: StagedList, id: string): StagedList => ({
  ...list,
  entries: list.entries.filter((each) => each.id !== id),
});

export const removeRow = (list: StagedList, row: unknown): StagedList => ({
  ...list,
  entries: list.entries.filter((each) => each.row !== row),
  removed: [...list.removed, row],
});

export const restoreRow = (list: StagedList, row: unknown): StagedList => ({
  ...list,
  removed: list.removed.filter((each) => each !== row),
});

/** The collection of the item that an entry stands for. */
export function relatedOf(
  schema: Schema,
  relation: Relation | null,
  { collection }: Pick<StagedEntry, 'collection'>,
): Collection | undefined {
  if (relation === null || relation.kind === 'm2a') return undefined;
  return schema.get((relation.kind === 'm2m' && relation.any !== null ? collection : relation.related) ?? '');
}

/** The entries of a value of a draft: of a list, or the one item a field refers to. */
export const entriesOf = (value: unknown): readonly StagedEntry[] =>
  isStagedList(value) ? value.entries : isStagedEntry(value) ? [value] : [];

/** The body of the request that saves a draft: picked items as keys, staged ones in depth. */
export function payloadOf(schema: Schema, collection: Collection, edits: Edits): Edits {
  return Object.fromEntries(
    Object.entries(edits).map(([name, value]) => {
      const field = collection.fieldsByName.get(name);
      return [name, field === undefined ? value : fieldPayload(schema, field, value)];
    }),
  );
}

function fieldPayload(schema: Schema, { relation }: Field, value: unknown): unknown {
  if (relation === null) return value;
  if (isStagedList(value)) return listPayload(schema, relation, value);
  const related = relatedOf(schema, relation, {});
  if (related === undefined || related.keys.length === 0) return value;
  if (isStagedEntry(value)) return itemPayload(schema, related, value);
  return relation.kind === 'm2o' && typeof value === 'object' && value !== null ? (keyValue(related, value as Item) ?? null) : value;
}

/** A linked item without edits is its key; a new one an object without key. */
function itemPayload(schema: Schema, related: Collection, { key, edits }: StagedEntry): unknown {
  if (key !== null && Object.keys(edits).length === 0) return key;
  return { ...payloadOf(schema, related, edits), ...(key === null ? {} : keyFields(related, key)) };
}

type Row = Readonly<Record<string, unknown>>;

function listPayload(schema: Schema, relation: Relation, list: StagedList): unknown {
  const rows = (relation.kind === 'm2m' ? schema.get(relation.junction) : relatedOf(schema, relation, {})) ?? { keys: ['id'] };
  const sortOf = sortValues(relation, list);
  const create: Row[] = [];
  const update: Row[] = [];
  for (const entry of list.entries) {
    const row = rowPayload(schema, relation, rows, entry);
    const isUpdate = (relation.kind === 'm2m' ? entry.row : entry.key) !== null;
    (isUpdate ? update : create).push({ ...row, ...sortOf(entry.id) });
  }
  // Rows that only moved have no entry.
  const named = new Set(list.entries.map(({ id }) => id));
  const moved = (list.order ?? []).filter(({ id, row }) => row !== null && !named.has(id) && !list.removed.includes(row));
  update.push(...moved.map(({ id, row }) => ({ ...keyFields(rows, row), ...sortOf(id) })));
  return {
    ...(create.length === 0 ? {} : { create }),
    ...(update.length === 0 ? {} : { update }),
    ...(list.removed.length === 0 ? {} : { delete: list.removed }),
  };
}

/** An entry as a row of the list: of the junction where there is one, else the related item itself. */
function rowPayload(schema: Schema, relation: Relation, rows: Pick<Collection, 'keys'>, entry: StagedEntry): Row {
  const related = relatedOf(schema, relation, entry);
  const item = related === undefined ? entry.key : itemPayload(schema, related, entry);
  if (relation.kind !== 'm2m') return typeof item === 'object' && item !== null ? (item as Row) : keyFields(rows, item);
  return {
    ...(entry.row === null ? {} : keyFields(rows, entry.row)),
    ...(relation.any === null ? {} : { [relation.any.collectionField]: entry.collection }),
    [relation.junctionField]: item,
  };
}

/** The place of an entry as the value of the relation's sort field. */
function sortValues(relation: Relation, { order }: StagedList): (id: string) => Row {
  const sortField = relation.kind === 'o2m' || relation.kind === 'm2m' ? relation.sortField : null;
  if (sortField === null || order === undefined) return () => ({});
  const places = new Map(order.map(({ id }, index) => [id, index + 1]));
  return (id) => (places.has(id) ? { [sortField]: places.get(id) } : {});
}
