// Random GraphQL requests to a secret world: the documents that ask what REST's random requests ask.

import type { Random } from './random.js';
import { fieldName, filterOf, itemKey, pathOf, type SecretRequest, sourceOf, targetOf } from './secret-queries.js';
import type { World, WorldCollection } from './secret-world.js';

export function makeDocument(random: Random, world: World): SecretRequest {
  const readable = world.collections.filter(({ permissions }) => permissions.length > 0);
  const collection = random.pick(random.chance(0.9) && readable.length > 0 ? readable : world.collections);
  const { name } = collection;
  const selection = selectionOf(random, world, collection);
  switch (random.int(8)) {
    case 0:
      return send(`{ ${name}_by_id(id: ${itemKey(random)}) { ${selection} } }`);
    case 1:
      return send(`mutation($data: update_${name}_input!) { update_${name}_item(id: ${itemKey(random)}, data: $data) { ${selection} } }`, {
        data: { [writtenName(random, collection)]: null },
      });
    case 2:
      return random.chance(0.1)
        ? send(`mutation { delete_${name}_items(ids: [${itemKey(random)}, ${itemKey(random)}]) { ids } }`)
        : send(`{ ${name}_by_id(id: ${itemKey(random)}, version: "draft") { ${selection} } }`);
    case 3:
      return send(
        `query($filter: ${name}_filter, $by: [String]) { ${name}_aggregated(filter: $filter, groupBy: $by) { group countAll ${totalOf(random, collection)} } }`,
        { filter: filterOf(random, world, collection, 1), by: random.chance(0.6) ? [pathOf(random, world, collection)] : [] },
      );
    default:
      return send(
        `query($filter: ${name}_filter, $sort: [String], $search: String) { ${name}(filter: $filter, sort: $sort, search: $search, limit: ${1 + random.int(8)}) { ${selection} } }`,
        {
          ...(random.chance(0.6) ? { filter: filterOf(random, world, collection, 2) } : {}),
          ...(random.chance(0.4) ? { sort: [`${random.pick(['', '-'])}${pathOf(random, world, collection)}`] } : {}),
          ...(random.chance(0.3) ? { search: random.pick(['amber', 'birch', '7']) } : {}),
        },
      );
  }
}

const send = (query: string, variables: object = {}): SecretRequest => ({
  kind: query.startsWith('mutation') ? 'write' : 'document',
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});

/** A name of no schema refuses the whole document, so most are of the caller's own. */
function shownName(random: Random, { permissions, fields }: WorldCollection, also: readonly string[] = ['id', 'flag', 'kind']): string {
  const all = [...also, ...fields.map((field) => field.name)];
  const shown = all.filter((name) => permissions.some((permission) => permission.fields?.includes(name) ?? true));
  return random.pick(random.chance(0.9) && shown.length > 0 ? shown : all);
}

function selectionOf(random: Random, world: World, collection: WorldCollection): string {
  switch (random.int(6)) {
    case 4:
      return `id owner { id ${random.pick(['first_name', 'location', 'title', 'email'])} }`;
    case 5:
      return extraSelection(random, world, collection);
    case 0:
      return `id x: ${shownName(random, collection)}`;
    case 1:
      return `id ref { id y: ${shownName(random, targetOf(world, collection))} }`;
    case 2:
      return `id back(sort: ["-${fieldName(random, sourceOf(world, collection))}"], limit: 2) { id z: ${shownName(random, sourceOf(world, collection))} }`;
    default:
      return 'id back_func { count }';
  }
}

function extraSelection(random: Random, world: World, { extra }: WorldCollection): string {
  if (extra === 'image') return `id image { id ${random.pick(['title', 'description'])} }`;
  if (extra === 'tags') return `id tags(sort: ["id"]) { id ${random.pick(['note', 'shown', 'two_id { id }'])} }`;
  const name = world.collections[random.pick([0, 2])]?.name ?? '';
  return `id blocks(sort: ["id"]) { id ${random.pick(['note', 'shown'])} item { ... on ${name} { id } } }`;
}

/** Mostly what the caller may write: another name refuses the document before anything is looked at. */
function writtenName(random: Random, collection: WorldCollection): string {
  const writable = collection.writes.update?.fields?.filter((name) => name.startsWith('f')) ?? [];
  return writable.length > 0 && random.chance(0.8) ? random.pick(writable) : fieldName(random, collection);
}

const totalOf = (random: Random, collection: WorldCollection): string =>
  `${random.pick(['count', 'countDistinct', 'min', 'max'])} { ${shownName(random, collection, [])} }`;
