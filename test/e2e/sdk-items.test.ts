// The client package builds a structure and works with its items.

import * as sdk from '@directus/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { adminClient } from '../harness/sdk-client.js';
import { startService, type TestService } from '../harness/start-service.js';

interface Author {
  id: number;
  name: string;
  books: number[] | Book[];
}

interface Book {
  id: number;
  title: string;
  year: number | null;
  author: number | Author | null;
  data: 'json' | null;
}

interface Shop {
  id: number;
  name: string | null;
}

interface Bookshop {
  authors: Author[];
  books: Book[];
  shop: Shop;
}

describeEachVendor('the client: structure and items', (vendor) => {
  let service: TestService;
  let client: ReturnType<typeof adminClient<Bookshop>>;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'sdk_items' });
    client = adminClient<Bookshop>(service);
  });
  afterAll(() => service.stop());

  it('creates collections, fields and relations', async () => {
    const collection = (name: string, singleton = false) => ({ collection: name, meta: { singleton }, schema: {} }) as never;
    for (const name of ['authors', 'books']) await client.request(sdk.createCollection(collection(name)));
    await client.request(sdk.createCollection(collection('shop', true)));
    const field = (name: string, type: string, more: object = {}) => ({ field: name, type, ...more }) as never;
    await client.request(sdk.createField('authors', field('name', 'string', { schema: { is_nullable: false } })));
    await client.request(sdk.createField('authors', field('books', 'alias', { meta: { special: ['o2m'] } })));
    await client.request(sdk.createField('books', field('title', 'string')));
    await client.request(sdk.createField('books', field('year', 'integer')));
    await client.request(sdk.createField('books', field('author', 'integer')));
    await client.request(sdk.createField('books', field('data', 'json')));
    await client.request(sdk.createField('shop', field('name', 'string')));
    await client.request(
      sdk.createRelation({ collection: 'books', field: 'author', related_collection: 'authors', meta: { one_field: 'books' } } as never),
    );

    const names = (await client.request(sdk.readCollections())).map(({ collection: name }) => name);
    expect(names).toEqual(expect.arrayContaining(['authors', 'books', 'shop', 'service_users']));
    expect(await client.request(sdk.readCollection('shop'))).toMatchObject({ collection: 'shop', meta: { singleton: true } });
    expect((await client.request(sdk.readFieldsByCollection('books'))).map(({ field: name }) => name)).toEqual([
      'id',
      'title',
      'year',
      'author',
      'data',
    ]);
    expect(await client.request(sdk.updateField('books', 'title', { meta: { note: 'As on the cover' } } as never))).toMatchObject({
      meta: { note: 'As on the cover' },
    });
    expect(await client.request(sdk.readField('books', 'title'))).toMatchObject({ type: 'string', meta: { note: 'As on the cover' } });
    expect(await client.request(sdk.readRelation('books', 'author'))).toMatchObject({
      related_collection: 'authors',
      meta: { one_field: 'books' },
    });
    expect((await client.request(sdk.readRelations())).some(({ collection: name }) => (name as string) === 'books')).toBe(true);
    expect(await client.request(sdk.updateCollection('books', { meta: { note: 'On paper' } } as never))).toMatchObject({
      meta: { note: 'On paper' },
    });
  });

  it('creates, reads, updates and deletes items, nested ones too', async () => {
    const author = await client.request(
      sdk.createItem(
        'authors',
        {
          name: 'Tove',
          books: [
            { title: 'Comet', year: 1946, data: { pages: 150 } },
            { title: 'Winter', year: 1957 },
          ] as never,
        },
        { fields: ['id', 'name', { books: ['title', 'year', 'data'] }] as never },
      ),
    );
    expect(author).toMatchObject({ name: 'Tove', books: [{ title: 'Comet', year: 1946, data: { pages: 150 } }, { title: 'Winter' }] });
    const made = await client.request(
      sdk.createItems('books', [
        { title: 'Kristin', year: 1920 },
        { title: 'Olav', year: 1925 },
      ]),
    );
    expect(made.map(({ title }) => title)).toEqual(['Kristin', 'Olav']);

    const books = await client.request(
      sdk.readItems('books', {
        fields: ['title', { author: ['name'] }],
        filter: { year: { _gt: 1930 }, author: { name: { _eq: 'Tove' } } },
        sort: ['-year'],
        limit: 10,
      }),
    );
    expect(books).toEqual([
      { title: 'Winter', author: { name: 'Tove' } },
      { title: 'Comet', author: { name: 'Tove' } },
    ]);
    const deep = await client.request(
      sdk.readItem('authors', (author as unknown as Author).id, {
        fields: ['name', { books: ['title'] }],
        deep: { books: { _sort: ['-year'], _limit: 1 } },
      }),
    );
    expect(deep).toEqual({ name: 'Tove', books: [{ title: 'Winter' }] });
    expect(await client.request(sdk.readItems('books', { search: 'rist', fields: ['title'] }))).toEqual([{ title: 'Kristin' }]);
    const long = await client.request(
      sdk.withSearch(sdk.readItems('books', { filter: { title: { _in: ['Olav', 'Comet'] } }, sort: 'title', fields: ['title'] })),
    );
    expect(long).toEqual([{ title: 'Comet' }, { title: 'Olav' }]);

    const [first, second] = made;
    expect(await client.request(sdk.updateItem('books', first?.id ?? 0, { year: 1922 }))).toMatchObject({ title: 'Kristin', year: 1922 });
    expect(await client.request(sdk.updateItems('books', [first?.id ?? 0, second?.id ?? 0], { year: 1930 }, { fields: ['year'] }))).toEqual(
      [{ year: 1930 }, { year: 1930 }],
    );
    expect(
      await client.request(
        sdk.updateItemsBatch(
          'books',
          [
            { id: first?.id ?? 0, year: 1 },
            { id: second?.id ?? 0, year: 2 },
          ],
          { fields: ['year'] },
        ),
      ),
    ).toEqual([{ year: 1 }, { year: 2 }]);
    await client.request(sdk.deleteItem('books', first?.id ?? 0));
    await client.request(sdk.deleteItems('books', [second?.id ?? 0]));
    await expect(client.request(sdk.readItem('books', first?.id ?? 0))).rejects.toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
  });

  it('aggregates and groups', async () => {
    const [total] = await client.request(sdk.aggregate('books', { aggregate: { count: '*', max: 'year' } as never }));
    expect(total).toEqual({ count: 2, max: { year: 1957 } });
    const groups = await client.request(sdk.aggregate('books', { aggregate: { count: '*' }, groupBy: ['author'] } as never));
    expect(groups).toMatchObject([{ count: 2 }]);
  });

  it('reads and writes a singleton', async () => {
    expect(await client.request(sdk.readSingleton('shop'))).toEqual({ id: null, name: null });
    expect(await client.request(sdk.updateSingleton('shop', { name: 'By the harbour' }))).toMatchObject({ name: 'By the harbour' });
    expect(await client.request(sdk.readSingleton('shop', { fields: ['name'] }))).toEqual({ name: 'By the harbour' });
  });

  it('asks the same in GraphQL', async () => {
    const graph = sdk.createDirectus<Bookshop>(service.url).with(sdk.staticToken('tain-test-admin-token')).with(sdk.graphql());
    const answer = await graph.query<{ authors: readonly Author[] }>(
      'query ($name: String!) { authors(filter: { name: { _eq: $name } }) { name books(sort: "year") { title } } }',
      { name: 'Tove' },
    );
    expect(answer).toEqual({ authors: [{ name: 'Tove', books: [{ title: 'Comet' }, { title: 'Winter' }] }] });
    const system = await graph.query<{ users_me: { email: string } }>('query { users_me { email } }', {}, 'system');
    expect(system).toEqual({ users_me: { email: 'admin@example.com' } });
    await expect(graph.query('query { nothing_here { id } }')).rejects.toBeTruthy();
  });

  it('takes snapshots of the structure and goes back to them', async () => {
    const snapshot = await client.request(sdk.schemaSnapshot());
    await client.request(sdk.deleteField('books', 'data'));
    const diff = await client.request(sdk.schemaDiff(snapshot));
    expect(diff.hash).toEqual(expect.any(String));
    await client.request(sdk.schemaApply(diff));
    expect(await client.request(sdk.readField('books', 'data'))).toMatchObject({ type: 'json' });
    await client.request(sdk.deleteRelation('books', 'author'));
    await client.request(sdk.deleteCollection('books'));
    expect((await client.request(sdk.readCollections())).map(({ collection: name }) => name as string)).not.toContain('books');
  });
});
