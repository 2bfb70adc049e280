// The values of a row in a step: what the payload says, with items replaced by their numbers, and what the relation adds.

import type { BoundItem, BoundVariant } from './bound-write.js';
import type { PlanState } from './plan-state.js';
import type { ItemNumber, ListNumber, StepValue, StepValues, ToManyRelation } from './write-steps.js';

/** The list an item stands in. */
export interface ChildLink {
  readonly relation: ToManyRelation;
  readonly list: ListNumber;
  readonly parents: ReadonlyMap<BoundItem, ItemNumber>;
  /** Which of the new items of its parent this is, for the sort field; absent where the order is the client's business. */
  readonly places: ReadonlyMap<BoundItem, number>;
}

export function stepValues(state: PlanState, variant: BoundVariant): Map<string, StepValue> {
  const values = new Map<string, StepValue>();
  for (const [name, value] of variant.values) {
    values.set(
      name,
      value.kind === 'value'
        ? value
        : { kind: 'ref', collection: value.item.collection, item: state.numberOf(value.item), field: value.field },
    );
  }
  return values;
}

export function newRowValues(state: PlanState, item: BoundItem, variant: BoundVariant, link: ChildLink | null): StepValues {
  const values = stepValues(state, variant);
  const parent = link?.parents.get(item);
  if (link === null || parent === undefined) return values;
  const { relation, owner } = link.relation;
  values.set(relation.relatedField, { kind: 'ref', collection: owner, item: parent, field: relation.key });
  const place = link.places.get(item);
  if (relation.sortField !== null && place !== undefined && !values.has(relation.sortField)) {
    values.set(relation.sortField, { kind: 'next', list: link.list, collection: owner, parent, field: relation.key, offset: place });
  }
  return values;
}
