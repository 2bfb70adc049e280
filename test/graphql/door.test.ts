// What GraphQL does beyond the recorded conversations: one statement per root field, the forms REST has, limits and refusals.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastStatements } from '../harness/least-statements.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };

async function makeLibrary({ api }: TestService): Promise<void> {
  const collection = (name: string, fields: readonly object[], meta: object = {}) =>
    api.post('/collections', { collection: name, schema: {}, meta, fields: [id, ...fields] });
  const alias = (name: string, field: string, special: string) =>
    api.post(`/fields/${name}`, { field, type: 'alias', meta: { special: [special] } });
  const relate = (name: string, field: string, related: string | null, meta: object) =>
    api.post('/relations', {
      collection: name,
      field,
      related_collection: related,
      meta,
      ...(related === null ? {} : { schema: { on_delete: 'SET NULL' } }),
    });
  await collection('g_authors', [{ field: 'name', type: 'string' }]);
  await collection(
    'g_books',
    [
      { field: 'title', type: 'string', schema: { is_unique: true } },
      { field: 'price', type: 'decimal', schema: { numeric_precision: 10, numeric_scale: 2 } },
      { field: 'day', type: 'date' },
      { field: 'author', type: 'integer' },
    ],
    { versioning: true },
  );
  await collection('g_parts', [
    { field: 'book', type: 'integer' },
    { field: 'item', type: 'string' },
    { field: 'collection', type: 'string' },
  ]);
  await alias('g_authors', 'books', 'o2m');
  await alias('g_books', 'parts', 'm2a');
  await relate('g_books', 'author', 'g_authors', { one_field: 'books' });
  await relate('g_parts', 'book', 'g_books', { one_field: 'parts', junction_field: 'item' });
  await relate('g_parts', 'item', null, {
    one_allowed_collections: ['g_authors'],
    one_collection_field: 'collection',
    junction_field: 'book',
  });
  await api.post('/items/g_authors', [{ name: 'Ada' }, { name: 'Bo' }]);
  await api.post(
    '/items/g_books',
    [1, 2, 3, 4].map((number) => ({ title: `b${number}`, price: `${number}.50`, day: `2024-0${number}-01`, author: number < 4 ? 1 : 2 })),
  );
}

describeEachVendor('graphql', (vendor) => {
  let service: TestService;
  const ask = async (query: string, variables?: unknown, path?: '/graphql/system') =>
    (await service.api.graphql(query, variables, path)).body;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'graphql' });
    await makeLibrary(service);
  });
  afterAll(() => service.stop());

  it('tells clients that send the digest of a document first to go on with the document', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const posted = await service.api.post('/graphql', { variables: {}, extensions });
    const got = await service.api.get(`/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`);
    for (const { status, body } of [posted, got]) expect([status, body.errors[0].message]).toEqual([400, 'PersistedQueryNotSupported']);
    expect((await service.api.post('/graphql', { query: '{ __typename }', extensions })).body).toEqual({ data: { __typename: 'Query' } });
    expect((await service.api.post('/graphql', { extensions: { other: 1 } })).body.errors[0].message).toContain(
      '"query" has to be the text',
    );
  });

  it('answers a root field by one statement, and the same question once', async () => {
    const nested =
      '{ g_authors(sort: ["id"]) { id name books(sort: ["-id"], limit: 2) { title author { name } parts { item { ... on g_authors { name } } } } } }';
    expect(await leastStatements(service, () => ask(nested))).toBe(1);
    const aliases = Array.from({ length: 20 }, (_, index) => `a${index}: g_books { id }`).join(' ');
    expect(await leastStatements(service, () => ask(`{ ${aliases} }`))).toBe(1);
    expect(await leastStatements(service, () => ask('{ g_books { id } g_authors { id } }'))).toBe(2);
  });

  it('takes the detailed form, bare keys and new items of a many-to-any', async () => {
    const made = await ask(
      'mutation { create_g_authors_item(data: {name: "Cy", books: [{title: "c1"}], books_keys: [4]}) { id books(sort: ["title"]) { id title } } }',
    );
    const [kept, own] = made.data.create_g_authors_item.books;
    expect([kept.title, own.title]).toEqual(['b4', 'c1']);
    const { id: key } = made.data.create_g_authors_item;
    const changed = await ask(
      `mutation { update_g_authors_item(id: ${key}, data: {books_changes: {create: [{title: "c2"}], update: [{id: ${own.id}, title: "c1!"}], delete: [4]}}) { books(sort: ["title"]) { title } } }`,
    );
    expect(changed.data.update_g_authors_item.books).toEqual([{ title: 'c1!' }, { title: 'c2' }]);
    const any = await ask(
      'mutation { create_g_books_item(data: {title: "any", author_key: 2, parts: [{item__g_authors: {name: "Dee"}}]}) { author { name } parts { collection item { __typename ... on g_authors { name } } } } }',
    );
    expect(any.data.create_g_books_item).toEqual({
      author: { name: 'Bo' },
      parts: [{ collection: 'g_authors', item: { __typename: 'g_authors', name: 'Dee' } }],
    });
  });

  it('finds the least and the greatest of what can be compared', async () => {
    const { data } = await ask('{ g_books_aggregated(filter: {id: {_lte: 3}}) { min { day title price } max { day } sum { price } } }');
    expect(data.g_books_aggregated).toEqual([
      { min: { day: '2024-01-01', title: 'b1', price: 1.5 }, max: { day: '2024-03-01' }, sum: { price: 7.5 } },
    ]);
  });

  it('writes by query and upserts through the system endpoint', async () => {
    const upserted = await ask(
      'mutation($d: JSON!) { upsert_items(collection: "g_books", data: $d, on_conflict: ["title"], query: {fields: ["title"]}) }',
      { d: [{ title: 'b1' }, { title: 'u1' }] },
      '/graphql/system',
    );
    expect(upserted.data.upsert_items).toEqual({ data: [{ title: 'b1' }, { title: 'u1' }], meta: { created: 1, updated: 1 } });
    const removed = await ask(
      'mutation { delete_items(collection: "g_books", which: {filter: {title: {_eq: "u1"}}}) }',
      {},
      '/graphql/system',
    );
    expect(removed.data.delete_items.keys).toHaveLength(1);
    const read = await ask(
      '{ items(collection: "g_books", query: {groupBy: ["author"], aggregate: {count: "*"}, having: {count: {_gt: 2}}}) }',
      {},
      '/graphql/system',
    );
    expect(read.data.items.data).toHaveLength(1);
  });

  it('answers a write once under an idempotency key', async () => {
    const query = 'mutation { create_g_authors_item(data: {name: "once"}) { id } }';
    const headers = { 'idempotency-key': `k-${vendor.name}` };
    const [one, two] = [await service.api.post('/graphql', { query }, headers), await service.api.post('/graphql', { query }, headers)];
    expect(two.body).toEqual(one.body);
    expect(two.headers.get('idempotent-replayed')).toBe('true');
  });

  it('streams long lists and reports early failures like those of any field', async () => {
    const all = await service.api.graphql('{ all: g_books(limit: -1, sort: ["id"]) { id } }');
    expect(all.body.data.all.length).toBeGreaterThan(3);
    const failed = await service.api.graphql('{ g_books(limit: -1, sort: ["nope"]) { id } }');
    expect([codeOf(failed), failed.body.data]).toEqual(['200 FORBIDDEN', null]);
  });

  it('E04, E06: refuses lists of operations, and changes by GET', async () => {
    expect(
      codeOf(
        await service.api.post(
          '/graphql',
          Array.from({ length: 1000 }, () => ({ query: '{ __typename }' })),
        ),
      ),
    ).toBe('400 INVALID_PAYLOAD');
    const two = encodeURIComponent('query A { __typename } mutation B { create_g_authors_item(data: {name: "x"}) { id } }');
    expect(codeOf(await service.api.get(`/graphql?query=${two}&operationName=B`))).toBe('405 METHOD_NOT_ALLOWED');
    expect((await service.api.get(`/graphql?query=${two}&operationName=A`)).body).toEqual({ data: { __typename: 'Query' } });
    expect(
      (
        await service.api.request('POST', '/graphql', {
          raw: 'query={__typename}',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).status,
    ).toBe(415);
  });

  it('E01, E03: refuses what asks for too much before anything runs', async () => {
    const aliases = Array.from({ length: 800 }, (_, index) => `a${index}: g_books { id }`).join(' ');
    const deep = `{ g_books { ${'author { books { '.repeat(25)} id ${'} } '.repeat(25)} } }`;
    const statements = await leastStatements(service, async () => {
      expect(codeOf(await service.api.graphql(`{ ${aliases} }`))).toBe('400 INVALID_QUERY');
      expect(codeOf(await service.api.graphql(deep))).toBe('400 INVALID_QUERY');
    });
    expect(statements).toBe(0);
  });

  it('E05, E10: anonymous callers cause no expensive work, and learn no names', async () => {
    const pings = Array.from({ length: 100 }, (_, index) => `p${index}: server_ping`).join(' ');
    expect((await service.as(null).graphql(`{ ${pings} }`, {}, '/graphql/system')).status).toBe(200);
    expect(codeOf(await service.as(null).graphql('{ schema_snapshot }', {}, '/graphql/system'))).toBe('400 GRAPHQL_VALIDATION');
    const person = await makePerson(service, [{ permissions: [{ collection: 'g_books', action: 'read', fields: ['id', 'title'] }] }]);
    const asked = await person.api.graphql('{ g_books { pric } }');
    expect([codeOf(asked), asked.text.includes('price')]).toEqual(['400 GRAPHQL_VALIDATION', false]);
  });
});
