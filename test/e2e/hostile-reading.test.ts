// Security cases A01-A18 and D01-D11 for reading: what is hidden cannot be asked about in any way, and no query, however odd, is more
// than a bad request.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50), salary integer);
  create table articles (id integer primary key, title varchar(50), secret varchar(50), hidden_date date, hidden_json varchar(99), status varchar(20),
    author integer, editor integer,
    constraint articles_author foreign key (author) references authors (id), constraint articles_editor foreign key (editor) references authors (id));
  create table comments (id integer primary key, body varchar(50), article integer, rating integer,
    constraint comments_article foreign key (article) references articles (id));
  create table vaults (id integer primary key, code varchar(20), article integer,
    constraint vaults_article foreign key (article) references articles (id));
  insert into authors values (1, 'Ann', 100), (2, 'Bob', 200);
  insert into articles values (1, 'one', 'abc', '2020-01-01', null, 'published', 1, 2), (2, 'two', 'xyz', null, null, 'published', 2, null),
    (3, 'three', 'draft', null, null, 'draft', 2, null);
  insert into comments values (1, 'fine', 1, 5), (2, 'bad', 1, 1), (3, 'so', 2, 3);
  insert into vaults values (1, 'open sesame', 1);
`;

/** Every way to name the hidden field `secret`; `%s` stands for it. */
const waysToAsk = [
  'filter[%s][_starts_with]=a',
  'filter[%s][_null]=true',
  'filter={"_or":[{"id":{"_eq":1}},{"%s":{"_eq":"abc"}}]}',
  'sort=%s',
  'sort=-%s',
  'fields=%s',
  'fields=id,%s',
  'aggregate[min]=%s',
  'aggregate[max]=%s',
  'aggregate[count]=%s',
  'aggregate[countDistinct]=%s',
  'groupBy[]=%s',
  'aggregate[count]=*&groupBy[]=status&sort=%s',
  'aggregate[count]=*&having={"max":{"%s":{"_gt":"a"}}}',
  'alias[x]=%s&fields=x',
  'meta=filter_count&filter[%s][_eq]=abc',
  'export=csv&fields=%s',
  'deep[%s][_limit]=1',
];

/** The same for a field of a related item, and of the function of a field. */
const otherWays: readonly (readonly [string, string])[] = [
  ['filter[author][salary][_gt]=1', 'filter[author][nothing][_gt]=1'],
  ['filter[comments][_some][rating][_gt]=1', 'filter[comments][_some][nothing][_gt]=1'],
  ['sort=-author.salary', 'sort=-author.nothing'],
  ['fields=author.salary', 'fields=author.nothing'],
  ['groupBy[]=author.salary', 'groupBy[]=author.nothing'],
  ['aggregate[sum]=author.salary', 'aggregate[sum]=author.nothing'],
  ['groupBy[]=year(hidden_date)', 'groupBy[]=year(nothing)'],
  ['filter[year(hidden_date)][_eq]=2020', 'filter[year(nothing)][_eq]=2020'],
  ['fields=json(hidden_json,a)', 'fields=json(nothing,a)'],
  ['filter[hidden_json][_json][a][_eq]=1', 'filter[nothing][_json][a][_eq]=1'],
  ['fields=vaults', 'fields=nothing'],
  ['fields=vaults.code', 'fields=nothing.code'],
  ['filter[vaults][code][_eq]=x', 'filter[nothing][code][_eq]=x'],
  ['fields=count(vaults)', 'fields=count(nothing)'],
  ['sort=count(vaults)', 'sort=count(nothing)'],
  [
    'fields=vaults_aggregated&deep={"vaults_aggregated":{"_aggregate":{"count":"*"}}}',
    'fields=nothing_aggregated&deep={"nothing_aggregated":{"_aggregate":{"count":"*"}}}',
  ],
  ['deep[comments][_filter][rating][_eq]=1&fields=comments.id', 'deep[comments][_filter][nothing][_eq]=1&fields=comments.id'],
  ['deep[comments][_filter][rating][_eq]=1&fields=id', 'deep[comments][_filter][nothing][_eq]=1&fields=id'],
  ['deep[comments][_sort]=rating&fields=comments.id', 'deep[comments][_sort]=nothing&fields=comments.id'],
  [
    'deep={"comments_aggregated":{"_aggregate":{"max":"rating"}}}&fields=comments_aggregated',
    'deep={"comments_aggregated":{"_aggregate":{"max":"nothing"}}}&fields=comments_aggregated',
  ],
  [
    'deep={"comments_aggregated":{"_aggregate":{"count":"*"},"_groupBy":["rating"]}}&fields=comments_aggregated',
    'deep={"comments_aggregated":{"_aggregate":{"count":"*"},"_groupBy":["nothing"]}}&fields=comments_aggregated',
  ],
];

/** Queries that are wrong, with what they may answer. */
const oddities: readonly (readonly [string, readonly number[]])[] = [
  ['filter[$FOLLOW(comments,author)][secret][_eq]=a', [403]],
  ['filter[t1.secret][_eq]=a', [400, 403]],
  ['filter["authors"."salary"][_eq]=1', [400, 403]],
  ['filter[articles.secret][_eq]=a', [400, 403]],
  ['sort=?', [400]],
  ['sort=articles.secret', [403]],
  [`sort=id"; drop table articles; --`, [400, 403]],
  ['groupBy[]=id`', [400, 403]],
  ["alias[a'b]=id&fields=a'b", [200]],
  ['fields=id"%2C(1) from x', [400, 403]],
  ['filter[hidden_json][_json][a%27) or 1=1--][_eq]=1', [400, 403]],
  ['filter[title][_json][a][_eq]=1', [400]],
  ['fields=json(title,a[*])', [400]],
  ['fields=year(title) desc; drop', [400]],
  ['fields=count(comments) filter', [400, 403]],
  ['fields=nothing(title)', [400]],
  ['fields=year(year(title))', [400]],
  ['filter[id][_eq][a]=1', [400]],
  ['filter={"id":{"_eq":{"a":1}}}', [400]],
  ['filter={"id":{"_eq":[1]}}', [400]],
  ['filter={"id":{"name":1}}', [400, 403]],
  ['filter[id]=', [400]],
  ['filter[id][_eq]=1e400', [400]],
  ['filter[id][_eq]=0x10', [400]],
  ['filter[id][_eq]=NaN', [400]],
  ['filter[title][_eq]=a%00b', [400]],
  ['filter[title][_nope]=1', [400]],
  ['filter=[1]', [400]],
  ['filter={', [400]],
  ['__proto__[admin]=1', [200, 400]],
  ['filter[constructor][prototype][x]=1', [400, 403]],
  ['filter[__proto__][x]=1', [400]],
  ['alias[__proto__]=id', [400]],
  ['fields=constructor', [403]],
  ['filter[title][99999999]=1', [400]],
  ['limit=-2', [400]],
  ['limit=abc', [400]],
  ['limit=1.5', [400]],
  ['limit[]=', [400]],
  ['offset=9000000000000000', [400]],
  ['offset=-1', [400]],
  ['page=-1', [400]],
  ['aggregate[sum]=title', [400]],
  ['aggregate[nope]=id', [400]],
  ['aggregate[count]=*&fields=secret', [200]],
  ['meta=nope', [400]],
  ['backlink=maybe', [400]],
  ['explain=true', [403]],
  ['%ff=1', [200, 400]],
  ['filter[title][_eq]=%ff', [400]],
  ['search=%00', [200, 400]],
];

describeEachVendor('hostile reading', (vendor) => {
  let service: TestService;
  let user: Api;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'hostile', fixture });
    const person = await makePerson(service, [
      {
        permissions: [
          {
            collection: 'articles',
            action: 'read',
            permissions: { status: { _eq: 'published' } },
            fields: ['id', 'title', 'status', 'author', 'editor', 'comments', 'vaults'],
          },
          { collection: 'authors', action: 'read', permissions: { id: { _eq: 1 } }, fields: ['id', 'name'] },
          { collection: 'comments', action: 'read', fields: ['id', 'body', 'article'] },
        ],
      },
    ]);
    user = person.api;
  });
  afterAll(() => service.stop());

  const read = (query: string): Promise<Answer> => user.get(`/items/articles?${query}`);
  const without = (answer: Answer, ...names: readonly string[]): string =>
    `${answer.status} ${names.reduce((text, name) => text.replaceAll(name, '…'), answer.text)}`;

  it.each(waysToAsk)('a hidden field is like a missing one: %s', async (query) => {
    const [hidden, missing] = [await read(query.replace('%s', 'secret')), await read(query.replace('%s', 'nothing'))];
    expect(hidden.status).toBe(403);
    expect(without(hidden, 'secret')).toBe(without(missing, 'nothing'));
  });

  it.each(otherWays)('so is one behind a relation or a function: %s', async (hidden, missing) => {
    const [first, second] = [await read(hidden), await read(missing)];
    expect(first.status, first.text).toBe(403);
    expect(without(first, 'salary', 'rating', 'hidden_date', 'hidden_json', 'vaults')).toBe(without(second, 'nothing'));
  });

  it('what is hidden is not searched, counted or shown by wildcards', async () => {
    expect((await read('search=abc')).body.data).toEqual([]);
    expect((await read('search=draft&meta=filter_count,total_count')).body.meta).toEqual({ filter_count: 0, total_count: 2 });
    expect((await read('aggregate[count]=*')).body.data).toEqual([{ count: 2 }]);
    expect((await read('filter[id][_eq]=1&fields=*')).body.data).toEqual([
      { id: 1, title: 'one', status: 'published', author: 1, editor: 2, comments: [1, 2] },
    ]);
    expect((await read('filter[id][_eq]=1&fields=*.*')).body.data).toEqual([
      {
        id: 1,
        title: 'one',
        status: 'published',
        author: { id: 1, name: 'Ann' },
        editor: null,
        comments: [
          { id: 1, body: 'fine', article: 1 },
          { id: 2, body: 'bad', article: 1 },
        ],
      },
    ]);
  });

  it('an item behind a hidden one is null, and neither found nor sorted by', async () => {
    expect((await read('filter[id][_eq]=2&fields=author,author.name')).body.data).toEqual([{ author: null }]);
    expect((await read('filter[id][_eq]=2&fields=author')).body.data).toEqual([{ author: 2 }]);
    expect((await read('filter[author][name][_eq]=Bob')).body.data).toEqual([]);
    expect((await read('filter[author][name][_null]=true')).body.data).toEqual([]);
    expect((await read('aggregate[count]=*&groupBy[]=author.name&sort=author.name&filter[author][_nnull]=true')).body.data.length).toBe(2);
  });

  it.each(oddities)('%s', async (query, statuses) => {
    const answer = await read(query);
    expect(statuses, answer.text).toContain(answer.status);
    expect(answer.text).not.toMatch(/select|syntax|sqlite|postgres|mysql|stack/i);
  });

  describe('limits', () => {
    it.each([
      ['too many parameters', () => Array.from({ length: 1001 }, () => 'fields[]=id').join('&')],
      ['brackets that never end', () => `filter${'[a]'.repeat(200)}=1`],
      ['a filter of 500 levels', () => `filter=${'{"_and":['.repeat(500)}{"id":1}${']}'.repeat(500)}`],
      ['eleven relations', () => `fields=${'author.'.repeat(11)}id`],
      ['a long name', () => `fields=${'a'.repeat(64)}`],
    ])('%s', async (_, make) => {
      const answer = await read(make());
      expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([400, 'INVALID_QUERY']);
    });

    it('a body nested ten thousand deep, a list of a hundred thousand, a wildcard without end', async () => {
      const deep = `{"query":{"filter":${'{"_and":['.repeat(10_000)}{}${']}'.repeat(10_000)}}}`;
      const headers = { 'content-type': 'application/json' };
      expect((await user.request('SEARCH', '/items/articles', { raw: deep, headers })).status).toBe(400);
      const many = await user.search('/items/articles', {
        query: { filter: { id: { _in: Array.from({ length: 100_000 }, (_, index) => index) } }, fields: ['id'] },
      });
      expect([200, 400, 413]).toContain(many.status);
      expect([200, 400]).toContain((await read(`fields=${Array.from({ length: 9 }, () => '*').join('.')}`)).status);
    });
  });

  it('leaves the service well', async () => {
    expect((await user.get('/server/ping')).text).toBe('pong');
    expect((await read('fields=id')).body.data).toEqual([{ id: 1 }, { id: 2 }]);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});
