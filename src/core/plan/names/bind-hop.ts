// One hop over a relation: the related collection, and the conditions under which the caller may get there.

import { findRelated, mayFollowAny } from '../../access/follow.js';
import { findCollection, findField } from '../../access/view.js';
import { forbiddenField, invalidQuery } from '../../errors/service-error.js';
import type { FieldRef } from '../../query/query.js';
import type { Collection, ColumnField, Field, ManyToAny, ManyToOne, OneToMany, ReferenceField } from '../../schema/schema.js';
import type { BindContext } from './bind-context.js';
import { bindFieldRules, bindRowRules } from './bind-rules.js';
import { allOf, type BoundFilter } from './bound-filter.js';

export interface Hop {
  readonly related: Collection;
  /** The related items that the caller may read, and whose link the caller may read; null: all. */
  readonly visible: BoundFilter | null;
  /** The items from which the caller may follow the relation; null: all. */
  readonly rule: BoundFilter | null;
}

/** A hidden and a missing relation fail with the error of the field. */
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

/** A hop over a relation of any kind. `scope` names the collection of a many-to-any and is refused for others. */
export function bindScopedHop(context: BindContext, collection: Collection, field: Field, scope: string | null): Hop {
  if (field.kind === 'column' && field.relation?.kind === 'm2a') return bindAnyHop(context, collection, field, scope);
  if (scope !== null) throw forbiddenField(`${field.name}:${scope}`, collection.name);
  return bindHop(context, collection, field);
}

/** Leads to the items of another collection whose many-to-one points here, named by `$FOLLOW(collection, field)`. */
export function bindFollow(context: BindContext, collection: Collection, { args }: FieldRef): Hop & { readonly relation: OneToMany } {
  const [name = '', column = ''] = args;
  const related = findCollection(context.view, name, 'read');
  const field = related === null ? null : findField(context.view, related, column, 'read');
  const link = field !== null && isToOne(field) && findRelated(context.view, field) !== null ? field.relation : null;
  if (related === null || link?.related !== collection.name) throw forbiddenField(`$FOLLOW(${name}, ${column})`, collection.name);
  return {
    related,
    visible: allOf([bindRowRules(context, related, 'read'), bindFieldRules(context, related, column, 'read')]),
    rule: null,
    relation: {
      kind: 'o2m',
      collection: collection.name,
      field: column,
      related: related.name,
      relatedField: column,
      pairs: link.pairs,
      sortField: null,
      deselect: { kind: 'refuse' },
      junctionField: null,
    },
  };
}

type ToOneField = (ColumnField | ReferenceField) & { readonly relation: ManyToOne };

export const isToOne = (field: Field): field is ToOneField =>
  field.kind === 'reference' || (field.kind === 'column' && field.relation?.kind === 'm2o');

/** Leads to one of the collections of a many-to-any. The caller must be allowed to read both of its columns. */
export function bindAnyHop(context: BindContext, collection: Collection, field: ColumnField, scope: string | null): Hop {
  const { relation } = field;
  if (relation?.kind !== 'm2a' || !mayFollowAny(context.view, collection, field)) throw forbiddenField(field.name, collection.name);
  if (scope === null) throw invalidQuery(`"${field.name}" may point into several collections: write "${field.name}:<collection>".`);
  const related = relation.allowed.includes(context.view.schema.nameOf(scope)) ? findCollection(context.view, scope, 'read') : null;
  if (related === null) throw forbiddenField(`${field.name}:${scope}`, collection.name);
  return { related, visible: bindRowRules(context, related, 'read'), rule: bindAnyRule(context, collection, relation) };
}

export const bindAnyRule = (context: BindContext, collection: Collection, relation: ManyToAny): BoundFilter | null =>
  allOf([
    bindFieldRules(context, collection, relation.field, 'read'),
    bindFieldRules(context, collection, relation.collectionField, 'read'),
  ]);
