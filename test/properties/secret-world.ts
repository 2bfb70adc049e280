// A random world of collections and policies, and two fillings of it that differ only in what one caller may not see: values of fields
// and items outside of his rules, and items that exist in one filling alone.

import type { Random } from './random.js';

export interface WorldField {
  readonly name: string;
  readonly type: 'string' | 'text' | 'integer' | 'decimal' | 'date' | 'json';
}

export type WorldRule =
  | { readonly kind: 'all' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'kind'; readonly value: string }
  | { readonly kind: 'ref-flag' }
  | { readonly kind: 'below'; readonly id: number };

interface WorldPermission {
  readonly rule: WorldRule;
  /** null: every field. */
  readonly fields: readonly string[] | null;
}

export interface WorldCollection {
  readonly name: string;
  readonly fields: readonly WorldField[];
  /** The collection its `ref` points at, whose `back` lists ours. */
  readonly target: string;
  /** Empty: the caller may not read it at all. */
  readonly permissions: readonly WorldPermission[];
}

export interface World {
  readonly collections: readonly WorldCollection[];
}

type WorldItem = { readonly id: number; readonly flag: boolean; readonly kind: string; readonly ref: number | null } & Readonly<
  Record<string, unknown>
>;
export type Filling = ReadonlyMap<string, readonly WorldItem[]>;

const types = ['string', 'text', 'integer', 'decimal', 'date', 'json'] as const;
const kinds = ['a', 'b', 'c'];
const itemsEach = 8;

export function makeWorld(random: Random, prefix: string): World {
  const names = ['one', 'two', 'three'].map((name) => `${prefix}_${name}`);
  return {
    collections: names.map((name, index) => {
      const fields = Array.from({ length: 3 + random.int(3) }, (_, at): WorldField => ({ name: `f${at}`, type: random.pick(types) }));
      return {
        name,
        fields,
        target: names[(index + 1) % names.length] ?? name,
        permissions: random.chance(0.15) ? [] : makePermissions(random, fields),
      };
    }),
  };
}

function makePermissions(random: Random, fields: readonly WorldField[]): readonly WorldPermission[] {
  const all = ['id', 'flag', 'kind', 'ref', 'back', ...fields.map((field) => field.name)];
  return Array.from({ length: 1 + random.int(2) }, () => ({
    rule: makeRule(random),
    fields: random.chance(0.25) ? null : ['id', ...random.some(all.slice(1), 0.6)],
  }));
}

function makeRule(random: Random): WorldRule {
  return random.pick<WorldRule>([
    { kind: 'all' },
    { kind: 'flag' },
    { kind: 'kind', value: random.pick(kinds) },
    { kind: 'ref-flag' },
    { kind: 'below', id: 2 + random.int(itemsEach) },
  ]);
}

/** The rule as the service takes it. */
export function ruleToFilter(rule: WorldRule): Readonly<Record<string, unknown>> | null {
  switch (rule.kind) {
    case 'all':
      return null;
    case 'flag':
      return { flag: { _eq: true } };
    case 'kind':
      return { kind: { _eq: rule.value } };
    case 'ref-flag':
      return { ref: { flag: { _eq: true } } };
    case 'below':
      return { id: { _lt: rule.id } };
  }
}

type Frame = ReadonlyMap<string, readonly WorldItem[]>;

function holds(frame: Frame, collection: WorldCollection, rule: WorldRule, item: WorldItem): boolean {
  switch (rule.kind) {
    case 'all':
      return true;
    case 'flag':
      return item.flag;
    case 'kind':
      return item.kind === rule.value;
    case 'ref-flag':
      return frame.get(collection.target)?.some((target) => target.id === item.ref && target.flag) ?? false;
    case 'below':
      return item.id < rule.id;
  }
}

const isVisible = (frame: Frame, collection: WorldCollection, item: WorldItem, field: string): boolean =>
  collection.permissions.some(
    (permission) => (permission.fields?.includes(field) ?? true) && holds(frame, collection, permission.rule, item),
  );

const isItemVisible = (frame: Frame, collection: WorldCollection, item: WorldItem): boolean =>
  collection.permissions.some((permission) => holds(frame, collection, permission.rule, item));

/** Two fillings that this world's caller cannot tell apart. */
export function makeFillings(random: Random, world: World): readonly [Filling, Filling] {
  const frame = new Map(world.collections.map((collection) => [collection.name, makeFrame(random)]));
  const left = new Map<string, WorldItem[]>();
  const right = new Map<string, WorldItem[]>();
  for (const collection of world.collections) {
    const items = frame.get(collection.name) ?? [];
    const pairs = items.map((item) => fillItem(random, frame, collection, item));
    left.set(
      collection.name,
      pairs.map(([one]) => one),
    );
    right.set(collection.name, [...pairs.map(([, other]) => other), ...makeHidden(random, frame, collection)]);
  }
  return [left, right];
}

/** What rules look at is the same on both sides. */
function makeFrame(random: Random): readonly WorldItem[] {
  return Array.from({ length: itemsEach }, (_, index) => ({
    id: index + 1,
    flag: random.chance(0.5),
    kind: random.pick(kinds),
    ref: random.chance(0.8) ? 1 + random.int(itemsEach) : null,
  }));
}

function fillItem(random: Random, frame: Frame, collection: WorldCollection, item: WorldItem): readonly [WorldItem, WorldItem] {
  const one: Record<string, unknown> = {};
  const other: Record<string, unknown> = {};
  for (const { name, type } of collection.fields) {
    one[name] = makeValue(random, type);
    other[name] = isVisible(frame, collection, item, name) ? one[name] : makeValue(random, type);
  }
  return [
    { ...item, ...one },
    { ...item, ...other },
  ];
}

/** Items of one side only: none that the caller could see, and none that a rule could notice. */
function makeHidden(random: Random, frame: Frame, collection: WorldCollection): readonly WorldItem[] {
  const candidates = Array.from(
    { length: 3 },
    (_, index): WorldItem => ({
      id: 100 + index,
      flag: false,
      kind: random.pick(kinds),
      ref: random.chance(0.8) ? 1 + random.int(itemsEach) : null,
      ...Object.fromEntries(collection.fields.map((field) => [field.name, makeValue(random, field.type)])),
    }),
  );
  return candidates.filter((item) => !isItemVisible(frame, collection, item));
}

const words = ['amber', 'birch', 'cedar', 'delta', 'ember'];

export function makeValue(random: Random, type: WorldField['type']): unknown {
  if (random.chance(0.1)) return null;
  switch (type) {
    case 'string':
    case 'text':
      return `${random.pick(words)} ${random.pick(words)}`;
    case 'integer':
      return random.int(20);
    case 'decimal':
      return `${random.int(20)}.${random.int(90) + 10}`;
    case 'date':
      return `20${10 + random.int(10)}-0${1 + random.int(9)}-1${random.int(10)}`;
    case 'json':
      return { a: random.int(5), b: [random.pick(words)] };
  }
}
