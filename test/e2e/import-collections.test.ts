// Several collections in one import, and the bound on what one write may touch: on every vendor, through both doors.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };

async function makeShop({ api }: TestService): Promise<void> {
  const collection = (name: string, fields: readonly object[]) =>
    api.post('/collections', { collection: name, schema: {}, fields: [id, { field: 'name', type: 'string' }, ...fields] });
  await collection('makers', [{ field: 'boss', type: 'integer' }]);
  await collection('goods', [{ field: 'maker', type: 'integer' }]);
  await api.post('/fields/makers', { field: 'goods', type: 'alias', meta: { special: ['o2m'] } });
  await api.post('/relations', { collection: 'goods', field: 'maker', related_collection: 'makers', meta: { one_field: 'goods' } });
  await api.post('/relations', { collection: 'makers', field: 'boss', related_collection: 'makers', meta: {} });
}

describeEachVendor('an import of several collections', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'imports' });
    await makeShop(service);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    // MariaDB checks foreign keys row by row, also those within one table.
    await service.api.patch('/items/makers', { query: { limit: -1 }, data: { boss: null } });
    for (const name of ['goods', 'makers']) await service.api.delete(`/items/${name}`, { query: { limit: -1 } });
    await service.api.post('/items/makers', { id: 1, name: 'here' });
    await service.api.post('/items/goods', { id: 1, name: 'here', maker: 1 });
  });

  const send = async (body: unknown, query = '') => service.api.post(`/utils/import${query}`, body);
  const read = async (name: string) => (await service.api.get(`/items/${name}?sort=id`)).body.data;

  it('names the places of the items it refuses, in a list written at once, too', async () => {
    const items = [
      { id: 1, name: 'here' },
      { name: 'new', maker: 'x' },
      { id: 2, maker: 'y' },
    ];
    interface Entry {
      readonly extensions: { readonly field: string; readonly index: number };
    }
    const places = ({ body }: Answer) => body.errors.map(({ extensions }: Entry) => [extensions.field, extensions.index]);
    expect(places(await send([{ collection: 'goods', items }], '?mode=merge&dryRun=true'))).toEqual([['maker', 1]]);
    const fields = [
      ['maker', 1],
      ['maker', 2],
    ];
    expect(places(await send([{ collection: 'goods', items }], '?dryRun=true'))).toEqual(fields);
    expect(places(await service.api.post('/items/goods', items))).toEqual(fields);
    const change = {
      method: 'PATCH',
      path: '/items/goods',
      body: [
        { id: 1, name: 'x' },
        { id: 1, maker: 'x' },
      ],
    };
    const { body } = await service.api.post('/batch', { operations: [{ method: 'GET', path: '/items/goods' }, change] });
    expect(body.errors[0].extensions).toMatchObject({ field: 'maker', index: 1, operation: 1 });
    expect(await read('goods')).toMatchObject([{ id: 1, name: 'here' }]);
  });

  it('gives new keys for those that are taken, and follows them through links in any order and in circles', async () => {
    const body = [
      {
        collection: 'goods',
        items: [
          { id: 1, name: 'new', maker: 1 },
          { name: 'other', maker: 501 },
        ],
      },
      {
        collection: 'makers',
        items: [
          { id: 1, name: 'new', boss: 501 },
          { id: 501, name: 'boss', boss: 501 },
        ],
      },
    ];
    const { status, body: answer } = await send(body);
    expect(status).toBe(200);
    const { goods, makers } = answer.data.collections;
    expect(answer.data).toMatchObject({ applied: true, mode: 'add' });
    expect([makers.existing, makers.deleted, makers.new[1]]).toEqual([[], [], 501]);
    expect(makers.mapped).toEqual({ 1: makers.new[0] });
    expect(goods.mapped).toEqual({ 1: goods.new[0] });
    const [maker] = makers.new;
    expect((await service.api.get(`/items/makers/${maker}?fields=name,boss,goods.name`)).body.data).toEqual({
      name: 'new',
      boss: 501,
      goods: [{ name: 'new' }],
    });
    expect((await service.api.get('/items/makers/501?fields=boss,goods.name')).body.data).toEqual({
      boss: 501,
      goods: [{ name: 'other' }],
    });
    expect((await service.api.get('/items/makers/1?fields=name,goods.name')).body.data).toEqual({
      name: 'here',
      goods: [{ name: 'here' }],
    });
  });

  it('lays items over those of the same key, as JSON, as a file and over GraphQL', async () => {
    const items = (name: string) => [
      {
        collection: 'makers',
        items: [
          { id: 1, name },
          { id: 601, name },
        ],
      },
    ];
    expect((await send(items('a'), '?mode=merge')).body.data).toEqual({
      applied: true,
      mode: 'merge',
      collections: { makers: { existing: [1], new: [601], deleted: [], mapped: {} } },
    });
    const form = new FormData();
    form.set('file', new File([JSON.stringify(items('b'))], 'all.json', { type: 'application/json' }));
    const filed = await service.api.request('POST', '/utils/import?mode=merge', { raw: form });
    expect(filed.body.data.collections.makers).toEqual({ existing: [1, 601], new: [], deleted: [], mapped: {} });
    const drawn = await service.api.graphql(
      'mutation($data: JSON!) { utils_import(data: $data, mode: merge) }',
      { data: items('c') },
      '/graphql/system',
    );
    expect(drawn.body.data.utils_import.collections.makers).toEqual({ existing: [1, 601], new: [], deleted: [], mapped: {} });
    expect((await read('makers')).map(({ name }: { readonly name: string }) => name)).toEqual(['c', 'c']);
  });

  it('deletes what it does not name only on request, and only when merging', async () => {
    const body = [
      { collection: 'makers', items: [{ id: 701, name: 'only' }] },
      { collection: 'goods', items: [] },
    ];
    expect(codeOf(await send(body, '?dangerouslyAllowDelete=true'))).toBe('400 INVALID_QUERY');
    expect((await send(body, '?mode=merge&dangerouslyAllowDelete=false')).body.data.collections.goods.deleted).toEqual([]);
    const tried = await send(body, '?mode=merge&dangerouslyAllowDelete=true&dryRun=true');
    expect(tried.body.data).toMatchObject({ applied: false, collections: { makers: { deleted: [1] }, goods: { deleted: [1] } } });
    expect(await read('goods')).toHaveLength(1);
    const writer = await makePerson(service, [
      {
        permissions: ['makers', 'goods'].flatMap((collection) =>
          (['create', 'read', 'update'] as const).map((action) => ({ collection, action })),
        ),
      },
    ]);
    expect(codeOf(await writer.api.post('/utils/import?mode=merge&dangerouslyAllowDelete=true', body))).toBe('403 FORBIDDEN');
    expect((await send(body, '?mode=merge&dangerouslyAllowDelete=true')).body.data.collections).toEqual({
      makers: { existing: [701], new: [], deleted: [1], mapped: {} },
      goods: { existing: [], new: [], deleted: [1], mapped: {} },
    });
    expect([(await read('makers')).length, await read('goods')]).toEqual([1, []]);
  });

  it('refuses what it cannot read, and leaves nothing behind', async () => {
    const before = await service.checksums();
    const good = { collection: 'makers', items: [{ name: 'x' }] };
    for (const body of [{}, [good, good], [{ collection: 'makers' }], [{ ...good, items: [1] }]])
      expect(codeOf(await send(body)), JSON.stringify(body)).toBe('400 INVALID_PAYLOAD');
    expect(codeOf(await send([good, { collection: 'goods', items: [{ name: 'y', maker: 999 }] }]))).toBe('400 INVALID_FOREIGN_KEY');
    expect(codeOf(await send([good, { collection: 'nowhere', items: [] }]))).toBe('403 FORBIDDEN');
    const form = new FormData();
    form.set('file', new File(['name\nx'], 'all.csv', { type: 'text/csv' }));
    expect((await service.api.request('POST', '/utils/import', { raw: form })).status).toBe(400);
    expect(await service.checksums()).toEqual(before);
  });
});

describeEachVendor('MAX_BATCH_MUTATION', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'batches', config: { maxBatchMutation: 3 } });
    await makeShop(service);
  });
  afterAll(() => service.stop());

  it('counts every item of a write, nested ones and keys included, through both doors', async () => {
    const items = (count: number) => Array.from({ length: count }, () => ({ name: 'x' }));
    const made = await service.api.post('/items/makers', items(3));
    expect(made.status).toBe(200);
    expect((await service.api.post('/items/makers', { name: 'n', goods: items(2) })).status).toBe(200);
    const keys = (await service.api.get('/items/makers?fields=id&limit=4')).body.data.map((item: { readonly id: number }) => item.id);
    const before = await service.checksums();
    for (const refused of [
      await service.api.post('/items/makers', items(4)),
      await service.api.post('/items/makers', { name: 'n', goods: items(3) }),
      await service.api.patch('/items/makers', { keys, data: { name: 'y' } }),
      await service.api.patch('/items/makers', { query: { filter: { name: { _nnull: true } } }, data: { name: 'y' } }),
      await service.api.patch(
        '/items/makers',
        keys.map((key: number) => ({ id: key, name: 'y' })),
      ),
      await service.api.delete('/items/makers', keys),
    ]) {
      expect(codeOf(refused)).toBe('400 INVALID_PAYLOAD');
      expect(refused.text).toContain('limit of 3');
    }
    const drawn = await service.api.graphql('mutation($data: [create_makers_input!]) { create_makers_items(data: $data) { id } }', {
      data: items(4),
    });
    expect(drawn.body.errors[0].extensions.code).toBe('INVALID_PAYLOAD');
    expect(await service.checksums()).toEqual(before);
  });
});
