// One hop over a relation: the far collection, and which of its items the caller may come to this way.

import { findRelated, mayFollowAny } from '../access/follow.js';
import { findCollection } from '../access/view.js';
import { forbiddenField, invalidQuery } from '../errors/service-error.js';
import type { Collection, ColumnField, Field, ManyToAny } from '../schema/schema.js';
import type { BindContext } from './bind-context.js';
import { bindFieldRules, bindRowRules } from './bind-rules.js';
import { allOf, type BoundFilter } from './bound.js';

export interface Hop {
  readonly related: Collection;
  /** The related items the caller may see, and see as related. */
  readonly visible: BoundFilter | null;
  /** The items from which he may go there. */
  readonly rule: BoundFilter | null;
}

/** Hidden and missing fail as the field itself would. */
export function bindHop(context: BindContext, collection: Collection, field: Field): Hop {
  const related = findRelated(context.view, field);
  if (related === null || field.kind === 'presentation') throw forbiddenField(field.name, collection.name);
  const link = field.kind === 'relation' ? bindFieldRules(context, related, field.relation.relatedField, 'read') : null;
  return {
    related,
    visible: allOf([bindRowRules(context, related, 'read'), link]),
    rule: bindFieldRules(context, collection, field.name, 'read'),
  };
}

/** To one of the collections of a many-to-any; both of its columns must be visible. */
export function bindAnyHop(context: BindContext, collection: Collection, field: ColumnField, scope: string | null): Hop {
  const { relation } = field;
  if (relation?.kind !== 'm2a' || !mayFollowAny(context.view, collection, field)) throw forbiddenField(field.name, collection.name);
  if (scope === null) throw invalidQuery(`"${field.name}" may point into several collections: write "${field.name}:<collection>".`);
  const related = relation.allowed.includes(scope) ? findCollection(context.view, scope, 'read') : null;
  if (related === null) throw forbiddenField(`${field.name}:${scope}`, collection.name);
  return { related, visible: bindRowRules(context, related, 'read'), rule: bindAnyRule(context, collection, relation) };
}

export const bindAnyRule = (context: BindContext, collection: Collection, relation: ManyToAny): BoundFilter | null =>
  allOf([
    bindFieldRules(context, collection, relation.field, 'read'),
    bindFieldRules(context, collection, relation.collectionField, 'read'),
  ]);
