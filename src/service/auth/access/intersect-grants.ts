// What two sets of permissions both allow: an item, a field or an action counts if each of them has it. Every permission of the one is
// paired with every one of the other, so that the union of the pairs is the intersection of the unions.

import { type Action, actions, allGrants, type Grant, type Grants, type Permission, type Rule } from '../../../core/access/permission.js';
import { unreachable } from '../../../core/errors/service-error.js';
import type { Filter } from '../../../core/query/query.js';

type CollectionGrants = Readonly<Partial<Record<Action, Grant>>>;

/** Presets are those of both; `first` decides about a field that both set. */
export function intersectGrants(first: Grants, second: Grants): Grants {
  if (first.admin) return second;
  if (second.admin) return first;
  const byCollection = new Map<string, CollectionGrants>();
  for (const [name, one] of first.byCollection) {
    const other = second.byCollection.get(name);
    if (other !== undefined) byCollection.set(name, intersectActions(one, other));
  }
  return { key: `${first.key}&${second.key}`, admin: false, byCollection };
}

/** Everything, in these collections only; null: in all. */
export function grantsWithin(collections: readonly string[] | null): Grants {
  if (collections === null) return allGrants;
  const whole = (collection: string, action: Action): Permission => ({
    ...{ collection, action, rule: null, validation: null, presets: null },
    fields: '*',
  });
  const byCollection = new Map(
    collections.map((name) => [name, Object.fromEntries(actions.map((action) => [action, [whole(name, action)]]))]),
  );
  return { key: `within ${JSON.stringify(collections)}`, admin: false, byCollection };
}

function intersectActions(one: CollectionGrants, other: CollectionGrants): CollectionGrants {
  const both = actions.flatMap((action) => {
    const [left, right] = [one[action], other[action]];
    return left === undefined || right === undefined ? [] : [[action, intersectGrant(left, right)] as const];
  });
  return Object.fromEntries(both);
}

function intersectGrant(first: Grant, second: Grant): Grant {
  const presets = { ...presetsOf(second), ...presetsOf(first) };
  return first.flatMap((one, index) =>
    second.map((other, place) => ({
      collection: one.collection,
      action: one.action,
      rule: bothRules(one.rule, other.rule),
      // All validations of a grant count together, so each is needed once.
      validation: bothRules(place === 0 ? one.validation : null, index === 0 ? other.validation : null),
      presets,
      fields: bothFields(one.fields, other.fields),
    })),
  );
}

const presetsOf = (grant: Grant): Readonly<Record<string, unknown>> => Object.assign({}, ...grant.map(({ presets }) => presets ?? {}));

function bothFields(one: Permission['fields'], other: Permission['fields']): Permission['fields'] {
  if (one === '*') return other;
  if (other === '*') return one;
  return new Set([...one].filter((name) => other.has(name)));
}

function bothRules(one: Rule | null, other: Rule | null): Rule | null {
  if (one === null || other === null) return one ?? other;
  const moved = moveSlots(other.filter, one.literals.length);
  return { filter: { kind: 'and', filters: [one.filter, moved] }, literals: [...one.literals, ...other.literals] };
}

/** The same filter for literals that stand so much further back. */
function moveSlots(filter: Filter, by: number): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, filters: filter.filters.map((part) => moveSlots(part, by)) };
    case 'related':
      return { ...filter, filter: moveSlots(filter.filter, by) };
    case 'compare':
    case 'json':
      return { ...filter, slot: filter.slot === null ? null : filter.slot + by };
    default:
      return unreachable(filter);
  }
}
