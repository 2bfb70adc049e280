// The values of a row in a step: what the payload says, with items replaced by their numbers, and what the relation adds.

import {
  arePlain,
  type BoundItem,
  type BoundVariant,
  isReference,
  type PlainValue,
  type WriteValue,
  type WriteValues,
} from './bound-write.js';
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

export function stepValues(state: PlanState, { values }: BoundVariant): StepValues {
  return arePlain(values) ? values : referringValues(state, values);
}

function referringValues(state: PlanState, values: WriteValues): Map<string, StepValue> {
  const referring = new Map<string, StepValue>();
  for (const [name, value] of values) referring.set(name, isReference(value) ? refTo(state, value) : value);
  return referring;
}

const refTo = (state: PlanState, { item, field }: Exclude<WriteValue, PlainValue>): StepValue => ({
  kind: 'ref',
  collection: item.collection,
  item: state.numberOf(item),
  field,
});

export function newRowValues(state: PlanState, item: BoundItem, variant: BoundVariant, link: ChildLink | null): StepValues {
  const parent = link?.parents.get(item);
  if (link === null || parent === undefined) return stepValues(state, variant);
  const values = referringValues(state, variant.values);
  const { relation, owner } = link.relation;
  values.set(relation.relatedField, { kind: 'ref', collection: owner, item: parent, field: relation.key });
  const place = link.places.get(item);
  if (relation.sortField !== null && place !== undefined && !values.has(relation.sortField)) {
    values.set(relation.sortField, { kind: 'next', list: link.list, collection: owner, parent, field: relation.key, offset: place });
  }
  return values;
}
