// Utilities over HTTP on every vendor: imports all or nothing, exports into files, order, random texts.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

const integerKey = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };

function upload(api: Api, collection: string, content: string | Uint8Array<ArrayBuffer>, type: string, name = 'file'): Promise<Answer> {
  const raw = new FormData();
  raw.append('file', new Blob([content], { type }), name);
  return api.request('POST', `/utils/import/${collection}`, { raw });
}

describeEachVendor('utilities', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'utilities' });
    const { api } = service;
    await api.post('/collections', {
      collection: 'rows',
      schema: {},
      meta: { sort_field: 'place' },
      fields: [
        integerKey,
        { field: 'code', type: 'string', schema: { is_unique: true } },
        { field: 'amount', type: 'integer' },
        { field: 'place', type: 'integer' },
        { field: 'details', type: 'json' },
      ],
    });
  });

  afterAll(() => service.stop());

  const total = async (): Promise<number> => Number((await service.api.get('/items/rows?aggregate[count]=*')).body.data[0].count);

  it('imports CSV, JSON and NDJSON', async () => {
    const csv = 'code,amount,details\nc1,1,"{""a"":1}"\n"c,2",,\n';
    expect((await upload(service.api, 'rows', csv, 'text/csv')).status).toBe(200);
    expect((await upload(service.api, 'rows', '[{"code":"j1","amount":5},{"code":"j2"}]', 'application/json')).status).toBe(200);
    expect((await upload(service.api, 'rows', '{"code":"n1"}\n{"code":"n2"}', 'application/octet-stream', 'x.ndjson')).status).toBe(200);
    const { data } = (await service.api.get('/items/rows?fields=code,amount,details&sort=id')).body;
    expect(data.slice(0, 3)).toEqual([
      { code: 'c1', amount: 1, details: { a: 1 } },
      { code: 'c,2', amount: null, details: null },
      { code: 'j1', amount: 5, details: null },
    ]);
    expect(data).toHaveLength(6);
  });

  it('D24: names the row that is refused and leaves nothing behind', async () => {
    const before = await service.checksums();
    const lines = Array.from({ length: 1200 }, (_, index) => `bulk-${index},${index}`);
    const refused = async (changed: string, row: number | null) => {
      const text = `code,amount\n${lines.with(700, changed).join('\n')}`;
      const { status, body } = await upload(service.api, 'rows', text, 'text/csv');
      expect(status).toBe(400);
      if (row !== null) expect(body.errors[0]).toMatchObject({ message: expect.stringContaining(`Row ${row}`), extensions: { row } });
      else expect(body.errors[0].message).toContain('Row 701');
    };
    await refused('bulk-3,1', 701);
    await refused('x,no-number', 701);
    await refused('x,1,2', null);
    expect(await service.checksums()).toEqual(before);
  });

  it.each([
    ['__proto__,code\n1,2', 'text/csv'],
    ['code,code\n1,2', 'text/csv'],
    ['code\n"open', 'text/csv'],
    ['{"code":"x"}', 'application/json'],
  ])('D24: refuses %j', async (content, type) => {
    const before = await total();
    expect((await upload(service.api, 'rows', content, type)).status).toBe(400);
    expect(await total()).toBe(before);
  });

  it('refuses other encodings, other kinds of files, and callers who may not create', async () => {
    expect((await upload(service.api, 'rows', new Uint8Array([99, 10, 0xff, 0xfe]), 'text/csv')).status).toBe(400);
    expect((await upload(service.api, 'rows', 'x', 'image/png', 'x.png')).status).toBe(415);
    expect((await upload(service.as(null), 'rows', 'code\nx', 'text/csv')).status).toBe(403);
    expect((await upload(service.api, 'service_users', 'email\nx@example.com', 'text/csv')).status).toBe(403);
  });

  it('imports several collections as one body, or only tries', async () => {
    const body = [{ collection: 'rows', items: [{ id: 1, amount: 77 }, { code: 'merged' }] }];
    const before = await service.checksums();
    const tried = await service.api.post('/utils/import?mode=merge&dryRun=true', body);
    expect(tried.body.data).toEqual({
      applied: false,
      mode: 'merge',
      collections: { rows: { existing: [1], new: [expect.anything()], deleted: [], mapped: {} } },
    });
    expect(await service.checksums()).toEqual(before);
    expect((await service.api.post('/utils/import?mode=merge', body)).body.data.applied).toBe(true);
    expect((await service.api.get('/items/rows/1?fields=amount')).body.data.amount).toBe(77);
  });

  it('moves an item, also where the order was never set', async () => {
    const order = async () =>
      (await service.api.get('/items/rows?fields=code&sort=place&limit=4')).body.data.map((row: { code: string }) => row.code);
    const { data } = (await service.api.get('/items/rows?fields=id,code&sort=id&limit=4')).body;
    expect((await service.api.post('/utils/sort/rows', { item: data[3].id, to: data[0].id })).status).toBe(200);
    expect(await order()).toEqual([data[3], data[0], data[1], data[2]].map((row) => row.code));
    await service.api.post('/utils/sort/rows', { item: data[3].id, to: data[1].id });
    expect(await order()).toEqual([data[0], data[1], data[3], data[2]].map((row) => row.code));
    expect((await service.api.post('/utils/sort/rows', { item: 999_999, to: data[0].id })).status).toBe(403);
  });

  it('exports into a file and notifies the caller', async () => {
    const asked = await service.api.post('/utils/export/rows', {
      query: { fields: ['code'], sort: ['id'] },
      format: 'csv',
      file: { title: 'All rows' },
    });
    expect(asked.status).toBe(204);
    const find = async () => (await service.api.get('/files?filter[title][_eq]=All rows&fields=id,type')).body.data;
    await expect.poll(async () => (await find()).length).toBe(1);
    const [file] = await find();
    expect((await service.api.get(`/assets/${file.id}`)).text).toContain('"c1"');
    await expect
      .poll(async () => (await service.api.get('/notifications?fields=subject')).body.data)
      .toEqual([{ subject: 'Your export is ready' }]);
  });

  it.each(['foo', '-1', '1e9', '0', '501', '1.5'])('D12: refuses a random text of length %s', async (length) => {
    expect((await service.as(null).get(`/utils/random/string?length=${length}`)).status).toBe(400);
    expect((await service.as(null).get('/utils/random/string?length=500')).body.data).toHaveLength(500);
  });
});
