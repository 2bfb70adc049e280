// Plans the lists of one relation for all parents at once: the items they contain now, the items to remove, and the position of new ones.

import { unreachable } from '../../errors/service-error.js';
import type { Collection } from '../../schema/schema.js';
import type { BoundItem, BoundToMany } from './bound-write.js';
import type { ItemKey } from './item-key.js';
import { knownKey, type PlanState } from './plan-state.js';
import type { ChildLink } from './step-values.js';
import type { WriteContext } from './write-context.js';
import { ruleGuard, updateGuard } from './write-guards.js';
import type { ItemNumber, ListNumber, ToManyRelation, UnlinkEntry, WriteStep } from './write-steps.js';

type Unlink = Extract<WriteStep, { kind: 'unlink' }>;

export interface OwnedList {
  readonly owner: Collection;
  readonly parent: ItemNumber;
  /** The list of a new item is empty. */
  readonly isNew: boolean;
  readonly many: BoundToMany;
}

/** Adds the steps that precede those of the entries. Returns null when the group is empty. */
export function prepareList(state: PlanState, lists: readonly OwnedList[]): ChildLink | null {
  const [first] = lists;
  if (first === undefined) return null;
  const { relation: ofSchema, related } = first.many;
  const relation: ToManyRelation = { owner: first.owner, relation: ofSchema, related };
  const list = state.newList();
  addPresent(state, list, relation, lists);
  addUnlink(state, list, relation, lists);
  const places = findPlaces(lists);
  const parents = lists
    .filter((owned) => !owned.isNew && owned.many.entries.some((entry) => places.has(entry)))
    .map((owned) => owned.parent);
  if (ofSchema.sortField !== null && parents.length > 0) state.add({ kind: 'last', list, relation, parents });
  return {
    relation,
    list,
    places,
    parents: new Map(lists.flatMap(({ parent, many }) => many.entries.map((entry) => [entry, parent] as const))),
  };
}

function addPresent(state: PlanState, list: ListNumber, relation: ToManyRelation, lists: readonly OwnedList[]): void {
  const visible = ruleGuard(state.context, relation.related, 'read');
  const parents = lists.filter(({ isNew, many }) => !isNew && many.form === 'basic').map(({ parent }) => parent);
  if (parents.length > 0) state.add({ kind: 'list', list, relation, parents, keys: null, visible });
  const keys = lists
    .filter(({ many }) => many.form === 'detailed')
    .flatMap(({ isNew, many }) => [...many.removed, ...(isNew ? [] : namedKeys(many.entries))]);
  if (keys.length > 0) state.add({ kind: 'list', list, relation, parents: [], keys, visible });
}

const namedKeys = (entries: readonly BoundItem[]): readonly ItemKey[] =>
  entries.map(knownKey).filter((key): key is ItemKey => key !== null);

function addUnlink(state: PlanState, list: ListNumber, relation: ToManyRelation, lists: readonly OwnedList[]): void {
  const entries = lists.flatMap(({ parent, isNew, many }): readonly UnlinkEntry[] => {
    if (many.form === 'detailed') return many.removed.length === 0 ? [] : [{ kind: 'remove', parent, keys: many.removed }];
    return isNew
      ? []
      : [{ kind: 'keep', parent, items: many.entries.filter((entry) => knownKey(entry) !== null).map((entry) => state.numberOf(entry)) }];
  });
  if (entries.length === 0) return;
  state.add({ kind: 'unlink', list, relation, entries, ...unlinkGuards(state.context, relation) });
}

function unlinkGuards(context: WriteContext, { relation, related }: ToManyRelation): Pick<Unlink, 'guard' | 'after'> {
  const { deselect } = relation;
  switch (deselect.kind) {
    case 'delete':
      return { guard: ruleGuard(context, related, 'delete'), after: null };
    case 'nullify':
      return { guard: updateGuard(context, related, deselect.columns), after: ruleGuard(context, related, 'update') };
    case 'refuse':
      return { guard: null, after: null };
    default:
      return unreachable(deselect);
  }
}

/** New items of the detailed form are appended in their order. */
function findPlaces(lists: readonly OwnedList[]): ReadonlyMap<BoundItem, number> {
  const places = new Map<BoundItem, number>();
  for (const { many } of lists) {
    if (many.form !== 'detailed' || many.relation.sortField === null) continue;
    const created = many.entries.filter((entry) => entry.intent.kind === 'create');
    for (const [index, entry] of created.entries()) places.set(entry, index + 1);
  }
  return places;
}
