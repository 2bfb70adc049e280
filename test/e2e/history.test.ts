// Activity and revisions over HTTP on every vendor: written with the write they record, in bulk, and never with what is concealed.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createService } from '../../src/tain.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makeUser } from '../harness/make-user.js';
import { patientConfig } from '../harness/patience.js';
import { makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { isMysqlProduct } from '../harness/vendors.js';

const integerKey = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };

describeEachVendor('history', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'history' });
    const { api } = service;
    await api.post('/collections', {
      collection: 'authors',
      schema: {},
      meta: { versioning: true },
      fields: [
        integerKey,
        { field: 'name', type: 'string', schema: { is_unique: true } },
        { field: 'pin', type: 'hash', meta: { special: ['hash', 'conceal'] } },
      ],
    });
    await api.post('/collections', {
      collection: 'books',
      schema: {},
      meta: {},
      fields: [integerKey, { field: 'title', type: 'string', schema: { is_nullable: false } }, { field: 'author', type: 'integer' }],
    });
    await api.post('/relations', {
      collection: 'books',
      field: 'author',
      related_collection: 'authors',
      schema: {},
      meta: { one_field: 'books' },
    });
    await api.post('/collections', { collection: 'quiet', schema: {}, meta: { accountability: null }, fields: [integerKey] });
    await api.post('/collections', { collection: 'brief', schema: {}, meta: { accountability: 'activity' }, fields: [integerKey] });
  });

  afterAll(() => service.stop());

  it('tells who asks which revisions a write has made: all of them, or nothing to those who may not read one', async () => {
    const asks = { prefer: 'revisions' };
    const told = ({ headers }: { readonly headers: Headers }) => [headers.get('preference-applied'), headers.get('x-revisions')];
    const keysOf = (text: string | null = null): readonly number[] =>
      (text ?? '').split(', ').flatMap((range) => {
        const [from = 0, to = from] = range.split('-').map(Number);
        return Array.from({ length: to - from + 1 }, (_, index) => from + index);
      });
    const { api } = service;
    const nested = { name: 'told', books: [{ title: 'told a' }, { title: 'told b' }] };
    const [made, beside] = await Promise.all([api.post('/items/authors', nested, asks), api.post('/items/authors', { name: 'beside' })]);
    const { id, books } = made.body.data;
    const [applied, ranges] = told(made);
    const own = [...(await revisions('authors', id)), ...(await revisions('books', books[0])), ...(await revisions('books', books[1]))];
    expect([applied, [...keysOf(ranges)]]).toEqual(['revisions', own.map((each: { id: number }) => each.id).toSorted((a, b) => a - b)]);
    expect(told(beside)).toEqual([null, null]);

    const changed = await api.patch(`/items/authors/${id}`, { name: 'told again' }, asks);
    expect(keysOf(told(changed)[1])).toEqual([(await revisions('authors', id))[1].id]);
    expect(told(await api.patch(`/items/authors/${id}`, { name: 'told again' }, asks))).toEqual(['revisions', '']);
    const operations = [{ method: 'DELETE', path: `/items/books/${books[0]}` }];
    const batch = await api.post('/batch', { operations }, asks);
    expect(keysOf(told(batch)[1])).toEqual([(await revisions('books', books[0]))[1].id]);
    const many = await api.post(
      '/items/books',
      Array.from({ length: 300 }, (_, index) => ({ title: `told ${index}` })),
      asks,
    );
    expect(keysOf(told(many)[1])).toHaveLength(300);
    const [, other] = books;
    const dry = { operations: [{ method: 'DELETE', path: `/items/books/${other}` }], dry_run: true };
    expect(told(await api.post('/batch', dry, asks))[1] ?? '').toBe('');

    // The first answer is repeated without its revisions, and a refused write has none.
    const keyed = { ...asks, 'idempotency-key': 'told once' };
    expect(told(await api.patch(`/items/authors/${id}`, { name: 'told last' }, keyed))[0]).toBe('revisions');
    expect(told(await api.patch(`/items/authors/${id}`, { name: 'told last' }, keyed))).toEqual([null, null]);
    expect(told(await api.post('/items/books', { title: null }, asks))).toEqual([null, null]);

    const onBooks = (['create', 'read'] as const).map((action) => ({ collection: 'books', action }));
    const reads = (permissions: object) => ({ collection: 'service_revisions', action: 'read' as const, permissions });
    const [blind, half, whole] = await Promise.all(
      [[], [reads({ collection: { _eq: 'authors' } })], [reads({})]].map((more) =>
        makePerson(service, [{ permissions: [...onBooks, ...more] }]),
      ),
    );
    for (const person of [blind, half])
      expect(told(await (person as Person).api.post('/items/books', { title: 'by them' }, asks))).toEqual([null, null]);
    expect(told(await (whole as Person).api.post('/items/books', { title: 'by them' }, asks))[0]).toBe('revisions');
  });

  const revisions = async (collection: string, item: unknown) =>
    (
      await service.api.get(
        `/revisions?filter[collection][_eq]=${collection}&filter[item][_eq]=${item}&sort=id&fields=id,data,delta,parent`,
      )
    ).body.data;

  it('records what nested writes made, with the revision of the item they stood in', async () => {
    const { body } = await service.api.post('/items/authors', [
      { name: 'one', books: [{ title: 'a' }, { title: 'b' }] },
      { name: 'two', books: [{ title: 'c' }] },
    ]);
    const [one, two] = body.data;
    const [oneRevision] = await revisions('authors', one.id);
    const [twoRevision] = await revisions('authors', two.id);
    expect(oneRevision).toMatchObject({ data: { name: 'one' }, delta: { name: 'one' }, parent: null });
    for (const book of one.books) expect((await revisions('books', book))[0]).toMatchObject({ parent: oneRevision.id });
    expect((await revisions('books', two.books[0]))[0]).toMatchObject({ data: { title: 'c', author: two.id }, parent: twoRevision.id });
  });

  it.each([3, 16, 17, 60, 250])(
    'records a new item with %i others below it, whose keys nobody knew when they were named',
    async (count) => {
      const books = Array.from({ length: count }, (_, index) => ({ title: `book ${count}.${index}` }));
      const { status, body } = await service.api.post('/items/authors?fields=id,books.id,books.title,books.author&deep[books][_limit]=-1', {
        name: `m${count}`,
        books,
      });
      expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
      const { id, books: made } = body.data;
      expect(made).toHaveLength(count);
      for (const book of made) expect(book.author).toBe(id);
      const [own] = await revisions('authors', id);
      const last = made.find((book: { readonly title: string }) => book.title === `book ${count}.${count - 1}`);
      expect(await revisions('books', last.id)).toMatchObject([{ data: { title: last.title, author: id }, parent: own.id }]);
    },
  );

  it('takes two more statements, for any number of items', async () => {
    // The service looks for changes by itself now and then: the least of some tries is the request's own number.
    const least = async (act: (round: number) => Promise<unknown>): Promise<number> => {
      const counts: number[] = [];
      for (const round of [1, 2, 3, 4, 5, 6]) counts.push(await service.countStatements(() => act(round)));
      return Math.min(...counts);
    };
    const items = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({ name: `${name}-${index}`, books: [{ title: 't' }] }));
    const few = await least((round) => service.api.post('/items/authors', items(2, `few-${round}`)));
    const many = await least((round) => service.api.post('/items/authors', items(40, `many-${round}`)));
    expect(many).toBe(few);
    const silent = await least(() => service.api.post('/items/quiet', [{}, {}]));
    // MySQL has no RETURNING: it is asked for a key that only the history needs.
    const asked = isMysqlProduct(vendor) ? 1 : 0;
    expect((await least(() => service.api.post('/items/brief', [{}, {}]))) - silent).toBe(1 + asked);
    expect((await least(() => service.api.post('/items/books', [{ title: 'a' }, { title: 'b' }]))) - silent).toBe(2 + asked);
  });

  it('has no revision of an update that left the item as it was, and one of every other', async () => {
    const stamped = { field: 'seen', type: 'timestamp', meta: { special: ['date-updated'] } };
    await service.api.post('/collections', {
      collection: 'notes',
      schema: {},
      meta: {},
      fields: [
        integerKey,
        { field: 'text', type: 'string' },
        { field: 'list', type: 'json', meta: { special: ['cast-json'] } },
        { field: 'amount', type: 'decimal', schema: { numeric_precision: 8, numeric_scale: 2 } },
        { field: 'pin', type: 'string', meta: { special: ['conceal'] } },
        stamped,
      ],
    });
    const make = async (text: string) =>
      (await service.api.post('/items/notes', { text, list: [1, { a: null }], amount: '1.50' })).body.data.id as number;
    const [id, other] = [await make('one'), await make('two')];
    const deltas = async (item: number) =>
      (await revisions('notes', item)).map(({ delta }: { readonly delta: Readonly<Record<string, unknown>> }) =>
        Object.keys(delta).filter((name) => name !== 'seen'),
      );
    const created = await deltas(id);
    expect(created).toHaveLength(1);
    for (const body of [{ text: 'one' }, { list: [1, { a: null }] }, { amount: 1.5 }, { text: 'one', amount: '1.5' }, {}])
      expect((await service.api.patch(`/items/notes/${id}`, body)).status).toBe(200);
    expect(await deltas(id)).toEqual(created);
    // Who wrote is kept all the same.
    const acts = await service.api.get(`/activity?filter[collection][_eq]=notes&filter[item][_eq]=${id}&filter[action][_eq]=update`);
    expect(acts.body.data).toHaveLength(4);
    await service.api.patch('/items/notes', { keys: [id, other], data: { text: 'two' } });
    expect([await deltas(id), await deltas(other)]).toEqual([[...created, ['text']], created]);
    // Capitals count, and a concealed value is not compared.
    await service.api.patch(`/items/notes/${id}`, { text: 'Two' });
    await service.api.patch(`/items/notes/${id}`, { pin: 'x' });
    await service.api.patch(`/items/notes/${id}`, { pin: 'y' });
    expect(await deltas(id)).toEqual([...created, ['text'], ['text'], ['pin'], ['pin']]);
  });

  it('ends with the present state, however many change an item at once', async () => {
    const { id } = (await service.api.post('/items/books', { title: 'start' })).body.data;
    await Promise.all(Array.from({ length: 40 }, (_, index) => service.api.patch(`/items/books/${id}`, { title: index % 2 ? 'a' : 'b' })));
    const { title } = (await service.api.get(`/items/books/${id}`)).body.data;
    const titles = (await revisions('books', id)).map(({ data }: { readonly data: { readonly title: string } }) => data.title);
    expect(titles.at(-1)).toBe(title);
    // Each revision is a change.
    expect(titles.filter((each: string, index: number) => each === titles[index - 1])).toEqual([]);
  });

  it('has no parent for what was changed below an item that stayed as it was', async () => {
    const { body } = await service.api.post('/items/authors?fields=id,books', { name: 'stays', books: [{ title: 'before' }] });
    const { id, books } = body.data;
    await service.api.patch(`/items/authors/${id}`, { name: 'stays', books: [{ id: books[0], title: 'after' }] });
    expect(await revisions('authors', id)).toHaveLength(1);
    const [, changed] = await revisions('books', books[0]);
    expect(changed).toMatchObject({ delta: { title: 'after' }, parent: null });
  });

  it('respects the accountability of the collection', async () => {
    const [quiet, brief] = [await service.api.post('/items/quiet', {}), await service.api.post('/items/brief', {})];
    const activity = async (collection: string, id: unknown) =>
      (await service.api.get(`/activity?filter[collection][_eq]=${collection}&filter[item][_eq]=${id}`)).body.data.length;
    expect(await activity('quiet', quiet.body.data.id)).toBe(0);
    expect(await activity('brief', brief.body.data.id)).toBe(1);
    expect(await revisions('brief', brief.body.data.id)).toEqual([]);
  });

  it('leaves nothing of a refused write', async () => {
    const before = await service.checksums();
    const { status } = await service.api.post('/items/authors', { name: 'lost', books: [{ title: 'x' }, { title: null }] });
    expect(status).toBe(400);
    expect(await service.checksums()).toEqual(before);
  });

  it('records an update by the item as it became and what changed', async () => {
    const { id } = (await service.api.post('/items/authors', { name: 'before' })).body.data;
    await service.api.patch(`/items/authors/${id}`, { name: 'after' });
    await service.api.delete(`/items/authors/${id}`);
    const [, update] = await revisions('authors', id);
    expect(update).toMatchObject({ data: { id, name: 'after', pin: null }, delta: { name: 'after' } });
    const { data } = (await service.api.get(`/activity?filter[collection][_eq]=authors&filter[item][_eq]=${id}&sort=id&fields=action`))
      .body;
    expect(data).toEqual([{ action: 'create' }, { action: 'update' }, { action: 'delete' }]);
  });

  it('keeps what an update replaced, also of an item of which nothing is recorded yet', async () => {
    await service.sql("insert into authors (name) values ('found'), ('found too')");
    const { data: found } = (await service.api.get('/items/authors?filter[name][_starts_with]=found&sort=id&fields=id')).body;
    const keys = found.map(({ id }: { id: number }) => id);
    const previous = async (item: number) =>
      (await service.api.get(`/revisions?filter[collection][_eq]=authors&filter[item][_eq]=${item}&sort=id&fields=previous`)).body.data;
    await service.api.patch('/items/authors', [
      { id: keys[0], name: 'changed', pin: 'told to nobody' },
      { id: keys[1], books: [{ title: 'first' }], pin: 'or to somebody' },
    ]);
    await service.api.patch(`/items/authors/${keys[0]}`, { name: 'changed again', pin: 'another' });
    expect(await previous(keys[0])).toEqual([
      { previous: { name: 'found', pin: null } },
      { previous: { name: 'changed', pin: '**********' } },
    ]);
    expect(await previous(keys[1])).toEqual([{ previous: { pin: null } }]);
    const { data: made } = (await service.api.post('/items/authors', { name: 'made here' })).body;
    await service.api.delete(`/items/authors/${made.id}`);
    expect(await previous(made.id)).toEqual([{ previous: null }, { previous: null }]);
  });

  it('A19: concealed values are never stored in clear, nor as hashes', async () => {
    const { id } = (await service.api.post('/items/authors', { name: 'secret', pin: 'very-secret-pin' })).body.data;
    await service.api.patch(`/items/authors/${id}`, { pin: 'another-secret-pin' });
    for (const revision of await revisions('authors', id)) expect(revision.delta.pin).toBe('**********');
    await service.api.post('/users', { email: 'kept@example.com', password: 'plain-password', token: 'plain-static-token' });
    const stored = JSON.stringify(await service.sql('select * from service_revisions'));
    for (const text of ['very-secret-pin', 'another-secret-pin', 'plain-password', 'plain-static-token', '$argon2'])
      expect(stored).not.toContain(text);
  });

  it('A19: a reader of revisions sees values of wholly readable collections only', async () => {
    const { token } = await makeUser(service.api, 'reviser', [
      { collection: 'service_revisions', action: 'read' },
      { collection: 'authors', action: 'read', fields: ['id', 'name'] },
      { collection: 'books', action: 'read' },
    ]);
    const { body } = await service.as(token).get('/revisions?limit=-1&fields=collection,data,delta');
    const seen = (collection: string) => body.data.filter((row: { collection: string }) => row.collection === collection);
    expect(seen('authors').length).toBeGreaterThan(0);
    for (const row of seen('authors')) expect(row).toMatchObject({ data: null, delta: null });
    expect(seen('books').some((row: { data: unknown }) => row.data !== null)).toBe(true);
  });

  it('reverts to an earlier revision, which is a revision itself', async () => {
    const { id } = (await service.api.post('/items/authors', { name: 'first' })).body.data;
    await service.api.patch(`/items/authors/${id}`, { name: 'second' });
    const [first] = await revisions('authors', id);
    expect((await service.api.post(`/utils/revert/${first.id}`)).status).toBe(204);
    expect((await service.api.get(`/items/authors/${id}?fields=name`)).body.data.name).toBe('first');
    expect((await revisions('authors', id)).length).toBe(3);
  });

  it('keeps a deleted item in a revision, and restores it from there, by either door', async () => {
    const { id: author } = (await service.api.post('/items/authors', { name: 'of the lost', pin: 'lost-pin' })).body.data;
    const { data: books } = (
      await service.api.post('/items/books', [
        { title: 'lost', author },
        { title: 'found', author },
      ])
    ).body;
    await service.api.delete(
      '/items/books',
      books.map(({ id }: { id: number }) => id),
    );
    const reverts = [
      (revision: number) => service.api.post(`/utils/revert/${revision}`),
      (revision: number) =>
        service.api.graphql('mutation($id: ID!) { utils_revert(revision: $id) }', { id: String(revision) }, '/graphql/system'),
    ];
    for (const [index, { id, title }] of books.entries()) {
      const kept = (await revisions('books', id)).at(-1);
      expect(kept).toMatchObject({ data: { id, title, author }, delta: null });
      expect((await reverts[index]?.(kept.id))?.body?.errors).toBeUndefined();
      expect((await service.api.get(`/items/books/${id}`)).body.data).toEqual({ id, title, author });
      expect((await revisions('books', id)).at(-1)).toMatchObject({ data: { id, title }, delta: { id, title } });
    }
    const { id: next } = (await service.api.post('/items/books', { title: 'next' })).body.data;
    expect(books.map(({ id }: { id: number }) => id)).not.toContain(next);
  });

  it('restores a deleted item only with all the rights to create it', async () => {
    const { id } = (await service.api.post('/items/books', { title: 'guarded' })).body.data;
    await service.api.delete(`/items/books/${id}`);
    const revision = (await revisions('books', id)).at(-1).id;
    const whole = [
      { collection: 'service_revisions', action: 'read' },
      { collection: 'books', action: 'read' },
    ];
    const create = (more: object) => ({ collection: 'books', action: 'create', ...more });
    const before = await service.checksums();
    for (const [name, permissions] of [
      ['revert-none', [{ collection: 'service_revisions', action: 'read' }, create({})]],
      ['revert-read', whole],
      ['revert-some', [...whole, create({ fields: ['title'] })]],
      ['revert-rule', [...whole, create({ validation: { title: { _eq: 'other' } } })]],
    ] as const) {
      const { token } = await makeUser(service.api, name, permissions);
      expect([name, (await service.as(token).post(`/utils/revert/${revision}`)).status >= 400]).toEqual([name, true]);
    }
    expect((await service.checksums())['books']).toEqual(before['books']);
    const { token } = await makeUser(service.api, 'revert-whole', [...whole, create({})]);
    expect((await service.as(token).post(`/utils/revert/${revision}`)).status).toBe(204);
    expect((await service.as(token).post(`/utils/revert/${revision}`)).status).toBe(400);
  });

  describe('versions', () => {
    const draft = async (name: string): Promise<{ id: number; version: string }> => {
      const { id } = (await service.api.post('/items/authors', { name })).body.data;
      const made = await service.api.post('/versions', { collection: 'authors', item: String(id), key: 'draft', name: 'Draft' });
      return { id, version: made.body.data.id };
    };

    it('keeps parallel saves, shows them, and promotes them once', async () => {
      const { id, version } = await draft('versioned');
      await Promise.all([
        service.api.post(`/versions/${version}/save`, { name: 'new name' }),
        service.api.post(`/versions/${version}/save`, { books: { create: [{ title: 'by version' }], update: [], delete: [] } }),
      ]);
      expect((await service.api.get(`/items/authors/${id}?version=draft&fields=name`)).body.data).toEqual({ name: 'new name' });
      const { mainHash } = (await service.api.get(`/versions/${version}/compare`)).body.data;
      const answers = await Promise.all([1, 2, 3].map(() => service.api.post(`/versions/${version}/promote`, { mainHash })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
      const { body } = await service.api.get(`/items/authors/${id}?fields=name,books.title`);
      expect(body.data).toEqual({ name: 'new name', books: [{ title: 'by version' }] });
    });

    it('refuses a stale promotion and what is concealed', async () => {
      const { id, version } = await draft('stale');
      expect((await service.api.post(`/versions/${version}/save`, { pin: 'x' })).status).toBe(400);
      await service.api.post(`/versions/${version}/save`, { name: 'stale changed' });
      const { mainHash } = (await service.api.get(`/versions/${version}/compare`)).body.data;
      await service.api.patch(`/items/authors/${id}`, { name: 'moved on' });
      const late = await service.api.post(`/versions/${version}/promote`, { mainHash });
      expect([late.status, late.body.errors[0].extensions.code]).toEqual([422, 'VERSION_HASH_MISMATCH']);
    });

    it('A20: saving, comparing and promoting need the right', async () => {
      const { version } = await draft('guarded');
      await service.api.post(`/versions/${version}/save`, { name: 'guarded changed' });
      const { mainHash } = (await service.api.get(`/versions/${version}/compare`)).body.data;
      const reader = await makeUser(service.api, 'version-reader', [
        { collection: 'service_versions', action: 'read' },
        { collection: 'authors', action: 'read' },
      ]);
      for (const api of [service.as(null), service.as(reader.token)]) {
        expect((await api.post(`/versions/${version}/save`, { name: 'x' })).status).toBe(403);
        expect((await api.post(`/versions/${version}/promote`, { mainHash })).status).toBe(403);
      }
      expect((await service.as(null).get(`/versions/${version}/compare`)).status).toBe(403);
    });
  });

  describe('shares', () => {
    it('G05: a limited share admits exactly its number of visitors, also at once', async () => {
      const { id } = (await service.api.post('/items/authors', { name: 'shared' })).body.data;
      const share = (await service.api.post('/shares', { collection: 'authors', item: String(id), max_uses: 3 })).body.data.id;
      const answers = await Promise.all(Array.from({ length: 20 }, () => service.as(null).post('/shares/auth', { share })));
      expect(answers.filter(({ status }) => status === 200).length).toBe(3);
      expect(answers.filter(({ status }) => status === 401).length).toBe(17);
      expect((await service.api.get(`/shares/${share}?fields=times_used`)).body.data.times_used).toBe(3);
    });

    it('opens one item with the fields of its role, and nothing else', async () => {
      const { role } = await makeUser(service.api, 'share-role', [
        { collection: 'authors', action: 'read', fields: ['id', 'name'] },
        { collection: 'books', action: 'read' },
        { collection: 'authors', action: 'update' },
      ]);
      const { data } = (await service.api.post('/items/authors', [{ name: 'open' }, { name: 'closed' }])).body;
      const share = (await service.api.post('/shares', { collection: 'authors', item: String(data[0].id), role })).body.data.id;
      const opened = (await service.as(null).post('/shares/auth', { share })).body.data;
      const holder = service.as(opened.access_token);
      expect((await holder.get('/items/authors')).body.data).toEqual([{ id: data[0].id, name: 'open' }]);
      expect((await holder.get(`/items/authors/${data[1].id}`)).status).toBe(403);
      expect((await holder.get('/items/books')).status).toBe(403);
      expect((await holder.patch(`/items/authors/${data[0].id}`, { name: 'x' })).status).toBe(403);
      expect((await holder.get('/users/me')).body.data).toEqual({ share });
      // What describes the item, by both doors: its collection, and the fields of the role.
      const named = async (path: string) =>
        (await holder.get(path)).body.data.map(({ collection, field }: { collection: string; field?: string }) => field ?? collection);
      expect([await named('/collections'), await named('/fields'), await named('/relations')]).toEqual([['authors'], ['id', 'name'], []]);
      const query = '{ collections { collection } fields { field } relations { field } }';
      expect((await holder.post('/graphql/system', { query })).body.data).toEqual({
        collections: [{ collection: 'authors' }],
        fields: [{ field: 'id' }, { field: 'name' }],
        relations: [],
      });
      expect((await holder.get('/settings')).status).toBe(403);
      const renewed = await service.as(null).post('/auth/refresh', { refresh_token: opened.refresh_token });
      expect((await service.as(renewed.body.data.access_token).get('/items/authors')).body.data).toHaveLength(1);
      await service.api.delete(`/shares/${share}`);
      expect((await holder.get('/items/authors')).status).toBe(401);
    });

    it('B09: sharing needs the right, and is limited to the own role', async () => {
      const { token, role } = await makeUser(service.api, 'sharer', [
        { collection: 'authors', action: 'read' },
        { collection: 'authors', action: 'share', permissions: { name: { _eq: 'mine' } } },
        { collection: 'service_roles', action: 'read' },
        { collection: 'service_shares', action: 'create' },
        { collection: 'service_shares', action: 'read', permissions: { user_created: { _eq: '$CURRENT_USER' } } },
        { collection: 'service_shares', action: 'update' },
      ]);
      const foreign = (await service.api.post('/roles', { name: 'foreign' })).body.data.id;
      const { data } = (await service.api.post('/items/authors', [{ name: 'mine' }, { name: 'theirs' }])).body;
      const api = service.as(token);
      const make = (item: number, more: object) => api.post('/shares', { collection: 'authors', item: String(item), ...more });
      expect((await make(data[1].id, {})).status).toBe(403);
      expect((await make(data[0].id, { role: foreign })).status).toBe(403);
      const made = await make(data[0].id, { role });
      expect(made.status).toBe(200);
      const path = `/shares/${made.body.data.id}`;
      for (const change of [{ role: foreign }, { item: String(data[1].id) }, { times_used: 0 }])
        expect((await api.patch(path, change)).status).toBe(403);
      expect((await api.patch(path, { name: 'renamed' })).status).toBe(200);
      const invite = async (share: string) => (await api.post('/shares/invite', { share, emails: ['friend@example.com'] })).status;
      expect(await invite(made.body.data.id)).toBe(204);
      const theirs = (await service.api.post('/shares', { collection: 'authors', item: String(data[0].id) })).body.data.id;
      expect(await invite(theirs)).toBe(403);
    });
  });
});

describeEachVendor('history switched off', (vendor) => {
  it('records nothing', async () => {
    const service = await startService(vendor, { area: 'history_off', config: { history: false } });
    try {
      await service.api.post('/roles', { name: 'unrecorded' });
      expect((await service.api.get('/activity')).body.data).toEqual([]);
      expect((await service.api.get('/revisions')).body.data).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});

describeEachVendor('retention of history', (vendor) => {
  it('forgets what is older, with its revisions', async () => {
    const service = await startService(vendor, { area: 'retention', config: { historyRetention: null } });
    const sweeper = await createService({
      databaseUrl: service.databaseUrl,
      historyRetention: 3_600_000,
      logLevel: 'error',
      ...patientConfig,
    });
    try {
      const old = Array.from({ length: 1200 }, (_, index) => ({ name: `old ${index}` }));
      expect((await service.api.post('/roles', old)).status).toBe(200);
      await service.sql("update service_activity set timestamp = '2020-01-01 00:00:00'");
      const young = await service.api.post('/roles', { name: 'young' });
      await sweeper.ready();
      const items = async (path: string) => (await service.api.get(`${path}?fields=item`)).body.data;
      await expect.poll(() => items('/activity')).toEqual([{ item: young.body.data.id }]);
      expect(await items('/revisions')).toEqual([{ item: young.body.data.id }]);
    } finally {
      await sweeper.close();
      await service.stop();
    }
  });
});
