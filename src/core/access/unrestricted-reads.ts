// Which collections a caller may read without restriction: every item, every field. Stored documents (versions, revisions) hold former
// values of items to which no rule can be applied any more, so only callers that could read everything in them may see them.

import type { Field, Schema } from '../schema/schema.js';
import type { Grants } from './permission.js';

type Names = ReadonlySet<string>;

/** The collections of which every item and every field is readable. */
export function unrestrictedCollections({ byCollection }: Pick<Grants, 'byCollection'>): Names {
  const isWhole = (name: string): boolean =>
    byCollection.get(name)?.read?.some(({ rule, fields }) => rule === null && fields === '*') === true;
  return new Set([...byCollection.keys()].filter(isWhole));
}

/** Those of them whose related collections, as far as a payload may reach, are readable without restriction, too. */
export function unrestrictedWithRelated(schema: Schema, whole: Names): Names {
  const open = new Set([...whole].filter((name) => schema.collections.has(name)));
  let size = -1;
  while (size !== open.size) {
    size = open.size;
    for (const name of open) if (!relatedTo(schema, name).every((related) => open.has(related))) open.delete(name);
  }
  return open;
}

const relatedTo = (schema: Schema, name: string): readonly string[] =>
  [...(schema.collections.get(name)?.fields.values() ?? [])].flatMap(relatedCollections);

/** The collections that a relational field leads to; empty for a plain field. */
export function relatedCollections(field: Field): readonly string[] {
  if (field.kind === 'presentation' || field.relation === null) return [];
  return field.relation.kind === 'm2a' ? field.relation.allowed : [field.relation.related];
}
