// Security cases D01-D11, D15, D22, D23 and H07: no query, however odd, is more than a bad request, through whichever door it comes. Each
// test bears the id of its case.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { leastTurn } from '../harness/least-time.js';
import { listReaders, type QueryObject } from '../harness/list-readers.js';
import { codeOf, makePerson } from '../harness/people.js';
import { sendRaw } from '../harness/raw-http.js';
import { adminEmail, adminToken, startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50));
  create table articles (id integer primary key, title varchar(50), published date, details json, author integer, constructor varchar(20),
    constraint articles_author foreign key (author) references authors (id));
  create table words (id varchar(255) primary key, note varchar(50));
  insert into authors values (1, 'Ann'), (2, 'Bob');
  insert into articles values (1, 'one', '2020-01-01', '{"a":1,"é":2}', 1, 'x'), (2, 'two', null, null, 2, null);
  insert into words (id, note) values ('100%', 'a'), ('100x', 'b'), ('a_b', 'c'), ('axb', 'd'), ('0', 'e'), ('abc', 'f');
`;

const namesOfNothing = [
  'id"',
  "id'",
  'id`',
  'id"; drop table articles; --',
  "id') or 1=1 --",
  "\\'",
  'id/**/',
  'articles`.`id',
  'id\u0000',
];

/** Where a name can be written in a query. */
const placesOfNames: readonly ((name: string) => QueryObject)[] = [
  (name) => ({ fields: [name] }),
  (name) => ({ fields: [`author.${name}`] }),
  (name) => ({ fields: [`${name}.id`] }),
  (name) => ({ filter: { [name]: { _eq: 1 } } }),
  (name) => ({ filter: { author: { [name]: { _eq: 1 } } } }),
  (name) => ({ filter: { [`year(${name})`]: { _eq: 1 } } }),
  (name) => ({ filter: { [`${name}(published)`]: { _eq: 1 } } }),
  (name) => ({ sort: [name] }),
  (name) => ({ sort: [`-author.${name}`] }),
  (name) => ({ groupBy: [name] }),
  (name) => ({ groupBy: [`year(${name})`] }),
  (name) => ({ aggregate: { max: name } }),
  (name) => ({ aggregate: { [name]: 'id' } }),
  (name) => ({ aggregate: { count: '*' }, having: { max: { [name]: { _gt: 1 } } } }),
  (name) => ({ alias: { x: name }, fields: ['x'] }),
  (name) => ({ deep: { [name]: { _limit: 1 } } }),
  (name) => ({ deep: { author: { _sort: name } }, fields: ['author.id'] }),
];

/** As long as bodies may be, and made so that a parser has the most to do. */
const busyBodies: Readonly<Record<string, string>> = {
  'empty objects': `[${new Array(340_000).fill('{}').join()}]`,
  'lists in lists': `[${new Array(2_500).fill('['.repeat(98) + ']'.repeat(98)).join()}]`,
  'keys that differ': `{${Array.from({ length: 90_000 }, (_, index) => `"${index.toString(36)}":1`).join()},"query":"__proto__"}`,
  'objects that differ': `[${Array.from({ length: 40_000 }, (_, index) => `{"a${index.toString(36)}":1,"b${index.toString(36)}":2}`).join()}]`,
};

const oddPaths = ["a') or 1=1--", "a\\'", 'a.b[*]', '**', '$.a', '?(@)', 'a"."b', 'a[-1]', 'a[1e3]', '@.a', 'a\u0000', '..', '__proto__'];

/** What is refused as INVALID_QUERY wherever it is sent, by the case it belongs to. */
const badQueries: Readonly<Record<string, readonly QueryObject[]>> = {
  D02: oddPaths.flatMap((path) => [{ filter: { details: { _json: { [path]: { _eq: 1 } } } } }, { fields: [`json(details, ${path})`] }]),
  D03: [
    { fields: ['year(published) desc; drop'] },
    { fields: ['count(author) filter'] },
    { fields: ['nothing(title)'] },
    { fields: ['year(year(published))'] },
    { fields: ['year(published'] },
    { fields: ['year(title)'] },
    { sort: ['year(published) desc; drop'] },
    { groupBy: ['sleep(id)'] },
    { aggregate: { nope: 'id' } },
    { aggregate: { sum: 'title' } },
  ],
  D04: [
    { filter: { id: { _eq: { a: 1 } } } },
    { filter: { id: { _eq: [1] } } },
    { filter: { id: { _in: [{ a: 1 }] } } },
    { filter: { title: { _contains: ['a'] } } },
    { filter: { id: { _between: { a: 1, b: 2 } } } },
    { filter: { id: { _null: { a: 1 } } } },
    { filter: [1] },
    { filter: { _and: { id: 1 } } },
    { filter: { id: { _nope: 1 } } },
  ],
  D08: [{ filter: { constructor: { prototype: { x: 1 } } } }, { alias: { ['__proto__']: 'id' } }, { fields: ['__proto__'] }],
  D10: [
    { fields: [`${'author.'.repeat(11)}id`] },
    { filter: nested(500, (below) => ({ _and: [below] })) },
    { filter: nested(90, (below) => ({ author: below })) },
    { deep: nested(90, (below) => ({ author: below })) },
  ],
  H07: [
    { sort: Array.from({ length: 21 }, (_, index) => `json(details, a${index})`) },
    { filter: { _or: Array.from({ length: 201 }, (_, index) => ({ author: { name: { _neq: `${index}` } } })) } },
    {
      aggregate: { count: '*' },
      groupBy: ['author.name'],
      filter: { _and: Array.from({ length: 200 }, () => ({ author: { name: { _nnull: true } } })) },
    },
  ],
  D11: [...[-2, 1e10, 'abc', 1.5, {}, 'NaN'].map((limit) => ({ limit })), { offset: 9e15 }, { offset: -1 }, { page: -1 }],
};

function nested(levels: number, wrap: (below: QueryObject) => QueryObject): QueryObject {
  let query: QueryObject = { id: { _eq: 1 } };
  for (let level = 0; level < levels; level += 1) query = wrap(query);
  return query;
}

/** What only a URL can hold. */
const badUrls: readonly (readonly [id: string, url: string, answer: string])[] = [
  ['D04', 'filter[id][_eq][a]=1', '400 INVALID_QUERY'],
  ['D04', 'filter[id]=', '400 INVALID_QUERY'],
  ['D04', 'filter={', '400 INVALID_QUERY'],
  ['D04', 'filter[id]=1&filter[id][_eq]=1', '400 INVALID_QUERY'],
  ['D08', '__proto__[admin]=1', '400 INVALID_QUERY'],
  ['D08', 'filter[__proto__][x]=1', '400 INVALID_QUERY'],
  ['D08', 'filter[constructor][prototype][x]=1', '400 INVALID_QUERY'],
  ['D08', 'alias[__proto__]=id', '400 INVALID_QUERY'],
  ['D08', 'deep[__proto__][_limit]=1', '400 INVALID_QUERY'],
  ['D09', 'filter[title][99999999]=1', '400 INVALID_QUERY'],
  ['D09', Array.from({ length: 1001 }, () => 'fields[]=id').join('&'), '400 INVALID_QUERY'],
  ['D09', Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&'), '400 INVALID_QUERY'],
  ['D09', 'a[]='.repeat(100_000), '413 CONTENT_TOO_LARGE'],
  ['D09', `fields=${'a'.repeat(64)}`, '400 INVALID_QUERY'],
  ['D10', `filter${'[a]'.repeat(200)}=1`, '400 INVALID_QUERY'],
  ['D10', `filter=${'{"_and":['.repeat(500)}{"id":1}${']}'.repeat(500)}`, '400 INVALID_QUERY'],
  ['D11', 'limit[]=', '400 INVALID_QUERY'],
  ['D11', 'limit=', '400 INVALID_QUERY'],
  ['D14', 'filter[title][_eq]=%ff', '400 INVALID_QUERY'],
  ['D14', 'filter[title][_eq]=%c0%af', '400 INVALID_QUERY'],
  ['D15', 'limit=1&limit=-1', '400 INVALID_QUERY'],
  ['D15', 'filter[id][_eq]=1&filter[id][_eq]=2', '400 INVALID_QUERY'],
  ['D15', 'search=a&search=b', '400 INVALID_QUERY'],
];

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const aliasOf = (target: string, count: number, below = ''): QueryObject => ({
  alias: Object.fromEntries(many(count, (index) => [`k${index}`, target])),
  fields: many(count, (index) => `k${index}${below}`),
});

/** As much as the bounds let through, and more than some database takes. */
const largeQueries: Readonly<Record<string, QueryObject>> = {
  'conditions of which one holds': { filter: { _or: many(1_600, (index) => ({ id: { _eq: index } })) } },
  'conditions that all hold': { filter: { _and: many(1_600, (index) => ({ title: { _icontains: `x${index}` } })) } },
  'conditions on a relation': { filter: { _or: many(500, (index) => ({ author: { name: { _eq: `n${index}` } } })) } },
  'conditions on a list': { filter: { _and: many(100, (index) => ({ author: { articles: { _none: { id: { _eq: index } } } } })) } },
  'conditions on places in JSON': { filter: { _or: many(1_200, (index) => ({ details: { _json: { a: { _eq: index } } } })) } },
  aliases: aliasOf('title', 1_600),
  'aliases of a function': aliasOf('year(published)', 1_600),
  'aliases of a relation': aliasOf('author', 300, '.name'),
  'terms of an order': { sort: many(2_400, () => 'id') },
  'terms through a relation': { sort: many(200, () => 'author.name') },
  groups: { groupBy: many(1_000, () => 'title'), aggregate: { count: '*' } },
  totals: { aggregate: { max: many(1_000, () => 'title'), min: many(1_000, () => 'title') } },
  wildcards: { fields: [many(9, () => '*').join('.')] },
  'the last page': { limit: 2_147_483_647, offset: 2_147_483_647 },
  'a long text to search for': { search: 'x'.repeat(500_000) },
  'a long operand': { filter: { title: { _icontains: '%_'.repeat(200_000) } } },
};

const errorOf = ({ body }: Answer): string => body?.errors?.[0]?.extensions.code ?? 'none';
const revealing = /select |syntax|sqlite|postgres|mysql|maria| {4}at /i;

describeEachVendor('hostile queries', (vendor) => {
  let service: TestService;
  let user: Api;
  let doors: ReturnType<typeof listReaders>;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'security_parsing', fixture });
    const actions = ['create', 'read', 'update', 'delete'] as const;
    const permissions = ['articles', 'authors', 'words'].flatMap((collection) => actions.map((action) => ({ collection, action })));
    user = (await makePerson(service, [{ permissions: [...permissions, { collection: 'service_files', action: 'create' }] }])).api;
    doors = listReaders(user, 'articles');
  });
  afterAll(() => service.stop());

  const everyDoor = async (queries: readonly QueryObject[], codes: readonly string[]) => {
    for (const [door, send] of Object.entries(doors)) {
      for (const query of queries) {
        const answer = await send(query);
        expect(codes, `${door} ${JSON.stringify(query).slice(0, 200)}: ${answer.text}`).toContain(errorOf(answer));
        expect(answer.text).not.toMatch(revealing);
      }
    }
  };
  const keysOf = (answer: Answer): readonly unknown[] => answer.body.data.map(({ id }: { readonly id: unknown }) => id).sort();
  const refused = async (act: () => Promise<Answer>, statuses: readonly number[] = [400, 403]) => {
    const answer = await act();
    expect(statuses, answer.text).toContain(answer.status);
    expect(answer.text).not.toMatch(revealing);
  };

  describe('D01: a name is a name and never SQL', () => {
    it.each(namesOfNothing)('%j in a query', async (name) => {
      await expectUnchanged(service, () =>
        everyDoor(
          placesOfNames.map((place) => place(name)),
          ['FORBIDDEN', 'INVALID_QUERY', 'INVALID_PAYLOAD'],
        ),
      );
    });

    it.each(namesOfNothing)('%j as a collection, in a payload and where a write names fields', async (name) => {
      await expectUnchanged(service, async () => {
        const encoded = encodeURIComponent(name);
        await refused(() => user.get(`/items/${encoded}`));
        await refused(() => service.api.get(`/fields/articles/${encoded}`));
        await refused(() => user.post(`/items/${encoded}`, { id: 9 }));
        await refused(() => user.post('/items/articles', { id: 9, [name]: 1 }));
        await refused(() => user.patch('/items/articles/1', { [name]: 1 }));
        await refused(() => user.patch(`/items/articles/1?fields=${encoded}`, { title: 'x' }));
        await refused(() => user.post(`/items/articles?on_conflict=${encoded}`, [{ id: 9 }]));
      });
    });

    it('an alias may be any text, and stays one', async () => {
      for (const name of ["a'b", 'a"b', 'a`b', "a\\'", 'a;--'])
        for (const send of [doors['GET'], doors['SEARCH']])
          expect((await send?.({ alias: { [name]: 'id' }, fields: [name], limit: 1 }))?.body.data).toEqual([{ [name]: 1 }]);
    });
  });

  it.each(Object.entries(badQueries))('%s: is a bad query through every door', async (_, queries) => {
    await expectUnchanged(service, () => everyDoor(queries, ['INVALID_QUERY', 'INVALID_PAYLOAD']));
  });

  it.each(badUrls)('%s: %.60s', async (_, url, expected) => {
    expect(codeOf(await user.get(`/items/articles?${url}`))).toBe(expected);
  });

  it('D02: a key of another script is a path like any other', async () => {
    expect(keysOf(await user.search('/items/articles', { query: { filter: { details: { _json: { é: { _eq: 2 } } } } } }))).toEqual([1]);
  });

  it('D04: a condition that cannot be read never becomes no condition', async () => {
    const bad = [{ id: { _eq: { a: 1 } } }, { id: { _eq: [1] } }, { id: { name: 1 } }, { id: { _in: {} } }, [], 'x'];
    await expectUnchanged(service, async () => {
      for (const filter of bad) {
        await refused(() => user.patch('/items/articles', { query: { filter }, data: { title: 'x' } }));
        await refused(() => user.delete('/items/articles', { query: { filter } }));
        const { body } = await user.graphql(
          'mutation($which: JSON) { delete_items(collection: "articles", which: $which) }',
          { which: { filter } },
          '/graphql/system',
        );
        expect(['INVALID_QUERY', 'FORBIDDEN']).toContain(body.errors[0].extensions.code);
      }
      for (const key of [{ a: 1 }, { id: 1 }, [1], null, true]) {
        await refused(() => user.delete('/items/articles', [key]));
        await refused(() => user.delete('/items/articles', { keys: [key] }));
        await refused(() => user.patch('/items/articles', { keys: [key], data: { title: 'x' } }));
        await refused(() => user.patch('/items/articles', [{ id: key, title: 'x' }]));
        await refused(() => user.search('/items/articles', { keys: [key] }));
      }
      for (const body of [{}, { keys: null }, { query: null }, { query: [] }]) await refused(() => user.delete('/items/articles', body));
      await refused(() => user.post('/items/articles', { id: { name: 1 }, title: 'x' }));
      await refused(() => user.get('/items/articles/[object Object]'));
    });
  });

  it('D05: a number is not a text: 0 is not every word', async () => {
    const find = async (filter: QueryObject) => keysOf(await user.search('/items/words', { query: { filter } }));
    expect(await find({ note: { _eq: 0 } })).toEqual([]);
    expect(await find({ note: { _in: [0, false] } })).toEqual([]);
    expect(await find({ id: { _eq: 0 } })).toEqual(['0']);
    expect(keysOf(await user.search('/items/words', { keys: [0] }))).toEqual(['0']);
    expect((await user.get('/items/words/0')).body.data.note).toBe('e');
    expect(codeOf(await user.patch('/items/words', { keys: [0], data: { note: 'e' } }))).toBe('200');
    expect((await user.graphql('{ words(filter: {note: {_eq: "0"}}) { id } }')).body.data.words).toEqual([]);
    for (const body of [
      { email: 0, password: 0 },
      { email: adminEmail, password: 0 },
      { email: true, password: true },
    ])
      await refused(() => service.as(null).post('/auth/login', body), [400, 401]);
  });

  it('D06: wildcards of LIKE are letters', async () => {
    expect((await user.post('/items/words', { id: 'c\\d', note: '[z]' })).status).toBe(200);
    const cases: readonly (readonly [QueryObject, readonly string[]])[] = [
      [{ _contains: '%' }, ['100%']],
      [{ _contains: '_' }, ['a_b']],
      [{ _contains: '\\' }, ['c\\d']],
      [{ _starts_with: '100%' }, ['100%']],
      [{ _ends_with: '_b' }, ['a_b']],
      [{ _icontains: 'A_' }, ['a_b']],
      [{ _istarts_with: '%' }, []],
      [{ _contains: '\\%' }, []],
    ];
    for (const [condition, found] of cases) {
      expect(keysOf(await user.search('/items/words', { query: { filter: { id: condition } } })), JSON.stringify(condition)).toEqual(found);
      const { body } = await user.graphql('query($filter: words_filter) { words(filter: $filter) { id } }', { filter: { id: condition } });
      expect(keysOf({ body: { data: body.data.words } } as Answer), JSON.stringify(condition)).toEqual(found);
    }
    for (const [text, found] of [
      ['%', ['100%']],
      ['_', ['a_b']],
      ['\\', ['c\\d']],
      ['[z]', ['c\\d']],
    ] as const)
      expect(keysOf(await user.get(`/items/words?search=${encodeURIComponent(text)}`)), text).toEqual(found);
  });

  it('D07: no pattern comes with a request; a rule’s pattern takes its time linearly', async () => {
    await everyDoor([{ filter: { title: { _regex: '(a+)+$' } } }], ['INVALID_QUERY']);
    const validation = { title: { _regex: '^(a+)+$' } };
    const { api } = await makePerson(service, [
      { permissions: [{ collection: 'words', action: 'create', validation: { note: validation.title } }] },
    ]);
    const used = process.cpuUsage();
    await refused(() => api.post('/items/words', { id: 'slow', note: `${'a'.repeat(49)}!` }));
    await refused(() => api.post('/items/words', { id: 'slow', note: `${'a'.repeat(100_000)}!` }));
    // Backtracking would take years.
    expect(process.cpuUsage(used).user / 1000).toBeLessThan(5_000);
  });

  it('D08: no name reaches the prototype of anything, and a column may be called constructor', async () => {
    const headers = { 'content-type': 'application/json' };
    await expectUnchanged(service, async () => {
      for (const raw of [
        '{"id":9,"__proto__":{"admin":true}}',
        '{"id":9,"\\u005f_proto__":{"admin":true}}',
        '[{"id":9,"details":{"a":{"__proto__":{"admin":true}}}}]',
      ])
        expect(codeOf(await user.request('POST', '/items/articles', { raw, headers }))).toBe('400 INVALID_PAYLOAD');
      const search = { raw: '{"query":{"filter":{"__proto__":{"admin":true}}}}', headers };
      expect(codeOf(await user.request('SEARCH', '/items/articles', search))).toBe('400 INVALID_PAYLOAD');
      const text = { raw: JSON.stringify({ query: { filter: '{"__proto__":{"admin":true}}' } }), headers };
      expect(codeOf(await user.request('SEARCH', '/items/articles', text))).toBe('400 INVALID_QUERY');
      await refused(() => user.post('/items/articles', { id: 9, toString: 1, hasOwnProperty: 1 }));
    });
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect((await user.get('/items/articles/1?fields=constructor')).body.data).toEqual({ constructor: 'x' });
    expect(keysOf(await user.get('/items/articles?filter[constructor][_eq]=x'))).toEqual([1]);
    expect((await user.patch('/items/articles/1?fields=constructor', { constructor: 'y' })).body.data).toEqual({ constructor: 'y' });
    expect((await user.graphql('{ articles(filter: {constructor: {_eq: "y"}}) { constructor } }')).body.data.articles).toEqual([
      { constructor: 'y' },
    ]);
    await user.patch('/items/articles/1', { constructor: 'x' });
  });

  it('D09: long lists are taken or refused, and never break anything', async () => {
    const headers = { 'content-type': 'application/json' };
    const many = Array.from({ length: 100_000 }, (_, index) => index);
    const listed = await user.search('/items/articles', { query: { filter: { id: { _in: many } }, fields: ['id'] } });
    expect(keysOf(listed)).toEqual([1, 2]);
    expect(keysOf(await user.search('/items/articles', { keys: many }))).toEqual([1, 2]);
    await expectUnchanged(service, async () => {
      const zeros = new Array(400_000).fill(0).join(',');
      for (const text of ['\\u0000', '\\ud800', '__proto__'])
        await refused(() => user.request('POST', '/items/articles', { raw: `{"id":9,"title":"${text}","nothing":[${zeros}]}`, headers }));
      const empty = await user.request('POST', '/items/words', { raw: `[${new Array(150_000).fill('{}').join(',')}]`, headers });
      expect([empty.status, empty.body.errors.length]).toEqual([400, 1000]);
      await refused(() => user.post('/items/articles', { id: 9, title: 'x'.repeat(2_000_000) }), [413]);
      await everyDoor([{ fields: many.slice(0, 3000).map((index) => `f${index}`) }], ['INVALID_QUERY', 'CONTENT_TOO_LARGE']);
    });
  });

  it.each(Object.entries(busyBodies))('D09, D10: a body of %s is refused and holds nobody up', async (_, raw) => {
    const headers = { 'content-type': 'application/json' };
    for (const method of ['SEARCH', 'POST']) {
      const send = () => user.request(method, '/items/articles', { raw, headers });
      await refused(send);
      expect(await leastTurn(send, 50), method).toBeLessThan(50);
    }
  });

  it('D09: there may be many values and many items, and not any number of conditions', async () => {
    const headers = { 'content-type': 'application/json' };
    const search = async (raw: string): Promise<string> => codeOf(await user.request('SEARCH', '/items/articles', { raw, headers }));
    expect(await search(`{"query":{"filter":{"_and":[${new Array(300_000).fill('{}').join()}]}}}`)).toBe('400 INVALID_PAYLOAD');
    expect(await search(`{"query":{"filter":{"id":{"_in":[${new Array(100_001).fill(1).join()}]}}}}`)).toBe('400 INVALID_QUERY');
    expect(await search(`{"keys":[${new Array(100_001).fill(1).join()}]}`)).toBe('400 INVALID_QUERY');
    const items = Array.from({ length: 10_000 }, (_, index) => ({ id: 1_000 + index, details: { a: { b: [index] } } }));
    expect((await user.post('/items/articles?limit=1', items)).status).toBe(200);
    expect((await user.delete('/items/articles', { query: { filter: { id: { _gte: 1_000 } }, limit: -1 } })).status).toBe(204);
  });

  it.each(Object.entries(largeQueries))('D09: a great many %s are answered, or too many', async (_, query) => {
    const answer = await user.search('/items/articles', { query });
    expect([200, 400, 413], answer.text.slice(0, 300)).toContain(answer.status);
  });

  it('H07: a path to sort by counts once, however often it is named', async () => {
    const sort = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? '-author.name' : 'author.name'));
    const { sql } = (await service.api.search('/items/articles', { query: { fields: ['id'], sort, explain: true } })).body.data;
    // In the page, and where a vendor has to repeat its order.
    expect(sql.match(/authors/g).length).toBeLessThanOrEqual(2);
    for (const door of Object.values(listReaders(user, 'articles')).slice(0, 2))
      expect((await door({ fields: ['id'], sort })).body.data).toEqual([{ id: 2 }, { id: 1 }]);
    expect((await user.graphql('query($sort: [String]) { articles(sort: $sort) { id } }', { sort })).body.data.articles).toHaveLength(2);
  });

  it('D10: bodies are nested a hundred levels at most', async () => {
    const headers = { 'content-type': 'application/json' };
    const deep = `${'{"_and":['.repeat(10_000)}{}${']}'.repeat(10_000)}`;
    await expectUnchanged(service, async () => {
      for (const raw of [`{"query":{"filter":${deep}}}`, `{"query":{"deep":${'{"author":'.repeat(10_000)}{}${'}'.repeat(10_000)}}}`])
        expect(codeOf(await user.request('SEARCH', '/items/articles', { raw, headers }))).toBe('400 INVALID_PAYLOAD');
      const asText = { query: { filter: deep } };
      expect(codeOf(await user.search('/items/articles', asText))).toBe('400 INVALID_QUERY');
      const raw = `{"id":9,"details":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
      expect(codeOf(await user.request('POST', '/items/articles', { raw, headers }))).toBe('400 INVALID_PAYLOAD');
      expect(codeOf(await user.post('/items/articles', { id: 9, author: nested(30, (below) => ({ author: below })) }))).toMatch(/^40[03]/);
      const document = `{ articles(filter: ${'{_and: ['.repeat(5_000)}{}${']}'.repeat(5_000)}) { id } }`;
      expect((await user.graphql(document)).status).toBe(400);
      expect(codeOf(await user.request('POST', '/graphql', { raw: `{"query":"{ a }","variables":{"a":${deep}}}`, headers }))).toBe(
        '400 INVALID_PAYLOAD',
      );
    });
    expect((await user.get(`/items/articles?fields=${Array.from({ length: 9 }, () => '*').join('.')}`)).status).toBe(200);
  });

  it('D11: -1 is all there is', async () => {
    for (const door of ['GET', 'SEARCH'] as const) expect((await doors[door]?.({ limit: -1 }))?.body.data).toHaveLength(2);
  });

  it('D15: of a key given twice the last one counts, for the permission and for the database', async () => {
    const validation = { title: { _eq: 'good' } };
    const { api } = await makePerson(service, [
      {
        permissions: [
          { collection: 'articles', action: 'update', validation },
          { collection: 'articles', action: 'read' },
        ],
      },
    ]);
    const send = (raw: string) => api.request('PATCH', '/items/articles/2', { raw, headers: { 'content-type': 'application/json' } });
    await expectUnchanged(service, () => refused(() => send('{"title":"good","title":"evil"}'), [400]));
    expect((await send('{"title":"evil","title":"good"}')).body.data.title).toBe('good');
    expect((await service.api.patch('/items/articles/2', { title: 'two' })).status).toBe(200);
    const twice = 'mutation { update_articles_item(id: 2, data: {title: "good", title: "evil"}) { id } }';
    expect(codeOf(await api.graphql(twice))).toBe('400 GRAPHQL_VALIDATION');
  });

  it('D22: a key is its whole segment of the path, whatever it holds', async () => {
    const keys = ['a/b', 'a%2Fb', '..', '.', ' ', 'a b', 'a+b', 'a?b', 'a#b', 'a,b', 'ü', '💧', "a'b", 'me', 'x'.repeat(250)];
    expect(
      codeOf(
        await user.post(
          '/items/words',
          keys.map((id) => ({ id, note: 'new' })),
        ),
      ),
      'all are made',
    ).toBe('200');
    const headers = 'host: x\r\nconnection: close\r\n';
    for (const [index, key] of keys.entries()) {
      const segment = encodeURIComponent(key).replaceAll('.', '%2E');
      if (!key.startsWith('.')) {
        expect((await user.get(`/items/words/${segment}?fields=id`)).body.data, key).toEqual({ id: key });
        expect((await user.patch(`/items/words/${segment}?fields=note`, { note: `n${index}` })).body.data).toEqual({ note: `n${index}` });
        expect((await user.delete(`/items/words/${segment}`)).status).toBe(204);
      } else {
        // Clients would take a dot for a folder.
        const request = `GET /items/words/${segment}?fields=id&access_token=${adminToken} HTTP/1.1\r\n${headers}\r\n`;
        expect((await sendRaw(service.url, [request])).text).toContain(`{"data":{"id":"${key}"}}`);
      }
    }
    await expectUnchanged(service, async () => {
      for (const segment of ['%00', 'x'.repeat(2048), 'a%2Fb', '%2e%2e%2f%2e%2e', '%ff', '%'])
        for (const act of [user.get, user.delete]) await refused(() => act(`/items/words/${segment}`));
      await refused(() => user.patch(`/items/words/${'x'.repeat(2048)}`, { note: 'x' }));
      expect((await user.get('/items/words/a/b')).status).toBe(404);
    });
  });

  it('D23: SEARCH takes a query or keys, the body before the URL, and changes nothing', async () => {
    const search = (body: unknown, query = '') => user.search(`/items/articles${query}`, body);
    await expectUnchanged(service, async () => {
      expect(keysOf(await search({}))).toEqual([1, 2]);
      expect(keysOf(await user.request('SEARCH', '/items/articles'))).toEqual([1, 2]);
      expect(keysOf(await search({}, '?filter[id][_eq]=1'))).toEqual([1]);
      expect(keysOf(await search({ query: { filter: { id: { _eq: 2 } } } }, '?filter[id][_eq]=1'))).toEqual([2]);
      expect(keysOf(await search({ query: {} }, '?filter[id][_eq]=1'))).toEqual([1, 2]);
      for (const query of [null, [], 'limit=1', 1]) expect(codeOf(await search({ query }))).toBe('400 INVALID_QUERY');
      for (const body of [[], { filter: {} }, { keys: {} }, { keys: 'x' }]) expect(codeOf(await search(body))).toBe('400 INVALID_PAYLOAD');
      const form = { raw: 'query=1', headers: { 'content-type': 'text/plain', origin: 'https://evil.example.org' } };
      expect(codeOf(await user.request('SEARCH', '/items/articles', form))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    });
  });

  it('leaves the service healthy', async () => {
    expect((await user.get('/server/ping')).text).toBe('pong');
    expect(keysOf(await user.get('/items/articles?fields=id'))).toEqual([1, 2]);
  });
});
