// Whether a caller may follow a relation. Following it reveals the value of the column that holds the link, so the caller must be allowed
// to read that column, whichever side it is on.

import type { Collection, ColumnField, Field } from '../schema/schema.js';
import { findCollection, findField, type SchemaView } from './view.js';

/** The related collection, or null if the caller may not follow the relation. Not for many-to-any, which leads to several collections. */
export function findRelated(view: SchemaView, field: Field): Collection | null {
  if (field.kind === 'presentation' || field.relation === null || field.relation.kind === 'm2a') return null;
  const related = findCollection(view, field.relation.related, 'read');
  if (related === null) return null;
  if (field.kind === 'column') return field.concealed ? null : related;
  if (field.kind === 'reference') return isOpen(view.schema.collections.get(field.collection), field) ? related : null;
  return isOpen(related, findField(view, related, field.relation.relatedField, 'read')) ? related : null;
}

/** Whether the caller may see which collection a many-to-any points into. */
export function mayFollowAny(view: SchemaView, collection: Collection, field: ColumnField): boolean {
  if (field.relation?.kind !== 'm2a' || field.concealed) return false;
  return isOpen(collection, findField(view, collection, field.relation.collectionField, 'read'));
}

/** Whether the caller may read every part of the collection's key. */
export const mayReadKey = (view: SchemaView, collection: Collection): boolean =>
  collection.primaryKey.length > 0 && collection.primaryKey.every((name) => isOpen(collection, findField(view, collection, name, 'read')));

/** Whether a field that holds a link is readable and not concealed. */
function isOpen(collection: Collection | undefined, field: Field | null): boolean {
  if (field?.kind === 'reference')
    return field.relation.pairs.every(({ column }) => isOpen(collection, collection?.fields.get(column) ?? null));
  return field?.kind === 'column' && !field.concealed;
}
