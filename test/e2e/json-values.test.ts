// Places inside JSON values: selected by `json(field, path)`, asked for by `_json`, on every vendor and through both doors.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };

async function makeShop({ api }: TestService): Promise<void> {
  const fields = [id, { field: 'name', type: 'string' }, { field: 'metadata', type: 'json' }];
  await api.post('/collections', { collection: 'makers', schema: {}, fields });
  await api.post('/collections', { collection: 'goods', schema: {}, fields: [...fields, { field: 'maker', type: 'integer' }] });
  await api.post('/fields/makers', { field: 'goods', type: 'alias', meta: { special: ['o2m'] } });
  await api.post('/relations', { collection: 'goods', field: 'maker', related_collection: 'makers', meta: { one_field: 'goods' } });
  await api.post('/items/makers', [
    { name: 'north', metadata: { colour: 'blue', seats: [{ n: 1 }] } },
    { name: 'south', metadata: { colour: 'red' } },
  ]);
  await api.post('/items/goods', [
    { name: 'box', maker: 1, metadata: { dimensions: { width: 3, height: 7 }, colour: 'green', tags: ['a', 'b'] } },
    { name: 'bag', maker: 2, metadata: { dimensions: { width: 8, height: 2 }, colour: 'blue', tags: ['c'] } },
    { name: 'jar', maker: 1, metadata: { dimensions: { width: 5 }, colour: 'red' } },
    { name: 'air', maker: null, metadata: null },
  ]);
}

describeEachVendor('JSON values', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'json' });
    await makeShop(service);
  });
  afterAll(() => service.stop());

  const read = async (query: string) => (await service.api.get(`/items/goods?${query}`)).body.data;
  const found = async (json: unknown, api = service.api) => {
    const filter = { metadata: { _json: json } };
    const url = await api.get(`/items/goods?sort=id&fields=name&filter=${encodeURIComponent(JSON.stringify(filter))}`);
    const drawn = await api.graphql('query($filter: goods_filter) { goods(sort: ["id"], filter: $filter) { name } }', { filter });
    expect(drawn.body.data?.goods).toEqual(url.body.data);
    return url.body.data.map(({ name }: { readonly name: string }) => name).join(' ');
  };

  it('stand under the field, the path and "json", joined by underscores', async () => {
    expect(await read('fields=json(metadata, dimensions.width),json(metadata,tags[0]),json(metadata,tags)&limit=1&sort=id')).toEqual([
      { metadata_dimensions_width_json: 3, metadata_tags_0_json: 'a', metadata_tags_json: ['a', 'b'] },
    ]);
    expect(codeOf(await service.api.get('/items/goods?fields=json(metadata,a.b),json(metadata,a_b)'))).toBe('400 INVALID_QUERY');
  });

  it('are read through relations, the function around the path or at its end', async () => {
    const expected = [{ name: 'box', maker: { metadata_colour_json: 'blue', metadata_seats_0_n_json: 1 } }];
    for (const fields of [
      'name,json(maker.metadata, colour),json(maker.metadata, seats[0].n)',
      'name,maker.json(metadata, colour),maker.json(metadata, seats[0].n)',
    ])
      expect(await read(`fields=${fields}&limit=1&sort=id`)).toEqual(expected);
    const { body } = await service.api.get('/items/makers?fields=name,json(goods.metadata, dimensions.width)&sort=id&limit=1');
    expect(body.data).toEqual([{ name: 'north', goods: [{ metadata_dimensions_width_json: 3 }, { metadata_dimensions_width_json: 5 }] }]);
    const drawn = await service.api.graphql(
      '{ goods(sort: ["id"], limit: 1) { maker { metadata_func { colour: json(path: "colour") } } } }',
    );
    expect(drawn.body.data.goods).toEqual([{ maker: { metadata_func: { colour: 'blue' } } }]);
  });

  it('sort through relations', async () => {
    const names = (await read('fields=name&sort=json(maker.metadata, colour),id&filter[maker][_nnull]=true')) as readonly object[];
    expect(names).toEqual([{ name: 'box' }, { name: 'jar' }, { name: 'bag' }]);
  });

  it('are grouped by _and and _or, and lie between bounds', async () => {
    expect(await found({ 'dimensions.width': { _between: [3, 5] } })).toBe('box jar');
    expect(await found({ dimensions: { width: { _nbetween: ['3', '5'] } } })).toBe('bag');
    expect(await found({ _or: [{ colour: { _eq: 'green' } }, { 'dimensions.height': { _lt: 3 } }] })).toBe('box bag');
    expect(await found({ colour: { _or: [{ _eq: 'green' }, { _starts_with: 're' }] } })).toBe('box jar');
    expect(await found({ _and: [{ colour: { _neq: 'green' } }, { _or: [{ 'tags[0]': 'c' }, { tags: { _null: true } }] }] })).toBe(
      'bag jar',
    );
    expect(await found({ dimensions: { _and: [{ width: { _gt: 2 } }, { height: { _gt: 2 } }] } })).toBe('box');
    expect(await found({ tags: { '[1]': { _eq: 'b' } } })).toBe('box');
  });

  it('refuse groups and paths that mean nothing', async () => {
    for (const json of [{}, { _or: [] }, { _or: {} }, { _and: ['x'] }, { _or: [{}] }, { _eq: 1 }, { _or: [{ _eq: 1 }] }, { colour: {} }]) {
      const filter = encodeURIComponent(JSON.stringify({ metadata: { _json: json } }));
      expect(codeOf(await service.api.get(`/items/goods?filter=${filter}`)), JSON.stringify(json)).toBe('400 INVALID_QUERY');
    }
    let deep: unknown = { colour: 'x' };
    for (let level = 0; level < 60; level += 1) deep = { _or: [deep] };
    expect((await service.api.search('/items/goods', { query: { filter: { metadata: { _json: deep } } } })).status).toBe(400);
  });

  it('are hidden with their field, in groups and through relations', async () => {
    const reader = await makePerson(service, [
      {
        permissions: [
          { collection: 'goods', action: 'read', fields: ['id', 'name', 'maker'] },
          { collection: 'makers', action: 'read', fields: ['id', 'name'] },
        ],
      },
    ]);
    const filter = encodeURIComponent(JSON.stringify({ metadata: { _json: { _or: [{ colour: 'red' }] } } }));
    for (const query of [
      'fields=json(metadata,colour)',
      'fields=json(maker.metadata,colour)',
      'sort=json(maker.metadata,colour)',
      `filter=${filter}`,
    ])
      expect(codeOf(await reader.api.get(`/items/goods?${query}`)), query).toBe('403 FORBIDDEN');
  });
});
