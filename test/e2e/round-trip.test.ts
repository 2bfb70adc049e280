// Whatever a GET answers is accepted back unchanged by PATCH and by POST, for every resource: clients and tools send whole objects.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wire } from '../../src/core/schema/system-home.js';
import { resources } from '../../src/service/system/resources.js';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { adminEmail, startService, type TestService } from '../harness/start-service.js';

// biome-ignore lint/suspicious/noExplicitAny: rows of every resource
type Row = any;

const ok = ({ status, text, body }: Answer, what = ''): Row => {
  expect(status, `${what}: ${text}`).toBeLessThan(300);
  return body?.data;
};

/** What a write sets by itself. */
const moving = new Set([
  'date_updated',
  'user_updated',
  'modified_on',
  'modified_by',
  'last_access',
  'hash',
  'date_created',
  'created_on',
  'timestamp',
]);
const still = (value: Row): Row => {
  if (Array.isArray(value)) return value.map(still);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !moving.has(key)));
};

/** One row of every resource at least, by the requests of a client. */
async function fill({ api }: TestService): Promise<void> {
  const make = async (path: string, body: unknown): Promise<Row> => ok(await api.post(path, body), path);
  await make('/collections', { collection: 'shelf', schema: null, meta: {} });
  await make('/collections', {
    collection: 'authors',
    schema: { comment: 'who writes' },
    meta: { group: 'shelf', sort: 1, translations: [{ language: 'de-DE', translation: 'Autoren' }] },
    fields: [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      { field: 'name', type: 'string', schema: { is_unique: true, is_nullable: false }, meta: { interface: 'input', required: true } },
      { field: 'mail', type: 'string', schema: { is_indexed: true, max_length: 99, default_value: 'a@b' } },
    ],
  });
  const others = [
    'text',
    'boolean',
    'bigInteger',
    'float',
    'decimal',
    'date',
    'time',
    'dateTime',
    'timestamp',
    'json',
    'csv',
    'hash',
    'uuid',
  ];
  await make('/collections', {
    collection: 'posts',
    schema: {},
    meta: { versioning: true, sort_field: 'integer' },
    fields: [
      { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
      { field: 'integer', type: 'integer', schema: { default_value: 7 } },
      ...others.map((type) => ({ field: type.toLowerCase(), type, meta: { note: type } })),
      { field: 'made', type: 'timestamp', schema: { default_value: 'now()' }, meta: { special: ['date-created'] } },
      { field: 'author', type: 'integer' },
      { field: 'owner', type: 'uuid', meta: { special: ['user-created'] } },
      { field: 'part', type: 'alias', meta: { special: ['alias', 'no-data'], interface: 'presentation-divider' } },
    ],
  });
  await make('/relations', { collection: 'posts', field: 'author', related_collection: 'authors', meta: { one_field: 'posts' } });
  await make('/relations', {
    collection: 'posts',
    field: 'owner',
    related_collection: 'directus_users',
    schema: { on_delete: 'SET NULL' },
  });
  const role = await make('/roles', { name: 'Editors' });
  const policy = await make('/policies', { name: 'Editing', ip_access: ['10.0.0.0/8'] });
  await make('/access', { role: role.id, policy: policy.id });
  await make('/permissions', {
    policy: policy.id,
    collection: 'posts',
    action: 'read',
    fields: ['id'],
    permissions: { id: { _nnull: true } },
  });
  const user = await make('/users', { first_name: 'Ada', email: 'ada@example.com', password: 'long enough 1', role: role.id, tags: ['a'] });
  await make('/users', { first_name: 'Nobody', email: null, auth_data: null, avatar: crypto.randomUUID() });
  const folder = await make('/folders', { name: 'Pictures' });
  await make('/files', { filename_download: 'a.txt', type: 'text/plain', storage: 'local', folder: folder.id, tags: ['x'] });
  const dashboard = await make('/dashboards', { name: 'All' });
  await make('/panels', { dashboard: dashboard.id, type: 'label', position_x: 1, position_y: 1, width: 2, height: 2, options: { a: 1 } });
  const first = crypto.randomUUID();
  const flow = await make('/flows', { name: 'Flow', trigger: 'event', options: { collections: ['posts'] }, operation: first });
  await make('/operations', { id: first, flow: flow.id, key: 'log', type: 'log', position_x: 1, position_y: 1, options: {} });
  await make('/presets', { collection: 'posts', user: user.id, layout_query: { tabular: { page: 1 } } });
  await make('/notifications', { recipient: user.id, subject: 'Hello' });
  await make('/translations', { language: 'de-DE', key: 'hello', value: 'Hallo' });
  const author = await make('/items/authors', { name: 'Ada' });
  const post = await make('/items/posts', { text: 'a', author: author.id, json: { a: [1] }, csv: ['a'], decimal: '1.5', hash: 'secret' });
  await make('/comments', { collection: 'posts', item: post.id, comment: 'well' });
  const version = await make('/versions', { collection: 'posts', item: post.id, key: 'draft', name: 'Draft' });
  await make(`/versions/${version.id}/save`, { text: 'b' });
  await make('/shares', { collection: 'posts', item: post.id, name: 'all', role: role.id, password: 'x1' });
}

describeEachVendor('what is answered is accepted', (vendor) => {
  describe.each<Wire>(vendor.name === 'sqlite' ? ['directus', 'tain'] : ['directus'])('on the wire %s', (wire) => {
    let service: TestService;
    const get = async (path: string): Promise<Row> => ok(await service.api.get(path), path);
    beforeAll(async () => {
      service = await startService(vendor, { area: `round_${wire}`, config: { wire } });
      await fill(service);
    });
    afterAll(() => service.stop());

    it.each(resources.filter(({ readOnly }) => !readOnly).map(({ path }) => path))('by PATCH of /%s', async (path) => {
      if (path === 'settings') {
        const before = await get('/settings');
        expect(still(ok(await service.api.patch('/settings', before)))).toEqual(still(before));
        return;
      }
      const before: readonly Row[] = await get(`/${path}?limit=-1`);
      expect(before.length, path).toBeGreaterThan(0);
      const stored = before.filter(({ system, id }) => system !== true && id !== undefined && id !== null);
      for (const row of stored) ok(await service.api.patch(`/${path}/${row.id}`, row), JSON.stringify(row));
      expect(still(await get(`/${path}?limit=-1`))).toEqual(still(before));
      ok(await service.api.patch(`/${path}`, stored), path);
      expect(still(await get(`/${path}?limit=-1`))).toEqual(still(before));
    });

    it.each(['collections', 'fields', 'relations'])('by PATCH of /%s', async (path) => {
      const before: readonly Row[] = await get(`/${path}`);
      for (const row of before) {
        const name = [row.collection, row.field].filter((part) => part !== undefined).join('/');
        const { status, text } = await service.api.patch(`/${path}/${name}`, row);
        expect(status, `${name} ${text} ${JSON.stringify(row)}`).toBe(200);
      }
      expect(await get(`/${path}`)).toEqual(before);
    });

    // A deletion takes what depends on it along, so that comes first.
    const dependent = ['permissions', 'access', 'operations', 'panels', 'shares'];
    const writable = resources.filter(({ readOnly, path }) => !readOnly && path !== 'settings').map(({ path }) => path);
    it.each([...new Set([...dependent, ...writable])])('by POST to /%s of what was deleted', async (path) => {
      const mine = path === 'access' ? '&filter[role][name][_eq]=Editors' : '';
      const [row] = (await get(`/${path}?limit=-1${mine}`))
        .filter(({ email, name }: Row) => email !== adminEmail && name !== 'Administrator')
        .slice(-1);
      const { policies: _, permissions: __, roles: ___, users: ____, operations: _____, panels: ______, children: _______, ...own } = row;
      ok(await service.api.delete(`/${path}/${row.id}`), path);
      const sent = path === 'permissions' ? { ...row } : path === 'versions' ? { ...row, delta: null } : own;
      ok(await service.api.post(`/${path}`, sent), JSON.stringify(sent));
      const made = await get(`/${path}/${row.id}`);
      for (const key of ['password', 'delta', 'filename_disk', 'uploaded_on']) if (made[key] === null) delete own[key];
      expect(still(made)).toMatchObject(still(own));
    });

    it('by POST of a collection, its fields and relations', async () => {
      const look = async (): Promise<Row> =>
        JSON.parse(
          JSON.stringify([
            await get('/collections/posts'),
            await get('/fields/posts'),
            (await get('/relations')).filter(({ collection }: Row) => collection === 'posts'),
          ]),
          (key, value) => (key === 'id' || key === 'constraint_name' ? undefined : value),
        );
      const [before, collection, fields, relations] = [
        await look(),
        await get('/collections/posts'),
        await get('/fields/posts'),
        (await get('/relations')).filter(({ collection: many }: Row) => many === 'posts'),
      ];
      ok(await service.api.delete('/collections/posts'));
      ok(await service.api.post('/collections', { ...collection, fields }));
      for (const relation of relations) ok(await service.api.post('/relations', relation));
      expect(await look()).toEqual(before);
    });

    it('but for what would not happen', async () => {
      for (const [path, body] of [
        ['/fields/posts', { field: 'x', type: 'string', schema: { data_type: 'xml' } }],
        ['/fields/posts', { field: 'x', type: 'integer', schema: { max_length: 3 } }],
        ['/users', { first_name: 'x', auth_data: { a: 1 } }],
        ['/settings', { unheard_of: 1 }],
      ] as const) {
        const { status } = await (path === '/settings' ? service.api.patch(path, body) : service.api.post(path, body));
        expect([400, 403], `${path} ${JSON.stringify(body)}`).toContain(status);
      }
    });

    it('with a note of settings that are of other versions', async () => {
      const answer = await service.api.patch('/settings', { project_name: 'Kept', mcp_enabled: true });
      expect(ok(answer).project_name).toBe('Kept');
      expect(answer.headers.get('warning')).toContain('mcp_enabled');
      expect((await service.api.patch('/settings', { project_name: 'Kept' })).headers.get('warning')).toBeNull();
    });

    it('and a reference ends with what it names', async () => {
      const operation = crypto.randomUUID();
      const flow = ok(await service.api.post('/flows', { name: 'Two', operation }));
      ok(await service.api.post('/operations', { id: operation, flow: flow.id, key: 'a', type: 'log', position_x: 1, position_y: 1 }));
      ok(await service.api.delete(`/operations/${operation}`));
      expect((await get(`/flows/${flow.id}`)).operation).toBeNull();
      const [file] = await get('/files');
      const user = ok(await service.api.post('/users', { first_name: 'Pictured', avatar: file.id }));
      ok(await service.api.delete(`/files/${file.id}`));
      expect((await get(`/users/${user.id}`)).avatar).toBeNull();
    });
  });
});
