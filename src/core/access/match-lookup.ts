// What the in-memory filter has to know of the schema: the type of a field by its path, and where a many-to-any keeps its collection.

import type { Path } from '../query/query.js';
import type { FieldType } from '../schema/field-type.js';
import type { Collection, Field, Schema } from '../schema/schema.js';

export interface MatchLookup {
  /** null: not known; the value's own kind decides. */
  typeOf(path: Path): FieldType | null;
  /** The name of the field beside a many-to-any that names the related item's collection. */
  collectionFieldOf(path: Path): string | null;
}

export function makeLookup(schema: Schema, collection: Collection): MatchLookup {
  const find = (path: Path): Field | null => findField(schema, collection, path);
  return {
    typeOf: (path) => find(path)?.type ?? null,
    collectionFieldOf: (path) => {
      const field = find(path);
      return field?.kind === 'column' && field.relation?.kind === 'm2a' ? field.relation.collectionField : null;
    },
  };
}

function findField(schema: Schema, root: Collection, path: Path): Field | null {
  let collection: Collection | undefined = root;
  let field: Field | undefined;
  let scope: string | null = null;
  for (const step of path) {
    if (field) collection = schema.collections.get(relatedName(field, scope) ?? '');
    field = collection?.fields.get(step.name);
    if (!field) return null;
    scope = step.scope;
  }
  return field ?? null;
}

function relatedName(field: Field, scope: string | null): string | null {
  if (field.kind === 'presentation') return null;
  if (field.kind === 'relation') return field.relation.related;
  return field.relation?.kind === 'm2o' ? field.relation.related : scope;
}
