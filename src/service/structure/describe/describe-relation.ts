// A relation in the form of answers, addressed by its many side: the foreign key, the row of service_relations, or both.

import { listOf, type MetaRow } from '../../../core/schema/meta-row.js';
import type { Relation, Schema } from '../../../core/schema/schema.js';
import type { Payload } from './payload.js';

export interface RelationObject {
  readonly collection: string;
  readonly field: string;
  readonly related_collection: string | null;
  readonly schema: Payload | null;
  /** null in snapshots written by other products, for a relation that has a foreign key and no metadata row. */
  readonly meta: Payload | null;
}

export const describeRelation = (schema: Schema, relation: Relation): RelationObject => ({
  collection: relation.collection,
  field: relation.field,
  related_collection: relation.related,
  schema: describeForeignKey(schema, relation),
  meta: describeRelationMeta(relation.meta),
});

/** The columns of a composite key are joined by commas, as are its values in a URL. */
function describeForeignKey(schema: Schema, { collection, foreignKey }: Relation): Payload | null {
  if (foreignKey === null) return null;
  return {
    table: schema.collections.get(collection)?.table?.name ?? collection,
    column: foreignKey.columns.join(','),
    foreign_key_table: foreignKey.foreignTable,
    foreign_key_column: foreignKey.foreignColumns.join(','),
    on_update: foreignKey.onUpdate,
    on_delete: foreignKey.onDelete,
    constraint_name: foreignKey.name,
  };
}

export function describeRelationMeta(row: MetaRow): Payload {
  const { id = null, ...rest } = row;
  const allowed = listOf(row, 'one_allowed_collections');
  return { id, ...rest, one_allowed_collections: allowed.length === 0 ? null : allowed };
}
