// What `explain` reports about a list on every vendor: how each collection is read, and which index would help. The index it suggests can be
// posted as it is, and changes the plan.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

const rows = 5000;

interface Suggestion {
  readonly collection: string;
  readonly fields: readonly string[];
}

describeEachVendor('explain', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    const text = vendor.name === 'mysql' ? 'varchar(200)' : 'text';
    service = await startService(vendor, {
      area: 'explain',
      fixture: `create table authors (id integer primary key, name ${text});
        create table articles (id integer primary key, title ${text}, status varchar(20), year integer, writer integer);
        create table remarks (id integer primary key, article integer, words ${text});
        insert into authors values (1, 'Ann')`,
    });
    const { api } = service;
    const statuses = ['draft', ...Array.from({ length: 99 }, () => 'published')];
    const article = (id: number) => ({ id, title: `t${id}`, status: statuses[id % 100], year: id % 500, writer: 1 });
    await api.post(
      '/items/articles',
      Array.from({ length: rows }, (_, id) => article(id)),
    );
    await api.post(
      '/items/remarks',
      Array.from({ length: rows }, (_, id) => ({ id, article: id, words: 'w' })),
    );
    const relation = {
      collection: 'remarks',
      field: 'article',
      related_collection: 'articles',
      schema: null,
      meta: { one_field: 'remarks' },
    };
    await api.post('/relations', relation);
  });
  afterAll(() => service.stop());

  const explain = async (query: string) =>
    (
      await service.api.get(
        `/items/articles?${query.includes('fields') || query.includes('aggregate') ? '' : 'fields=id,title,status&'}${query}&explain=true`,
      )
    ).body.data;
  const make = async ({ collection, fields }: Suggestion): Promise<number> =>
    (await service.api.post(`/indexes/${collection}`, { fields })).status;

  it('names a scan, and the index that turns it into a search', async () => {
    const query = 'filter[status][_eq]=draft&sort=-year&limit=20';
    const before = await explain(query);
    expect(before.tables).toEqual([{ collection: 'articles', access: 'scan', index: null, rows }]);
    expect(before.sorts).toBe(true);
    expect(before.suggestions).toEqual([{ collection: 'articles', fields: ['status', 'year'] }]);
    expect(await make(before.suggestions[0])).toBe(200);
    const after = await explain(query);
    expect(after.tables).toMatchObject([{ collection: 'articles', access: 'search', index: 'articles_status_year_index' }]);
    expect(after.suggestions).toEqual([]);
  });

  it('suggests nothing for what an index or the order of the key finds', async () => {
    expect(await explain('filter[id][_eq]=7')).toMatchObject({ tables: [{ access: 'search' }], suggestions: [] });
    const first = await explain('limit=10');
    expect(first).toMatchObject({ suggestions: [], sorts: false });
    expect(first.tables[0].rows).toBe(10);
    // No index finds a part of a text, or one of two alternatives.
    expect((await explain('filter[title][_contains]=9')).suggestions).toEqual([]);
    expect((await explain('filter[_or][0][title][_eq]=9&filter[_or][1][year][_eq]=9')).suggestions).toEqual([]);
    // Nor does one help where few items are.
    expect((await service.api.get('/items/authors?filter[name][_eq]=Ann&explain=true')).body.data.suggestions).toEqual([]);
  });

  it('suggests an index for the order, a range and groups', async () => {
    expect((await explain('sort=title&limit=10')).suggestions).toEqual([{ collection: 'articles', fields: ['title'] }]);
    expect((await explain('filter[writer][_between]=3,4&sort=title')).suggestions).toEqual([
      { collection: 'articles', fields: ['writer'] },
    ]);
    expect((await explain('aggregate[count]=*&groupBy=status&filter[writer][_eq]=4')).suggestions).toEqual([
      { collection: 'articles', fields: ['writer', 'status'] },
    ]);
    expect((await explain('aggregate[count]=*')).suggestions).toEqual([]);
  });

  it('suggests the index that a list of related items lacks', async () => {
    const query = 'fields=remarks.words&filter[id][_lt]=50&limit=20';
    const before = await explain(query);
    expect(before.tables).toContainEqual({ collection: 'remarks', access: 'scan', index: null, rows });
    expect(before.suggestions).toEqual([{ collection: 'remarks', fields: ['article'] }]);
    expect(await make(before.suggestions[0])).toBe(200);
    expect((await explain(query)).tables).toContainEqual(expect.objectContaining({ collection: 'remarks', access: 'search' }));
  });

  it('answers the same through GraphQL', async () => {
    const asked = { query: '{ items(collection: "articles", query: {filter: {writer: {_eq: 1}}, explain: true}) }' };
    const { data } = (await service.api.post('/graphql/system', asked)).body;
    expect(JSON.stringify(data)).toContain('"fields":["writer"]');
  });
});
