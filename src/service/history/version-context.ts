// What versions work with, and a version as it is stored.

import type { Reader } from '../../core/engine/reader.js';
import type { SystemRows } from '../../core/engine/system-rows.js';
import type { Work } from '../../core/engine/work.js';
import type { Writer } from '../../core/engine/writer.js';
import { forbidden } from '../../core/errors/service-error.js';
import type { HistoryTables } from './write-records.js';

export interface VersionContext {
  readonly reader: Pick<Reader, 'item' | 'objects'>;
  readonly writer: Pick<Writer, 'update' | 'lock'>;
  readonly versions: SystemRows;
  /** null: history is off. */
  readonly tables: HistoryTables | null;
}

export type Delta = Readonly<Record<string, unknown>>;

export interface Version {
  readonly id: string;
  readonly collection: string;
  readonly item: string;
  readonly hash: string | null;
  readonly delta: Delta | null;
}

const columns = ['id', 'collection', 'item', 'hash', 'delta'];

/** One version the caller may read, by what it is known by. */
export async function findVersion(
  { reader, versions }: VersionContext,
  work: Work,
  where: Readonly<Record<string, string>>,
): Promise<Version> {
  const filter = { _and: Object.entries(where).map(([name, value]) => ({ [name]: { _eq: value } })) };
  const [visible] = await reader.objects(work, 'service_versions', { fields: ['id'], filter, limit: 1 });
  if (visible === undefined) throw forbidden();
  const [row] = await versions.read(work.connection, columns, { id: visible['id'] });
  if (row === undefined) throw forbidden();
  return readVersion(row);
}

const readVersion = (row: Readonly<Record<string, unknown>>): Version => ({
  id: String(row['id']),
  collection: String(row['collection']),
  item: String(row['item']),
  hash: typeof row['hash'] === 'string' ? row['hash'] : null,
  delta: isDelta(row['delta']) ? row['delta'] : null,
});

export const isDelta = (value: unknown): value is Delta => typeof value === 'object' && value !== null && !Array.isArray(value);
