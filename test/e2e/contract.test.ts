// What clients of the wire protocol rely on and the recorded conversations do not hold: small promises, each on every vendor and through
// both doors.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeStorageFolder } from '../harness/upload.js';

const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };

async function makeCollections({ api }: TestService): Promise<void> {
  await api.post('/collections', { collection: 'notes', schema: {}, fields: [id, { field: 'title', type: 'string' }] });
  await api.post('/collections', {
    collection: 'home',
    schema: {},
    meta: { singleton: true },
    fields: [id, { field: 'title', type: 'string' }, { field: 'owner', type: 'string' }],
  });
  await api.post('/items/notes', [{ title: 'a' }, { title: 'b' }]);
  await api.patch('/items/home', { title: 'welcome', owner: 'nobody' });
}

describeEachVendor('the contract', (vendor) => {
  let service: TestService;
  const folder = makeStorageFolder();
  beforeAll(async () => {
    service = await startService(vendor, { area: 'contract', config: { storageRoot: folder.root } });
    await makeCollections(service);
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  const system = async (query: string, api = service.api) => (await api.graphql(query, undefined, '/graphql/system')).body;

  it('takes the flags of a field as a list or as one text over GraphQL, and answers one text', async () => {
    const create = (field: string, special: string) =>
      system(`mutation { create_fields_item(collection: "notes", data: {field: "${field}", type: "string", meta: {special: ${special}}})
        { meta { special } } }`);
    for (const [field, special] of [
      ['listed', '["conceal", "no-data"]'],
      ['joined', '"conceal,no-data"'],
    ] as const)
      expect((await create(field, special)).data.create_fields_item.meta).toEqual({ special: 'conceal,no-data' });
    const changed = await system(
      'mutation { update_fields_item(collection: "notes", field: "listed", data: {meta: {special: ["conceal"]}}) { meta { special } } }',
    );
    expect(changed.data.update_fields_item.meta).toEqual({ special: 'conceal' });
    for (const field of ['listed', 'joined']) await service.api.delete(`/fields/notes/${field}`);
  });

  it('answers true to a caller who may write and not read, for every kind and number of writes', async () => {
    const writer = await makePerson(service, [
      {
        permissions: [
          { collection: 'notes', action: 'create' },
          { collection: 'notes', action: 'update' },
        ],
      },
    ]);
    const fields = [
      'create_notes_item(data: {title: "w"})',
      'create_notes_items(data: [{title: "w"}, {title: "w"}])',
      'create_notes_items(data: [])',
      'update_notes_item(id: 1, data: {title: "a"})',
      'update_notes_items(ids: [1], data: {title: "a"})',
      'update_notes_items(ids: [], data: {title: "a"})',
      'update_notes_batch(data: [{id: 1, title: "a"}])',
    ];
    const aliased = fields.map((field, index) => `f${index}: ${field}`);
    const { data } = (await writer.api.graphql(`mutation { ${aliased.join(' ')} }`)).body;
    expect(Object.values(data)).toEqual(fields.map(() => true));
    expect((await service.api.get('/items/notes?filter[title]=w')).body.data).toHaveLength(3);
  });

  it('lets app users keep presets of their own, and none of others', async () => {
    const [one, other] = [await makePerson(service, [{ app_access: true }]), await makePerson(service, [{ app_access: true }])];
    const made: number[] = [];
    for (const user of [{}, { user: one.id }, { user: { id: one.id } }]) {
      const { status, body } = await one.api.post('/presets', { collection: 'notes', layout: 'cards', ...user });
      expect([status, body.data?.user]).toEqual([200, one.id]);
      made.push(body.data.id);
    }
    const drawn = await system(`mutation { create_presets_item(data: {layout: "cards", user: "${one.id}"}) { id user { id } } }`, one.api);
    expect(drawn.data.create_presets_item.user).toEqual({ id: one.id });
    const [first] = made;
    expect((await one.api.patch(`/presets/${first}`, { search: 's' })).body.data).toMatchObject({ id: first, search: 's' });
    expect((await one.api.get('/presets')).body.data).toHaveLength(4);
    for (const user of [other.id, { id: other.id }, null])
      expect((await one.api.post('/presets', { layout: 'cards', user })).status).toBeGreaterThanOrEqual(400);
    expect((await other.api.get('/presets')).body.data).toEqual([]);
    expect(codeOf(await other.api.patch(`/presets/${first}`, { search: 'x' }))).toBe('403 FORBIDDEN');
    expect(codeOf(await other.api.delete(`/presets/${first}`))).toBe('403 FORBIDDEN');
    expect((await one.api.delete('/presets', made)).status).toBe(204);
  });

  it('answers what may be done with an item, also when nothing may be', async () => {
    const nothing = { update: { access: false }, delete: { access: false }, share: { access: false } };
    const stranger = await makePerson(service, []);
    for (const path of ['notes/1', 'notes/999', 'nowhere/1', 'notes', 'home', 'home/1', 'nowhere'])
      expect((await stranger.api.get(`/permissions/me/${path}`)).body, path).toEqual({ data: nothing });
    expect((await system('{ permissions_me_item(collection: "notes", id: "1") }', stranger.api)).data.permissions_me_item).toEqual(nothing);
    expect(codeOf(await service.as(null).get('/permissions/me/notes/1'))).toBe('403 FORBIDDEN');
  });

  it('answers fields and presets of a singleton, and whether its one item may be changed', async () => {
    const update = { collection: 'home', action: 'update', fields: ['title'], presets: { owner: 'me' } } as const;
    const editor = await makePerson(service, [{ permissions: [update] }]);
    const expected = { access: true, fields: ['title'], presets: { owner: 'me' } };
    for (const path of ['home', 'home/1']) expect((await editor.api.get(`/permissions/me/${path}`)).body.data.update).toEqual(expected);
    const drawn = await system('{ permissions_me_item(collection: "home") }', editor.api);
    expect(drawn.data.permissions_me_item.update).toEqual(expected);
    const owner = await makePerson(service, [{ permissions: [{ ...update, permissions: { owner: { _eq: 'somebody' } } }] }]);
    expect((await owner.api.get('/permissions/me/home')).body.data.update).toEqual({ ...expected, access: false });
    expect((await service.api.get('/permissions/me/home')).body.data.update).toEqual({ access: true, fields: ['*'] });
  });

  it('answers presets with what callers know of themselves, and leaves the rest to the write', async () => {
    const role = (await service.api.post('/roles', { name: 'writers' })).body.data.id;
    const presets = { owner: '$CURRENT_ROLE', title: '$CURRENT_USER.password' };
    const permissions = [{ collection: 'home', action: 'update', presets } as const];
    const writer = await makePerson(service, [{ permissions }], { role });
    const shown = { owner: role, title: '$CURRENT_USER.password' };
    expect((await writer.api.get('/permissions/me')).body.data.home.update.presets).toEqual(shown);
    expect((await writer.api.get('/permissions/me/home')).body.data.update.presets).toEqual(shown);
  });

  it('announces an export by a notification that leads to its file', async () => {
    expect((await service.api.post('/utils/export/notes', { query: { fields: ['id'] }, format: 'csv' })).status).toBe(204);
    const ready = () => service.api.get('/notifications?filter[subject][_eq]=Your export is ready&fields=collection,item');
    await expect.poll(async () => (await ready()).body.data.length, { timeout: 60_000 }).toBe(1);
    const [{ collection, item }] = (await ready()).body.data;
    expect(collection).toBe('service_files');
    expect((await service.api.get(`/files/${item}`)).body.data.filename_download).toMatch(/^export-notes-.*\.csv$/);
  });

  it('keeps a stale diff refused under force=false', async () => {
    const { data: whole } = (await service.api.get('/schema/snapshot')).body;
    const fields = [...whole.fields, { collection: 'notes', field: 'later', type: 'string', schema: {}, meta: null }];
    const { data: diff } = (await service.api.post('/schema/diff?force=false', { ...whole, fields })).body;
    await service.api.post('/fields/notes', { field: 'meanwhile', type: 'string' });
    for (const force of ['false', '0'])
      expect(codeOf(await service.api.post(`/schema/apply?force=${force}`, diff))).toBe('400 INVALID_PAYLOAD');
    expect((await service.api.post('/schema/apply?force=true', diff)).status).toBe(204);
    expect((await service.api.get('/fields/notes/later')).status).toBe(200);
  });
});

describeEachVendor('snapshots', (vendor) => {
  let service: TestService;
  const name = (collection: string, fields: readonly string[]) =>
    service.api.post('/collections', {
      collection,
      schema: {},
      fields: [id, ...fields.map((field) => ({ field, type: 'integer' }))],
    });
  const relate = (collection: string, field: string, related: string) =>
    service.api.post('/relations', { collection, field, related_collection: related, meta: {}, schema: { on_delete: 'SET NULL' } });
  beforeAll(async () => {
    service = await startService(vendor, { area: 'snapshots' });
    for (const collection of ['people', 'places']) await name(collection, []);
    await name('visits', ['zone', 'place', 'guest', 'author']);
    for (const [field, related] of [
      ['zone', 'places'],
      ['author', 'people'],
      ['place', 'places'],
      ['guest', 'people'],
    ] as const)
      await relate('visits', field, related);
  });
  afterAll(() => service.stop());

  const take = async (query = '') => (await service.api.get(`/schema/snapshot${query}`)).body.data;

  it('list relations in the order of their names', async () => {
    const fields = (await take()).relations.map(({ field }: { readonly field: string }) => field);
    expect(fields).toEqual(['author', 'guest', 'place', 'zone']);
    await service.api.delete('/relations/visits/author');
    await relate('visits', 'author', 'people');
    expect((await take()).relations.map(({ field }: { readonly field: string }) => field)).toEqual(fields);
  });

  it('of a part say so, through both doors, and hold no relation that leads out of it', async () => {
    expect((await take()).version).toBe(1);
    const part = await take('?includeCollections=visits,people');
    expect(part.version).toBe(2);
    expect(part.collections.map(({ collection }: { readonly collection: string }) => collection)).toEqual(['people', 'visits']);
    expect(part.relations.map(({ field }: { readonly field: string }) => field)).toEqual(['author', 'guest']);
    expect(await take('?excludeCollections=places')).toEqual(part);
    const drawn = await service.api.graphql('{ schema_snapshot(include: ["visits", "people"]) }', undefined, '/graphql/system');
    expect(drawn.body.data.schema_snapshot).toEqual(part);
  });

  it('of a part change nothing outside of it', async () => {
    const part = await take('?includeCollections=visits');
    const diff = async (body: unknown) => service.api.post('/schema/diff', body);
    expect((await diff(part)).status).toBe(204);
    const fields = part.fields.filter(({ field }: { readonly field: string }) => field !== 'zone');
    const less = { ...part, fields: [...fields, { collection: 'visits', field: 'note', type: 'string', schema: {}, meta: null }] };
    const { data } = (await diff(less)).body;
    expect(data.diff).toMatchObject({ collections: [], relations: [] });
    expect(data.diff.fields.map(({ field }: { readonly field: string }) => field).toSorted()).toEqual(['note', 'zone']);
    const drawn = await service.api.graphql('query($part: JSON!) { schema_diff(snapshot: $part) }', { part: less }, '/graphql/system');
    expect(drawn.body.data.schema_diff).toEqual(data);
    expect((await service.api.post('/schema/apply?lossy', data)).status).toBe(204);
    const after = (await take()).relations.map(({ field }: { readonly field: string }) => field);
    expect(after).toEqual(['author', 'guest', 'place']);
  });

  it('have a version that is known', async () => {
    for (const version of [0, 3, '2', null])
      expect(codeOf(await service.api.post('/schema/diff', { ...(await take()), version }))).toBe('400 INVALID_PAYLOAD');
  });
});
