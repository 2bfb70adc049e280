// Parity as a property: whatever is asked or written, both doors answer the same data.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };
const fields = ['title', 'pages', 'day', 'live'] as const;

const condition = fc.oneof(
  fc.record({
    title: fc.oneof(
      fc.record({ _contains: fc.constantFrom('a', 'b', '%', '_') }),
      fc.record({ _in: fc.constant(['a1', 'b2']) }),
      fc.record({ _empty: fc.boolean() }),
    ),
  }),
  fc.record({
    pages: fc.oneof(
      fc.record({ _gt: fc.integer({ min: -5, max: 30 }) }),
      fc.record({ _between: fc.constant([3, 12]) }),
      fc.record({ _null: fc.boolean() }),
    ),
  }),
  fc.record({ live: fc.record({ _eq: fc.boolean() }) }),
  fc.record({ author: fc.record({ name: fc.record({ _starts_with: fc.constantFrom('A', 'B', 'x') }) }) }),
);
const filter = fc.oneof(
  condition,
  fc.record({ _and: fc.array(condition, { maxLength: 3 }) }),
  fc.record({ _or: fc.array(condition, { maxLength: 3 }) }),
);
const question = fc.record({
  select: fc.subarray([...fields], { minLength: 1 }),
  filter,
  sort: fc.uniqueArray(fc.constantFrom('title', '-pages', 'day', 'author.name', '-id'), { maxLength: 2 }),
  limit: fc.constantFrom(-1, 0, 1, 4),
  offset: fc.nat({ max: 3 }),
  nested: fc.constantFrom(0, 1, 3),
});
const text = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'é', '"', '\\', '%', '\n', '日') });
const payload = fc.record({
  title: text,
  pages: fc.option(fc.integer({ min: -1000, max: 1000 })),
  live: fc.option(fc.boolean()),
  day: fc.constantFrom(null, '2024-02-29'),
});

describeEachVendor('parity', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'parity' });
    const { api } = service;
    await api.post('/collections', { collection: 'p_authors', schema: {}, meta: {}, fields: [id, { field: 'name', type: 'string' }] });
    const columns = [
      { field: 'title', type: 'string' },
      { field: 'pages', type: 'integer' },
      { field: 'day', type: 'date' },
      { field: 'live', type: 'boolean' },
      { field: 'author', type: 'integer' },
    ];
    await api.post('/collections', { collection: 'p_books', schema: {}, meta: {}, fields: [id, ...columns] });
    await api.post('/fields/p_authors', { field: 'books', type: 'alias', meta: { special: ['o2m'] } });
    await api.post('/relations', {
      collection: 'p_books',
      field: 'author',
      related_collection: 'p_authors',
      meta: { one_field: 'books' },
      schema: { on_delete: 'SET NULL' },
    });
    await api.post('/items/p_authors', [{ name: 'Ada' }, { name: 'Bo' }]);
    await api.post(
      '/items/p_books',
      Array.from({ length: 12 }, (_, index) => ({
        title: index === 5 ? '' : `${'ab'[index % 2]}${index}`,
        pages: index % 5 === 4 ? null : index * 2,
        day: index % 3 === 0 ? null : `2024-01-${10 + index}`,
        live: [true, false, null][index % 3],
        author: [1, 2, null][index % 3],
      })),
    );
  });
  afterAll(() => service.stop());

  it('reads give the same result by both doors', async () => {
    const check = async ({ select, nested, ...query }: typeof question extends fc.Arbitrary<infer T> ? T : never): Promise<void> => {
      const rest = await service.api.search('/items/p_books', {
        query: {
          ...query,
          fields: [...select, 'author.name', 'author.books.title'],
          deep: { author: { books: { _limit: nested, _sort: ['-id'] } } },
        },
      });
      const document = `query($filter: p_books_filter, $sort: [String], $limit: Int, $offset: Int, $n: Int) {
        p_books(filter: $filter, sort: $sort, limit: $limit, offset: $offset) { ${select.join(' ')} author { name books(limit: $n, sort: ["-id"]) { title } } } }`;
      const graphql = await service.api.graphql(document, { ...query, n: nested });
      expect(graphql.body.data?.p_books ?? graphql.body.errors[0].extensions.code).toEqual(
        rest.body.data ?? rest.body.errors[0].extensions.code,
      );
    };
    await fc.assert(fc.asyncProperty(question, check), { numRuns: 40 });
  });

  it('writes give the same result by both doors', async () => {
    const select = ['title', 'pages', 'live', 'day'];
    const check = async (data: Readonly<Record<string, unknown>>): Promise<void> => {
      const rest = await service.api.post(`/items/p_books?fields=${select}`, data);
      const graphql = await service.api.graphql(
        `mutation($d: create_p_books_input!) { create_p_books_item(data: $d) { ${select.join(' ')} } }`,
        { d: data },
      );
      expect(graphql.body.data?.create_p_books_item ?? graphql.body.errors[0].extensions.code).toEqual(
        rest.body.data ?? rest.body.errors[0].extensions.code,
      );
    };
    await fc.assert(fc.asyncProperty(payload, check), { numRuns: 20 });
  });
});
