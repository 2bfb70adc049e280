// The two wires: names, forms and versions of each, input in the names of either, and the switch from one to the other and back.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import type { Wire } from '../../src/core/schema/system-home.js';
import { createService, switchDatabase } from '../../src/tain.js';
import { type Answer, type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { patientConfig } from '../harness/patience.js';
import { adminEmail, adminPassword, adminToken, startService, type TestService } from '../harness/start-service.js';
import { createDatabase } from '../harness/vendors.js';

const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';
const prefixes = { tain: 'service_', directus: 'directus_' } as const;

const ok = (answer: Answer): Answer['body'] => {
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body?.data;
};

/** Structure, rights and rows that name system collections in each of the places that hold such names. `as`: the prefix of the names sent. */
async function fill(api: Api, as: string): Promise<void> {
  ok(
    await api.post('/collections', {
      collection: 'posts',
      schema: {},
      fields: [
        { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
        { field: 'title', type: 'string' },
        { field: 'author', type: 'uuid', meta: { special: ['user-created'] } },
        { field: 'blocks', type: 'alias', meta: { special: ['m2a'] } },
      ],
    }),
  );
  ok(
    await api.post('/relations', { collection: 'posts', field: 'author', related_collection: `${as}users`, meta: { one_field: 'posts' } }),
  );
  ok(await api.post(`/fields/${as}users`, { field: 'pen_name', type: 'string' }));
  ok(
    await api.post('/collections', {
      collection: 'posts_blocks',
      schema: {},
      fields: [
        { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
        { field: 'post', type: 'integer' },
        { field: 'collection', type: 'string' },
        { field: 'item', type: 'string' },
      ],
    }),
  );
  ok(
    await api.post('/relations', {
      collection: 'posts_blocks',
      field: 'post',
      related_collection: 'posts',
      meta: { one_field: 'blocks', junction_field: 'item' },
    }),
  );
  ok(
    await api.post('/relations', {
      collection: 'posts_blocks',
      field: 'item',
      related_collection: null,
      meta: { one_collection_field: 'collection', one_allowed_collections: ['posts', `${as}folders`], junction_field: 'post' },
    }),
  );
  const folder = ok(await api.post('/folders', { name: 'covers' }));
  ok(await api.post('/items/posts', { title: 'a', blocks: [{ collection: `${as}folders`, item: { id: folder.id, name: 'pictures' } }] }));
  ok(await api.post('/permissions', { policy: publicPolicy, collection: `${as}folders`, action: 'read', fields: ['name'] }));
  ok(await api.post('/presets', { collection: `${as}users`, bookmark: 'all' }));
  ok(await api.post('/users/me/keys', { name: 'a program', collections: [`${as}folders`, 'posts'], password: adminPassword }));
  const flow = ok(await api.post('/flows', { name: 'f', trigger: 'event', options: { collections: [`${as}files`, 'posts'] } }));
  ok(
    await api.post('/operations', {
      flow: flow.id,
      key: 'read',
      type: 'item-read',
      position_x: 1,
      position_y: 1,
      options: { collection: `${as}users`, note: `of ${as}users` },
    }),
  );
}

/** What a client of the wire sees, without what differs between two databases. */
async function look(api: Api, as: string): Promise<unknown> {
  const of = async (path: string) => ok(await api.get(path));
  const open = makeApi(await urlOf(api), null);
  return {
    collections: (await of('/collections')).map((row: { collection: string }) => row.collection),
    fields: (await of('/fields')).filter((row: { collection: string }) => /posts|users$/.test(row.collection)),
    relations: (await of('/relations')).filter((row: { collection: string }) => row.collection.startsWith('posts')),
    posts: await of(`/items/posts?fields=title,blocks.collection,blocks.item:${as}folders.name`),
    presets: await of('/presets?fields=collection,bookmark'),
    permissions: await of('/permissions?fields=collection,action,policy&limit=-1'),
    keys: (await of('/users/me/keys')).map((key: { collections: readonly string[] }) => key.collections),
    flows: await of('/flows?fields=options,operations.options'),
    revisions: await of('/revisions?fields=collection,data,previous&sort=id&limit=-1'),
    activity: await of('/activity?fields=collection&sort=id&limit=-1'),
    snapshot: (await api.get('/schema/snapshot')).body.data,
    public: (await open.get('/folders?fields=name')).body,
    graphql: (await api.graphql('{ posts { title blocks { collection } author { pen_name } } }')).body,
  };
}

/** Lists are sorted by names, which differ. */
const inOneOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOneOrder).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, inOneOrder(entry)]));
};

const urls = new WeakMap<Api, string>();
const urlOf = async (api: Api): Promise<string> => urls.get(api) ?? '';
const remember = (service: TestService): Api => {
  urls.set(service.api, service.url);
  return service.api;
};

describeEachVendor('the wire', (vendor) => {
  describe.each(['tain', 'directus'] as const)('%s', (wire) => {
    let service: TestService;
    let api: Api;
    const [as, other] = wire === 'tain' ? [prefixes.tain, prefixes.directus] : [prefixes.directus, prefixes.tain];
    beforeAll(async () => {
      service = await startService(vendor, { area: `wire_${wire}`, config: { wire } });
      api = remember(service);
      await fill(api, other);
    });
    afterAll(() => service.stop());

    it('takes the names of both, and answers and stores its own', async () => {
      const seen = JSON.stringify(await look(api, as));
      expect(seen).toContain(`${as}folders`);
      expect(seen.replaceAll(`of ${other}users`, '')).not.toContain(other);
      for (const path of ['/collections/', '/fields/', '/relations/']) ok(await api.get(`${path}${other}users`));
      expect(ok(await api.get(`/collections/${other}files`)).collection).toBe(`${as}files`);
      expect(ok(await api.get('/relations/posts/author')).related_collection).toBe(`${as}users`);
      expect((await service.as(null).get('/folders?fields=name')).body.data).toEqual([{ name: 'pictures' }]);
    });

    it('refuses a permission on what does not exist', async () => {
      const { status, body } = await api.post('/permissions', { policy: publicPolicy, collection: `${as}nothing`, action: 'read' });
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_PAYLOAD']);
      expect(body.errors[0].message).toContain(`${as}nothing`);
      const later = await api.post('/permissions', { policy: publicPolicy, collection: 'comes_later', action: 'read' });
      expect(later.status).toBe(wire === 'tain' ? 400 : 200);
    });

    it('keeps the ids of a tool that moves configuration, on the wire of that tool', async () => {
      const path = '/directus-extension-sync/table/roles';
      const made = await api.post(path, { table: 'roles', sync_id: 'a-1', local_id: 7 });
      if (wire === 'tain') {
        expect([made.status, (await api.get(path)).status]).toEqual([403, 403]);
        return;
      }
      expect([made.status, made.body]).toEqual([200, expect.objectContaining({ table: 'roles', sync_id: 'a-1', local_id: '7' })]);
      expect((await api.get(`${path}/local_id/7`)).body).toEqual(made.body);
      expect((await api.get(`${path}/sync_id/a-1`)).body).toEqual(made.body);
      expect((await api.get('/directus-extension-sync/table/policies/local_id/7')).status).toBe(204);
      for (const [taken, by] of [
        [{ sync_id: 'a-1', local_id: '8' }, 'sync_id'],
        [{ sync_id: 'a-2', local_id: '7' }, 'local_id'],
      ] as const) {
        const { status, body } = await api.post(path, taken);
        expect([status, body.errors[0].extensions]).toEqual([400, { code: 'RECORD_NOT_UNIQUE', field: by }]);
      }
      expect((await service.as(null).get(path)).status).toBe(403);
      expect((await api.delete(`${path}/local_id/7`)).status).toBe(204);
      expect((await api.get(path)).body).toEqual([]);
    });

    it('has the forms of its clients', async () => {
      const { meta } = ok(await api.get(`/fields/${as}users/id`));
      expect(meta.special).toEqual(wire === 'tain' ? 'uuid' : ['uuid']);
      const { body } = await api.graphql(
        `{ fields_by_name(collection: "${as}users", field: "id") { meta { special } } }`,
        {},
        '/graphql/system',
      );
      expect(body.data.fields_by_name.meta.special).toEqual(wire === 'tain' ? 'uuid' : ['uuid']);
      const info = ok(await api.get('/server/info'));
      expect([info.version, info.tain]).toEqual(wire === 'tain' ? ['0.1.0', '0.1.0'] : ['11.17.4', '0.1.0']);
      expect((await api.get('/schema/snapshot')).body.data.directus).toBe(wire === 'tain' ? undefined : '11.17.4');
      expect((await api.get('/server/specs/graphql')).headers.get('content-type')).toContain(
        wire === 'tain' ? 'text/plain' : 'application/graphql',
      );
      const sent = ok(await api.post('/fields/posts', { field: `flags_${wire}`, type: 'json', meta: { special: ['cast-json'] } }));
      expect(sent.meta.special).toEqual(wire === 'tain' ? 'cast-json' : ['cast-json']);
      ok(await api.patch(`/fields/posts/flags_${wire}`, sent));
      ok(await api.delete(`/fields/posts/flags_${wire}`));
    });
  });

  it('is switched and switched back without loss', async () => {
    const database = await createDatabase(vendor, 'wire_switch');
    const config = readConfig(
      {},
      { databaseUrl: database.url, port: 0, logLevel: 'error', rateLimit: null, adminEmail, adminPassword, adminToken, ...patientConfig },
    );
    const during = async <T>(work: (api: Api) => Promise<T>, wire: Wire | null = null): Promise<T> => {
      const service = await createService({ ...config, wire });
      try {
        const url = await service.listen();
        await service.ready();
        const api = makeApi(url, adminToken);
        urls.set(api, url);
        return await work(api);
      } finally {
        await service.close();
      }
    };
    try {
      const before = await during(async (api) => {
        await fill(api, 'service_');
        return look(api, 'service_');
      });
      expect(await switchDatabase(config, 'directus')).toBe(true);
      expect(await switchDatabase(config, 'directus')).toBe(false);
      const between = await during((api) => look(api, 'directus_'));
      const renamed = JSON.stringify(before).replace(/(?<!of )service_/g, 'directus_');
      const withoutForms = (text: string): unknown =>
        JSON.parse(text, (key, value) =>
          key === 'special' && Array.isArray(value) ? value.join(',') : ['tain', 'directus'].includes(key) ? undefined : value,
        );
      expect(inOneOrder(withoutForms(JSON.stringify(between)))).toEqual(inOneOrder(withoutForms(renamed)));
      await expect(during(async () => undefined, 'tain')).rejects.toThrow(/kept on the wire "directus".*tain wire tain/);
      expect(await switchDatabase(config, 'tain')).toBe(true);
      expect(await during((api) => look(api, 'service_'))).toEqual(before);
    } finally {
      await database.drop();
    }
  });

  it('is not switched where a table of the database that is only read would be hidden', async () => {
    const [own, data] = [await createDatabase(vendor, 'wire_own'), await createDatabase(vendor, 'wire_data')];
    try {
      const direct = await openDirectAccess(vendor, data.url);
      await direct.sql('create table directus_files (id int primary key)');
      await direct.close();
      const given = { databaseUrl: data.url, systemDatabaseUrl: own.url, port: 0, logLevel: 'error', ...patientConfig } as const;
      const config = readConfig({}, { ...given, adminEmail, adminPassword });
      const service = await createService(config);
      await service.listen();
      await service.ready();
      await service.close();
      await expect(switchDatabase(config, 'directus')).rejects.toThrow(/has a table directus_files/);
    } finally {
      await data.drop();
      await own.drop();
    }
  });

  it('leaves the table of another program its name', async () => {
    const service = await startService(vendor, {
      area: 'wire_taken',
      fixture: 'create table directus_files (id int primary key, note varchar(20))',
    });
    try {
      expect(ok(await service.api.get('/collections/directus_files')).collection).toBe('directus_files');
      ok(await service.api.post('/items/directus_files', { id: 1, note: 'mine' }));
      ok(await service.api.post('/permissions', { policy: publicPolicy, collection: 'directus_files', action: 'read', fields: ['*'] }));
      expect((await service.as(null).get('/items/directus_files')).body.data).toEqual([{ id: 1, note: 'mine' }]);
      expect((await service.as(null).get('/files')).body.data ?? []).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
