// What the in-memory interpreter needs of the schema: the type of a field by its path, and the columns of its relation.

import type { Path } from '../query/query.js';
import type { Collection, Field, Schema } from '../schema/schema.js';
import type { FieldType } from '../schema/types/field-type.js';

export interface MatchLookup {
  /** null: unknown; the JavaScript type of the value decides. */
  typeOf(path: Path): FieldType | null;
  /** The field that names the related collection of a many-to-any. */
  collectionFieldOf(path: Path): string | null;
  /** The field of the related item that a many-to-one points at. */
  relatedFieldOf(path: Path): string | null;
}

export function makeLookup(schema: Schema, collection: Collection): MatchLookup {
  const find = (path: Path): Field | null => findField(schema, collection, path);
  return {
    typeOf: (path) => find(path)?.type ?? null,
    collectionFieldOf: (path) => {
      const field = find(path);
      return field?.kind === 'column' && field.relation?.kind === 'm2a' ? field.relation.collectionField : null;
    },
    relatedFieldOf: (path) => {
      const field = find(path);
      return field?.kind === 'column' && field.relation?.kind === 'm2o' ? field.relation.pairs[0].target : null;
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
  if (field.kind === 'relation' || field.kind === 'reference') return field.relation.related;
  return field.relation?.kind === 'm2o' ? field.relation.related : scope;
}
