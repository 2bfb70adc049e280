// Content versions over REST and GraphQL: an item read as its version has it, lists of such items, saving, comparing and promoting.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { leastStatements } from '../harness/least-statements.js';
import { codeOf, makePerson } from '../harness/people.js';
import { expectOk, startVersionWorld, type VersionWorld } from '../harness/version-world.js';

describeEachVendor('content versions', (vendor) => {
  let world: VersionWorld;

  beforeAll(async () => {
    world = await startVersionWorld(vendor, 'versions');
  });
  afterAll(() => world.stop());

  const get = async (path: string) => (await expectOk(world.api.get(path))).body;
  const save = (version: string, changes: object) => world.api.post(`/versions/${version}/save`, changes);
  const graphql = async (query: string, variables: object = {}, path: '/graphql' | '/graphql/system' = '/graphql') => {
    const { body } = await world.api.graphql(query, variables, path);
    expect(body.errors).toBeUndefined();
    return body.data;
  };

  describe('one item', () => {
    let version: string;

    beforeAll(async () => {
      version = await world.draft(1);
      await expectOk(
        save(version, {
          title: 'drafted',
          author: { id: 2, name: 'Bo the second' },
          reviews: { create: [{ body: 'new', shown: 1 }], update: [{ id: 1, body: 'finer' }], delete: [2] },
          book_tags: [1, { tag: 2 }],
        }),
      );
    });
    const fields = 'title,author.name,reviews.body,book_tags.tag.name';
    const merged = {
      title: 'drafted',
      author: { name: 'Bo the second' },
      reviews: [{ body: 'finer' }, { body: 'new' }],
      book_tags: [{ tag: { name: 'red' } }, { tag: { name: 'blue' } }],
    };

    it('reads with its relations as the version has them, by either door', async () => {
      expect((await get(`/items/books/1?version=draft&fields=${fields}`)).data).toEqual(merged);
      const { books_by_id } = await graphql(
        '{ books_by_id(id: 1, version: "draft") { title author { name } reviews { body } book_tags { tag { name } } } }',
      );
      expect(books_by_id).toEqual(merged);
      const nested = await get('/items/books/1?version=draft&fields=reviews.body&deep={"reviews":{"_filter":{"body":{"_eq":"new"}}}}');
      expect(nested.data).toEqual({ reviews: [{ body: 'new' }] });
    });

    it('names the version with everything, or when it is asked for', async () => {
      const all = (await get('/items/books/1?version=draft')).data;
      expect(all).toMatchObject({ id: 1, title: 'drafted', pages: 100, author: 2, $meta: { version_id: version } });
      expect((await get('/items/books/1?version=draft&fields=title')).data).toEqual({ title: 'drafted' });
      expect((await get('/items/books/1?version=draft&fields=title,$meta')).data).toEqual({
        title: 'drafted',
        $meta: { version_id: version },
      });
    });

    it('reads the item itself under the keys that stand for it, by either door, and no version may bear them', async () => {
      const main = (await get('/items/books/1')).data;
      for (const key of ['main', 'published']) {
        expect((await get(`/items/books/1?version=${key}`)).data).toEqual(main);
        expect((await get(`/items/books?version=${key}`)).data).toEqual((await get('/items/books')).data);
        const asked = `{ books_by_id(id: 1, version: "${key}") { title } books_by_version(id: 1, version: "${key}") { title author } }`;
        expect(await graphql(asked)).toEqual({ books_by_id: { title: 'one' }, books_by_version: { title: 'one', author: 1 } });
        const made = await world.api.post('/versions', { collection: 'books', item: '1', key });
        expect(codeOf(made)).toBe('400 INVALID_PAYLOAD');
      }
    });

    it('shows the changes of relations as they were saved with versionRaw', async () => {
      const raw = (await get('/items/books/1?version=draft&versionRaw=true&fields=title,author,book_tags,pages')).data;
      expect(raw).toEqual({ title: 'drafted', author: { id: 2, name: 'Bo the second' }, book_tags: [1, { tag: 2 }], pages: 100 });
      const { books_by_version } = await graphql('{ books_by_version(id: 1, version: "draft") { id title author pages } }');
      expect(books_by_version).toEqual({ id: '1', title: 'drafted', author: { id: 2, name: 'Bo the second' }, pages: 100 });
    });

    it('compares, the key among what the version has', async () => {
      const { data } = await get(`/versions/${version}/compare`);
      expect(data.current).toMatchObject({ id: 1, title: 'drafted', author: { id: 2, name: 'Bo the second' } });
      expect(data).toMatchObject({ outdated: false, main: { id: 1, title: 'one', author: 1 } });
      const { versions_compare } = await graphql('query($id: ID!) { versions_compare(id: $id) }', { id: version }, '/graphql/system');
      expect(versions_compare).toEqual(data);
    });

    it('leaves everything as it was', async () => {
      await expectUnchanged(world, async () => {
        await get(`/items/books/1?version=draft&fields=${fields}`);
        await get('/items/books?version=draft');
        await get(`/versions/${version}/compare`);
        await graphql('{ books_by_id(id: 1, version: "draft") { title } }');
      });
      expect((await get('/items/books/1?fields=title,author.name,reviews')).data).toEqual({
        title: 'one',
        author: { name: 'Ada' },
        reviews: [1, 2],
      });
    });

    it('is exported as the version has it', async () => {
      const { text } = await world.api.get('/items/books/1?version=draft&fields=title,pages&export=csv_raw');
      expect(text.replaceAll('\r', '').replaceAll('"', '').trim()).toBe('title,pages\ndrafted,100');
    });
  });

  describe('a list', () => {
    beforeAll(async () => {
      await expectOk(save(await world.draft(2, 'list'), { title: 'b', pages: 900 }));
      await expectOk(save(await world.draft(3, 'list'), { title: 'a', pages: 100, author: 1 }));
      await world.draft(4, 'list');
    });

    it('has the items that have the version, merged, filtered, sorted and paged by what they became', async () => {
      const listed = async (query: string) => (await get(`/items/books?version=list&${query}`)).data;
      expect(await listed('fields=id,title&sort=title')).toEqual([
        { id: 3, title: 'a' },
        { id: 2, title: 'b' },
        { id: 4, title: 'four' },
      ]);
      expect(await listed('fields=id&filter[pages][_gte]=400&sort=-pages')).toEqual([{ id: 2 }, { id: 4 }]);
      expect(await listed('fields=id&filter[title][_eq]=two')).toEqual([]);
      expect(await listed('fields=id,author.name&filter[author][name][_eq]=Ada&sort=id')).toEqual([
        { id: 2, author: { name: 'Ada' } },
        { id: 3, author: { name: 'Ada' } },
      ]);
      expect(await listed('fields=id&sort=title&limit=1&page=2')).toEqual([{ id: 2 }]);
      expect(await listed('aggregate[sum]=pages&aggregate[count]=*')).toEqual([{ sum: { pages: 1400 }, count: 3 }]);
    });

    it('names the version of each, and counts those that have one', async () => {
      const { data, meta } = await get('/items/books?version=list&meta=total_count,filter_count&filter[id][_lt]=4&sort=id');
      const { body } = await world.api.get('/versions?filter[key][_eq]=list&fields=id,item&sort=item');
      const ids = new Map(body.data.map(({ id, item }: { id: string; item: string }) => [Number(item), id]));
      expect(data.map(({ id, $meta }: { id: number; $meta: unknown }) => [id, $meta])).toEqual([
        [2, { version_id: ids.get(2) }],
        [3, { version_id: ids.get(3) }],
      ]);
      expect(meta).toEqual({ total_count: 3, filter_count: 2 });
    });

    it('answers SEARCH, exports and GraphQL the same', async () => {
      const query = { version: 'list', fields: ['id', 'title'], sort: ['id'] };
      const both = [
        { id: 2, title: 'b' },
        { id: 3, title: 'a' },
      ];
      expect((await world.api.search('/items/books', { query, keys: [1, 2, 3] })).body.data).toEqual(both);
      const asked = 'query($query: JSON) { items(collection: "books", query: $query, keys: [1, 2, 3]) }';
      expect((await graphql(asked, { query }, '/graphql/system')).items.data).toEqual(both);
      const { text } = await world.api.get('/items/books?version=list&fields=id,title&sort=id&limit=2&export=json');
      expect(JSON.parse(text)).toEqual(both);
    });

    it('of a version that no item has is empty', async () => {
      expect((await get('/items/books?version=nothing')).data).toEqual([]);
    });

    describe('with versions that contradict the data or each other', () => {
      const ids = new Map<number, string>();

      beforeAll(async () => {
        const rows = [11, 12, 13, 14, 15].map((id) => ({ id, title: `main ${id}`, author: 1 }));
        await expectOk(world.api.post('/items/books', rows));
        // 12 takes a slug that another item gets later; 13 and 14 take the same one, and 13 is the older version.
        const slugs = { 11: 'eleven', 12: 'stolen', 13: 'shared', 14: 'shared', 15: 'fifteen' };
        for (const [item, slug] of Object.entries(slugs)) {
          const version = await world.draft(Number(item), 'mixed');
          ids.set(Number(item), version);
          await expectOk(save(version, { title: `draft ${item}`, slug, book_tags: [{ tag: 1 }] }));
          // The age of versions is kept in milliseconds.
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        await expectOk(world.api.patch('/items/books/1', { slug: 'stolen' }));
      });

      it('has the others merged, and those as they are', async () => {
        const { data, meta } = await get('/items/books?version=mixed&fields=id,title,slug,book_tags.tag&sort=id&meta=total_count');
        const drafted = (id: number, slug: string) => ({ id, title: `draft ${id}`, slug, book_tags: [{ tag: 1 }] });
        const main = (id: number) => ({ id, title: `main ${id}`, slug: null, book_tags: [] });
        expect(data).toEqual([drafted(11, 'eleven'), main(12), drafted(13, 'shared'), main(14), drafted(15, 'fifteen')]);
        expect(meta).toEqual({ total_count: 5 });
        expect((await get('/items/books?version=mixed&fields=id&filter[title][_starts_with]=main&sort=id')).data).toEqual([
          { id: 12 },
          { id: 14 },
        ]);
      });

      it('says which are not applied', async () => {
        const { data } = await get('/items/books?version=mixed&sort=id&versionRaw=true');
        expect(data.map(({ id, $meta }: { id: number; $meta: unknown }) => [id, $meta])).toEqual(
          [...ids].map(([id, version_id]) => [id, id === 12 || id === 14 ? { version_id, conflict: true } : { version_id }]),
        );
        expect(data.map(({ book_tags }: { book_tags: unknown }) => book_tags)).toEqual([[{ tag: 1 }], [], [{ tag: 1 }], [], [{ tag: 1 }]]);
      });

      it('changes nothing, and reads a single one as before', async () => {
        await expectUnchanged(world, async () => {
          await get('/items/books?version=mixed');
          expect(codeOf(await world.api.get('/items/books/12?version=mixed'))).toBe('422 UNPROCESSABLE_CONTENT');
        });
        expect((await get('/items/books/14?version=mixed&fields=slug')).data).toEqual({ slug: 'shared' });
      });

      it('lets no caller read more than the item itself does', async () => {
        const reader = await makePerson(world, [
          {
            permissions: [
              { collection: 'service_versions', action: 'read' },
              { collection: 'books', action: 'read', fields: ['id', 'title'], permissions: { title: { _starts_with: 'main' } } },
            ],
          },
        ]);
        const { data } = (await expectOk(reader.api.get('/items/books?version=mixed&fields=id,title&sort=id'))).body;
        expect(data).toEqual([
          { id: 12, title: 'main 12' },
          { id: 14, title: 'main 14' },
        ]);
      });
    });

    it('takes as many statements for many as for few', async () => {
      const rows = Array.from({ length: 30 }, (_, index) => ({ id: 100 + index, title: `t${index}`, author: 1 }));
      await expectOk(world.api.post('/items/books', rows));
      const versions = (key: string, count: number) =>
        rows.slice(0, count).map(({ id }) => ({ collection: 'books', item: String(id), key, name: key }));
      for (const [key, count] of [
        ['few', 2],
        ['many', 30],
      ] as const) {
        const { data } = (await expectOk(world.api.post('/versions', versions(key, count)))).body;
        for (const { id } of data) await expectOk(save(id, { title: `${key} changed` }));
      }
      const few = await leastStatements(world, () => get('/items/books?version=few&limit=-1'));
      const many = await leastStatements(world, () => get('/items/books?version=many&limit=-1'));
      expect(many).toBe(few);
      expect((await get('/items/books?version=many&limit=-1&filter[title][_eq]=many changed&fields=id')).data).toHaveLength(30);
    });
  });

  describe('saving and promoting', () => {
    it('answers the whole item, as the version has it', async () => {
      const version = await world.draft(2, 'whole');
      const saved = await expectOk(save(version, { title: 'saved', reviews: [3] }));
      expect(saved.body.data).toMatchObject({ id: 2, title: 'saved', pages: 200, reviews: [3] });
      const { versions_save } = await graphql(
        'mutation($id: ID!, $data: JSON!) { versions_save(id: $id, data: $data) }',
        { id: version, data: { pages: 7 } },
        '/graphql/system',
      );
      expect(versions_save).toMatchObject({ id: 2, title: 'saved', pages: 7 });
    });

    it('answers a promotion that comes too late with the present hash', async () => {
      const version = await world.draft(4, 'late');
      await expectOk(save(version, { title: 'late' }));
      const { mainHash } = (await get(`/versions/${version}/compare`)).data;
      await expectOk(world.api.patch('/items/books/4', { pages: 401 }));
      const late = await world.api.post(`/versions/${version}/promote`, { mainHash });
      expect(codeOf(late)).toBe('422 VERSION_HASH_MISMATCH');
      const { outdated, mainHash: present } = (await get(`/versions/${version}/compare`)).data;
      expect([outdated, late.body.errors[0].extensions.mainHash]).toEqual([true, present]);
      expect((await expectOk(world.api.post(`/versions/${version}/promote`, { mainHash: present }))).body.data).toBe(4);
      expect((await get('/items/books/4?fields=title,pages')).data).toEqual({ title: 'late', pages: 401 });
      expect((await get(`/versions/${version}/compare`)).data).toMatchObject({ outdated: false, current: { id: 4 } });
    });

    it('promotes some of the fields and keeps the rest', async () => {
      const version = await world.draft(3, 'some');
      await expectOk(save(version, { title: 'kept', pages: 33 }));
      const { mainHash } = (await get(`/versions/${version}/compare`)).data;
      await expectOk(world.api.post(`/versions/${version}/promote`, { mainHash, fields: ['pages'] }));
      expect((await get('/items/books/3?fields=title,pages')).data).toEqual({ title: 'three', pages: 33 });
      expect((await get('/items/books/3?version=some&fields=title,pages')).data).toEqual({ title: 'kept', pages: 33 });
    });

    it('refuses writes that name a version, which would change the item itself', async () => {
      await expectUnchanged(world, async () => {
        for (const answer of [
          await world.api.patch('/items/books/1?version=draft', { title: 'x' }),
          await world.api.post('/items/books?version=draft', { id: 99, title: 'x' }),
          await world.api.patch('/items/books?version=draft', { keys: [1], data: { title: 'x' } }),
          await world.api.delete('/items/books/1?version=draft'),
        ])
          expect(codeOf(answer)).toBe('400 INVALID_QUERY');
        const written = await world.api.graphql(
          'mutation { update_items(collection: "books", keys: [1], data: {title: "x"}, query: {version: "draft"}) }',
          {},
          '/graphql/system',
        );
        expect(written.body.errors[0].extensions.code).toBe('INVALID_QUERY');
      });
    });

    it('says so when changes cannot be applied any more, without revealing values', async () => {
      const version = await world.draft(4, 'stale');
      await expectOk(save(version, { slug: 'taken-later' }));
      await expectOk(world.api.patch('/items/books/3', { slug: 'taken-later' }));
      for (const path of ['/items/books/4?version=stale', `/versions/${version}/compare`]) {
        const answer = await world.api.get(path);
        expect(codeOf(answer)).toBe('422 UNPROCESSABLE_CONTENT');
        expect(answer.text).not.toContain('taken-later');
      }
      expect((await expectOk(save(version, { slug: 'free' }))).body.data.slug).toBe('free');
    });

    it('drops the changes of fields that no longer exist, at any depth, and names them before a promotion', async () => {
      const field = (name: string) => ({ field: name, type: 'string', schema: {}, meta: {} });
      for (const collection of ['books', 'authors', 'reviews']) await expectOk(world.api.post(`/fields/${collection}`, field('passing')));
      const version = await world.draft(2, 'lossy');
      const changes = {
        title: 'stays',
        passing: 'goes',
        author: { id: 1, secret: 'ada-secret', passing: 'goes' },
        reviews: { create: [{ body: 'stays', passing: 'goes' }, { body: 'too' }], update: [{ id: 3, passing: 'goes' }], delete: [] },
      };
      await expectOk(save(version, changes));
      for (const collection of ['books', 'authors', 'reviews']) await expectOk(world.api.delete(`/fields/${collection}/passing`));
      const fields = 'title,author.name,reviews.body';
      const left = { title: 'stays', author: { name: 'Ada' }, reviews: [{ body: 'elsewhere' }, { body: 'stays' }, { body: 'too' }] };
      expect((await get(`/items/books/2?version=lossy&fields=${fields}`)).data).toEqual(left);
      expect((await get(`/items/books?version=lossy&fields=${fields},$meta`)).data).toEqual([{ ...left, $meta: { version_id: version } }]);
      const { books_by_id } = await graphql('{ books_by_id(id: 2, version: "lossy") { title author { name } reviews { body } } }');
      expect(books_by_id).toEqual(left);
      const compared = (await get(`/versions/${version}/compare`)).data;
      // MySQL sorts the members of a stored object.
      expect(compared.lost.toSorted()).toEqual(['author.passing', 'passing', 'reviews.passing']);
      const reader = await makePerson(world, [
        {
          permissions: [
            { collection: 'service_versions', action: 'read' },
            { collection: 'books', action: 'read' },
            { collection: 'authors', action: 'read', fields: ['id', 'name'] },
          ],
        },
      ]);
      expect((await expectOk(reader.api.get(`/versions/${version}/compare`))).body.data.lost).toEqual(['passing']);
      await expectOk(save(version, { pages: 222 }));
      expect((await get(`/versions/${version}/compare`)).data.lost).toEqual(compared.lost);
      await expectOk(world.api.post(`/versions/${version}/promote`, { mainHash: compared.mainHash }));
      expect((await get(`/items/books/2?fields=pages,${fields}`)).data).toEqual({ pages: 222, ...left });
      expect((await get(`/versions/${version}/compare`)).data).not.toHaveProperty('lost');
    });

    it('refuses to promote a version of which nothing is left', async () => {
      await expectOk(world.api.post('/fields/books', { field: 'passing', type: 'string', schema: {}, meta: {} }));
      const version = await world.draft(3, 'empty');
      await expectOk(save(version, { passing: 'goes' }));
      await expectOk(world.api.delete('/fields/books/passing'));
      const { mainHash, current, lost } = (await get(`/versions/${version}/compare`)).data;
      expect([current, lost]).toEqual([{ id: 3 }, ['passing']]);
      expect(codeOf(await world.api.post(`/versions/${version}/promote`, { mainHash }))).toBe('422 UNPROCESSABLE_CONTENT');
    });

    it('is refused exactly as the write would be, and changes nothing', async () => {
      const editor = await makePerson(world, [
        {
          permissions: [
            { collection: 'service_versions', action: 'read' },
            { collection: 'service_versions', action: 'update' },
            { collection: 'books', action: 'read' },
            {
              collection: 'books',
              action: 'update',
              fields: ['title', 'pages', 'slug', 'author', 'reviews'],
              validation: { pages: { _lt: 500 } },
            },
            { collection: 'authors', action: 'read', permissions: { name: { _eq: 'Ada' } } },
            { collection: 'authors', action: 'update', fields: ['name'], permissions: { id: { _eq: 1 } } },
            { collection: 'reviews', action: 'read' },
            { collection: 'reviews', action: 'create', fields: ['body'] },
          ],
        },
      ]);
      const version = await world.draft(1, 'refused');
      const refused: readonly object[] = [
        { code: 'not mine' },
        { nothing: 1 },
        { pages: 'many' },
        { pages: 501 },
        { title: 'x'.repeat(60) },
        { slug: 's2' },
        { author: 2 },
        { author: 777 },
        { author: { id: 2, name: 'x' } },
        { author: { id: 1, secret: 'x' } },
        { author: { name: 'new' } },
        { reviews: { create: [{ body: null }], update: [], delete: [] } },
        { reviews: { create: [{ body: 'x', shown: 1 }], update: [], delete: [] } },
        { reviews: { create: [], update: [], delete: [1] } },
        { id: 2 },
      ];
      await expectUnchanged(world, async () => {
        for (const changes of refused) {
          const [written, saved] = [
            await editor.api.patch('/items/books/1', changes),
            await editor.api.post(`/versions/${version}/save`, changes),
          ];
          expect(written.status).toBeGreaterThanOrEqual(400);
          expect([changes, codeOf(saved)]).toEqual([changes, codeOf(written)]);
          expect(saved.body).toEqual(written.body);
          const { body } = await editor.api.graphql(
            'mutation($id: ID!, $data: JSON!) { versions_save(id: $id, data: $data) }',
            { id: version, data: changes },
            '/graphql/system',
          );
          expect(body.errors[0].extensions.code).toBe(written.body.errors[0].extensions.code);
        }
      });
      const allowed = { pages: 12, author: { id: 1, name: 'Ada' }, reviews: { create: [{ body: 'x' }], update: [], delete: [] } };
      expect((await editor.api.post(`/versions/${version}/save`, allowed)).status).toBe(200);
    });
  });
});
