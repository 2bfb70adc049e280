// Random requests to a secret world: names that are there, hidden and unknown, in every place where a name can be written.

import { asUrl } from '../harness/list-readers.js';
import type { Random } from './random.js';
import { fieldNames, makeValue, type World, type WorldCollection } from './secret-world.js';

export interface SecretRequest {
  /** What kind of request it is, for the count of what was answered. */
  readonly kind: 'read' | 'document' | 'system' | 'version' | 'asset' | 'write';
  readonly method: 'GET' | 'SEARCH' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

export function makeRead(random: Random, world: World): SecretRequest {
  const collection = random.pick(world.collections);
  const path = `/items/${random.chance(0.03) ? 'nowhere' : collection.name}`;
  if (random.chance(0.1))
    return { kind: 'read', method: 'GET', path: `${path}/${itemKey(random)}?${asUrl({ fields: fieldsOf(random, world, collection) })}` };
  const query = makeQuery(random, world, collection);
  if (random.chance(0.3)) return { kind: 'read', method: 'SEARCH', path, body: { query } };
  if (random.chance(0.1))
    return { kind: 'read', method: 'GET', path: `${path}?${asUrl({ ...query, export: random.pick(['csv', 'json', 'xml', 'yaml']) })}` };
  return { kind: 'read', method: 'GET', path: `${path}?${asUrl(query)}` };
}

export const itemKey = (random: Random): number => (random.chance(0.8) ? 1 + random.int(9) : 100 + random.int(3));

function makeQuery(random: Random, world: World, collection: WorldCollection): Record<string, unknown> {
  if (random.chance(0.25)) return aggregateOf(random, world, collection);
  const query: Record<string, unknown> = { fields: fieldsOf(random, world, collection) };
  if (random.chance(0.6)) query['filter'] = filterOf(random, world, collection, 3);
  if (random.chance(0.4)) query['sort'] = [`${random.pick(['', '-'])}${pathOf(random, world, collection)}`];
  if (random.chance(0.2)) query['search'] = random.pick(['amber', 'birch', 'ced', '7', '100', '3.5']);
  if (random.chance(0.2)) query['meta'] = '*';
  if (random.chance(0.3)) query['limit'] = random.int(6);
  if (random.chance(0.1)) query['offset'] = random.int(4);
  if (random.chance(0.2)) query['alias'] = { other: fieldName(random, collection) };
  if (random.chance(0.3)) query['deep'] = deepOf(random, world, collection);
  return query;
}

function aggregateOf(random: Random, world: World, collection: WorldCollection): Record<string, unknown> {
  const fn = random.pick(['count', 'countDistinct', 'min', 'max', 'sum', 'avg']);
  const query: Record<string, unknown> = { aggregate: { [fn]: random.chance(0.3) ? '*' : pathOf(random, world, collection) } };
  if (random.chance(0.5))
    query['groupBy'] = [random.chance(0.3) ? `year(${fieldName(random, collection)})` : pathOf(random, world, collection)];
  if (random.chance(0.5)) query['filter'] = filterOf(random, world, collection, 2);
  return query;
}

export function fieldName(random: Random, collection: WorldCollection): string {
  if (random.chance(0.03)) return 'nothing_of_the_kind';
  return random.pick([...fieldNames(collection), ...collection.fields.map((field) => field.name)]);
}

export const targetOf = (world: World, collection: WorldCollection): WorldCollection =>
  world.collections.find(({ name }) => name === collection.target) ?? collection;
export const sourceOf = (world: World, collection: WorldCollection): WorldCollection =>
  world.collections.find(({ target }) => target === collection.name) ?? collection;

export function pathOf(random: Random, world: World, collection: WorldCollection): string {
  if (random.chance(0.2)) return `ref.${fieldName(random, targetOf(world, collection))}`;
  if (random.chance(0.1)) return `owner.${random.pick(userFields)}`;
  if (random.chance(0.05))
    return random.pick(['tags.note', 'tags.two_id.f0', 'back.f1', 'blocks.note', 'image.title', 'image.description']);
  return fieldName(random, collection);
}

function fieldsOf(random: Random, world: World, collection: WorldCollection): readonly string[] {
  return Array.from({ length: 1 + random.int(3) }, () => {
    switch (random.int(11)) {
      case 0:
        return '*';
      case 1:
        return '*.*';
      case 2:
        return `ref.${random.pick(['*', fieldName(random, targetOf(world, collection))])}`;
      case 3:
        return `back.${random.pick(['*', fieldName(random, sourceOf(world, collection))])}`;
      case 4:
        return random.pick([
          'count(back)',
          `year(${fieldName(random, collection)})`,
          `count(${fieldName(random, collection)})`,
          `json(${fieldName(random, collection)}, a)`,
        ]);
      case 5:
        return 'other';
      case 6:
        return `owner.${random.pick(['*', ...userFields, `${collection.owned}.f0`])}`;
      case 7:
        return extraPath(random, world, collection);
      default:
        return fieldName(random, collection);
    }
  });
}

const userFields = ['id', 'first_name', 'location', 'email', 'title', 'role', 'role.name', 'policies.policy.name'];

/** A path through the relation that only this collection has. */
function extraPath(random: Random, world: World, collection: WorldCollection): string {
  if (collection.extra === 'image') return `image.${random.pick(['*', 'id', 'title', 'description', 'uploaded_by.email'])}`;
  if (collection.extra === 'tags') return `tags.${random.pick(['*', 'note', 'two_id.*', 'two_id.f0', 'shown', '*.*'])}`;
  return `blocks.${random.pick(['*', 'note', `item:${world.collections[0]?.name}.f0`, `item:${world.collections[2]?.name}.*`, 'item.*'])}`;
}

function deepOf(random: Random, world: World, collection: WorldCollection): Record<string, unknown> {
  const source = sourceOf(world, collection);
  return {
    back: {
      _filter: filterOf(random, world, source, 1),
      ...(random.chance(0.5) ? { _sort: [`-${fieldName(random, source)}`] } : {}),
      ...(random.chance(0.5) ? { _limit: random.int(3) } : {}),
    },
  };
}

export function filterOf(random: Random, world: World, collection: WorldCollection, depth: number): Record<string, unknown> {
  const choice = random.int(depth > 0 ? 10 : 5);
  if (choice === 5)
    return {
      [random.pick(['_and', '_or'])]: [filterOf(random, world, collection, depth - 1), filterOf(random, world, collection, depth - 1)],
    };
  if (choice === 6) return { ref: filterOf(random, world, targetOf(world, collection), depth - 1) };
  if (choice === 7) return { back: { [random.pick(['_some', '_none'])]: filterOf(random, world, sourceOf(world, collection), depth - 1) } };
  if (choice === 8) return userFilter(random, collection);
  if (choice === 9) return extraFilter(random, world, collection, depth - 1);
  const field = random.pick(collection.fields);
  if (random.chance(0.12)) return { [field.name]: { [random.pick(['_eq', '_neq', '_in', '_contains'])]: dynamicValue(random, world) } };
  const value = makeValue(random, field.type === 'json' ? 'string' : field.type) ?? 'amber';
  const operators =
    field.type === 'string' || field.type === 'text'
      ? ['_eq', '_neq', '_contains', '_starts_with', '_icontains']
      : ['_eq', '_neq', '_lt', '_gte'];
  if (field.type === 'json') return { [field.name]: random.chance(0.5) ? { _nnull: true } : { _json: { a: { _gte: 2 } } } };
  if (random.chance(0.2)) return { [field.name]: { [random.pick(['_null', '_nnull'])]: true } };
  if (random.chance(0.1)) return { [field.name]: { _in: [value] } };
  return { [field.name]: { [random.pick(operators)]: value } };
}

/** Filters on people: what may be read of them, what may not, and what hangs on them. */
function userFilter(random: Random, collection: WorldCollection): Record<string, unknown> {
  return {
    owner: random.pick<Record<string, unknown>>([
      { location: { _eq: 'amber cedar' } },
      { location: { _starts_with: 'b' } },
      { first_name: { _eq: 'Mate' } },
      { email: { _contains: 'delta' } },
      { role: { name: { _contains: 'role' } } },
      { [collection.owned]: { _some: { f0: { _nnull: true } } } },
      { _eq: '$CURRENT_USER' },
    ]),
  };
}

function extraFilter(random: Random, world: World, collection: WorldCollection, depth: number): Record<string, unknown> {
  if (collection.extra === 'image')
    return { image: random.pick([{ title: { _contains: 'a' } }, { description: { _starts_with: 'c' } }, { _nnull: true }]) };
  const quantifier = random.pick(['_some', '_none']);
  if (collection.extra === 'blocks') return { blocks: { [quantifier]: { note: { _starts_with: random.pick(['a', 'b', 'c']) } } } };
  const inner = random.chance(0.5)
    ? { note: { _contains: random.pick(['amber', 'cedar']) } }
    : { two_id: filterOf(random, world, targetOf(world, collection), Math.max(0, depth)) };
  return { tags: { [quantifier]: inner } };
}

/** A value that the service looks up: the caller's own, and what a path from the caller might reach. */
export function dynamicValue(random: Random, world: World): string {
  const collection = random.pick(world.collections);
  const field = random.pick(collection.fields).name;
  return random.pick([
    '$NOW',
    '$CURRENT_USER',
    '$CURRENT_ROLE',
    '$CURRENT_USER.location',
    '$CURRENT_USER.email',
    '$CURRENT_USER.role.name',
    '$CURRENT_USER.role.users.location',
    '$CURRENT_USER.role.users.first_name',
    '$CURRENT_USER.role.parent.name',
    '$CURRENT_ROLE.users.location',
    '$CURRENT_USER.policies.policy.name',
    '$CURRENT_POLICIES.name',
    `$CURRENT_USER.${collection.owned}.${field}`,
    `$CURRENT_USER.role.users.${collection.owned}.${field}`,
  ]);
}
