// Builds a secret world through the API, as an administrator would, and answers its callers: a user, a program with an access key of the user,
// the holder of a share, the public, and an administrator who views as the user.

import { expect } from 'vitest';
import { actions } from '../../src/core/access/permission.js';
import { makeKey, signedIn } from '../harness/access-keys.js';
import type { Answer, Api } from '../harness/api.js';
import type { TestService } from '../harness/start-service.js';
import type { Filling } from './secret-fillings.js';
import { ruleToFilter, titles, type World, type WorldCollection, type WorldJunction } from './secret-world.js';

export interface Callers {
  readonly user: Api;
  /** A key of the user, with a policy that opens everything and is none of an administrator: it sees what the user sees. */
  readonly key: Api;
  readonly share: Api;
  readonly public: Api;
  /** An administrator who views as the user. */
  readonly viewed: Pick<Api, 'request'>;
}

export async function settle(service: TestService, world: World, filling: Filling): Promise<Callers> {
  const { api, as } = service;
  const secrets = filling.secrets[Symbol.iterator]();
  const secret = (): string => secrets.next().value ?? 'too few secrets';
  await makePeople(api, world, secret);
  await makeFiles(api, world, secret);
  await makeCollections(api, world);
  await fillCollections(api, world, filling);
  await makePolicies(api, world, secret);
  await makeSystemRows(api, world, filling, secret);
  const { body } = await done(api.post('/shares/auth', { share: world.ids.share }));
  const viewed: Callers['viewed'] = {
    request: (method, path, options = {}) =>
      api.request(method, path, { ...options, headers: { ...options.headers, 'x-view-as': `user:${world.ids.user}` } }),
  };
  return {
    user: as(userToken(world)),
    key: await makeOpenKey(service, world),
    share: as(body.data.access_token),
    public: as(null),
    viewed,
  };
}

async function makeOpenKey(service: TestService, world: World): Promise<Api> {
  const { api } = service;
  const own = [...world.collections, world.links, world.blocks].map(({ name }) => name);
  const permissions = [...own, 'service_files', 'service_users', 'service_versions'].flatMap((collection) =>
    actions.map((action) => ({ collection, action, permissions: null, fields: ['*'] })),
  );
  const policy = (await done(api.post('/policies', { name: `all of ${world.prefix}`, app_access: true, permissions }))).body.data.id;
  // It is the user's own while the key is made.
  const link = (await done(api.post('/access', { user: world.ids.user, policy }))).body.data.id;
  const { data } = (await done(api.get(`/users/${world.ids.user}?fields=email`))).body;
  const owner = await signedIn(service, { email: data.email, password: userPassword });
  const key = await makeKey(service, owner, { policy, write: true });
  await done(api.delete(`/access/${link}`), 204);
  await done(owner.post('/users/me/sessions/end', { keep: false }), 204);
  return key.api;
}

const userPassword = 'the password of the caller';
const userToken = (world: World): string => `secret-world-token-${world.prefix}`;

async function makePeople(api: Api, world: World, secret: () => string): Promise<void> {
  const { ids } = world;
  await done(api.post('/roles', { id: ids.parent, name: `parent of ${world.prefix}` }));
  await done(api.post('/roles', { id: ids.role, name: `role of ${world.prefix}`, parent: ids.parent }));
  const people = [
    {
      id: ids.user,
      role: ids.role,
      title: titles.user,
      first_name: 'Caller',
      token: userToken(world),
      password: userPassword,
      location: 'amber birch',
    },
    { id: ids.mate, role: ids.role, title: titles.mate, first_name: world.seesMates ? 'Mate' : secret(), location: secret() },
    { id: ids.stranger, title: titles.stranger, first_name: secret(), location: secret() },
  ];
  const emails = [`caller@${world.prefix}.example`, secret(), secret()].map((text) => text.replace(' ', '.'));
  for (const [index, person] of people.entries()) {
    const email = index === 0 ? emails[index] : `${emails[index]}@p${index}.${world.prefix}.example`;
    await done(api.post('/users', { ...person, email }));
  }
}

async function makeFiles(api: Api, world: World, secret: () => string): Promise<void> {
  await done(api.post('/folders', { id: world.ids.folder, name: `folder of ${world.prefix}` }));
  for (const [index, id] of world.ids.files.entries()) {
    const isShown = index < 2;
    const form = new FormData();
    form.append('id', id);
    form.append('title', isShown ? `file ${index}` : secret());
    form.append('description', secret());
    if (isShown) form.append('folder', world.ids.folder);
    form.append(
      'file',
      new Blob([isShown ? 'open to the caller' : secret().repeat(1 + secret().length)], { type: 'text/plain' }),
      `${index}.txt`,
    );
    await done(api.request('POST', '/files', { raw: form }));
  }
}

async function makeCollections(api: Api, world: World): Promise<void> {
  const own = world.collections.map(({ name, fields, extra }) =>
    asCollection(name, [
      { field: 'flag', type: 'boolean', schema: {} },
      { field: 'kind', type: 'string', schema: {} },
      { field: 'ref', type: 'integer', schema: {} },
      { field: 'owner', type: 'uuid', schema: {} },
      { field: 'back', type: 'alias', meta: { special: ['o2m'] } },
      extra === 'image'
        ? { field: 'image', type: 'uuid', schema: {} }
        : { field: extra, type: 'alias', meta: { special: [extra === 'tags' ? 'm2m' : 'm2a'] } },
      ...fields.map((field) => ({ field: field.name, type: field.type, schema: {} })),
    ]),
  );
  const shared = [
    { field: 'note', type: 'string', schema: {} },
    { field: 'shown', type: 'boolean', schema: {} },
    { field: 'two_id', type: 'integer', schema: {} },
  ];
  const links = asCollection(world.links.name, [...shared, { field: 'one_id', type: 'integer', schema: {} }]);
  const blocks = asCollection(world.blocks.name, [
    ...shared,
    { field: 'item', type: 'string', schema: {} },
    { field: 'collection', type: 'string', schema: {} },
  ]);
  // One change of the structure for all of it: after each the service reads the whole catalogue.
  const fields = [...own, links, blocks].flatMap(({ collection, fields }) => fields.map((field) => ({ collection, ...field })));
  const snapshot = {
    version: 1,
    collections: [...own, links, blocks].map(({ fields: _, ...collection }) => collection),
    fields: [
      ...fields,
      ...world.collections.map(({ owned }) => ({ collection: 'service_users', field: owned, type: 'alias', meta: { special: ['o2m'] } })),
    ],
    relations: makeRelations(world),
  };
  const { body } = await done(api.post('/schema/diff?mode=merge', snapshot));
  await done(api.post('/schema/apply', body.data), 204);
}

interface CollectionDraft {
  readonly collection: string;
  readonly schema: object;
  readonly meta: object;
  readonly fields: readonly object[];
}

const asCollection = (collection: string, fields: readonly object[]): CollectionDraft => ({
  collection,
  schema: {},
  meta: { versioning: true },
  fields: [{ field: 'id', type: 'integer', schema: { is_primary_key: true } }, ...fields],
});

function makeRelations(world: World): readonly object[] {
  const relate = (collection: string, field: string, related: string | null, meta: object): object => ({
    collection,
    field,
    related_collection: related,
    meta,
    schema: null,
  });
  const [one, two, three] = world.collections.map(({ name }) => name);
  if (one === undefined || two === undefined || three === undefined) throw new Error('a world has three collections');
  return [
    ...world.collections.flatMap(({ name, target, owned, extra }) => [
      relate(name, 'ref', target, { one_field: 'back' }),
      relate(name, 'owner', 'service_users', { one_field: owned }),
      ...(extra === 'image' ? [relate(name, 'image', 'service_files', {})] : []),
    ]),
    relate(world.links.name, 'one_id', one, { one_field: 'tags', junction_field: 'two_id' }),
    relate(world.links.name, 'two_id', two, { junction_field: 'one_id' }),
    relate(world.blocks.name, 'two_id', two, { one_field: 'blocks', junction_field: 'item' }),
    relate(world.blocks.name, 'item', null, {
      one_collection_field: 'collection',
      one_allowed_collections: [one, three],
      junction_field: 'two_id',
    }),
  ];
}

async function fillCollections(api: Api, world: World, filling: Filling): Promise<void> {
  // The references go in a circle: first the items, then what they point at.
  for (const [name, items] of filling.items)
    await done(
      api.post(
        `/items/${name}`,
        items.map((item) => ({ ...item, ref: null })),
      ),
    );
  for (const [name, items] of filling.items)
    await done(
      api.patch(
        `/items/${name}`,
        items.map(({ id, ref }) => ({ id, ref })),
      ),
    );
  await done(api.post(`/items/${world.links.name}`, filling.links));
  await done(api.post(`/items/${world.blocks.name}`, filling.blocks));
}

async function makePolicies(api: Api, world: World, secret: () => string): Promise<void> {
  const { ids } = world;
  // Two policies, so that what differs between them is decided item by item.
  for (const position of [0, 1] as const) {
    const permissions = world.collections.flatMap((collection) => collectionPermissions(collection, position));
    if (position === 0)
      permissions.push(...junctionPermissions(world.links), ...junctionPermissions(world.blocks), ...systemPermissions(world));
    await done(
      api.post('/policies', {
        id: ids.policies[position],
        name: secret(),
        description: secret(),
        app_access: world.appAccess && position === 0,
        permissions,
        roles: [{ id: ids.access(position), role: ids.role }],
      }),
    );
  }
}

function collectionPermissions(collection: WorldCollection, position: 0 | 1): object[] {
  const { name, permissions, writes } = collection;
  const read = permissions[position];
  const rows: object[] = [];
  if (read !== undefined)
    rows.push({ collection: name, action: 'read', permissions: ruleToFilter(read.rule), fields: read.fields ?? ['*'] });
  if (position === 1) return rows;
  const { update } = writes;
  if (update !== null) rows.push({ collection: name, action: 'update', permissions: ruleToFilter(update.rule), fields: update.fields });
  if (writes.create) rows.push({ collection: name, action: 'create', permissions: null, fields: ['*'] });
  if (writes.delete !== null) rows.push({ collection: name, action: 'delete', permissions: ruleToFilter(writes.delete), fields: ['*'] });
  return rows;
}

function junctionPermissions({ name, guarded, noteHidden, writable }: WorldJunction): object[] {
  const rule = guarded ? { shown: { _eq: true } } : null;
  const keys = ['id', 'shown', 'one_id', 'two_id', 'item', 'collection'].filter(
    (field) => name.endsWith('links') === (field === 'one_id') || !['one_id', 'item', 'collection'].includes(field),
  );
  const read = { collection: name, action: 'read', permissions: rule, fields: noteHidden ? keys : ['*'] };
  if (!writable) return [read];
  return [
    read,
    { collection: name, action: 'create', permissions: null, fields: ['*'] },
    {
      collection: name,
      action: 'update',
      permissions: rule,
      fields: ['note', 'two_id', 'one_id', 'item'].filter((field) => field === 'note' || keys.includes(field)),
    },
    { collection: name, action: 'delete', permissions: rule, fields: ['*'] },
  ];
}

function systemPermissions(world: World): object[] {
  const rows: object[] = [
    {
      collection: 'service_files',
      action: 'read',
      permissions: { folder: { _eq: world.ids.folder } },
      fields: ['id', 'title', 'type', 'folder', 'filesize'],
    },
  ];
  if (world.seesMates)
    rows.push({
      collection: 'service_users',
      action: 'read',
      permissions: { role: { _eq: '$CURRENT_ROLE' } },
      fields: ['id', 'first_name', ...world.collections.map(({ owned }) => owned)],
    });
  if (world.seesVersions)
    for (const action of ['read', 'create', 'update', 'delete'])
      rows.push({ collection: 'service_versions', action, permissions: null, fields: ['*'] });
  return rows;
}

async function makeSystemRows(api: Api, world: World, filling: Filling, secret: () => string): Promise<void> {
  const { ids } = world;
  const collection = world.collections[0]?.name ?? '';
  const presets = [
    { user: ids.user, bookmark: 'own' },
    { role: ids.role, bookmark: 'of the role' },
    { role: ids.parent, bookmark: secret() },
    { user: ids.mate, bookmark: secret() },
    { bookmark: 'of all' },
  ];
  for (const preset of presets) await done(api.post('/presets', { collection, ...preset }));
  for (const [index, { item, ...comment }] of filling.comments.entries())
    await done(api.post('/comments', { id: ids.comment(index), item: String(item), ...comment }));
  for (const { item, name, delta } of filling.drafts) {
    await done(api.post('/versions', { id: ids.version(item), collection, item: String(item), key: 'draft', name }));
    await done(api.post(`/versions/${ids.version(item)}/save`, delta));
  }
  await done(api.post('/shares', { id: ids.share, collection, item: '1', role: ids.role, name: 'shared' }));
  await done(api.post('/shares', { id: ids.hiddenShare, collection, item: '2', role: ids.role, name: secret() }));
}

async function done(request: Promise<Answer>, status = 200): Promise<Answer> {
  const answer = await request;
  expect(answer.status, `${answer.text}`).toBe(status);
  return answer;
}
