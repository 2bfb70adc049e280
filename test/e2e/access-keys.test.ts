// Access keys: several per person, with less than the person's rights, for every door; told once, and refused once they have ended.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createService } from '../../src/tain.js';
import { makeKey, signedIn, type TestKey } from '../harness/access-keys.js';
import { type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openEvents } from '../harness/event-source.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { endedRuns, makeFlow } from '../harness/flows.js';
import { leastStatements } from '../harness/least-statements.js';
import { patientConfig } from '../harness/patience.js';
import { codeOf, makePerson, makePolicy, type PermissionSpec, type Person } from '../harness/people.js';
import { openAs } from '../harness/socket-client.js';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50));
  insert into authors values (1, 'Ann'), (2, 'Bob');
  create table articles (id integer primary key, title varchar(50), status varchar(20), price integer, author integer references authors (id));
  insert into articles values (1, 'draft', 'draft', 10, 1), (2, 'out', 'published', 20, 2), (3, 'dear', 'published', 90, 1);
  create table notes (id integer primary key, text varchar(50));
`;

const every = (collection: string): readonly PermissionSpec[] =>
  (['create', 'read', 'update', 'delete'] as const).map((action) => ({ collection, action }));

describeEachVendor('access keys', (vendor) => {
  let service: TestService;
  let writer: Person;
  let own: Api;
  let admin: Api;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'access_keys', fixture, config: { trustProxy: true } });
    writer = await makePerson(service, [{ app_access: true, permissions: ['articles', 'authors', 'notes'].flatMap(every) }]);
    own = await signedIn(service, writer);
    admin = await signedIn(service, { email: adminEmail, password: adminPassword });
  });
  afterAll(() => service.stop());

  const key = (spec: Parameters<typeof makeKey>[2] = {}): Promise<TestKey> => makeKey(service, own, spec);
  const ids = async (api: Api): Promise<unknown> =>
    (await api.get('/items/articles?fields=id&sort=id')).body.data?.map(({ id }: { id: number }) => id);

  const lastUsed = async (id: string): Promise<string | null> =>
    (await own.get('/users/me/keys')).body.data.find((each: { id: string }) => each.id === id).last_used;

  it('tells a token once, and keeps a digest of it', async () => {
    const { id, token } = await key({ name: 'told once' });
    expect(token).toMatch(/^tain_[A-Za-z0-9]{43}$/);
    const shown = (await own.get('/users/me/keys')).body.data.find((each: { id: string }) => each.id === id);
    expect(shown).toMatchObject({
      name: 'told once',
      ending: token.slice(-4),
      write: false,
      policy: null,
      last_used: null,
      user: writer.id,
    });
    expect(shown).not.toHaveProperty('token');
    const [row] = await service.sql(`select digest from service_keys where id = '${id}'`);
    expect(row).toEqual({ digest: createHash('sha256').update(token).digest('hex') });
    expect((await own.patch(`/users/me/keys/${id}`, { name: 'another name' })).body.data).toMatchObject({ id, name: 'another name' });
  });

  it('serves what a static token serves, and notes when', async () => {
    const { id, token, api } = await key();
    expect(await ids(api)).toEqual([1, 2, 3]);
    expect((await service.as(null).get(`/items/articles/1?fields=id&access_token=${token}`)).body.data).toEqual({ id: 1 });
    expect((await api.graphql('{ articles(sort: "id") { id } }')).body.data.articles).toHaveLength(3);
    expect((await api.get('/users/me?fields=id')).body.data.id).toBe(writer.id);
    const socket = await openAs(service.url, token);
    const read = await socket.ask({ type: 'items', action: 'read', collection: 'articles', query: { fields: ['id'], sort: ['id'] } });
    expect(read.data).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    socket.close();
    await expect.poll(() => lastUsed(id)).toEqual(expect.any(String));
  });

  it('sends no statement more than a static token once it is known', async () => {
    const { id, api } = await key();
    await api.get('/items/articles');
    await writer.api.get('/items/articles');
    // Noting the use is a statement of its own, once a minute.
    await expect.poll(() => lastUsed(id)).toEqual(expect.any(String));
    const byToken = await leastStatements(service, () => writer.api.get('/items/articles'));
    expect(await leastStatements(service, () => api.get('/items/articles'))).toBe(byToken);
  });

  it('for reading only: writes nothing, by any door', async () => {
    const { id, token, api } = await key();
    const flow = await makeFlow(service, { trigger: 'webhook', options: { method: 'GET' } }, [
      { key: 'say', type: 'transform', options: { json: { said: 'hi' } } },
    ]);
    await api.get('/items/articles');
    await expect.poll(() => lastUsed(id)).toEqual(expect.any(String));
    const socket = await openAs(service.url, token);
    await expectUnchanged(service, async () => {
      const tries = [
        await api.post('/items/articles', { id: 9 }),
        await api.patch('/items/articles/1', { title: 'x' }),
        await api.patch('/items/articles', { query: { filter: {} }, data: { title: 'x' } }),
        await api.delete('/items/articles/1'),
        await api.patch('/users/me', { first_name: 'x' }),
        await api.patch('/users/me/track/page', { last_page: '/x' }),
        await api.post('/batch', { operations: [{ method: 'DELETE', path: '/items/articles/1' }] }),
        await api.post('/files', { title: 'x' }),
        await api.graphql('mutation { delete_articles_item(id: 1) { id } }'),
        await api.graphql('mutation { users_me_track_page(last_page: "/x") }', {}, '/graphql/system'),
        await api.get(`/flows/trigger/${flow.id}`),
      ];
      expect(tries.map(codeOf)).toEqual(tries.map(() => '403 FORBIDDEN'));
      const asked = await socket.ask({ type: 'items', action: 'update', collection: 'articles', key: 1, data: { title: 'x' } });
      expect(asked.error.code).toBe('FORBIDDEN');
    });
    socket.close();
    expect((await api.patch('/items/articles/1', { title: 'x' })).body.errors[0].extensions).toMatchObject({ refusal: 'reading_key' });
    expect((await service.as(null).get(`/flows/trigger/${flow.id}`)).status).toBe(200);
  });

  it('for reading only, of an administrator: changes no structure and no rights either', async () => {
    const { api } = await makeKey(service, admin);
    expect((await api.get('/users?fields=id')).status).toBe(200);
    const tries = [
      await api.post('/collections', { collection: 'made', schema: {} }),
      await api.patch('/fields/articles/title', { meta: { note: 'x' } }),
      await api.post('/policies', { name: 'x' }),
      await api.post('/utils/cache/clear'),
      await api.post('/schema/changes', { data: [] }),
      await api.graphql('mutation { utils_cache_clear }', {}, '/graphql/system'),
    ];
    expect(tries.map(codeOf)).toEqual(tries.map(() => '403 FORBIDDEN'));
  });

  describe('with a policy', () => {
    const published = { status: { _eq: 'published' } };
    let reader: Person;
    let readerNow: Api;
    let narrow: string;
    beforeAll(async () => {
      narrow = await makePolicy(service, {
        permissions: [
          { collection: 'articles', action: 'read', fields: ['id', 'price', 'title'], permissions: { price: { _gt: 50 } } },
          { collection: 'articles', action: 'update', fields: ['title', 'status'] },
          { collection: 'articles', action: 'create', fields: ['id', 'title'], validation: { title: { _starts_with: 'by key' } } },
          { collection: 'authors', action: 'read' },
        ],
      });
      const permissions: readonly PermissionSpec[] = [
        { collection: 'articles', action: 'read', fields: ['id', 'title', 'status'], permissions: published },
        { collection: 'articles', action: 'update', fields: ['title', 'price'], permissions: published },
        { collection: 'notes', action: 'read' },
      ];
      reader = await makePerson(service, [{ permissions }]);
      readerNow = await signedIn(service, reader);
    });

    /** The policy is the person's own while the key is made, and the key's alone from then on. */
    const narrowed = async (write = false): Promise<TestKey> => {
      const { id } = (await service.api.post('/access', { user: reader.id, policy: narrow })).body.data;
      const fresh = await makeKey(service, readerNow, { policy: narrow, write });
      await service.api.delete(`/access/${id}`);
      return fresh;
    };

    it('sees items and fields that both the person and the policy open', async () => {
      const { api } = await narrowed();
      expect((await api.get('/items/articles')).body.data).toEqual([{ id: 3, title: 'dear' }]);
      expect(codeOf(await api.get('/items/articles/2'))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.get('/items/articles/1'))).toBe('403 FORBIDDEN');
      for (const field of ['status', 'price']) {
        expect(codeOf(await api.get(`/items/articles?fields=${field}`))).toBe('403 FORBIDDEN');
        expect(codeOf(await api.get(`/items/articles?filter[${field}][_nnull]=true`))).toBe('403 FORBIDDEN');
        expect(codeOf(await api.get(`/items/articles?sort=${field}`))).toBe('403 FORBIDDEN');
      }
      expect((await api.get('/items/articles?aggregate[count]=*')).body.data).toEqual([{ count: 1 }]);
      for (const collection of ['authors', 'notes']) expect(codeOf(await api.get(`/items/${collection}`))).toBe('403 FORBIDDEN');
      expect((await api.graphql('{ articles { id title } }')).body.data.articles).toEqual([{ id: '3', title: 'dear' }]);
      expect((await api.graphql('{ articles { price } }')).body.errors).toHaveLength(1);
      expect(Object.keys((await api.get('/permissions/me')).body.data)).toEqual(['articles']);
    });

    it('writes what both let it write', async () => {
      const { api } = await narrowed(true);
      expect((await api.patch('/items/articles/3', { title: 'by key' })).status).toBe(200);
      expect(codeOf(await api.patch('/items/articles/3', { price: 1 }))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.patch('/items/articles/3', { status: 'draft' }))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.patch('/items/articles/1', { title: 'x' }))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.post('/items/articles', { id: 8, title: 'by key' }))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.delete('/items/articles/3'))).toBe('403 FORBIDDEN');
      await service.api.patch('/items/articles/3', { title: 'dear' });
    });

    it('of an administrator: exactly the policy, by REST and by GraphQL', async () => {
      const { api } = await makeKey(service, admin, { policy: narrow, write: true });
      const like = await makePerson(service, []);
      await service.api.post('/access', { user: like.id, policy: narrow });
      const paths = [
        '/items/articles',
        '/items/articles/2',
        '/items/articles?fields=status',
        '/items/articles?fields=id,author.name',
        '/items/authors',
        '/items/notes',
        '/users',
        '/policies',
        '/collections',
        '/fields/articles',
        '/permissions/me',
        '/policies/me/globals',
        '/metrics',
        '/nowhere',
      ];
      for (const path of paths) {
        const [mine, theirs] = [await api.get(path), await like.api.get(path)];
        expect([path, mine.status, mine.text]).toEqual([path, theirs.status, theirs.text]);
      }
      for (const document of ['{ articles { id title price } }', '{ articles { status } }', '{ authors { name } }'])
        expect((await api.graphql(document)).text).toBe((await like.api.graphql(document)).text);
      expect(codeOf(await api.post('/collections', { collection: 'made', schema: {} }))).toBe('403 FORBIDDEN');
      expect(codeOf(await api.post('/items/articles', { id: 8, title: 'no' }))).toBe('400 FAILED_VALIDATION');
      expect((await api.post('/items/articles', { id: 8, title: 'by key 8' })).status).toBe(204);
      await service.api.delete('/items/articles/8');
    });

    it('ends with its policy', async () => {
      const policy = await makePolicy(service, { permissions: [{ collection: 'notes', action: 'read' }] });
      const { api } = await makeKey(service, admin, { policy });
      expect((await api.get('/items/notes')).status).toBe(200);
      await service.api.delete(`/policies/${policy}`);
      expect((await api.get('/items/notes')).status).toBe(401);
    });

    it('names a policy that its maker has or may read', async () => {
      const other = await makePolicy(service, {});
      expect(codeOf(await own.post('/users/me/keys', { name: 'x', policy: other }))).toBe('403 FORBIDDEN');
      expect(codeOf(await admin.post('/users/me/keys', { name: 'x', policy: '00000000-0000-4000-8000-000000000000' }))).toBe(
        '403 FORBIDDEN',
      );
      const malformed = await admin.post('/users/me/keys', { name: 'x', policy: 'none' });
      expect([malformed.status, malformed.body.errors[0].message]).toEqual([400, expect.stringContaining('"policy" has to be a UUID')]);
    });
  });

  it('with collections: nothing outside of them, and no account either', async () => {
    const { api } = await key({ collections: ['articles'], write: true });
    expect(await ids(api)).toEqual([1, 2, 3]);
    expect((await api.patch('/items/articles/2', { title: 'out' })).status).toBe(200);
    for (const path of ['/items/authors', '/items/notes', '/items/articles?fields=author.name', '/users'])
      expect([path, codeOf(await api.get(path))]).toEqual([path, '403 FORBIDDEN']);
    expect(codeOf(await own.post('/users/me/keys', { name: 'x', collections: ['nowhere'] }))).toBe('403 FORBIDDEN');
    const bounded = await makeKey(service, admin, { collections: ['articles'], write: true });
    expect(await ids(bounded.api)).toEqual([1, 2, 3]);
    expect(codeOf(await bounded.api.get('/users'))).toBe('403 FORBIDDEN');
    expect(codeOf(await bounded.api.post('/collections', { collection: 'made', schema: {} }))).toBe('403 FORBIDDEN');
  });

  it('with addresses: from there only', async () => {
    const { api } = await key({ addresses: ['10.1.0.0/16', '192.0.2.7'] });
    const from = async (address: string): Promise<string> => codeOf(await api.get('/items/articles', { 'x-forwarded-for': address }));
    expect(await from('10.1.2.3')).toBe('200');
    expect(await from('192.0.2.7')).toBe('200');
    expect(await from('10.2.0.1')).toBe('401 INVALID_IP');
    expect(await from('10.1.2.3')).toBe('200');
    expect(codeOf(await own.post('/users/me/keys', { name: 'x', addresses: ['10.1.0.0/99'] }))).toBe('400 INVALID_PAYLOAD');
  });

  it('expires, and what it has open ends', async () => {
    const { token, api } = await key({ expires: new Date(Date.now() + 2_000).toISOString() });
    expect((await api.get('/items/articles')).status).toBe(200);
    const socket = await openAs(service.url, token);
    await socket.ask({ type: 'subscribe', collection: 'articles' });
    const events = await openEvents(`${service.url}/items/articles`, { authorization: `Bearer ${token}` });
    await events.next('init');
    await socket.next(({ error }) => error?.code === 'TOKEN_EXPIRED');
    await events.ended;
    expect((await api.get('/items/articles')).status).toBe(401);
    socket.close();
    expect(codeOf(await own.post('/users/me/keys', { name: 'x', expires: '2020-01-01T00:00:00Z' }))).toBe('400 INVALID_PAYLOAD');
    expect(codeOf(await own.post('/users/me/keys', { name: 'x', expires: 'tomorrow' }))).toBe('400 INVALID_PAYLOAD');
  });

  it('revoked: refused at once here and within a second elsewhere, and what it has open ends', async () => {
    const { id, token, api } = await key();
    const other = await createService({ databaseUrl: service.databaseUrl, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig });
    try {
      const elsewhere = makeApi(await other.listen(), token);
      await other.ready();
      expect([await ids(api), await ids(elsewhere)]).toEqual([
        [1, 2, 3],
        [1, 2, 3],
      ]);
      const socket = await openAs(service.url, token);
      await socket.ask({ type: 'subscribe', collection: 'articles' });
      const events = await openEvents(`${service.url}/items/articles`, { authorization: `Bearer ${token}` });
      await events.next('init');
      expect((await own.delete(`/users/me/keys/${id}`)).status).toBe(204);
      const revoked = performance.now();
      expect((await api.get('/items/articles')).status).toBe(401);
      await expect.poll(async () => (await elsewhere.get('/items/articles')).status, { interval: 20, timeout: 10_000 }).toBe(401);
      // A second, and another for a busy machine.
      expect(performance.now() - revoked).toBeLessThan(2_000);
      await socket.next(({ error }) => error?.code === 'TOKEN_EXPIRED');
      await events.ended;
      socket.close();
    } finally {
      await other.close();
    }
  });

  it('ends with its user, and rests while the user is suspended', async () => {
    const person = await makePerson(service, [{ permissions: every('notes') }]);
    const { api } = await makeKey(service, await signedIn(service, person));
    expect((await api.get('/items/notes')).status).toBe(200);
    await service.api.patch(`/users/${person.id}`, { status: 'suspended' });
    expect((await api.get('/items/notes')).status).toBe(401);
    await service.api.patch(`/users/${person.id}`, { status: 'active' });
    expect((await api.get('/items/notes')).status).toBe(200);
    await service.api.delete(`/users/${person.id}`);
    expect((await api.get('/items/notes')).status).toBe(401);
    expect(
      await service.sql(`select id from service_keys where ${vendor.name === 'mysql' ? '`user`' : '"user"'} = '${person.id}'`),
    ).toEqual([]);
  });

  it('foreign and malformed keys are refused alike', async () => {
    const { token } = await key();
    const others = [
      `tain_${'a'.repeat(43)}`,
      token.slice(0, -1),
      `${token}a`,
      token.toLowerCase(),
      token.toUpperCase(),
      token.replace('tain_', ''),
      `tain_${token}`,
      'tain_',
      `${token.slice(0, -2)}%00`,
      createHash('sha256').update(token).digest('hex'),
    ];
    const [first = '', ...rest] = await Promise.all(others.map(async (other) => (await service.as(other).get('/items/articles')).text));
    expect(JSON.parse(first).errors[0].extensions.code).toBe('INVALID_CREDENTIALS');
    for (const text of rest) expect(text).toBe(first);
    expect(codeOf(await service.api.patch(`/users/${writer.id}`, { token }))).toBe('400 INVALID_PAYLOAD');
  });

  it('opens no other way into the account', async () => {
    const { id, api } = await key({ write: true });
    const tries = [
      await api.get('/users/me/keys'),
      await api.post('/users/me/keys', { name: 'another', password: writer.password }),
      await api.patch(`/users/me/keys/${id}`, { name: 'x' }),
      await api.delete(`/users/me/keys/${id}`),
      await api.get('/users/me/sessions'),
      await api.post('/users/me/sessions/end', { keep: false }),
      await api.post('/users/me/tfa/generate', { password: writer.password }),
      await api.post('/users/me/passkeys/options', { password: writer.password }),
    ];
    expect(tries.map(codeOf)).toEqual(tries.map(() => '403 FORBIDDEN'));
    expect(tries[1]?.body.errors[0].extensions.refusal).toBe('not_by_key');
    const ofAdmin = await makeKey(service, admin, { write: true });
    const me = (await service.api.get('/users/me?fields=id')).body.data.id;
    for (const ways of ['sessions', 'passkeys', 'identities', 'keys'])
      expect([ways, codeOf(await ofAdmin.api.get(`/users/${me}/${ways}`))]).toEqual([ways, '403 FORBIDDEN']);
    expect((await ofAdmin.api.patch('/users/me', { first_name: 'Ad' })).status).toBe(200);
    for (const change of [{ password: 'another one' }, { email: 'x@example.com' }, { token: 'another-token' }, { provider: 'x' }])
      for (const path of ['/users/me', `/users/${me}`, `/users/${me.toUpperCase()}`])
        expect([path, change, codeOf(await ofAdmin.api.patch(path, change))]).toEqual([path, change, '403 FORBIDDEN']);
    expect((await service.as(null).post('/auth/login', { email: adminEmail, password: adminPassword })).status).toBe(200);
  });

  it('needs the password where the login is not recent', async () => {
    const ask = { name: 'x' };
    expect((await writer.api.post('/users/me/keys', ask)).body.errors[0].extensions.refusal).toBe('prove_owner');
    expect(codeOf(await writer.api.post('/users/me/keys', { ...ask, password: 'wrong' }))).toBe('401 INVALID_CREDENTIALS');
    expect((await writer.api.post('/users/me/keys', { ...ask, password: writer.password })).status).toBe(200);
  });

  it('a person has fifty at most, also when they are asked for at once', async () => {
    const person = await makePerson(service, []);
    const now = await signedIn(service, person);
    const answers = await Promise.all(Array.from({ length: 55 }, () => now.post('/users/me/keys', { name: 'one of many' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(codeOf(answer)).toBe('422 UNPROCESSABLE_CONTENT');
    expect((await now.get('/users/me/keys')).body.data).toHaveLength(50);
  });

  it('are seen and revoked by administrators, and by nobody else', async () => {
    const { id, api } = await key({ name: 'to be revoked' });
    const all = (await service.api.get('/users/keys')).body.data;
    expect(all.some((each: { id: string; user: string }) => each.id === id && each.user === writer.id)).toBe(true);
    expect((await service.api.get(`/users/${writer.id}/keys`)).body.data.map((each: { id: string }) => each.id)).toContain(id);
    const person = await makePerson(service, [{ app_access: true }]);
    const tries = [
      await person.api.get('/users/keys'),
      await person.api.get(`/users/${writer.id}/keys`),
      await person.api.delete(`/users/${writer.id}/keys/${id}`),
      await person.api.delete(`/users/me/keys/${id}`),
      await person.api.patch(`/users/me/keys/${id}`, { name: 'x' }),
      await service.api.delete(`/users/${person.id}/keys/${id}`),
      await service.api.delete(`/users/${writer.id}/keys/none`),
    ];
    expect(tries.map(codeOf)).toEqual(tries.map(() => '403 FORBIDDEN'));
    expect((await api.get('/items/articles')).status).toBe(200);
    expect((await service.api.delete(`/users/${writer.id}/keys/${id}`)).status).toBe(204);
    expect((await api.get('/items/articles')).status).toBe(401);
  });

  it('is marked on what it changes', async () => {
    const { id, api } = await key({ name: 'importer', write: true });
    await api.patch('/items/articles/2', { title: 'by the importer' });
    await writer.api.patch('/items/articles/2', { title: 'out' });
    const recent = '/activity?filter[collection][_eq]=articles&sort=-id&limit=2&fields=user,access_key,access_key_name';
    expect((await service.api.get(recent)).body.data).toEqual([
      { user: writer.id, access_key: null, access_key_name: null },
      { user: writer.id, access_key: id, access_key_name: 'importer' },
    ]);
  });

  it('flows that follow its writes have its rights, and none once it is revoked', async () => {
    const flow = await makeFlow(
      service,
      { trigger: 'event', options: { type: 'action', scope: ['items.update'], collections: ['articles'] } },
      [{ key: 'note', type: 'item-create', options: { collection: 'notes', payload: { id: '{{$trigger.payload.price}}', text: 'x' } } }],
    );
    const bounded = await key({ collections: ['articles'], write: true });
    const whole = await key({ write: true });
    await bounded.api.patch('/items/articles/1', { price: 501 });
    const [refused] = await endedRuns(service, flow.id, 1);
    expect(refused).toMatchObject({ status: 'failed', user: writer.id });
    await whole.api.patch('/items/articles/1', { price: 502 });
    await endedRuns(service, flow.id, 2);
    expect((await service.api.get('/items/notes?fields=id')).body.data).toEqual([{ id: 502 }]);
    await service.api.delete(`/flows/${flow.id}`);
    const slow = await makeFlow(
      service,
      { trigger: 'event', options: { type: 'action', scope: ['items.update'], collections: ['articles'] } },
      [
        { key: 'nap', type: 'sleep', options: { milliseconds: 1_500 } },
        { key: 'note', type: 'item-create', options: { collection: 'notes', payload: { id: 503, text: 'x' } } },
      ],
    );
    await whole.api.patch('/items/articles/1', { price: 503 });
    const stateOf = async (flow: string) => (await service.api.get(`/runs?filter[flow][_eq]=${flow}&fields=status`)).body.data;
    await expect.poll(() => stateOf(slow.id)).toEqual([{ status: 'running' }]);
    await own.delete(`/users/me/keys/${whole.id}`);
    const [ended] = await endedRuns(service, slow.id, 1);
    expect(ended).toMatchObject({ status: 'failed', user: writer.id });
    expect((await service.api.get('/items/notes?fields=id')).body.data).toEqual([{ id: 502 }]);
    await service.api.delete(`/flows/${slow.id}`);
  });
});
