// Random requests to the system collections of a secret world: people, rights, presets, comments, files, versions, shares, descriptions.

import { asUrl } from '../harness/list-readers.js';
import type { Random } from './random.js';
import { dynamicValue, filterOf, itemKey, pathOf, type SecretRequest } from './secret-queries.js';
import { makeValue, type World } from './secret-world.js';

export function makeSystemRequest(random: Random, world: World): SecretRequest {
  const choice = random.int(10);
  if (choice < 4) return listRequest(random, world);
  if (choice < 6) return keyedRequest(random, world);
  if (choice < 7) return documentRequest(random, world);
  if (choice < 8) return { kind: 'system', method: 'GET', path: random.pick(descriptions) };
  return { kind: 'asset', method: 'GET', path: `/assets/${random.pick(world.ids.files)}${random.pick(['', '?download', '?width=10'])}` };
}

const descriptions = [
  '/users/me',
  '/roles/me',
  '/policies/me/globals',
  '/permissions/me',
  '/collections',
  '/fields',
  '/relations',
  '/settings',
  '/server/info',
  '/server/specs/oas',
  '/server/health',
  '/graphql/system?query={__schema{types{name}}}',
];

/** Lists with a name in them that reveals something about others. */
const lists: Readonly<Record<string, readonly string[]>> = {
  users: ['location', 'email', 'first_name', 'title', 'role.name', 'policies.policy.name', 'role.users.location'],
  roles: ['name', 'users.location', 'policies.policy.name', 'parent.name', 'children.users.email'],
  policies: ['name', 'description', 'permissions.fields', 'users.user.email'],
  permissions: ['collection', 'policy.name', 'permissions'],
  access: ['policy.name', 'role.name', 'user.email'],
  presets: ['bookmark', 'role.name', 'user.email'],
  comments: ['comment', 'item', 'user_created.email'],
  files: ['title', 'description', 'filesize', 'folder.name', 'uploaded_by.email'],
  folders: ['name'],
  versions: ['name', 'delta', 'hash', 'item', 'user_created.email'],
  shares: ['name', 'role.name', 'item'],
  notifications: ['subject', 'sender.email'],
};

function listRequest(random: Random, world: World): SecretRequest {
  const name = random.pick(Object.keys(lists));
  const field = random.pick(lists[name] ?? ['id']);
  const path = random.chance(0.85) ? `/${name}` : `/items/service_${name}`;
  return { kind: 'system', method: 'GET', path: `${path}?${asUrl({ ...systemQuery(random, world, field), limit: -1 })}` };
}

function systemQuery(random: Random, world: World, field: string): Record<string, unknown> {
  switch (random.int(7)) {
    case 0:
      return {};
    case 1:
      return { fields: '*.*' };
    case 2:
      return { fields: ['id', field] };
    case 3:
      return { sort: [`${random.pick(['', '-'])}${field}`, 'id'], fields: ['id'] };
    case 4:
      return {
        filter: nest(field, {
          [random.pick(['_eq', '_starts_with', '_contains'])]: random.chance(0.3) ? dynamicValue(random, world) : 'amber',
        }),
      };
    case 5:
      return {
        aggregate: { [random.pick(['count', 'countDistinct'])]: random.pick(['*', field]) },
        ...(random.chance(0.5) ? { groupBy: [field] } : {}),
      };
    default:
      return { search: random.pick(['amber', 'birch', 'cedar', 'of']), fields: ['id'], meta: 'filter_count' };
  }
}

const nest = (path: string, inner: object): object => path.split('.').reduceRight((value: object, name) => ({ [name]: value }), inner);

function keyedRequest(random: Random, world: World): SecretRequest {
  const { ids } = world;
  const path = random.pick([
    `/users/${random.pick([ids.user, ids.mate, ids.stranger])}`,
    `/roles/${random.pick([ids.role, ids.parent])}`,
    `/policies/${random.pick(ids.policies)}`,
    `/access/${ids.access(random.int(2))}`,
    `/presets/${1 + random.int(20)}`,
    `/comments/${ids.comment(random.int(12))}`,
    `/files/${random.pick(ids.files)}`,
    `/shares/${random.pick([ids.share, ids.hiddenShare])}`,
    `/shares/info/${ids.share}`,
    `/permissions/me/${random.pick(world.collections).name}/${itemKey(random)}`,
  ]);
  return { kind: 'system', method: 'GET', path: random.chance(0.5) ? path : `${path}?fields=${random.pick(['*', '*.*', 'id'])}` };
}

function documentRequest(random: Random, world: World): SecretRequest {
  const query = random.pick([
    '{ users(sort: ["id"]) { id first_name } }',
    '{ users(sort: ["location"]) { id } }',
    '{ users(filter: {location: {_starts_with: "a"}}) { id } }',
    '{ roles(sort: ["id"]) { id name users { id location } } }',
    '{ policies { id name } }',
    '{ permissions { id fields } }',
    '{ access { id } }',
    '{ presets(sort: ["id"]) { id bookmark } }',
    '{ comments(sort: ["id"]) { id comment } }',
    '{ files(sort: ["id"]) { id title } }',
    '{ files_aggregated { countAll } }',
    '{ versions(sort: ["id"]) { id name delta } }',
    '{ users_me { id first_name role { id } } }',
    `{ users_by_id(id: "${world.ids.mate}") { first_name location } }`,
  ]);
  return { kind: 'system', method: 'POST', path: '/graphql/system', body: { query } };
}

/** Versions of the first collection: read, compared, saved and promoted. */
export function makeVersionRequest(random: Random, world: World): SecretRequest {
  const [collection] = world.collections;
  if (collection === undefined) throw new Error('a world has collections');
  const item = 1 + random.int(8);
  const id = world.ids.version(item);
  const path = `/items/${collection.name}`;
  const fields = random.pick(['*', 'id', 'id,f0,f1', '*,tags.note,tags.two_id', 'ref.*', '*.*']);
  switch (random.int(9)) {
    case 0:
    case 1:
      return { kind: 'version', method: 'GET', path: `${path}/${item}?version=draft&fields=${fields}` };
    case 2:
      return { kind: 'version', method: 'GET', path: `${path}?version=draft&fields=${fields}&sort=id` };
    case 3:
      return {
        kind: 'version',
        method: 'GET',
        path: `${path}?${asUrl({ version: 'draft', fields: 'id', filter: filterOf(random, world, collection, 1), sort: pathOf(random, world, collection) })}`,
      };
    case 4:
    case 5:
      return { kind: 'version', method: 'GET', path: `/versions/${id}/compare` };
    case 6:
      return { kind: 'version', method: 'POST', path: `/versions/${id}/promote`, body: { mainHash: 'not the hash' } };
    case 7:
      return { kind: 'version', method: 'GET', path: `/versions/${id}?fields=${random.pick(['*', 'name', 'delta', 'hash', 'id'])}` };
    default: {
      const field = random.pick(collection.fields);
      return { kind: 'version', method: 'POST', path: `/versions/${id}/save`, body: { [field.name]: makeValue(random, field.type) } };
    }
  }
}
