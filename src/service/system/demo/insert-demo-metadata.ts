// The metadata of the demo: what its definitions say, and the leg of the many-to-any that a definition cannot say.

import { definitionOf } from '../../../core/engine/definition-of.js';
import { systemRows } from '../../../core/engine/system-rows.js';
import { systemMetadata } from '../../../core/schema/system-metadata.js';
import type { PlainRow } from '../../../core/sql/plain-rows.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { systemDefinitions } from '../system-definitions.js';
import { blockCollections, demoDefinitions } from './demo-definitions.js';

const hidden: ReadonlySet<unknown> = new Set(['book_tags', 'page_blocks']);

export async function insertDemoMetadata(dialect: Dialect, connection: Connection, systemSchema: string | null): Promise<void> {
  const { collections, fields, relations } = systemMetadata(demoDefinitions);
  const insert = (collection: string, rows: readonly PlainRow[]): Promise<void> =>
    systemRows(dialect.syntax, definitionOf(systemDefinitions, collection), systemSchema).insert(connection, rows.map(storable));
  await insert(
    'service_collections',
    collections.map((row) => ({ ...row, hidden: hidden.has(row.collection) })),
  );
  await insert(
    'service_fields',
    fields.filter((row) => row.special !== null),
  );
  await insert('service_relations', [...relations.map(withOrder), anyLeg]);
}

/** The database counts the keys; `system` is no column. */
function storable(row: PlainRow): PlainRow {
  const { id: _, system: __, ...stored } = row;
  return stored;
}

const withOrder = (row: PlainRow): PlainRow => (row.many_collection === 'page_blocks' ? { ...row, sort_field: 'sort' } : row);

const anyLeg: PlainRow = {
  many_collection: 'page_blocks',
  many_field: 'item',
  one_collection: null,
  one_field: null,
  one_collection_field: 'collection',
  one_allowed_collections: blockCollections,
  junction_field: 'page',
  sort_field: null,
  one_deselect_action: 'nullify',
};
