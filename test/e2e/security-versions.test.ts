// Attacks on content versions: payloads stored for a mightier hand, hidden fields and items in a delta, digests over hidden values.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { codeOf, makePerson, type PermissionSpec, type Person } from '../harness/people.js';
import { expectOk, startVersionWorld, type VersionWorld } from '../harness/version-world.js';

const versionRights: readonly PermissionSpec[] = [
  { collection: 'service_versions', action: 'read' },
  { collection: 'service_versions', action: 'create' },
  { collection: 'service_versions', action: 'update' },
];
const saving = 'mutation($id: ID!, $data: JSON!) { versions_save(id: $id, data: $data) }';

describeEachVendor('security of versions', (vendor) => {
  let world: VersionWorld;

  beforeAll(async () => {
    world = await startVersionWorld(vendor, 'sec_versions');
  });
  afterAll(() => world.stop());

  let keys = 0;
  const draft = (item: number) => {
    keys += 1;
    return world.draft(item, `k${keys}`);
  };
  const person = (permissions: readonly PermissionSpec[]) => makePerson(world, [{ permissions: [...versionRights, ...permissions] }]);
  const save = (api: Person['api'], version: string, changes: object) => api.post(`/versions/${version}/save`, changes);
  const promote = async (version: string, api = world.api) => {
    const { mainHash } = (await api.get(`/versions/${version}/compare`)).body.data;
    return api.post(`/versions/${version}/promote`, { mainHash });
  };

  describe('H03: what a mightier caller promotes has no more than its author’s rights', () => {
    const ofUsers = (fields: readonly string[]): readonly PermissionSpec[] => [
      { collection: 'service_users', action: 'read' },
      { collection: 'service_users', action: 'update', fields },
      { collection: 'service_roles', action: 'read' },
      { collection: 'books', action: 'read' },
      { collection: 'books', action: 'update', fields: ['title', 'pages', 'owner'] },
    ];
    const adminRole = async (): Promise<string> => (await world.api.get('/users/me?fields=role')).body.data.role;
    const roleOf = async ({ id }: Person) => (await world.api.get(`/users/${id}?fields=role`)).body.data.role;

    it('an editor does not become administrator by a nested payload', async () => {
      const editor = await person(ofUsers(['first_name']));
      const version = await draft(1);
      const data = { owner: { id: editor.id, role: await adminRole() } };
      await expectUnchanged(world, async () => {
        expect(codeOf(await save(editor.api, version, data))).toBe('403 FORBIDDEN');
        const { body } = await editor.api.graphql(saving, { id: version, data }, '/graphql/system');
        expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
      });
      expect(await roleOf(editor)).toBeNull();
    });

    it('rights lost after the save are lost for the promotion, even if another user saved meanwhile', async () => {
      const editor = await person(ofUsers(['first_name', 'role']));
      const version = await draft(1);
      await expectOk(save(editor.api, version, { owner: { id: editor.id, role: await adminRole() } }));
      await expectOk(save(world.api, version, { title: 'by the administrator' }));
      await expectOk(world.api.patch(`/policies/${editor.policies[0]}`, { permissions: [] }));
      await expectUnchanged(world, async () => expect(codeOf(await promote(version))).toBe('403 FORBIDDEN'));
      expect(await roleOf(editor)).toBeNull();
      const { mainHash } = (await world.api.get(`/versions/${version}/compare`)).body.data;
      await expectOk(world.api.post(`/versions/${version}/promote`, { mainHash, fields: ['title'] }));
    });

    it('nothing is promoted for an author who is gone or suspended', async () => {
      for (const end of [
        (editor: Person) => world.api.delete(`/users/${editor.id}`),
        (editor: Person) => world.api.patch(`/users/${editor.id}`, { status: 'suspended' }),
      ]) {
        const editor = await person([
          { collection: 'books', action: 'read' },
          { collection: 'books', action: 'update' },
        ]);
        const version = await draft(2);
        await expectOk(save(editor.api, version, { title: 'orphaned' }));
        await expectOk(end(editor));
        expect(codeOf(await promote(version))).toBe('422 UNPROCESSABLE_CONTENT');
        expect((await world.api.get('/items/books/2?fields=title')).body.data.title).toBe('two');
        await expectOk(save(world.api, version, { title: 'adopted' }));
        await expectOk(promote(version));
        await expectOk(world.api.patch('/items/books/2', { title: 'two' }));
      }
    });

    it('an administrator’s draft gives no rights to the user who promotes it', async () => {
      const lesser = await person([
        { collection: 'books', action: 'read' },
        { collection: 'books', action: 'update', fields: ['title'] },
      ]);
      const version = await draft(2);
      await expectOk(save(world.api, version, { title: 'x', pages: 1 }));
      const { mainHash } = (await lesser.api.get(`/versions/${version}/compare`)).body.data;
      await expectUnchanged(world, async () => {
        expect(codeOf(await lesser.api.post(`/versions/${version}/promote`, { mainHash }))).toBe('403 FORBIDDEN');
        expect(codeOf(await lesser.api.post(`/versions/${version}/promote`, { mainHash: 'wrong' }))).toBe('403 FORBIDDEN');
      });
      await expectOk(lesser.api.post(`/versions/${version}/promote`, { mainHash, fields: ['title'] }));
      const { data } = (await world.api.get('/activity?filter[collection][_eq]=books&sort=-id&limit=1&fields=user,action')).body;
      expect(data).toEqual([{ user: lesser.id, action: 'update' }]);
      await expectOk(world.api.patch('/items/books/2', { title: 'two' }));
    });

    it('what the promoter does not see stays in the version, and no answer reveals that it is there', async () => {
      const seen = ['id', 'title'];
      const editor = await person([
        { collection: 'books', action: 'read', fields: seen },
        { collection: 'books', action: 'update', fields: seen },
      ]);
      const [plain, mixed, hidden] = [await draft(1), await draft(1), await draft(1)];
      await expectOk(save(world.api, plain, { title: 'seen' }));
      await expectOk(save(world.api, mixed, { title: 'seen', pages: 4711 }));
      await expectOk(save(world.api, hidden, { pages: 4711 }));
      const wrong = { mainHash: 'not the hash' };
      const answers = await Promise.all([plain, mixed].map((id) => editor.api.post(`/versions/${id}/promote`, wrong)));
      expect(answers.map(codeOf)).toEqual(['422 VERSION_HASH_MISMATCH', '422 VERSION_HASH_MISMATCH']);
      expect(answers[0]?.text).toBe(answers[1]?.text);
      expect(codeOf(await promote(hidden, editor.api))).toBe('422 UNPROCESSABLE_CONTENT');
      await expectOk(promote(mixed, editor.api));
      const book = async () => (await world.api.get('/items/books/1?fields=title,pages')).body.data;
      expect(await book()).toMatchObject({ title: 'seen', pages: expect.not.toBeOneOf([4711]) });
      await expectOk(promote(mixed));
      expect(await book()).toEqual({ title: 'seen', pages: 4711 });
    });

    it('lists that the author sees in part are not emptied with the promoter’s eyes', async () => {
      const editor = await person([
        { collection: 'books', action: 'read' },
        { collection: 'books', action: 'update', fields: ['reviews'] },
        { collection: 'reviews', action: 'read', permissions: { shown: { _eq: 1 } } },
        { collection: 'reviews', action: 'update', permissions: { shown: { _eq: 1 } } },
      ]);
      const version = await draft(1);
      const saved = await save(editor.api, version, { reviews: [] });
      const direct = await editor.api.patch('/items/books/1', { reviews: [] });
      expect(codeOf(saved)).toBe(codeOf(direct));
      if (saved.status === 200) await expectOk(promote(version));
      expect((await world.api.get('/items/reviews/2?fields=book')).body.data.book).toBe(1);
      await expectOk(world.api.patch('/items/reviews/1', { book: 1 }));
    });

    it('no door can write a delta without the save operation', async () => {
      const version = await draft(3);
      const delta = { title: 'past' };
      await expectUnchanged(world, async () => {
        for (const answer of [
          await world.api.patch(`/versions/${version}`, { delta }),
          await world.api.patch('/versions', [{ id: version, delta }]),
          await world.api.patch(`/items/service_versions/${version}`, { delta }),
          await world.api.post('/versions', { collection: 'books', item: '3', key: 'past', name: 'past', delta }),
          await world.api.patch(`/versions/${version}`, { authors: { title: 'x' } }),
          await world.api.graphql(
            'mutation($id: ID!) { update_versions_item(id: $id, data: {delta: {title: "x"}}) { id } }',
            { id: version },
            '/graphql/system',
          ),
          await world.api.graphql(
            'mutation { create_versions_item(data: {collection: "books", item: "3", key: "past", delta: {title: "x"}}) { id } }',
            {},
            '/graphql/system',
          ),
        ])
          expect(answer.body.errors.length).toBeGreaterThan(0);
      });
      expect(codeOf(await save(world.as(null), version, { title: 'public' }))).toBe('403 FORBIDDEN');
    });

    it('secrets are kept in no version, at any depth', async () => {
      const me = (await world.api.get('/users/me?fields=id')).body.data.id;
      const version = await draft(3);
      await expectUnchanged(world, async () =>
        expect(codeOf(await save(world.api, version, { owner: { id: me, password: 'a-new-password' } }))).toBe('400 INVALID_PAYLOAD'),
      );
    });
  });

  describe('H04: what is hidden stays hidden in a version', () => {
    let reader: Person;
    let version: string;
    const hidden = ['hidden code', 'hidden secret', 'hidden review', 'quite hidden', 'closed title', 'moved in'];

    beforeAll(async () => {
      reader = await person([
        {
          collection: 'books',
          action: 'read',
          fields: ['id', 'title', 'status', 'author', 'reviews'],
          permissions: { id: { _in: [1, 2, 3] } },
        },
        { collection: 'books', action: 'read', fields: ['code'], permissions: { status: { _eq: 'closed' } } },
        { collection: 'books', action: 'update', fields: ['title'] },
        { collection: 'authors', action: 'read', fields: ['id', 'name'], permissions: { id: { _eq: 1 } } },
        { collection: 'reviews', action: 'read', permissions: { shown: { _eq: 1 } } },
      ]);
      version = await draft(1);
      await expectOk(world.api.post('/items/reviews', { body: 'moved in', shown: 0, book: 4 }));
      const { id: moved } = (await world.api.get('/items/reviews?filter[body][_eq]=moved in')).body.data[0];
      await expectOk(
        save(world.api, version, {
          title: 'shown',
          status: 'closed',
          code: 'hidden code',
          author: { id: 2, name: 'hidden secret', secret: 'hidden secret' },
          reviews: {
            create: [
              { body: 'quite hidden', shown: 0 },
              { body: 'seen', shown: 1 },
            ],
            update: [
              { id: 2, shown: 1 },
              { id: moved, shown: 1 },
            ],
            delete: [],
          },
        }),
      );
      await expectOk(save(world.api, await world.draft(4, `k${keys}`), { title: 'closed title' }));
    });

    const key = () => `k${keys}`;

    it('by REST: items, lists, raw, compare, save and the version itself', async () => {
      for (const path of [
        `/items/books/1?version=${key()}`,
        `/items/books/1?version=${key()}&fields=*,reviews.*`,
        `/items/books/1?version=${key()}&versionRaw=true`,
        `/items/books?version=${key()}&fields=*.*`,
        `/items/books?version=${key()}&export=json`,
        `/items/books?version=${key()}&aggregate[max]=code,title`,
        `/versions/${version}/compare`,
        `/versions/${version}`,
        '/versions',
        `/items/service_versions/${version}`,
      ]) {
        const { text } = await reader.api.get(path);
        for (const value of hidden) expect([path, text.includes(value)]).toEqual([path, false]);
      }
      const { data } = (await expectOk(reader.api.get(`/items/books/1?version=${key()}&fields=title,code,author.*,reviews.body`))).body;
      expect(data).toEqual({ title: 'shown', code: null, author: null, reviews: [{ body: 'fine' }, { body: 'seen' }] });
      expect((await reader.api.get(`/items/books?version=${key()}&fields=id`)).body.data).toEqual([{ id: 1 }]);
      expect((await reader.api.get(`/items/books?version=${key()}&fields=id&filter[code][_eq]=hidden code`)).body.data).toEqual([]);
      expect(codeOf(await reader.api.get(`/items/books/4?version=${key()}`))).toBe('403 FORBIDDEN');
      const saved = await expectOk(save(reader.api, version, { title: 'shown' }));
      for (const value of hidden) expect(saved.text).not.toContain(value);
      expect(saved.body.data).toMatchObject({ id: 1, title: 'shown', code: null });
    });

    it('by GraphQL: items, raw, compare and save', async () => {
      const ask = async (query: string, variables: object = {}, path: '/graphql' | '/graphql/system' = '/graphql') => {
        const { text, body } = await reader.api.graphql(query, variables, path);
        for (const value of hidden) expect(text).not.toContain(value);
        return body.data;
      };
      const { laid, raw } = await ask(
        `{ laid: books_by_id(id: 1, version: "${key()}") { title code author { name } reviews { body } }
          raw: books_by_version(id: 1, version: "${key()}") { title code author reviews } }`,
      );
      expect(laid).toEqual({ title: 'shown', code: null, author: null, reviews: [{ body: 'fine' }, { body: 'seen' }] });
      expect(raw).toMatchObject({ title: 'shown', code: null });
      await ask('query($id: ID!) { versions_compare(id: $id) }', { id: version }, '/graphql/system');
      await ask('query($id: ID!) { versions_by_id(id: $id) { id delta hash } }', { id: version }, '/graphql/system');
      await ask(saving, { id: version, data: { title: 'shown' } }, '/graphql/system');
      await ask(
        'query($query: JSON) { items(collection: "books", query: $query) }',
        { query: { version: key(), fields: ['*.*'] } },
        '/graphql/system',
      );
    });

    it('raw changes of relations are shown only to callers who read all they may name', async () => {
      const rights = (reviews: object): readonly PermissionSpec[] => [
        { collection: 'books', action: 'read' },
        { collection: 'reviews', action: 'read', ...reviews },
      ];
      const [partial, fields] = [
        await person(rights({ permissions: { shown: { _eq: 1 } } })),
        await person(rights({ fields: ['id', 'body'] })),
      ];
      const drafted = await draft(2);
      const create = [{ body: 'quite hidden', shown: 0 }];
      await expectOk(save(world.api, drafted, { reviews: { create, update: [], delete: [] } }));
      const raw = `/items/books/2?version=k${keys}&versionRaw=true&fields=reviews`;
      const query = `{ books_by_version(id: 2, version: "k${keys}") { reviews } }`;
      expect((await world.api.get(raw)).body.data.reviews).toMatchObject({ create });
      const listed = '/items/books/2?fields=reviews';
      expect([(await partial.api.get(listed)).status, (await fields.api.get(listed)).status]).toEqual([200, 403]);
      for (const [{ api }, status] of [
        [partial, 200],
        // The list hangs on a field they may not read: naming it is refused, with a version or without one.
        [fields, 403],
      ] as const) {
        const [named, compared, document] = [await api.get(raw), await api.get(`/versions/${drafted}/compare`), await api.graphql(query)];
        expect([named.status, compared.status, document.status]).toEqual([status, 200, 200]);
        for (const { text } of [named, compared, document]) expect(text).not.toMatch(/quite hidden|shown/);
        expect('reviews' in compared.body.data.current).toBe(status === 200);
      }
    });

    it('rules that look through relations do not open items by a draft', async () => {
      const through = await person([
        { collection: 'books', action: 'read', permissions: { author: { name: { _eq: 'Open' } } } },
        { collection: 'authors', action: 'read' },
        { collection: 'tags', action: 'read' },
      ]);
      await expectOk(world.api.post('/items/authors', { id: 9, name: 'Open', secret: 's' }));
      await expectOk(world.api.post('/items/books', { id: 9, title: 'open book', author: 9 }));
      const drafted = await draft(9);
      await expectOk(save(world.api, drafted, { title: 'still open', author: { id: 1, name: 'Open' } }));
      const { text, body } = await through.api.get(`/items/books/9?version=k${keys}&fields=title,author.books.title`);
      expect(text).not.toContain('two');
      expect([body.data?.title, body.errors?.[0]?.extensions.code]).toEqual(['still open', undefined]);
    });

    it('H09: a version of an item one may not read is refused like one of no item', async () => {
      const make = (item: string) => reader.api.post('/versions', { collection: 'books', item, key: 'mine', name: 'mine' });
      const [closed, missing] = [await make('4'), await make('4711')];
      expect([closed.status, closed.body]).toEqual([403, missing.body]);
    });
  });

  describe('H05: digests reveal nothing of what is hidden', () => {
    it('the hash is keyed, over what its caller may read, and so is “outdated”', async () => {
      const reader = await person([
        { collection: 'books', action: 'read', fields: ['id', 'title'] },
        { collection: 'books', action: 'update', fields: ['title'] },
      ]);
      const version = await draft(3);
      await expectOk(save(reader.api, version, { title: 'changed' }));
      const compare = async () => (await expectOk(reader.api.get(`/versions/${version}/compare`))).body.data;
      const before = await compare();
      await expectOk(world.api.patch('/items/books/3', { code: 'another', pages: 999 }));
      expect(await compare()).toEqual(before);
      expect(before.outdated).toBe(false);
      expect((await world.api.get(`/versions/${version}/compare`)).body.data).toMatchObject({ outdated: true });
      await expectOk(world.api.patch('/items/books/3', { title: 'moved on' }));
      const after = await compare();
      expect([after.outdated, after.mainHash === before.mainHash]).toEqual([true, false]);
      const texts = [JSON.stringify(after.main), JSON.stringify(['books', '3', JSON.stringify(after.main)])];
      for (const text of texts) expect(createHash('sha256').update(text).digest('hex')).not.toBe(after.mainHash);
      const row = (await reader.api.get(`/versions/${version}`)).body.data;
      expect([row.hash, row.delta]).toEqual([null, null]);
    });
  });
});
