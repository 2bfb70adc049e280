// The values of a row in a step: those of the payload with items replaced by their numbers, and those that the relation adds.

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

/** The list that an item is in. */
export interface ChildLink {
  readonly relation: ToManyRelation;
  readonly list: ListNumber;
  readonly parents: ReadonlyMap<BoundItem, ItemNumber>;
  /** The position of an item among the new items of its parent, for the sort field; absent if the client determines the order. */
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

function refTo(state: PlanState, { item, field, agrees }: Exclude<WriteValue, PlainValue>): StepValue {
  const ref = { kind: 'ref', collection: item.collection, item: state.numberOf(item), field } as const;
  if (agrees === undefined) return ref;
  return { ...ref, agrees: agrees.map((value) => (isReference(value) ? refTo(state, value) : value)) };
}

export function newRowValues(state: PlanState, item: BoundItem, variant: BoundVariant, link: ChildLink | null): StepValues {
  const parent = link?.parents.get(item);
  if (link === null || parent === undefined) return stepValues(state, variant);
  const values = referringValues(state, variant.values);
  const { relation, owner } = link.relation;
  for (const { column, target } of relation.pairs) values.set(column, { kind: 'ref', collection: owner, item: parent, field: target });
  const place = link.places.get(item);
  if (relation.sortField !== null && place !== undefined && !values.has(relation.sortField)) {
    const fields = relation.pairs.map(({ target }) => target);
    values.set(relation.sortField, { kind: 'next', list: link.list, collection: owner, parent, fields, offset: place });
  }
  return values;
}
