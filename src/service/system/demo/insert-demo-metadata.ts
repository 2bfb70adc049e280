// Inserts the metadata of the demo: what its definitions state, and the many-to-any relation, which a definition cannot state.

import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import { systemMetadata } from '../../../core/schema/build/system-metadata.js';
import type { SystemDefinition } from '../../../core/schema/system-definition.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import type { PlainRow } from '../../../core/sql/plain-rows.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import * as metadata from '../../definitions/structure.js';
import { blockCollections, demoDefinitions } from './demo-definitions.js';

const hidden: ReadonlySet<unknown> = new Set(['book_tags', 'page_blocks']);

export async function insertDemoMetadata(dialect: Dialect, connection: Connection, system: SystemHome): Promise<void> {
  const { collections, fields, relations } = systemMetadata(demoDefinitions);
  const insert = (definition: SystemDefinition, rows: readonly PlainRow[]): Promise<void> =>
    systemRows(dialect.syntax, definition, system).insert(connection, rows.map(storable));
  await insert(
    metadata.collections,
    collections.map((row) => ({ ...row, hidden: hidden.has(row.collection) })),
  );
  await insert(
    metadata.fields,
    fields.filter((row) => row.special !== null),
  );
  await insert(metadata.relations, [...relations.map(withOrder), anyLeg]);
}

/** Leaves out the key, which the database generates, and `system`, which is no column. */
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
