// One collection from its source and its relations. Views, tables without a key and folders are read-only.

import { buildFields, type CollectionRelations } from './build-fields.js';
import type { CollectionSource } from './collection-source.js';
import { type MetaRow, textOf } from './meta-row.js';
import type { Collection } from './schema.js';

export function buildCollection(source: CollectionSource, relations: CollectionRelations): Collection {
  const { name, table, system, meta } = source;
  const sortField = textOf(meta, 'sort_field');
  return {
    name,
    table,
    system,
    readOnly: table === null || table.kind === 'view' || table.primaryKey.length === 0,
    singleton: meta?.singleton === true,
    primaryKey: table?.primaryKey ?? [],
    fields: buildFields(source, relations),
    sortField: sortField !== null && source.columns.has(sortField) ? sortField : null,
    accountability: accountabilityOf(meta),
    versioning: meta?.versioning === true,
    note: textOf(meta, 'note') ?? table?.comment ?? null,
    meta,
  };
}

/** Everything is recorded unless the metadata says otherwise. */
function accountabilityOf(meta: MetaRow | null): Collection['accountability'] {
  const stated = meta === null || meta.accountability === undefined ? 'all' : meta.accountability;
  return stated === 'all' || stated === 'activity' ? stated : null;
}
