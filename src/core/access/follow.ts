// Whether a caller may go from an item to its related ones: the column that holds the link is part of what he has to be allowed to see,
// on whichever side it stands.

import type { Collection, ColumnField, Field } from '../schema/schema.js';
import { findCollection, findField, type SchemaView } from './view.js';

/** The far side of a relation of one item, null when the caller may not go there. Not for many-to-any, which has several. */
export function findRelated(view: SchemaView, field: Field): Collection | null {
  if (field.kind === 'presentation' || field.relation === null || field.relation.kind === 'm2a') return null;
  const related = findCollection(view, field.relation.related, 'read');
  if (related === null) return null;
  if (field.kind === 'column') return field.concealed ? null : related;
  return isOpen(findField(view, related, field.relation.relatedField, 'read')) ? related : null;
}

/** Whether the caller may know into which collections a many-to-any points. */
export function mayFollowAny(view: SchemaView, collection: Collection, field: ColumnField): boolean {
  if (field.relation?.kind !== 'm2a' || field.concealed) return false;
  return isOpen(findField(view, collection, field.relation.collectionField, 'read'));
}

/** Whether every part of a collection's key may be seen. */
export const mayReadKey = (view: SchemaView, collection: Collection): boolean =>
  collection.primaryKey.length > 0 && collection.primaryKey.every((name) => isOpen(findField(view, collection, name, 'read')));

const isOpen = (field: Field | null): boolean => field?.kind === 'column' && !field.concealed;
