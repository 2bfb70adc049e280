// PATCH and DELETE /collections/{collection}: the metadata row; the table with all rows that refer to it.

import { refusal } from '../../../core/errors/refusals.js';
import { forbiddenCollection, invalidPayload } from '../../../core/errors/service-error.js';
import { collectionMetaDefaults } from '../../../core/schema/meta-defaults.js';
import { listOf, type MetaRow } from '../../../core/schema/meta-row.js';
import type { Collection } from '../../../core/schema/schema.js';
import type { StructureChange } from '../../../core/vendor/ddl.js';
import { parseCollectionMeta } from '../describe/collection-meta.js';
import { describeCollection } from '../describe/describe-collection.js';
import { askedOfTable } from '../describe/described.js';
import { onWire } from '../describe/on-wire.js';
import { asObject, asOptionalObject, isSame, type Payload, refuseUnknown } from '../describe/payload.js';
import { type ChangeSet, emptyChangeSet, type Planner, type RowChange } from './change-set.js';
import { findCollection } from './find-structure.js';
import { dropKeysPointingAt } from './foreign-key.js';
import { nameKey } from './name-key.js';
import { deleteAlias } from './plan-delete-field.js';
import type { StructureState } from './structure-state.js';

export const planUpdateCollection =
  (name: string, value: unknown): Planner =>
  (state) => {
    const collection = findCollection(state.schema, name);
    const payload = asObject(value, 'A collection');
    refuseUnknown(payload, ['collection', 'meta', 'schema'], 'a change of a collection');
    if (payload.collection !== undefined && payload.collection !== name) throw invalidPayload('A collection cannot be renamed.');
    const { primary_key: key, ...schema } = asOptionalObject(payload.schema, '"schema"') ?? {};
    refuseSchema(state, collection, payload.schema === null || payload.schema === undefined ? payload : { ...payload, schema });
    const meta = asOptionalObject(payload.meta, '"meta"');
    const changed = meta === null ? emptyChangeSet : writeMeta(collection, meta);
    return key === undefined ? changed : { ...changed, rows: [...changed.rows, ...nameKey(state, collection, key)] };
  };

/** Accepts a `schema` that equals the present one, because clients send whole objects back. */
function refuseSchema({ schema: names }: StructureState, collection: Collection, { schema }: Payload): void {
  if (schema === undefined || isSame(schema, {})) return;
  const present = onWire(describeCollection(collection), names).schema;
  const isEqual =
    schema === null || present === null
      ? schema === present
      : Object.entries(askedOfTable(asObject(schema, '"schema"'))).every(([key, entry]) => isSame(entry, present[key]));
  if (!isEqual) throw invalidPayload('Of a collection only meta and schema.primary_key can be changed; its columns are changed as fields.');
}

function writeMeta(collection: Collection, payload: Payload): ChangeSet {
  const meta = parseCollectionMeta(payload, collection.meta ?? { collection: collection.name });
  if (collection.system && Object.keys(meta).length > 0) throw invalidPayload(refusal('own_collection', { collection: collection.name }));
  const where = { collection: collection.name };
  if (collection.meta === null) {
    return {
      changes: [],
      rows: [{ kind: 'insert', collection: 'service_collections', row: { ...collectionMetaDefaults, ...meta, ...where } }],
    };
  }
  if (Object.keys(meta).length === 0) return emptyChangeSet;
  return { changes: [], rows: [{ kind: 'update', collection: 'service_collections', set: meta, where }] };
}

export const planDeleteCollection =
  (name: string): Planner =>
  (state) => {
    const collection = findCollection(state.schema, name);
    if (collection.system) throw forbiddenCollection(name);
    return {
      changes: dropTable(state, collection),
      rows: [
        { kind: 'delete', collection: 'service_collections', where: { collection: name } },
        { kind: 'update', collection: 'service_collections', set: { group: null }, where: { group: name } },
        { kind: 'delete', collection: 'service_fields', where: { collection: name } },
        ...state.metadata.relations.flatMap((row) => relationRows(row, name)),
        ...ownedRows.map((table): RowChange => ({ kind: 'delete', collection: table, where: { collection: name } })),
      ],
    };
  };

/** System collections with rows about a collection and its items, ordered so that a row goes before the rows it references. */
const ownedRows = [
  'service_permissions',
  'service_presets',
  'service_revisions',
  'service_activity',
  'service_versions',
  'service_shares',
  'service_comments',
];

function dropTable(state: StructureState, { table }: Collection): readonly StructureChange[] {
  if (table === null) return [];
  return [...dropKeysPointingAt(state.database, table, null), { kind: 'drop-table', table }];
}

function relationRows(row: MetaRow, name: string): readonly RowChange[] {
  const where = { many_collection: row.many_collection, many_field: row.many_field };
  if (row.many_collection === name) return [{ kind: 'delete', collection: 'service_relations', where }, ...deleteAlias(row)];
  if (row.one_collection === name) return [{ kind: 'delete', collection: 'service_relations', where }];
  const allowed = listOf(row, 'one_allowed_collections');
  if (!allowed.includes(name)) return [];
  const set = { one_allowed_collections: allowed.filter((other) => other !== name).join(',') || null };
  return [{ kind: 'update', collection: 'service_relations', set, where }];
}
