// A project moves to a server by the requests of a template tool: structure as another server answered it, piece by piece, each piece sent
// before what it names. Every request succeeds but that for the marketplace, and the project reads back as it was.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { adoptDatabase, createService } from '../../src/tain.js';
import { type Answer, type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { projectScript, readProject } from '../harness/directus-project.js';
import { patientConfig } from '../harness/patience.js';
import { startService } from '../harness/start-service.js';
import * as template from '../harness/template-project.js';
import { createDatabase, type Vendor } from '../harness/vendors.js';

const { templateIds: ids, publicPolicy } = template;

// biome-ignore lint/suspicious/noExplicitAny: rows of every resource
type Row = any;

const ok = ({ status, text, body }: Answer, what = ''): Row => {
  expect(status, `${what}: ${text}`).toBeLessThan(300);
  return body?.data;
};

interface Place {
  readonly api: Api;
  readonly open: Api;
  stop(): Promise<void>;
}

async function startFresh(vendor: Vendor): Promise<Place> {
  const root = mkdtempSync(join(tmpdir(), 'tain_test_uploads_'));
  const service = await startService(vendor, { area: 'template_fresh', config: { wire: 'directus', storageRoot: root } });
  const stop = async (): Promise<void> => {
    await service.stop();
    rmSync(root, { recursive: true, force: true });
  };
  return { api: service.api, open: service.as(null), stop };
}

async function startAdopted(vendor: Vendor): Promise<Place> {
  const root = mkdtempSync(join(tmpdir(), 'tain_test_uploads_'));
  const database = await createDatabase(vendor, 'template_adopted');
  const direct = await openDirectAccess(vendor, database.url);
  await direct.sql(projectScript(readProject(11), vendor.name));
  await direct.close();
  const given = { databaseUrl: database.url, storageRoot: root, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig } as const;
  const config = readConfig({}, given);
  await adoptDatabase(config, false);
  const service = await createService(config);
  const url = await service.listen();
  await service.ready();
  const stop = async (): Promise<void> => {
    await service.close();
    await database.drop();
    rmSync(root, { recursive: true, force: true });
  };
  return { api: makeApi(url, 'admintoken'), open: makeApi(url, null), stop };
}

/** The tool adds what would refuse skeletons of items at the end. */
const relaxed = ({ schema, meta, ...field }: Row): Row => ({
  ...field,
  schema: schema && { ...schema, is_nullable: true, is_unique: false },
  meta: { ...meta, required: false },
});

async function applyStructure({ api }: Place): Promise<void> {
  const { collections, fields, relations } = template.structure;
  for (const collection of collections) {
    const own = fields.filter((field) => field.collection === collection.collection).map(relaxed);
    const { group: _, ...meta } = collection.meta;
    ok(await api.post('/collections', { ...collection, meta, fields: own }), collection.collection);
  }
  for (const field of fields.filter(({ collection }) => collection.startsWith('directus_')))
    ok(await api.post(`/fields/${field.collection}`, field), field.field);
  for (const relation of relations) ok(await api.post('/relations', relation), `${relation.collection}.${relation.field}`);
  for (const { collection, meta } of collections) ok(await api.patch(`/collections/${collection}`, { meta }), collection);
}

async function applyAccess({ api }: Place): Promise<void> {
  const { roles, policies, permissions, users, access } = template.access;
  for (const { users: _, parent: __, ...role } of roles) ok(await api.post('/roles', role), 'role');
  for (const policy of policies.filter(({ id }) => id !== publicPolicy)) ok(await api.post('/policies', policy), 'policy');
  ok(await api.post('/permissions', permissions), 'permissions');
  for (const user of users) ok(await api.post('/users', user), 'user');
  for (const seat of access) ok(await api.post('/access', seat), 'access');
}

async function applyContent({ api }: Place): Promise<void> {
  const { folders, pixel } = template.files;
  ok(
    await api.post(
      '/folders',
      folders.map(({ id, name }) => ({ id, name })),
    ),
    'folders',
  );
  for (const { id, ...folder } of folders) ok(await api.patch(`/folders/${id}`, folder), 'folder');
  const form = new FormData();
  for (const [name, value] of [
    ['id', ids.picture],
    ['title', 'A pixel'],
    ['folder', ids.shelf],
    ['type', 'image/png'],
  ])
    form.append(name ?? '', value ?? '');
  form.append('file', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'pixel.png');
  ok(await api.request('POST', '/files', { raw: form }), 'file');
  for (const [name, items] of Object.entries(template.content)) {
    const skeletons = items.map(({ id }) => ({ id }));
    ok(await api.post(`/items/${name}`, skeletons), `skeletons of ${name}`);
  }
  for (const [name, items] of Object.entries(template.content)) ok(await api.patch(`/items/${name}`, items), `items of ${name}`);
  for (const [name, item] of Object.entries(template.singletons)) ok(await api.patch(`/items/${name}`, item), name);
}

async function applyRest({ api }: Place): Promise<void> {
  const { dashboards, panels, flows, operations, presets, translations, extensions } = template.automation;
  for (const { collection, field, meta, schema } of template.structure.fields.filter((each) => each.schema !== null))
    ok(await api.patch(`/fields/${collection}/${field}`, { meta, schema }), `${collection}.${field}`);
  for (const dashboard of dashboards) ok(await api.post('/dashboards', dashboard), 'dashboard');
  for (const panel of panels) ok(await api.post('/panels', panel), 'panel');
  for (const flow of flows) ok(await api.post('/flows', flow), 'flow');
  ok(
    await api.post(
      '/operations',
      operations.map(({ resolve: _, reject: __, ...operation }) => operation),
    ),
    'operations',
  );
  for (const { id, resolve, reject } of operations) ok(await api.patch(`/operations/${id}`, { resolve, reject }), 'operation');
  const settings = ok(await api.get('/settings'), 'settings');
  ok(await api.patch('/settings', { ...settings, project_name: 'Garden', accepted_terms: true, mcp_enabled: false }), 'settings');
  ok(await api.post('/translations', translations), 'translations');
  ok(await api.post('/presets', presets), 'presets');
  for (const extension of extensions) {
    const { status, body } = await api.post('/extensions/registry/install', extension);
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('no marketplace')]);
  }
}

/** The keys that were sent, of what is answered. */
const likeSent = (sent: Row, answered: Row): Row => {
  if (sent === null || answered === null || typeof sent !== 'object' || Array.isArray(sent)) return answered;
  return Object.fromEntries(Object.keys(sent).map((key) => [key, likeSent(sent[key], answered?.[key])]));
};

/** What a vendor or the database itself decides. */
const ofVendor = new Set([
  ...['data_type', 'default_value', 'numeric_precision', 'numeric_scale', 'max_length', 'generation_expression', 'is_indexed'],
  ...['foreign_key_schema', 'schema', 'constraint_name', 'on_update'],
]);
const plain = (value: Row): Row => {
  if (Array.isArray(value) || value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, entry]) => !ofVendor.has(key) || (key === 'schema' && entry !== null && typeof entry === 'object'))
      .map(([key, entry]) => [key, plain(entry)]),
  );
};

describeEachVendor('a project in the form of a template tool', (vendor) => {
  describe.each([
    ['a fresh database', startFresh],
    ['an adopted database', startAdopted],
  ] as const)('on %s', (_, start) => {
    let place: Place;
    beforeAll(async () => {
      place = await start(vendor);
      await applyStructure(place);
      await applyAccess(place);
      await applyContent(place);
      await applyRest(place);
    });
    afterAll(() => place.stop());

    it('has the structure that was sent', async () => {
      const { collections, fields, relations } = template.structure;
      const of = async (path: string) => ok(await place.api.get(path), path) as readonly Row[];
      const found = await of('/collections');
      for (const sent of collections)
        expect(
          plain(
            likeSent(
              sent,
              found.find(({ collection }) => collection === sent.collection),
            ),
          ),
        ).toEqual(plain(sent));
      const columns = await of('/fields');
      for (const sent of fields) {
        const answered = columns.find(({ collection, field }) => collection === sent.collection && field === sent.field);
        expect(plain(likeSent(sent, answered)), `${sent.collection}.${sent.field}`).toEqual(plain(sent));
      }
      const links = await of('/relations');
      for (const sent of relations) {
        const answered = links.find(({ collection, field }) => collection === sent.collection && field === sent.field);
        expect(plain(likeSent(sent, answered)), `${sent.collection}.${sent.field}`).toEqual(plain(sent));
      }
    });

    it('has the items that were sent', async () => {
      for (const [name, items] of Object.entries(template.content)) {
        const answered = ok(await place.api.get(`/items/${name}?sort=id&limit=-1`), name);
        const sorted = (list: readonly Row[]) =>
          JSON.parse(JSON.stringify(list, (_key, value) => (Array.isArray(value) ? value.toSorted() : value)));
        expect(sorted(answered)).toEqual(sorted(items));
      }
      expect(ok(await place.api.get('/items/opening'))).toEqual(template.singletons['opening']);
      const { data } = (await place.api.get(`/items/beds/${ids.fern}?fields=parts.item:signs.words,parts.item:directus_files.title`)).body;
      expect(data.parts.map(({ item }: Row) => item)).toEqual([{ words: 'Keep off the ferns' }, { title: 'A pixel' }]);
    });

    it('grants what was granted, and no more', async () => {
      expect(ok(await place.open.get('/items/plants?fields=id&sort=id'))).toEqual([{ id: 1 }, { id: 2 }]);
      expect(ok(await place.open.get(`/files/${ids.picture}?fields=title`))).toEqual({ title: 'A pixel' });
      expect((await place.open.get('/items/beds')).status).toBe(403);
      const bot = ok(await place.api.get(`/users/${ids.bot}?fields=avatar.title,beds,boots,policies.policy.name`));
      expect(bot).toEqual({ avatar: { title: 'A pixel' }, beds: [ids.fern], boots: null, policies: [{ policy: { name: 'Digging' } }] });
    });

    it('has its flows, panels and presets, in the names of the wire', async () => {
      const [flow] = template.automation.flows;
      expect(
        ok(
          await place.api.get(`/flows/${ids.flow}?fields=operation,options,operations.key,operations.resolve&deep[operations][_sort]=key`),
        ),
      ).toEqual({
        operation: ids.first,
        options: flow?.options,
        operations: [
          { key: 'step_0', resolve: ids.second },
          { key: 'step_1', resolve: null },
        ],
      });
      expect(ok(await place.api.get(`/panels/${ids.panel}?fields=options`)).options.collection).toBe('directus_files');
      expect(ok(await place.api.get('/presets?filter[layout][_eq]=cards&filter[user][_null]=true&fields=collection'))).toContainEqual({
        collection: 'directus_files',
      });
      expect(ok(await place.api.get('/settings')).project_name).toBe('Garden');
    });
  });
});
