// Security cases A01-A18: what is hidden cannot be asked about in any way, through any door. Each test bears the id of its case.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { listReaders, type QueryObject } from '../harness/list-readers.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50), salary integer);
  create table tags (id integer primary key, name varchar(50));
  create table articles (id integer primary key, title varchar(50), secret varchar(50), pin varchar(50), hidden_date date, hidden_json json,
    details json, status varchar(20), author integer, editor integer,
    constraint articles_author foreign key (author) references authors (id), constraint articles_editor foreign key (editor) references authors (id));
  create table comments (id integer primary key, body varchar(50), article integer, rating integer, pin varchar(50),
    constraint comments_article foreign key (article) references articles (id));
  create table vaults (id integer primary key, code varchar(20), article integer,
    constraint vaults_article foreign key (article) references articles (id));
  create table taggings (id integer primary key, article integer, tag integer,
    constraint taggings_article foreign key (article) references articles (id), constraint taggings_tag foreign key (tag) references tags (id));
  create table blocks (id integer primary key, article integer, collection varchar(50), item varchar(50),
    constraint blocks_article foreign key (article) references articles (id));
  insert into authors values (1, 'Ann', 100), (2, 'Bob', 200);
  insert into tags values (1, 'news');
  insert into articles values
    (1, 'one', 'abc', 'pin1', '2020-01-01', '{"a":1}', '{"a":1}', 'published', 1, 2),
    (2, 'two', 'xyz', 'pin2', null, null, null, 'published', 2, null),
    (3, 'three', 'draft', null, null, null, null, 'draft', 2, null);
  insert into comments values (1, 'fine', 1, 5, 'pinA'), (2, 'bad', 1, 1, null), (3, 'so', 2, 3, 'pinB');
  insert into vaults values (1, 'open sesame', 1);
  insert into taggings values (1, 1, 1);
  insert into blocks values (1, 1, 'vaults', '1'), (2, 1, 'tags', '1');
`;

const everyField = ['id', 'title', 'pin', 'details', 'status', 'author', 'editor', 'comments', 'vaults', 'taggings', 'blocks'];
const permissions = [
  { collection: 'articles', action: 'read', permissions: { status: { _eq: 'published' } }, fields: everyField },
  { collection: 'authors', action: 'read', permissions: { id: { _eq: 1 } }, fields: ['id', 'name'] },
  { collection: 'comments', action: 'read', fields: ['id', 'body', 'article', 'pin'] },
  { collection: 'blocks', action: 'read' },
  { collection: 'tags', action: 'read' },
  { collection: 'service_files', action: 'create' },
] as const;

const aggregated = (relation: string, query: QueryObject): QueryObject => ({
  fields: [`${relation}_aggregated`],
  deep: { [`${relation}_aggregated`]: query },
});
const inDeep = (query: QueryObject): QueryObject => ({ fields: ['comments.id'], deep: { comments: query } });

/** Every place where the name of something hidden can be written; the answers are those for a name that does not exist. */
const hiddenNames: Readonly<Record<string, readonly (readonly [hidden: string, ask: (name: string) => QueryObject])[]>> = {
  A01: [
    ['secret', (name) => ({ filter: { [name]: { _starts_with: 'a' } } })],
    ['secret', (name) => ({ filter: { [name]: { _null: true } } })],
    ['secret', (name) => ({ filter: { _or: [{ id: { _eq: 1 } }, { [name]: { _eq: 'abc' } }] } })],
  ],
  A03: [
    ['salary', (name) => ({ filter: { author: { [name]: { _gt: 1 } } } })],
    ['salary', (name) => ({ filter: { comments: { article: { author: { [name]: { _gt: 1 } } } } } })],
    ['rating', (name) => ({ filter: { comments: { _some: { [name]: { _gt: 1 } } } } })],
    ['rating', (name) => ({ filter: { comments: { _none: { [name]: { _gt: 1 } } } } })],
    ['vaults', (name) => ({ filter: { [name]: { code: { _eq: 'x' } } } })],
  ],
  A04: [
    ['taggings', (name) => ({ filter: { [name]: { tag: { name: { _eq: 'news' } } } } })],
    ['taggings', (name) => ({ fields: [`${name}.tag.name`] })],
    ['taggings', (name) => ({ sort: [`count(${name})`] })],
  ],
  A06: [
    ['secret', (name) => ({ sort: [name] })],
    ['salary', (name) => ({ sort: [`-author.${name}`] })],
    ['vaults', (name) => ({ sort: [`count(${name})`] })],
  ],
  A07: [
    ...['min', 'max', 'sum', 'avg', 'count', 'countDistinct'].map(
      (fn) => ['secret', (name: string) => ({ aggregate: { [fn]: name } })] as const,
    ),
    ['salary', (name) => ({ aggregate: { sum: `author.${name}` } })],
    ['secret', (name) => ({ aggregate: { count: '*' }, having: { max: { [name]: { _gt: 'a' } } } })],
  ],
  A08: [
    ['secret', (name) => ({ groupBy: [name] })],
    ['salary', (name) => ({ groupBy: [`author.${name}`] })],
    ['hidden_date', (name) => ({ groupBy: [`year(${name})`] })],
    ['secret', (name) => ({ aggregate: { count: '*' }, groupBy: ['status'], sort: [name] })],
  ],
  A11: [['secret', (name) => ({ meta: 'filter_count', filter: { [name]: { _eq: 'abc' } } })]],
  A12: [['secret', (name) => ({ alias: { x: name }, fields: ['x'] })]],
  A13: [
    ['secret', (name) => ({ fields: ['id', name] })],
    ['salary', (name) => ({ fields: [`author.${name}`] })],
    ['vaults', (name) => ({ fields: [name] })],
    ['vaults', (name) => ({ fields: [`${name}.*`] })],
    ['vaults', (name) => ({ fields: [`count(${name})`] })],
  ],
  A14: [
    ['rating', (name) => inDeep({ _filter: { [name]: { _eq: 1 } } })],
    ['rating', (name) => ({ fields: ['id'], deep: { comments: { _filter: { [name]: { _eq: 1 } } } } })],
    ['rating', (name) => inDeep({ _sort: name })],
    ['rating', (name) => aggregated('comments', { _aggregate: { max: name } })],
    ['rating', (name) => aggregated('comments', { _aggregate: { count: '*' }, _groupBy: [name] })],
    ['vaults', (name) => aggregated(name, { _aggregate: { count: '*' } })],
    ['secret', (name) => ({ deep: { [name]: { _limit: 1 } } })],
  ],
  A15: [['secret', (name) => ({ filter: { '$FOLLOW(comments,article)': { [name]: { _eq: 'abc' } } } })]],
  A16: [
    ['vaults', (name) => ({ filter: { blocks: { [`item:${name}`]: { code: { _eq: 'open sesame' } } } } })],
    ['vaults', (name) => ({ fields: [`blocks.item:${name}.*`] })],
    ['vaults', (name) => ({ fields: [`blocks.item:${name}.code`] })],
  ],
  A17: [
    ['hidden_json', (name) => ({ filter: { [name]: { _json: { a: { _eq: 1 } } } } })],
    ['hidden_json', (name) => ({ fields: [`json(${name}, a)`] })],
    ['hidden_json', (name) => ({ sort: [`json(${name}, a)`] })],
  ],
};

/** The same in documents. The second name does not exist and is as long as the first, so that places in the document are the same. */
const hiddenInDocuments: readonly (readonly [id: string, hidden: string, missing: string, document: string])[] = [
  ['A01', 'secret', 'nothin', '{ articles(filter: {NAME: {_starts_with: "a"}}) { id } }'],
  ['A03', 'salary', 'nothin', '{ articles(filter: {author: {NAME: {_gt: 1}}}) { id } }'],
  ['A03', 'rating', 'nothin', '{ articles(filter: {comments: {_some: {NAME: {_gt: 1}}}}) { id } }'],
  ['A04', 'taggings', 'nothings', '{ articles(filter: {NAME: {tag: {name: {_eq: "news"}}}}) { id } }'],
  ['A06', 'secret', 'nothin', '{ articles(sort: ["NAME"]) { id } }'],
  ['A06', 'salary', 'nothin', '{ articles(sort: ["-author.NAME"]) { id } }'],
  ['A07', 'secret', 'nothin', '{ articles_aggregated { min { NAME } } }'],
  ['A07', 'secret', 'nothin', '{ articles_aggregated { countDistinct { NAME } } }'],
  ['A08', 'secret', 'nothin', '{ articles_aggregated(groupBy: ["NAME"]) { group } }'],
  ['A12', 'secret', 'nothin', '{ articles { x: NAME } }'],
  ['A13', 'salary', 'nothin', '{ articles { author { NAME } } }'],
  ['A13', 'vaults', 'nothin', '{ articles { NAME { code } } }'],
  ['A14', 'rating', 'nothin', '{ articles { comments(filter: {NAME: {_eq: 1}}) { id } } }'],
  ['A14', 'rating', 'nothin', '{ articles { comments(sort: ["NAME"]) { id } } }'],
  ['A16', 'vaults', 'nothin', '{ articles { blocks { item { ... on NAME { code } } } } }'],
  ['A17', 'hidden_json', 'nothingjson', '{ articles { NAME } }'],
];

/** Concealed values can be asked for nothing but whether they are there. */
const concealedUses: Readonly<Record<string, readonly QueryObject[]>> = {
  A02: [
    ...Object.entries({
      _eq: 'pin1',
      _neq: 'pin1',
      _in: ['pin1'],
      _nin: ['pin1'],
      _contains: 'p',
      _starts_with: 'p',
      _iends_with: '1',
    }).map(([operator, operand]) => ({ filter: { pin: { [operator]: operand } } })),
    { filter: { pin: 'pin1' } },
    { filter: { comments: { pin: { _eq: 'pinA' } } } },
  ],
  A06: [{ sort: ['pin'] }, { sort: ['-comments.pin'] }],
  A07: ['min', 'max', 'countDistinct'].map((fn) => ({ aggregate: { [fn]: 'pin' } })),
  A08: [{ groupBy: ['pin'] }],
  A14: [inDeep({ _filter: { pin: { _eq: 'pinA' } } }), inDeep({ _sort: 'pin' }), aggregated('comments', { _aggregate: { max: 'pin' } })],
};

/** No way to write SQL's own paths; where a dot leads through a relation, there is none of that name. */
const tablePaths = ['t1.secret', '"authors"."salary"', 'articles.secret', '`secret`', 'secret"', 'articles"."secret'];

const errorOf = ({ body }: Answer): string => body?.errors?.[0]?.extensions.code ?? 'none';
const without = ({ status, text }: Answer, name: string): string => `${status} ${text.replaceAll(name, '…')}`;

describeEachVendor('reading what is hidden', (vendor) => {
  let service: TestService;
  let user: Api;
  let doors: ReturnType<typeof listReaders>;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'security_reading', fixture });
    const { api } = service;
    const setUp = [
      await api.patch('/fields/articles/pin', { meta: { special: ['conceal'] } }),
      await api.patch('/fields/comments/pin', { meta: { special: ['conceal'] } }),
      await api.post('/relations', {
        collection: 'blocks',
        field: 'item',
        related_collection: null,
        meta: { one_collection_field: 'collection', one_allowed_collections: ['vaults', 'tags'], junction_field: 'article' },
      }),
    ];
    expect(setUp.map(codeOf)).toEqual(['200', '200', '200']);
    user = (await makePerson(service, [{ permissions }])).api;
    doors = listReaders(user, 'articles');
  });
  afterAll(() => service.stop());

  const read = async (query: string) => (await user.get(`/items/articles?${query}`)).body;

  it.each(Object.entries(hiddenNames))('%s: what is hidden is like what is missing', async (_, cases) => {
    await expectUnchanged(service, async () => {
      for (const [door, send] of Object.entries(doors)) {
        for (const [hidden, ask] of cases) {
          const [first, second] = [await send(ask(hidden)), await send(ask('nothing'))];
          expect(errorOf(first), `${door} ${JSON.stringify(ask(hidden))}: ${first.text}`).toBe('FORBIDDEN');
          expect(without(first, hidden), door).toBe(without(second, 'nothing'));
        }
      }
    });
  });

  it.each(hiddenInDocuments)('%s: hidden is like missing in a document: %s, %s, %s', async (_, hidden, missing, document) => {
    const [first, second] = [await user.graphql(document.replace('NAME', hidden)), await user.graphql(document.replace('NAME', missing))];
    expect(['FORBIDDEN', 'GRAPHQL_VALIDATION'], first.text).toContain(errorOf(first));
    expect(without(first, hidden)).toBe(without(second, missing));
  });

  it.each(Object.entries(concealedUses))('%s: a concealed value is no operand', async (_, queries) => {
    await expectUnchanged(service, async () => {
      for (const [door, send] of Object.entries(doors))
        for (const query of queries) expect(errorOf(await send(query)), `${door} ${JSON.stringify(query)}`).toBe('INVALID_QUERY');
    });
  });

  it('A02: of a concealed value it may be asked whether it is there, by administrators of users as well', async () => {
    expect((await read('filter[pin][_nnull]=true&fields=id,pin')).data).toEqual([
      { id: 1, pin: '**********' },
      { id: 2, pin: '**********' },
    ]);
    for (const [operator, found] of [
      ['_null', 0],
      ['_empty', 0],
      ['_nempty', 2],
    ] as const)
      expect((await read(`filter[pin][${operator}]=true`)).data, operator).toHaveLength(found);
    for (const field of ['password', 'token', 'tfa_secret'])
      expect(codeOf(await service.api.get(`/users?filter[${field}][_starts_with]=$`))).toBe('400 INVALID_QUERY');
  });

  it('A05: a path of tables names nothing', async () => {
    for (const [door, send] of Object.entries(doors))
      for (const name of tablePaths)
        for (const query of [{ filter: { [name]: { _eq: 'abc' } } }, { sort: [name] }, { fields: [name] }, { groupBy: [name] }])
          expect(['FORBIDDEN', 'INVALID_QUERY'], `${door} ${JSON.stringify(query)}`).toContain(errorOf(await send(query)));
  });

  it('A06: a sort that is not a name is a bad query', async () => {
    expect(codeOf(await user.get('/items/articles?sort=?'))).toBe('400 INVALID_QUERY');
  });

  it('A09, A10, A11: what is hidden is neither counted nor searched', async () => {
    expect((await read('aggregate[count]=*')).data).toEqual([{ count: 2 }]);
    expect((await user.graphql('{ articles_aggregated { countAll } }')).body.data.articles_aggregated).toEqual([{ countAll: 2 }]);
    for (const text of ['abc', 'xyz', 'draft', 'pin1', '2020', '200', 'open sesame']) {
      expect(await read(`search=${text}&meta=filter_count,total_count`), text).toEqual({
        data: [],
        meta: { filter_count: 0, total_count: 2 },
      });
      expect((await user.graphql(`{ articles(search: "${text}") { id } }`)).body.data.articles, text).toEqual([]);
      expect((await read(`fields=comments.id&deep[comments][_search]=${text}&limit=1`)).data, text).toEqual([{ comments: [] }]);
      expect((await user.get(`/items/articles?search=${text}&export=csv`)).text, text).toBe('');
    }
  });

  it('A12: an alias of a concealed field is as masked as the field', async () => {
    expect((await read('alias[x]=pin&fields=x&limit=1')).data).toEqual([{ x: '**********' }]);
    expect((await user.graphql('{ articles(limit: 1) { x: pin } }')).body.data.articles).toEqual([{ x: '**********' }]);
    expect((await user.get('/items/articles?alias[x]=pin&fields=x&limit=1&export=csv')).text).toBe('"x"\n"**********"');
    for (const field of ['password', 'token'])
      expect((await service.api.get(`/users?alias[x]=${field}&fields=x`)).body.data).toEqual(expect.arrayContaining([{ x: '**********' }]));
    const { body } = await service.api.graphql('{ users(limit: 1, filter: {token: {_nnull: true}}) { x: token } }', {}, '/graphql/system');
    expect(body.data.users).toEqual([{ x: '**********' }]);
  });

  it('A13, A16: wildcards show what may be seen, and of a forbidden collection no item', async () => {
    const own = { id: 1, title: 'one', pin: '**********', details: { a: 1 }, status: 'published' };
    expect((await read('filter[id][_eq]=1&fields=*')).data).toEqual([{ ...own, author: 1, editor: 2, comments: [1, 2], blocks: [1, 2] }]);
    const [all] = (await read('filter[id][_eq]=1&fields=*.*.*')).data;
    expect(all).toMatchObject({ ...own, author: { id: 1, name: 'Ann' }, editor: null });
    expect(JSON.stringify(all)).not.toMatch(/salary|rating|secret|hidden|sesame|taggings|vaults":/);
    expect(all.blocks).toEqual([
      expect.objectContaining({ id: 1, collection: 'vaults', item: null }),
      expect.objectContaining({ id: 2, collection: 'tags', item: expect.objectContaining({ name: 'news' }) }),
    ]);
    const { body } = await user.graphql('{ articles(filter: {id: {_eq: 1}}) { blocks { collection item { ... on tags { name } } } } }');
    expect(body.data.articles[0].blocks).toEqual([
      { collection: 'vaults', item: null },
      { collection: 'tags', item: { name: 'news' } },
    ]);
  });

  it('A03: an item behind a hidden one is null, and neither found nor sorted by', async () => {
    expect((await read('filter[id][_eq]=2&fields=author,author.name')).data).toEqual([{ author: null }]);
    expect((await read('filter[id][_eq]=2&fields=author')).data).toEqual([{ author: 2 }]);
    expect((await read('filter[author][name][_eq]=Bob')).data).toEqual([]);
    expect((await read('filter[author][name][_null]=true')).data).toEqual([]);
    expect((await read('aggregate[count]=*&groupBy[]=author.name&sort=author.name&filter[author][_nnull]=true')).data).toHaveLength(2);
  });

  it('A18: an exported file is the caller’s, holds what they may see, and is not readable by others', async () => {
    const query = { fields: ['*'], sort: ['id'] };
    expect((await user.post('/utils/export/articles', { query, format: 'json', file: { title: 'export of A18' } })).status).toBe(204);
    const find = async () => (await service.api.get('/files?filter[title][_eq]=export of A18&fields=id,uploaded_by')).body.data;
    await expect.poll(async () => (await find()).length, { timeout: 60_000 }).toBe(1);
    const [file] = await find();
    expect(file.uploaded_by).toBe((await user.get('/users/me?fields=id')).body.data.id);
    const content = await service.api.get(`/assets/${file.id}`);
    expect(content.body.map(({ id }: { readonly id: number }) => id)).toEqual([1, 2]);
    expect(content.text).not.toMatch(/abc|pin1|secret/);
    expect(codeOf(await service.as(null).get(`/assets/${file.id}`))).toBe('403 FORBIDDEN');
    expect(codeOf(await (await makePerson(service, [])).api.get(`/assets/${file.id}`))).toBe('403 FORBIDDEN');
  });

  it('leaves the service healthy', async () => {
    expect((await user.get('/server/ping')).text).toBe('pong');
    expect((await read('fields=id')).data).toEqual([{ id: 1 }, { id: 2 }]);
  });
});
