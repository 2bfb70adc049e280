// Two fillings of a world that differ only in what its caller may not see: values of fields and items outside of their rules, texts of
// other people and of system rows, and rows that exist in one filling alone.

import type { Random } from './random.js';
import {
  type Frame,
  isItemVisible,
  isOutOfReach,
  isVisible,
  itemsEach,
  kinds,
  makeText,
  makeValue,
  type World,
  type WorldCollection,
  type WorldItem,
  type WorldJunction,
} from './secret-world.js';

type Row = Readonly<Record<string, unknown>>;

export interface Filling {
  readonly items: ReadonlyMap<string, readonly WorldItem[]>;
  readonly links: readonly Row[];
  readonly blocks: readonly Row[];
  /** Versions named `draft` of items of the first collection. */
  readonly drafts: readonly { readonly item: number; readonly name: string; readonly delta: Row }[];
  readonly comments: readonly { readonly collection: string; readonly item: number; readonly comment: string }[];
  /** What only an administrator sees: each call of `secret` of the settling takes the next. */
  readonly secrets: readonly string[];
}

type Pair<T> = readonly [T, T];
const secretCount = 40;

export function makeFillings(random: Random, world: World): Pair<Filling> {
  const frame = new Map(world.collections.map((collection) => [collection.name, makeFrame(random, world)]));
  const items = world.collections.map((collection) => {
    const pairs = (frame.get(collection.name) ?? []).map((item) => fillItem(random, world, frame, collection, item));
    const hidden = makeHidden(random, world, frame, collection);
    return sides(pairs, (rows, side) => [collection.name, side === 0 ? rows : [...rows, ...hidden]] as const);
  });
  const links = fillJunction(random, world.links, (id) => ({ id, one_id: key(random), two_id: key(random) }));
  const blocks = fillJunction(random, world.blocks, (id) => ({
    id,
    two_id: key(random),
    collection: random.pick([world.collections[0]?.name, world.collections[2]?.name]),
    item: String(key(random)),
  }));
  const drafts = fillDrafts(random, world, frame);
  const comments = fillComments(random, world, frame);
  const side = (at: 0 | 1): Filling => ({
    items: new Map(items.map((pair) => pair[at])),
    links: links[at],
    blocks: blocks[at],
    drafts: drafts[at],
    comments: comments[at],
    secrets: Array.from({ length: secretCount }, () => makeText(random)),
  });
  return [side(0), side(1)];
}

const key = (random: Random): number => 1 + random.int(itemsEach);

function sides<T, R>(pairs: readonly Pair<T>[], make: (rows: readonly T[], side: 0 | 1) => R): Pair<R> {
  return [
    make(
      pairs.map(([one]) => one),
      0,
    ),
    make(
      pairs.map(([, other]) => other),
      1,
    ),
  ];
}

function makeFrame(random: Random, world: World): readonly WorldItem[] {
  const { user, mate, stranger } = world.ids;
  return Array.from({ length: itemsEach }, (_, index) => ({
    id: index + 1,
    flag: random.chance(0.5),
    kind: random.pick(kinds),
    ref: random.chance(0.8) ? key(random) : null,
    owner: random.pick([user, mate, stranger, null]),
  }));
}

function fillItem(random: Random, world: World, frame: Frame, collection: WorldCollection, item: WorldItem): Pair<WorldItem> {
  const one: Record<string, unknown> = {};
  const other: Record<string, unknown> = {};
  for (const { name, type } of collection.fields) {
    one[name] = makeValue(random, type);
    other[name] = isVisible(world, frame, collection, item, name) ? one[name] : makeValue(random, type);
  }
  if (collection.extra === 'image') one['image'] = other['image'] = random.chance(0.6) ? random.pick(world.ids.files) : null;
  return [
    { ...item, ...one },
    { ...item, ...other },
  ];
}

/** Items of one side only: none that any permission of the caller reaches, and none that a rule could notice. */
function makeHidden(random: Random, world: World, frame: Frame, collection: WorldCollection): readonly WorldItem[] {
  const candidates = Array.from(
    { length: 3 },
    (_, index): WorldItem => ({
      id: 100 + index,
      flag: false,
      kind: random.pick(kinds),
      ref: random.chance(0.8) ? key(random) : null,
      owner: world.ids.stranger,
      ...Object.fromEntries(collection.fields.map((field) => [field.name, makeValue(random, field.type)])),
    }),
  );
  return candidates.filter((item) => isOutOfReach(world, frame, collection, item));
}

/** Rows of a junction; those the caller may not see have other notes on each side, and some exist on one side only. */
function fillJunction(random: Random, junction: WorldJunction, makeRow: (id: number) => Row): Pair<readonly Row[]> {
  const pairs = Array.from({ length: 12 }, (_, index): Pair<Row> => {
    const shown = random.chance(0.6);
    const row = { ...makeRow(index + 1), shown };
    const note = makeText(random);
    const isHidden = junction.noteHidden || (junction.guarded && !shown);
    return [
      { ...row, note },
      { ...row, note: isHidden ? makeText(random) : note },
    ];
  });
  const hidden = [100, 101, 102].map((id) => ({ ...makeRow(id), shown: false, note: makeText(random) }));
  return sides(pairs, (rows, side) => (junction.guarded && side === 1 ? [...rows, ...hidden] : rows));
}

function fillDrafts(random: Random, world: World, frame: Frame): Pair<Filling['drafts']> {
  const [collection] = world.collections;
  if (collection === undefined) throw new Error('a world has collections');
  const left: Filling['drafts'][number][] = [];
  const right: Filling['drafts'][number][] = [];
  for (const item of frame.get(collection.name) ?? []) {
    const isSeen = isItemVisible(world, frame, collection, item);
    const [one, other] = fillDelta(random, world, frame, collection, item);
    const name = makeText(random);
    left.push({ item: item.id, name, delta: one });
    // A version of an item that the caller does not see may as well not exist.
    if (isSeen) right.push({ item: item.id, name, delta: other });
    else if (random.chance(0.5)) right.push({ item: item.id, name: makeText(random), delta: other });
  }
  return [left, right];
}

function fillDelta(random: Random, world: World, frame: Frame, collection: WorldCollection, item: WorldItem): Pair<Row> {
  const one: Record<string, unknown> = {};
  const other: Record<string, unknown> = {};
  for (const { name, type } of collection.fields) {
    if (isVisible(world, frame, collection, item, name)) {
      if (random.chance(0.6)) one[name] = other[name] = makeValue(random, type);
      continue;
    }
    if (random.chance(0.6)) one[name] = makeValue(random, type);
    if (random.chance(0.6)) other[name] = makeValue(random, type);
  }
  if (random.chance(0.5)) {
    const row = { id: 500 + item.id, two_id: key(random), shown: true };
    const note = makeText(random);
    const isNoteSeen = !world.links.noteHidden && isVisible(world, frame, collection, item, 'tags');
    one['tags'] = { create: [{ ...row, note }], update: [], delete: [] };
    other['tags'] = { create: [{ ...row, note: isNoteSeen ? note : makeText(random) }], update: [], delete: [] };
  }
  return [one, other];
}

function fillComments(random: Random, world: World, frame: Frame): Pair<Filling['comments']> {
  const pairs = world.collections.flatMap((collection) =>
    (frame.get(collection.name) ?? []).slice(0, 4).map((item): Pair<Filling['comments'][number]> => {
      const place = { collection: collection.name, item: item.id };
      const comment = makeText(random);
      const isSeen = isItemVisible(world, frame, collection, item);
      return [
        { ...place, comment },
        { ...place, comment: isSeen ? comment : makeText(random) },
      ];
    }),
  );
  return sides(pairs, (rows) => rows);
}
