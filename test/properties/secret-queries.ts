// Random requests to a secret world: names that are there, hidden and unknown, in every place a name can stand.

import { asUrl } from '../harness/read-doors.js';
import type { Random } from './random.js';
import { makeValue, type World, type WorldCollection } from './secret-world.js';

export interface SecretRequest {
  readonly method: 'GET' | 'SEARCH' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

export function makeRequest(random: Random, world: World): SecretRequest {
  const collection = random.pick(world.collections);
  const path = `/items/${random.chance(0.03) ? 'nowhere' : collection.name}`;
  const kind = random.int(12);
  if (kind === 0) return { method: 'GET', path: `${path}/${itemKey(random)}?${asUrl({ fields: fieldsOf(random, world, collection) })}` };
  if (kind === 1) return { method: 'PATCH', path: `${path}/${itemKey(random)}`, body: { [fieldName(random, collection)]: null } };
  if (kind === 2)
    return {
      method: 'PATCH',
      path,
      body: { query: { filter: filterOf(random, world, collection, 2) }, data: { [fieldName(random, collection)]: null } },
    };
  if (kind === 3) return { method: 'DELETE', path, body: { query: { filter: filterOf(random, world, collection, 2) } } };
  const query = makeQuery(random, world, collection);
  if (random.chance(0.3)) return { method: 'SEARCH', path, body: { query } };
  if (random.chance(0.1))
    return { method: 'GET', path: `${path}?${asUrl({ ...query, export: random.pick(['csv', 'json', 'xml', 'yaml']) })}` };
  return { method: 'GET', path: `${path}?${asUrl(query)}` };
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
  return random.pick([
    'id',
    'flag',
    'kind',
    'ref',
    'back',
    ...collection.fields.map((field) => field.name),
    ...collection.fields.map((field) => field.name),
  ]);
}

export const targetOf = (world: World, collection: WorldCollection): WorldCollection =>
  world.collections.find(({ name }) => name === collection.target) ?? collection;
export const sourceOf = (world: World, collection: WorldCollection): WorldCollection =>
  world.collections.find(({ target }) => target === collection.name) ?? collection;

export function pathOf(random: Random, world: World, collection: WorldCollection): string {
  if (random.chance(0.25)) return `ref.${fieldName(random, targetOf(world, collection))}`;
  return fieldName(random, collection);
}

function fieldsOf(random: Random, world: World, collection: WorldCollection): readonly string[] {
  return Array.from({ length: 1 + random.int(3) }, () => {
    switch (random.int(9)) {
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
      default:
        return fieldName(random, collection);
    }
  });
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
  const choice = random.int(depth > 0 ? 8 : 5);
  if (choice === 5)
    return {
      [random.pick(['_and', '_or'])]: [filterOf(random, world, collection, depth - 1), filterOf(random, world, collection, depth - 1)],
    };
  if (choice === 6) return { ref: filterOf(random, world, targetOf(world, collection), depth - 1) };
  if (choice === 7) return { back: { [random.pick(['_some', '_none'])]: filterOf(random, world, sourceOf(world, collection), depth - 1) } };
  const field = random.pick(collection.fields);
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
