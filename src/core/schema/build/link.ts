// A relation while the schema is being built: the many side, what it points at, and the alias that lists it on the one side. It is turned
// into the many side, the one side and the row of `/relations` in the end.

import type { MetaRow } from '../meta-row.js';
import type { RawForeignKey } from '../raw.js';
import type { Deselect, KeyPairs, ManyToAny, ManyToOne, OneToMany, Relation } from '../schema.js';

export type LinkTarget =
  | { readonly kind: 'one'; readonly related: string; readonly pairs: KeyPairs }
  | { readonly kind: 'any'; readonly collectionField: string; readonly allowed: readonly string[] };

export interface LinkAlias {
  readonly field: string;
  readonly sortField: string | null;
  readonly deselect: Deselect;
  readonly junctionField: string | null;
}

export interface Link {
  readonly collection: string;
  readonly field: string;
  readonly target: LinkTarget;
  readonly foreignKey: RawForeignKey | null;
  readonly alias: LinkAlias | null;
  /** null: only the foreign key states the relation. */
  readonly meta: MetaRow | null;
}

export function linkToManySide(link: Link): ManyToOne | ManyToAny {
  const { collection, field, target } = link;
  return target.kind === 'one'
    ? { kind: 'm2o', collection, field, related: target.related, pairs: target.pairs }
    : { kind: 'm2a', collection, field, collectionField: target.collectionField, allowed: target.allowed };
}

export function linkToOneSide(link: Link): OneToMany | null {
  if (link.alias === null || link.target.kind !== 'one') return null;
  const { field, sortField, deselect, junctionField } = link.alias;
  return {
    kind: 'o2m',
    collection: link.target.related,
    field,
    related: link.collection,
    relatedField: link.field,
    pairs: link.target.pairs,
    sortField,
    deselect,
    junctionField,
  };
}

export function linkToRelation(link: Link): Relation {
  const { collection, field, target, foreignKey, meta } = link;
  const related = target.kind === 'one' ? target.related : null;
  return { collection, field, related, foreignKey, meta: meta ?? inferMeta(link, related), stated: meta !== null };
}

const inferMeta = ({ collection, field, alias }: Link, related: string | null): MetaRow => ({
  id: null,
  many_collection: collection,
  many_field: field,
  one_collection: related,
  one_field: alias?.field ?? null,
  one_collection_field: null,
  one_allowed_collections: null,
  junction_field: alias?.junctionField ?? null,
  sort_field: null,
  one_deselect_action: alias?.deselect.kind === 'delete' ? 'delete' : 'nullify',
});
