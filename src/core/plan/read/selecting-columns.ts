// The columns of a collection that decide which of its items a page holds: those that its filter and the rules of the caller compare, and
// those of the relations that these follow. What they compare of related items is left out.

import type { ManyToAny, ManyToOne, OneToMany } from '../../schema/schema.js';
import type { BoundFilter, Scalar } from '../names/bound-filter.js';
import type { BoundPage } from './bound-read.js';

export const selectingColumns = ({ filter }: BoundPage): ReadonlySet<string> => new Set(ofFilter(filter));

function ofFilter(filter: BoundFilter | null): readonly string[] {
  if (filter === null) return [];
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(ofFilter);
    case 'nothing':
      return [];
    case 'compare':
      return ofScalar(filter.value);
    case 'exists':
    case 'exists-any':
      return [...ofRelation(filter.relation), ...ofFilter(filter.rule)];
  }
}

function ofScalar(scalar: Scalar): readonly string[] {
  const ruled = ofFilter(scalar.rule);
  if (scalar.kind === 'related-count' || scalar.kind === 'through') return [...ofRelation(scalar.relation), ...ruled];
  if (scalar.kind !== 'extreme') return [scalar.field.name, ...ruled];
  const [first] = scalar.hops;
  return first === undefined ? ruled : [...ofRelation(first.relation), ...ofFilter(first.rule), ...ruled];
}

/** The columns on the side from which the relation is followed. */
function ofRelation(relation: ManyToOne | OneToMany | ManyToAny): readonly string[] {
  if (relation.kind === 'm2a') return [relation.field, relation.collectionField];
  return relation.pairs.map(({ column, target }) => (relation.kind === 'm2o' ? column : target));
}
