// A relation that only a foreign key speaks of, written down as it is understood, so that it keeps its alias whatever is added.

import type { OneToMany } from '../../core/schema/schema.js';
import { findRelation } from './find-structure.js';
import type { StructureState } from './structure-state.js';
import type { RowChange } from './unit.js';

/** Nothing where the metadata states the relation already. `alias` null: the relation is listed by no field. */
export function pinRelation(state: StructureState, relation: OneToMany, alias: string | null): readonly RowChange[] {
  if (findRelation(state.schema, relation.related, relation.relatedField)?.meta !== null) return [];
  const row = {
    many_collection: relation.related,
    many_field: relation.relatedField,
    one_collection: relation.collection,
    one_field: alias,
    one_collection_field: null,
    one_allowed_collections: null,
    junction_field: relation.junctionField,
    sort_field: null,
    one_deselect_action: 'nullify',
  };
  return [{ kind: 'insert', collection: 'service_relations', row }];
}
