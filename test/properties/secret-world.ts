// A random world for the non-interference tests: collections with relations of every kind, people, and what one caller may do there.
// `secret-fillings.ts` fills it twice; `settle-secret-world.ts` builds it through the API.

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
  | { readonly kind: 'own' }
  | { readonly kind: 'same-title' }
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
  /** A relational field that only this collection has: `tags` (m2m), `blocks` (m2a) or `image` (a file). */
  readonly extra: 'tags' | 'blocks' | 'image';
  /** The alias on users that lists the items they own. */
  readonly owned: string;
  /** Empty: the caller may not read it at all. */
  readonly permissions: readonly WorldPermission[];
  /** What the caller may write; never the fields that a rule reads. */
  readonly writes: { readonly update: WorldPermission | null; readonly create: boolean; readonly delete: WorldRule | null };
}

/** The junction of `tags` or of `blocks`. */
export interface WorldJunction {
  readonly name: string;
  /** The caller sees only rows with `shown`. */
  readonly guarded: boolean;
  /** The caller may not read `note`. */
  readonly noteHidden: boolean;
  readonly writable: boolean;
}

export interface World {
  readonly prefix: string;
  readonly collections: readonly WorldCollection[];
  readonly links: WorldJunction;
  readonly blocks: WorldJunction;
  readonly appAccess: boolean;
  /** The caller reads `id` and `first_name` of every user in their role. */
  readonly seesMates: boolean;
  readonly seesVersions: boolean;
  readonly ids: WorldIds;
}

/** Every key that the database would choose is given, so that both sides have the same. */
interface WorldIds {
  readonly user: string;
  readonly mate: string;
  readonly stranger: string;
  readonly role: string;
  readonly parent: string;
  readonly policies: readonly [string, string];
  readonly folder: string;
  readonly files: readonly string[];
  readonly share: string;
  readonly hiddenShare: string;
  version(item: number): string;
  comment(number: number): string;
  access(number: number): string;
}

export type WorldItem = {
  readonly id: number;
  readonly flag: boolean;
  readonly kind: string;
  readonly ref: number | null;
  readonly owner: string | null;
} & Readonly<Record<string, unknown>>;

/** What rules look at, the same on both sides. */
export type Frame = ReadonlyMap<string, readonly WorldItem[]>;

const types = ['string', 'text', 'integer', 'decimal', 'date', 'json'] as const;
export const kinds = ['a', 'b', 'c'];
export const itemsEach = 8;
/** Rules compare the owner's title with the caller's: the mate has the caller's, the stranger has another. */
export const titles = { user: 'editor', mate: 'editor', stranger: 'clerk' } as const;

export function makeWorld(random: Random, index: number): World {
  const prefix = `w${index}`;
  const names = ['one', 'two', 'three'].map((name) => `${prefix}_${name}`);
  const extras = ['tags', 'blocks', 'image'] as const;
  return {
    prefix,
    collections: names.map((name, at) => {
      const fields = Array.from(
        { length: 3 + random.int(3) },
        (_, number): WorldField => ({ name: `f${number}`, type: random.pick(types) }),
      );
      const extra = extras[at] ?? 'image';
      return {
        name,
        fields,
        extra,
        owned: `${name}_owned`,
        target: names[(at + 1) % names.length] ?? name,
        permissions: random.chance(0.12) ? [] : makePermissions(random, fields, extra),
        writes: makeWrites(random, fields, extra),
      };
    }),
    links: makeJunction(random, `${prefix}_links`),
    blocks: makeJunction(random, `${prefix}_blocks`),
    appAccess: random.chance(0.6),
    seesMates: random.chance(0.4),
    seesVersions: random.chance(0.7),
    ids: makeIds(index),
  };
}

const makeJunction = (random: Random, name: string): WorldJunction => ({
  name,
  guarded: random.chance(0.5),
  noteHidden: random.chance(0.5),
  writable: random.chance(0.7),
});

function makePermissions(random: Random, fields: readonly WorldField[], extra: string): readonly WorldPermission[] {
  const all = ['id', 'flag', 'kind', 'ref', 'back', 'owner', extra, ...fields.map((field) => field.name)];
  return Array.from({ length: 1 + random.int(2) }, () => ({
    rule: makeRule(random),
    fields: random.chance(0.25) ? null : ['id', ...random.some(all.slice(1), 0.6)],
  }));
}

function makeWrites(random: Random, fields: readonly WorldField[], extra: string): WorldCollection['writes'] {
  const writable = [...fields.map((field) => field.name), ...(extra === 'image' ? [] : [extra])];
  return {
    update: random.chance(0.75) ? { rule: makeRule(random), fields: random.some(writable, 0.8) } : null,
    create: random.chance(0.6),
    delete: random.chance(0.4) ? makeRule(random) : null,
  };
}

function makeRule(random: Random): WorldRule {
  return random.pick<WorldRule>([
    { kind: 'all' },
    { kind: 'flag' },
    { kind: 'kind', value: random.pick(kinds) },
    { kind: 'ref-flag' },
    { kind: 'own' },
    { kind: 'same-title' },
    { kind: 'below', id: 2 + random.int(itemsEach) },
  ]);
}

function makeIds(index: number): WorldIds {
  const id = (kind: number, number = 0): string => {
    const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
    return `00000000-0000-4000-8000-${hex(index, 4)}${hex(kind, 2)}${hex(number, 6)}`;
  };
  return {
    user: id(1),
    mate: id(2),
    stranger: id(3),
    role: id(4),
    parent: id(5),
    policies: [id(6), id(7)],
    folder: id(8),
    files: [0, 1, 2, 3].map((number) => id(9, number)),
    share: id(10),
    hiddenShare: id(11),
    version: (item) => id(12, item),
    comment: (number) => id(13, number),
    access: (number) => id(14, number),
  };
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
    case 'own':
      return { owner: { _eq: '$CURRENT_USER' } };
    case 'same-title':
      return { owner: { title: { _eq: '$CURRENT_USER.title' } } };
    case 'below':
      return { id: { _lt: rule.id } };
  }
}

function holds(world: World, frame: Frame, collection: WorldCollection, rule: WorldRule, item: WorldItem): boolean {
  switch (rule.kind) {
    case 'all':
      return true;
    case 'flag':
      return item.flag;
    case 'kind':
      return item.kind === rule.value;
    case 'ref-flag':
      return frame.get(collection.target)?.some((target) => target.id === item.ref && target.flag) ?? false;
    case 'own':
      return item.owner === world.ids.user;
    case 'same-title':
      return item.owner === world.ids.user || item.owner === world.ids.mate;
    case 'below':
      return item.id < rule.id;
  }
}

export const isVisible = (world: World, frame: Frame, collection: WorldCollection, item: WorldItem, field: string): boolean =>
  collection.permissions.some(
    (permission) => (permission.fields?.includes(field) ?? true) && holds(world, frame, collection, permission.rule, item),
  );

export const isItemVisible = (world: World, frame: Frame, collection: WorldCollection, item: WorldItem): boolean =>
  collection.permissions.some((permission) => holds(world, frame, collection, permission.rule, item));

/** No permission of the caller, for whatever action, reaches this item. */
export function isOutOfReach(world: World, frame: Frame, collection: WorldCollection, item: WorldItem): boolean {
  const { update, delete: remove } = collection.writes;
  const rules = [...collection.permissions, ...(update === null ? [] : [update])].map(({ rule }) => rule);
  return ![...rules, ...(remove === null ? [] : [remove])].some((rule) => holds(world, frame, collection, rule, item));
}

export const fieldNames = (collection: WorldCollection): readonly string[] => [
  'id',
  'flag',
  'kind',
  'ref',
  'back',
  'owner',
  collection.extra,
  ...collection.fields.map((field) => field.name),
];

const words = ['amber', 'birch', 'cedar', 'delta', 'ember'];

/** Secrets and values share few words, so that a comparison of the two often succeeds. */
export const makeText = (random: Random): string => `${random.pick(words)} ${random.pick(words)}`;

export function makeValue(random: Random, type: WorldField['type']): unknown {
  if (random.chance(0.1)) return null;
  switch (type) {
    case 'string':
    case 'text':
      return makeText(random);
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
