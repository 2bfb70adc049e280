// Builds one collection from its source and its relations. Views, tables without a primary key, tables of a mirrored database and
// folders are read-only.

import { type MetaRow, textOf } from '../meta-row.js';
import type { RawTable } from '../raw.js';
import type { Collection } from '../schema.js';
import { buildFields, type CollectionRelations } from './build-fields.js';
import type { CollectionSource } from './collection-source.js';

export function buildCollection(source: CollectionSource, relations: CollectionRelations): Collection {
  const { name, table, system, codeName, meta, about, demanded, loose, unused } = source;
  const sortField = textOf(meta, 'sort_field');
  const reason = readOnlyReason(table);
  return {
    name,
    table,
    system,
    codeName,
    readOnly: table === null || reason !== null,
    readOnlyReason: reason,
    singleton: meta?.singleton === true,
    primaryKey: table?.primaryKey ?? [],
    fields: buildFields(source, relations),
    sortField: sortField !== null && source.columns.has(sortField) ? sortField : null,
    accountability: accountabilityOf(meta),
    versioning: meta?.versioning === true,
    about,
    demanded,
    loose,
    unused,
    note: joinNotes(textOf(meta, 'note') ?? table?.comment ?? null, reason),
    meta,
  };
}

/** Where a table of the mirrored database is to be written. */
export const mirroredReason = 'read only: its database is only read, since SYSTEM_DATABASE_URL names another one for the service';

/** Without a primary key there is no way to address an item for writing. */
function readOnlyReason(table: RawTable | null): string | null {
  if (table === null) return null;
  if (table.mirrored === true) return mirroredReason;
  if (table.namedKey !== undefined) return null;
  if (table.kind === 'view') return 'read only: it has no primary key, since it is a view';
  return table.primaryKey.length === 0 ? 'read only: it has no primary key' : null;
}

const joinNotes = (note: string | null, reason: string | null): string | null => {
  if (reason === null) return note;
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return note === null ? sentence : `${note}\n\n${sentence}`;
};

/** Activity and revisions are recorded unless the metadata says otherwise. */
function accountabilityOf(meta: MetaRow | null): Collection['accountability'] {
  const stated = meta === null || meta.accountability === undefined ? 'all' : meta.accountability;
  return stated === 'all' || stated === 'activity' ? stated : null;
}
