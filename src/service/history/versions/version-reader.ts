// `?version=` for one item, a list or a singleton, for every door: the same methods as the engine's reader, answered from the version.

import { relatedCollections, unrestrictedCollections, unrestrictedWithRelated } from '../../../core/access/unrestricted-reads.js';
import { fieldRules, findField, lookUpCollection } from '../../../core/access/view.js';
import type { ItemsAnswer } from '../../../core/engine/read/reader.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Work } from '../../../core/engine/work/work.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { emptyParsedQuery, emptyQuery, type ParsedQuery, type Selection } from '../../../core/query/query.js';
import type { Collection } from '../../../core/schema/schema.js';
import { itemText } from '../subjects/item-text.js';
import { findReadable, keyParts } from '../subjects/read-main.js';
import { type Delta, findVersions, type Version, type VersionDeps } from './version.js';
import { withApplicable, withVersions } from './with-versions.js';

/** `parsed.version` is the key of the version. A version or an item that the caller may not read is answered like a missing one. */
export interface VersionReader {
  item(work: Work, name: string, key: readonly unknown[], parsed: ParsedQuery): Promise<string>;
  singleton(work: Work, name: string, parsed: ParsedQuery): Promise<string>;
  /** Lists only the items that have the version. An item whose version cannot be applied any more is listed without it. */
  items(work: Work, name: string, parsed: ParsedQuery, keys: readonly unknown[] | null): Promise<ItemsAnswer>;
}

export function openVersionReader(deps: VersionDeps): VersionReader {
  const inside = <T>(work: Work, act: (work: TransactionWork) => Promise<T>): Promise<T> =>
    deps.writer.transaction(work.caller, act, { dryRun: true, signal: work.signal });
  return {
    item: (work, name, key, parsed) =>
      inside(work, async (tx) => {
        const [only = '', ...more] = key.map(String);
        return readOne(deps, tx, name, parsed, itemText(more.length === 0 ? only : [only, ...more]));
      }),
    singleton: (work, name, parsed) => inside(work, (tx) => readOne(deps, tx, name, parsed)),
    items: (work, name, parsed, keys) => inside(work, (tx) => readList(deps, tx, name, parsed, keys)),
  };
}

/** For clients that expect `$meta` whatever they select: as if every query named it. */
export const withMetaAlways = (reader: VersionReader): VersionReader => ({
  item: (work, name, key, parsed) => reader.item(work, name, key, namingMeta(parsed)),
  singleton: (work, name, parsed) => reader.singleton(work, name, namingMeta(parsed)),
  items: (work, name, parsed, keys) => reader.items(work, name, namingMeta(parsed), keys),
});

function namingMeta(parsed: ParsedQuery): ParsedQuery {
  const { fields } = parsed.query;
  if (fields.length === 0) return parsed;
  const meta: Selection = {
    kind: 'field',
    field: { name: metaField, fn: null, args: [], scope: null },
    as: metaField,
    children: [],
    scopes: {},
  };
  return { ...parsed, query: { ...parsed.query, fields: [...fields, meta] } };
}

/** The versions with this key that the caller may read, and whose items they may read. */
async function findReadableVersions(
  deps: VersionDeps,
  work: TransactionWork,
  collection: Collection,
  key: string,
  item?: string,
): Promise<readonly Version[]> {
  const versions = await findVersions(deps, work, { collection: collection.name, key, ...(item === undefined ? {} : { item }) });
  if (versions.length === 0) return [];
  const items = versions.map((version) => version.item);
  const readable = await findReadable(deps.own, work, collection, items);
  return versions.filter((version) => readable.has(version.item));
}

async function readOne(deps: VersionDeps, work: TransactionWork, name: string, parsed: ParsedQuery, item?: string): Promise<string> {
  const collection = lookUpCollection(work.caller.view, name, 'read');
  const [version] = await findReadableVersions(deps, work, collection, parsed.version ?? '', item);
  if (version === undefined) throw forbidden();
  const { showsMeta, asked } = withoutMeta(parsed);
  const text = await withVersions(deps, work, collection, [version], async (inner) =>
    deps.reader.item(inner, name, keyParts(collection, version.item), asked),
  );
  if (!showsMeta && !parsed.versionRaw) return text;
  return JSON.stringify(decorate(work, collection, parsed, showsMeta, version, false, JSON.parse(text) as Delta));
}

async function readList(
  deps: VersionDeps,
  work: TransactionWork,
  name: string,
  parsed: ParsedQuery,
  keys: readonly unknown[] | null,
): Promise<ItemsAnswer> {
  const collection = lookUpCollection(work.caller.view, name, 'read');
  const wanted = keys === null ? null : new Set(keys.map((key) => itemText(Array.isArray(key) ? key : String(key))));
  const open = await findReadableVersions(deps, work, collection, parsed.version ?? '');
  const versions = open.filter(({ item }) => wanted === null || wanted.has(item));
  const { showsMeta, asked } = withoutMeta(parsed);
  const marks = (showsMeta || parsed.versionRaw) && !isGrouped(parsed) ? keyMarks(work, collection) : [];
  const marked = marks.length === 0 ? asked : { ...asked, query: { ...asked.query, fields: [...selected(asked), ...marks] } };
  const among = versions.map(({ item }) => (collection.primaryKey.length > 1 ? keyParts(collection, item) : item));
  const { items, meta, conflicts } = await withApplicable(deps, work, collection, versions, async (inner, left) => {
    const answer = await deps.reader.items(inner, name, marked, among);
    return { ...answer, meta: await countMeta(deps, inner, name, answer.meta, among), conflicts: new Set(left) };
  });
  if (marks.length === 0) return { items, meta };
  const byItem = new Map(versions.map((version) => [version.item, version]));
  const rows = (JSON.parse(`[${items}]`) as readonly Record<string, unknown>[]).map((row) => {
    const [only = '', ...more] = marks.map(({ as }) => String(row[as]));
    for (const { as } of marks) delete row[as];
    const version = byItem.get(itemText(more.length === 0 ? only : [only, ...more]));
    if (version === undefined) return JSON.stringify(row);
    return JSON.stringify(decorate(work, collection, parsed, showsMeta, version, conflicts.has(version), row));
  });
  return { items: rows.join(','), meta };
}

const isGrouped = ({ query }: ParsedQuery): boolean => query.aggregate.length > 0 || query.groupBy.length > 0;

const selected = ({ query }: ParsedQuery): readonly Selection[] =>
  query.fields.length === 0 ? [{ kind: 'wildcard', children: [] }] : query.fields;

type FieldSelection = Extract<Selection, { kind: 'field' }>;

/** Selects the key of each item under an extra name, to find its version; nothing if the caller may not read the key. */
function keyMarks({ caller }: TransactionWork, collection: Collection): readonly FieldSelection[] {
  if (collection.primaryKey.some((name) => findField(caller.view, collection, name, 'read') === null)) return [];
  return collection.primaryKey.map((name, index) => ({
    kind: 'field',
    field: { name, fn: null, args: [], scope: null },
    as: `$key${index}`,
    children: [],
    scopes: {},
  }));
}

/** Replaces `total_count` by the number of items that have the version. */
async function countMeta(
  { reader }: VersionDeps,
  inner: TransactionWork,
  name: string,
  meta: string | null,
  keys: readonly unknown[],
): Promise<string | null> {
  const counts = meta === null ? {} : (JSON.parse(meta) as Record<string, unknown>);
  if (!('total_count' in counts)) return meta;
  const all: ParsedQuery = {
    ...emptyParsedQuery,
    query: { ...emptyQuery, limit: 0, fields: [{ kind: 'nothing' }] },
    meta: ['filter_count'],
  };
  const counted = await reader.items(inner, name, all, keys);
  const { filter_count } = JSON.parse(counted.meta ?? '{}') as Readonly<Record<string, unknown>>;
  return JSON.stringify({ ...counts, total_count: filter_count });
}

const isMeta = (selection: Selection): boolean => selection.kind === 'field' && selection.field.name === metaField;
const metaField = '$meta';

/** `$meta` is not a field: it is added if the query selects everything or names it. */
function withoutMeta(parsed: ParsedQuery): { readonly showsMeta: boolean; readonly asked: ParsedQuery } {
  const { fields } = parsed.query;
  const named = fields.some(isMeta);
  const showsMeta = parsed.export === null && !isGrouped(parsed) && (named || selected(parsed).some(({ kind }) => kind === 'wildcard'));
  if (!named) return { showsMeta, asked: parsed };
  const rest = fields.filter((selection) => !isMeta(selection));
  return { showsMeta, asked: { ...parsed, query: { ...parsed.query, fields: rest.length === 0 ? [{ kind: 'nothing' }] : rest } } };
}

/** Adds the raw changes and `$meta`. With `conflict`, the item is shown without the version, and `$meta` says so. */
function decorate(
  work: TransactionWork,
  collection: Collection,
  { versionRaw }: ParsedQuery,
  showsMeta: boolean,
  version: Version,
  conflict: boolean,
  item: Delta,
): Delta {
  const raw = versionRaw && !conflict ? Object.entries(rawChanges(work, collection, version)).filter(([name]) => name in item) : [];
  const meta = { version_id: version.id, ...(conflict ? { conflict } : {}) };
  return { ...item, ...Object.fromEntries(raw), ...(showsMeta ? { [metaField]: meta } : {}) };
}

/** The changes of relations as saved, if the caller reads all collections that they can name without rules. */
export function rawChanges({ caller: { view } }: Work, collection: Collection, { delta }: Pick<Version, 'delta'>): Delta {
  const whole = view.grants.admin ? null : unrestrictedWithRelated(view.schema, unrestrictedCollections(view.grants));
  return Object.fromEntries(
    Object.entries(delta).filter(([name]) => {
      const field = findField(view, collection, name, 'read');
      if (field === null) return false;
      const related = relatedCollections(field);
      if (fieldRules(view, collection.name, name, 'read') !== 'all') return false;
      return related.length > 0 && (whole === null || related.every((other) => whole.has(other)));
    }),
  );
}
