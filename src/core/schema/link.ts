// A relation while the schema is being built: the many side, what it points at, and the alias that lists it from the one side.

import type { MetaRow } from './meta-row.js';
import type { RawForeignKey } from './raw.js';
import type { ManyToAny, ManyToOne, OneToMany, Relation } from './schema.js';

export type LinkTarget =
  | { readonly kind: 'one'; readonly related: string; readonly relatedField: string }
  | { readonly kind: 'any'; readonly collectionField: string; readonly allowed: readonly string[] };

export interface LinkAlias {
  readonly field: string;
  readonly sortField: string | null;
  readonly deselect: 'nullify' | 'delete';
  readonly junctionField: string | null;
}

export interface Link {
  readonly collection: string;
  readonly field: string;
  readonly target: LinkTarget;
  readonly foreignKey: RawForeignKey | null;
  readonly alias: LinkAlias | null;
  readonly meta: MetaRow | null;
}

export function linkToManySide(link: Link): ManyToOne | ManyToAny {
  const { collection, field, target } = link;
  return target.kind === 'one'
    ? { kind: 'm2o', collection, field, related: target.related, relatedField: target.relatedField }
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
    key: link.target.relatedField,
    sortField,
    deselect,
    junctionField,
  };
}

export function linkToRelation(link: Link): Relation {
  const { collection, field, target, foreignKey, meta } = link;
  return {
    collection,
    field,
    related: target.kind === 'one' ? target.related : null,
    foreignKey: foreignKey && {
      name: foreignKey.name,
      foreignTable: foreignKey.foreignTable,
      foreignColumn: foreignKey.foreignColumns[0] ?? '',
      onDelete: foreignKey.onDelete,
      onUpdate: foreignKey.onUpdate,
    },
    meta,
  };
}
