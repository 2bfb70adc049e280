// Plans bound items as steps: first what an item points at, then the item, then what points at it. Items at the same place of the payload
// share each step, so the number of steps depends on the shape of the payload and not on the number of items.

import { rowRules } from '../../access/view.js';
import type { Collection } from '../../schema/schema.js';
import { groupBy } from '../../util/group-by.js';
import { allOf } from '../names/bound-filter.js';
import type { BoundDelete, BoundItem, BoundLink, BoundToMany, BoundToOne, BoundVariant, BoundWrite } from './bound-write.js';
import { keyText } from './item-key.js';
import { PlanState } from './plan-state.js';
import { type OwnedList, prepareList } from './plan-to-many.js';
import { type ChildLink, newRowValues, stepValues } from './step-values.js';
import type { WriteContext } from './write-context.js';
import { linkGuard, ruleGuard, sharedColumns, updateGuard } from './write-guards.js';
import { splitRounds } from './write-rounds.js';
import type { FindItem, StepRow, WritePlan } from './write-steps.js';

export function planWrite(context: WriteContext, write: BoundWrite): WritePlan {
  const state = new PlanState(context);
  planItems(state, write.items, { link: null, referred: null });
  return state.finish(write.collection, write.items);
}

export function planDelete(context: WriteContext, deletion: BoundDelete): WritePlan {
  const state = new PlanState(context);
  const { collection, keys } = deletion;
  if (keys.length > 0) state.add({ kind: 'delete', collection, keys, guard: ruleGuard(context, collection, 'delete') });
  return state.finish(collection, []);
}

/** The place of items in the payload: in a list of their parents, referred to by other items that need these fields, or at the root. */
interface Place {
  readonly link: ChildLink | null;
  readonly referred: readonly string[] | null;
}

function planItems(state: PlanState, items: readonly BoundItem[], place: Place): void {
  for (const group of groupBy(new Set(items), (item) => item.collection.name).values()) {
    for (const round of splitRounds(state, group, place.referred !== null)) planRound(state, round, place);
  }
}

/**
 * The steps of items that are written together, in this order: the items they point at, checks of linked ones, the search for existing items,
 * the inserts, moves and updates of the items themselves, values that others need of them, and the lists that point at them.
 */
function planRound(state: PlanState, items: readonly BoundItem[], place: Place): void {
  const collection = items[0]?.collection;
  if (collection === undefined) return;
  const { toOne, links, existing, owners } = partition(items);
  const referred = referredFields(owners, place);
  planToOne(state, toOne);
  planLinks(state, links);
  planFind(state, collection, existing);
  planInsert(state, collection, items, place, referred);
  planPlaced(state, collection, existing, place);
  planUpdates(state, collection, existing, place);
  planFetch(state, collection, existing, referred);
  planToMany(state, owners);
}

/** The items by the steps they need. A bulk consists mostly of plain new items, so one pass collects all of it. */
interface Partition {
  readonly toOne: BoundToOne[];
  readonly links: BoundLink[];
  /** Items that exist, or may exist. */
  readonly existing: BoundItem[];
  /** Items with to-many relations. */
  readonly owners: BoundItem[];
}

function partition(items: readonly BoundItem[]): Partition {
  const parts: Partition = { toOne: [], links: [], existing: [], owners: [] };
  for (const item of items) {
    parts.toOne.push(...item.toOne);
    parts.links.push(...item.links);
    if (item.intent.kind !== 'create') parts.existing.push(item);
    if (item.toMany.length > 0) parts.owners.push(item);
  }
  return parts;
}

function planToOne(state: PlanState, entries: readonly BoundToOne[]): void {
  for (const group of groupBy(entries, (entry) => `${entry.field} ${entry.relatedFields.join(' ')}`).values()) {
    planItems(
      state,
      group.map((entry) => entry.item),
      { link: null, referred: group[0]?.relatedFields ?? null },
    );
  }
}

function planLinks(state: PlanState, links: readonly BoundLink[]): void {
  for (const group of groupBy(links, (link) => `${link.related.name} ${link.relatedFields.join(' ')}`).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const lists = [...new Map(group.map((link) => [keyText(link.values), link.values])).values()];
    state.add({
      kind: 'check-links',
      collection: first.related,
      fields: first.relatedFields,
      lists,
      guard: ruleGuard(state.context, first.related, 'read'),
      readsAll: rowRules(state.context.caller.view, first.related.name, 'read') === 'all',
    });
  }
}

function planFind(state: PlanState, collection: Collection, existing: readonly BoundItem[]): void {
  const found: FindItem[] = [];
  for (const item of existing) {
    const { intent } = item;
    if (intent.kind === 'upsert')
      found.push({ item: state.numberOf(item), match: intent.match, create: intent.create, update: intent.update });
  }
  if (found.length > 0) state.add({ kind: 'find', collection, items: found });
}

function planInsert(
  state: PlanState,
  collection: Collection,
  items: readonly BoundItem[],
  place: Place,
  referred: readonly string[],
): void {
  const rows: StepRow[] = [];
  for (const item of items) {
    const { intent } = item;
    if (intent.kind === 'create')
      rows.push({ item: state.numberOf(item), values: newRowValues(state, item, intent.create, place.link), when: 'always' });
    if (intent.kind === 'upsert' && intent.create.kind === 'ready') {
      rows.push({ item: state.numberOf(item), values: newRowValues(state, item, intent.create.variant, place.link), when: 'missing' });
    }
  }
  const returning = [...new Set([...collection.primaryKey, ...referred])];
  if (rows.length > 0) state.add({ kind: 'insert', collection, rows, returning });
}

/** The fields whose values other items of the write need. */
function referredFields(owners: readonly BoundItem[], place: Place): readonly string[] {
  const fields = new Set(place.referred ?? []);
  for (const item of owners) for (const many of item.toMany) for (const { target } of many.relation.pairs) fields.add(target);
  return [...fields];
}

/** Places existing items: in a list they move to their parent; elsewhere the caller must be allowed to read them. */
function planPlaced(state: PlanState, collection: Collection, existing: readonly BoundItem[], place: Place): void {
  if (place.link !== null) planMoves(state, collection, existing, place.link);
  else {
    const pointed = existing.filter((item) => item.intent.kind === 'link').map((item) => state.numberOf(item));
    if (pointed.length > 0) state.add({ kind: 'check', collection, items: pointed, guard: ruleGuard(state.context, collection, 'read') });
  }
}

function planMoves(state: PlanState, collection: Collection, existing: readonly BoundItem[], link: ChildLink): void {
  const rows = existing.flatMap((item) => {
    const parent = link.parents.get(item);
    if (parent === undefined) return [];
    return [{ item: state.numberOf(item), parent, when: item.intent.kind === 'upsert' ? ('found' as const) : ('always' as const) }];
  });
  if (rows.length === 0) return;
  const { context } = state;
  const columns = link.relation.relation.pairs.map(({ column }) => column);
  const guard = allOf([ruleGuard(context, collection, 'read'), updateGuard(context, collection, columns)]);
  state.add({ kind: 'link', list: link.list, relation: link.relation, rows, guard, after: ruleGuard(context, collection, 'update') });
}

function planUpdates(state: PlanState, collection: Collection, existing: readonly BoundItem[], place: Place): void {
  const changes = existing.flatMap((item) => {
    const change = changeOf(item);
    return change === null ? [] : [change];
  });
  for (const group of groupBy(changes, ({ variant }) => [...variant.named].sort().join(' ')).values())
    planUpdate(state, collection, group, place);
}

/** The item was found and named by its key only: it is linked and not changed. */
const isUntouched = ({ variant, when }: Change): boolean => when === 'found' && variant.named.length === 0 && variant.values.size === 0;

interface Change {
  readonly item: BoundItem;
  readonly variant: BoundVariant;
  readonly when: 'always' | 'found';
}

function changeOf(item: BoundItem): Change | null {
  const { intent } = item;
  if (intent.kind === 'update') return { item, variant: intent.update, when: 'always' };
  if (intent.kind === 'upsert' && intent.update.kind === 'ready') return { item, variant: intent.update.variant, when: 'found' };
  return null;
}

function planUpdate(state: PlanState, collection: Collection, changes: readonly Change[], place: Place): void {
  const { context } = state;
  const [first] = changes;
  const untouched = first !== undefined && isUntouched(first);
  const reads = untouched || place.referred !== null ? ruleGuard(context, collection, 'read') : null;
  const guard = allOf([reads, untouched ? null : updateGuard(context, collection, first?.variant.named ?? [])]);
  const rows = changes.map(({ item, variant, when }) => ({ item: state.numberOf(item), values: stepValues(state, variant), when }));
  const columns = sharedColumns(context, collection, first?.variant.named ?? []);
  if (columns.length > 0) state.add({ kind: 'check-shared', collection, rows, columns, guard });
  const after = allOf([ruleGuard(context, collection, 'update'), linkGuard(context, collection, first?.variant.named ?? [])]);
  state.add({ kind: 'update', collection, rows, guard, after });
}

function planFetch(state: PlanState, collection: Collection, existing: readonly BoundItem[], referred: readonly string[]): void {
  const fields = referred.filter((name) => !collection.primaryKey.includes(name));
  if (fields.length === 0 || existing.length === 0) return;
  state.add({ kind: 'fetch', collection, items: existing.map((item) => state.numberOf(item)), fields });
}

function planToMany(state: PlanState, owners: readonly BoundItem[]): void {
  const lists = owners.flatMap((item) => item.toMany.map((many) => ownedList(state, item, many)));
  for (const group of groupBy(lists, ({ many }) => many.relation.field).values()) {
    const link = prepareList(state, group);
    if (link === null) continue;
    planItems(
      state,
      group.flatMap(({ many }) => many.entries),
      { link, referred: null },
    );
  }
}

const ownedList = (state: PlanState, item: BoundItem, many: BoundToMany): OwnedList => ({
  owner: item.collection,
  parent: state.numberOf(item),
  isNew: item.intent.kind === 'create',
  many,
});
