// The dependencies of all operations on versions, and a stored version: a row of service_versions.

import { lookUpCollection } from '../../../core/access/view.js';
import type { SystemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { Work } from '../../../core/engine/work/work.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import type { Refusal } from '../../../core/errors/refusals.js';
import { forbidden, invalidQuery, refusalError } from '../../../core/errors/service-error.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Authenticator } from '../../auth/session/authenticate.js';
import type { versions as versionDefinition } from '../../definitions/history.js';
import type { HistoryTables } from '../revisions/write-records.js';
import { readAdoptedDelta } from './adopted-delta.js';
import { fitDelta, type LostChange } from './fit-delta.js';

export interface VersionDeps {
  /** Reads with the limits of requests. */
  readonly reader: Pick<Reader, 'item' | 'items' | 'singleton'>;
  /** Reads without the limits of requests, for the service's own questions. */
  readonly own: Pick<Reader, 'item' | 'items' | 'objects' | 'keys'>;
  readonly writer: Pick<Writer, 'update' | 'updateBatch' | 'lock' | 'transaction'>;
  readonly versions: SystemRows<RowOf<typeof versionDefinition>>;
  /** null if history is off. */
  readonly tables: HistoryTables | null;
  /** A keyed digest, so that values cannot be guessed from it without the secret. */
  readonly digest: (text: string) => string;
  readonly ofUser: Authenticator['ofUser'];
  /** The versions are in a table of another server, in its form (adopted-delta.ts). */
  readonly isAdopted: boolean;
}

export type Delta = Readonly<Record<string, unknown>>;

export interface Version {
  readonly id: string;
  readonly collection: string;
  readonly item: string;
  readonly hash: string | null;
  /** The changes as saved. */
  readonly stored: Delta;
  /** The changes whose fields still exist. */
  readonly delta: Delta;
  /** The changes whose fields no longer exist. */
  readonly lost: readonly LostChange[];
  /** The user who saved each field of the delta. */
  readonly authors: Readonly<Record<string, string>>;
  /** Digests of the item's fields at the first save; null before. */
  readonly base: Readonly<Record<string, string>> | null;
}

const versionsCollection = 'service_versions';
const columns = ['id', 'collection', 'item', 'hash', 'delta', 'authors', 'base', 'date_created'] as const;
/** A list applies all its versions before it can filter, sort and page, so their number is limited. */
const maxVersions = 1000;

/** A version that the caller may read; FORBIDDEN otherwise. */
export async function findVersion({ own, versions, isAdopted }: VersionDeps, work: Work, id: string): Promise<Version> {
  const [visible] = await own.objects(work, versionsCollection, { fields: ['id'], filter: { id: { _eq: id } }, limit: 1 });
  const [row] = visible === undefined ? [] : await versions.read(work.connection, columns, { id: String(visible['id']) });
  if (row === undefined) throw forbidden();
  return readVersion(work, row, isAdopted);
}

/** The versions with this key that the caller may read, the oldest first: of one item, or of all items of the collection. */
export async function findVersions(
  { own, versions, isAdopted }: VersionDeps,
  work: Work,
  where: { readonly collection: string; readonly key: string; readonly item?: string },
): Promise<readonly Version[]> {
  lookUpCollection(work.caller.view, versionsCollection, 'read');
  const filter = { _and: Object.entries(where).map(([name, value]) => ({ [name]: { _eq: value } })) };
  const visible = await own.objects(work, versionsCollection, { fields: ['id'], filter, limit: maxVersions + 1 });
  if (visible.length > maxVersions) throw invalidQuery(`More than ${maxVersions} items have this version: read them one by one.`);
  if (visible.length === 0) return [];
  const ids = new Set(visible.map((row) => row['id']));
  const rows = await versions.read(work.connection, columns, where);
  return rows
    .filter((row) => ids.has(row.id))
    .toSorted(byAge)
    .map((row) => readVersion(work, row, isAdopted));
}

type VersionRow = Pick<RowOf<typeof versionDefinition>, (typeof columns)[number]>;

const byAge = (a: VersionRow, b: VersionRow): number => timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1);
const timeOf = ({ date_created: created }: VersionRow): number => Date.parse(String(created)) || 0;

function readVersion(work: Work, row: VersionRow, isAdopted: boolean): Version {
  const kept = isPlainObject(row.delta) ? row.delta : {};
  const authors = readTexts(row.authors) ?? {};
  const { delta: stored, author } = isAdopted ? readAdoptedDelta(kept) : { delta: kept, author: null };
  return {
    id: row.id,
    collection: row.collection,
    item: row.item,
    hash: row.hash,
    stored,
    ...fitStored(work, row.collection, stored),
    authors: author === null ? authors : { ...Object.fromEntries(Object.keys(stored).map((name) => [name, author])), ...authors },
    base: readTexts(row.base),
  };
}

/** If the collection itself no longer exists, the changes are returned unchanged, since no read can use them. */
export function fitStored({ caller }: Work, name: string, stored: Delta): Pick<Version, 'delta' | 'lost'> {
  const { schema } = caller.view;
  const collection = schema.collections.get(name);
  return collection === undefined ? { delta: stored, lost: [] } : fitDelta(schema, collection, stored);
}

const readTexts = (value: unknown): Readonly<Record<string, string>> | null =>
  isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)])) : null;

export const unprocessable = (why: Refusal) => refusalError('UNPROCESSABLE_CONTENT', why, { reason: why.sentence });
