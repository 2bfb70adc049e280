// Random writes to a secret world, many of which succeed. None touches what a rule reads, so what is hidden stays hidden, and keys of
// new items are far from those that exist on one side only.

import type { Random } from './random.js';
import { fieldName, filterOf, itemKey, type SecretRequest } from './secret-queries.js';
import { makeText, makeValue, type World, type WorldCollection } from './secret-world.js';

/** `number` makes the keys of new items unique within the world. */
export function makeWrite(random: Random, world: World, number: number): SecretRequest {
  const collection = random.pick(world.collections);
  const path = `/items/${collection.name}`;
  switch (random.int(12)) {
    case 0:
    case 1:
    case 2:
      return write('PATCH', `${path}/${itemKey(random)}`, payloadOf(random, collection));
    case 3:
      return write('PATCH', path, { keys: [itemKey(random), itemKey(random)], data: payloadOf(random, collection) });
    case 4:
      return write('PATCH', path, { query: { filter: filterOf(random, world, collection, 2) }, data: payloadOf(random, collection) });
    case 5:
      return write('POST', path, { id: 1000 + number, ...payloadOf(random, collection), ref: itemKey(random) });
    case 6:
      return write('POST', `${path}?on_conflict=id`, [{ id: 1000 + random.int(number + 1), ...payloadOf(random, collection) }]);
    case 7:
      return write('DELETE', `${path}/${random.chance(0.3) ? itemKey(random) : 1000 + random.int(number + 1)}`);
    case 8:
      return write('DELETE', path, { query: { filter: { _and: [{ id: { _gte: 1000 } }, filterOf(random, world, collection, 1)] } } });
    case 9:
      return write('PATCH', `${path}/${itemKey(random)}`, { [collection.extra]: listOf(random, collection, number) });
    case 10:
      return write('POST', '/batch', {
        operations: [
          { method: 'PATCH', path: `${path}/${itemKey(random)}`, body: payloadOf(random, collection) },
          { method: 'GET', path: `${path}/${itemKey(random)}` },
        ],
      });
    default:
      return systemWrite(random, world, collection);
  }
}

const write = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): SecretRequest => ({
  kind: 'write',
  method,
  path,
  ...(body === undefined ? {} : { body }),
});

function payloadOf(random: Random, collection: WorldCollection): Record<string, unknown> {
  if (random.chance(0.1)) return { [fieldName(random, { ...collection, extra: 'image' })]: null };
  const writable = collection.fields.filter(({ name }) => collection.writes.update?.fields?.includes(name) ?? false);
  const field = random.pick(random.chance(0.9) && writable.length > 0 ? writable : collection.fields);
  return { [field.name]: makeValue(random, field.type) };
}

/** The list of a relation as a whole (what is left out goes) or as changes. */
function listOf(random: Random, { extra }: WorldCollection, number: number): unknown {
  if (extra === 'image') return null;
  const row = { id: 1000 + number, note: makeText(random), shown: true };
  const made = extra === 'tags' ? { ...row, two_id: itemKey(random) } : { ...row, collection: 'w0_one', item: { id: itemKey(random) } };
  const kept = 1 + random.int(12);
  if (random.chance(0.4)) return random.chance(0.5) ? [kept] : [kept, made];
  return {
    create: random.chance(0.6) ? [made] : [],
    update: random.chance(0.5) ? [{ id: kept, note: makeText(random) }] : [],
    delete: random.chance(0.4) ? [kept] : [],
  };
}

function systemWrite(random: Random, { ids }: World, { name }: WorldCollection): SecretRequest {
  switch (random.int(3)) {
    case 0:
      return write('POST', '/comments', {
        collection: name,
        item: String(itemKey(random)),
        comment: `said by the caller to @${random.pick([ids.user, ids.mate, ids.stranger])}`,
      });
    case 1:
      return write('PATCH', '/users/me', { description: makeText(random) });
    default:
      return write('POST', '/presets', { collection: name, bookmark: makeText(random), user: random.chance(0.5) ? null : undefined });
  }
}
