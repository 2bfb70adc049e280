// Who receives messages: what happens to open connections when users, sessions, roles and permissions change, and after a cut.

import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createService } from '../../src/tain.js';
import { type Answer, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openEvents } from '../harness/event-source.js';
import { patience, patientConfig } from '../harness/patience.js';
import { makePerson, makePolicy, type Person } from '../harness/people.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table notes (id integer primary key, title varchar(50), owner varchar(50), secret varchar(50));
  insert into notes values (1, 'one', 'ann', 's1'), (2, 'two', 'bob', 's2'), (3, 'three', 'ann', 's3')`;

const own = { collection: 'notes', action: 'read', fields: ['id', 'title'], permissions: { owner: { _eq: 'ann' } } } as const;

const waiting = { timeout: patience, interval: 5 };

describeEachVendor('realtime identity', (vendor) => {
  let service: TestService;
  const open: SocketClient[] = [];
  const keep = (client: SocketClient): SocketClient => {
    open.push(client);
    return client;
  };
  const follow = (client: SocketClient, more: object = {}) =>
    client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes', query: { sort: 'id', fields: ['*'] }, ...more });
  const person = (): Promise<Person> => makePerson(service, [{ permissions: [own] }]);
  const login = async ({ email, password }: Person) => (await service.api.post('/auth/login', { email, password })).body.data;

  const logInByCookie = ({ email, password }: Person) => service.as(null).post('/auth/login', { email, password, mode: 'session' });
  const cookieOf = ({ headers }: Answer): string => String(headers.get('set-cookie')).split(';')[0] ?? '';

  beforeAll(async () => {
    service = await startService(vendor, { area: 'realtime_identity', fixture, config: { websocketsAuthTimeout: patience } });
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(() => service.stop());

  it('a suspended user receives nothing more, and reads nothing more', async () => {
    const ann = await person();
    const client = keep(await openAs(service.url, ann.token));
    await follow(client);
    const events = await openEvents(`${service.url}/items/notes`, { authorization: `Bearer ${ann.token}` });
    await events.next('init');
    await service.api.patch(`/users/${ann.id}`, { status: 'suspended' });
    expect(await client.next(({ type }) => type === 'auth' && true, 2)).toMatchObject({ error: { code: 'TOKEN_EXPIRED' } });
    await service.api.patch('/items/notes/1', { title: 'after' });
    expect((await client.ask({ type: 'items', action: 'read', collection: 'notes' })).error.code).toBe('FORBIDDEN');
    expect(client.messages.some(({ event }) => event === 'update')).toBe(false);
    await events.ended;
    expect(events.events.map(({ event }) => event)).toEqual(['init', 'error']);
    await service.api.patch('/items/notes/1', { title: 'one' });
  });

  it('a session that ends mutes its connection; a new authentication continues where it was', async () => {
    const ann = await person();
    const first = await login(ann);
    const client = keep(await openAs(service.url, first.access_token));
    await follow(client);
    await service.api.post('/auth/logout', { refresh_token: first.refresh_token });
    await client.next(({ error }) => error?.code === 'TOKEN_EXPIRED');
    await service.api.patch('/items/notes/3', { title: 'while away' });
    const from = client.messages.length;
    expect(await client.ask({ type: 'auth', email: ann.email, password: ann.password })).toMatchObject({
      status: 'ok',
      refresh_token: expect.any(String),
    });
    expect(await client.next(({ event }) => event === 'update', from)).toMatchObject({ data: [{ id: 3, title: 'while away' }] });
    await service.api.patch('/items/notes/3', { title: 'three' });
    await client.next(({ event, data }) => event === 'update' && data[0].title === 'three', from);
  });

  it('G06: a permission that changes is felt at once: what it hides is deleted, what it opens is created', async () => {
    const ann = await person();
    const client = keep(await openAs(service.url, ann.token));
    expect((await follow(client)).data).toEqual([
      { id: 1, title: 'one' },
      { id: 3, title: 'three' },
    ]);
    const permission = (await service.api.get(`/permissions?filter[policy][_eq]=${ann.policies[0]}`)).body.data[0].id;
    await service.api.patch(`/permissions/${permission}`, { permissions: { owner: { _eq: 'bob' } } });
    expect(await client.next(({ event }) => event === 'create')).toMatchObject({ data: [{ id: 2, title: 'two' }] });
    expect(await client.next(({ event }) => event === 'delete')).toMatchObject({ data: [1, 3] });
    await service.api.patch(`/permissions/${permission}`, { fields: ['id', 'title', 'secret'] });
    expect(await client.next(({ event }) => event === 'update')).toMatchObject({ data: [{ id: 2, title: 'two', secret: 's2' }] });
    const from = client.messages.length;
    await service.api.delete(`/permissions/${permission}`);
    expect(await client.next(({ event }) => event === 'delete', from)).toMatchObject({ data: [2] });
    expect(await client.next(({ event }) => event === 'unsubscribe', from)).toMatchObject({ uid: 'notes', error: { code: 'FORBIDDEN' } });
  });

  it('a policy or role that a user gets or loses is felt at once', async () => {
    const ann = await person();
    const client = keep(await openAs(service.url, ann.token));
    await follow(client);
    const all = await makePolicy(service, { permissions: [{ ...own, permissions: null }] });
    const { body } = await service.api.post('/access', { user: ann.id, policy: all });
    expect(await client.next(({ event }) => event === 'create')).toMatchObject({ data: [{ id: 2 }] });
    await service.api.delete(`/access/${body.data.id}`);
    expect(await client.next(({ event }) => event === 'delete')).toMatchObject({ data: [2] });
    const role = (await service.api.post('/roles', { name: 'editors' })).body.data.id;
    await service.api.post('/access', { role, policy: all });
    const from = client.messages.length;
    await service.api.patch(`/users/${ann.id}`, { role });
    expect(await client.next(({ event }) => event === 'create', from)).toMatchObject({ data: [{ id: 2 }] });
    await service.api.delete(`/users/${ann.id}`);
    await client.next(({ error }) => error?.code === 'TOKEN_EXPIRED', from);
  });

  it('H18: hundreds of connections of a user are looked up together when sessions end, and not at all when a cookie is renewed', {
    timeout: 4 * patience,
  }, async () => {
    const ann = await person();
    const clients = await Promise.all(Array.from({ length: 300 }, async () => keep(await openAs(service.url, ann.token))));
    const answered = (): Promise<unknown> => Promise.all(clients.map((client) => client.ask({ type: 'ping' })));
    const renewals = async (): Promise<void> => {
      let cookie = cookieOf(await logInByCookie(ann));
      for (let times = 0; times < 6; times += 1) {
        cookie = cookieOf(await service.as(null).post('/auth/refresh', { mode: 'session' }, { cookie }));
        expect((await service.api.get('/users/me?fields=id')).status).toBe(200);
      }
      await answered();
    };
    await answered();
    expect(await service.countStatements(renewals)).toBeLessThan(150);
    const logouts = async (): Promise<void> => {
      for (let times = 0; times < 3; times += 1) {
        const { refresh_token } = await login(ann);
        expect((await service.as(null).post('/auth/logout', { refresh_token, mode: 'json' })).status).toBe(204);
        expect((await service.api.get('/users/me?fields=id')).status).toBe(200);
      }
      await answered();
    };
    expect(await service.countStatements(logouts)).toBeLessThan(150);
  });

  it('H18: a cookie that was replaced ends ten seconds later, also in a process that knows its caller and heard of nothing', async () => {
    const other = await createService({ databaseUrl: service.databaseUrl, port: 0, logLevel: 'error', ...patientConfig });
    try {
      const elsewhere = makeApi(await other.listen(), null);
      await other.ready();
      const cookie = cookieOf(await logInByCookie(await person()));
      const asks = async (): Promise<number> => (await elsewhere.get('/users/me?fields=id', { cookie })).status;
      expect(await asks()).toBe(200);
      expect((await service.as(null).post('/auth/refresh', { mode: 'session' }, { cookie })).status).toBe(200);
      expect(await asks()).toBe(200);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 });
      expect(await asks()).toBe(401);
    } finally {
      vi.useRealTimers();
      await other.close();
    }
  });

  it('A21: subscribers whose rules name them receive only their own items', async () => {
    const rule = { collection: 'notes', action: 'read', permissions: { owner: { _eq: '$CURRENT_USER' } } } as const;
    const [first, second] = [await makePerson(service, [{ permissions: [rule] }]), await makePerson(service, [{ permissions: [rule] }])];
    const [one, other] = [keep(await openAs(service.url, first.token)), keep(await openAs(service.url, second.token))];
    await follow(one);
    await follow(other);
    await service.api.post('/items/notes', [
      { id: 50, owner: first.id },
      { id: 51, owner: second.id },
    ]);
    expect(await one.next(({ event }) => event === 'create')).toMatchObject({ data: [{ id: 50 }] });
    expect(await other.next(({ event }) => event === 'create')).toMatchObject({ data: [{ id: 51 }] });
    await service.api.delete('/items/notes', [50, 51]);
    expect(await one.next(({ event }) => event === 'delete')).toMatchObject({ data: [50] });
    expect(await other.next(({ event }) => event === 'delete')).toMatchObject({ data: [51] });
  });

  it('continues after a cut with what happened in between, or starts again', async () => {
    const client = keep(await openAs(service.url, adminToken));
    const { cursor } = await follow(client);
    client.close();
    await service.api.post('/items/notes', { id: 60, title: 'sixty' });
    await service.api.patch('/items/notes/1', { title: 'ONE' });
    await service.api.delete('/items/notes/60');
    await service.api.post('/items/notes', { id: 61, title: 'sixty-one' });
    const again = keep(await openAs(service.url, adminToken));
    const from = again.messages.length;
    await follow(again, { since: cursor });
    // Whether the group has seen each step or only the outcome depends on when it noticed the cut.
    const seen = new Map([1, 2, 3].map((id) => [id, '']));
    await expect
      .poll(() => {
        for (const { event, data } of again.messages.slice(from)) {
          if (event === 'delete') for (const key of data) seen.delete(key);
          else for (const { id, title } of data) seen.set(id, title);
        }
        return Object.fromEntries(seen);
      }, waiting)
      .toEqual({ 1: 'ONE', 2: '', 3: '', 61: 'sixty-one' });
    expect(again.messages.slice(from).some(({ event }) => event === 'init')).toBe(false);
    const last = again.messages.at(-1).cursor;
    const third = keep(await openAs(service.url, adminToken));
    const before = third.messages.length;
    await service.api.patch('/items/notes/1', { title: 'one' });
    await follow(third, { since: last });
    await expect
      .poll(() => third.messages.slice(before).map(({ event, data }) => [event, data[0].title]), waiting)
      .toEqual([['update', 'one']]);
    expect(await follow(third, { since: 'made up', uid: 'x' })).toMatchObject({ event: 'init', reset: true });
    expect(await follow(third, { since: last, uid: 'y', query: { fields: ['id'] } })).toMatchObject({ event: 'init', reset: true });
    await service.api.delete('/items/notes/61');
  });

  it('the structure may change under subscribers', async () => {
    const client = keep(await openAs(service.url, adminToken));
    await follow(client);
    // The whole list is sent again if its group has already seen the change when the subscriber comes to the new structure.
    const reportsAll = (from: number, hasExtra: boolean) =>
      client.next(
        ({ event, data }) => (event === 'update' || event === 'init') && data.length === 3 && 'extra' in data[0] === hasExtra,
        from,
      );
    await service.api.post('/fields/notes', { field: 'extra', type: 'string' });
    await reportsAll(0, true);
    const from = client.messages.length;
    await service.api.patch('/items/notes/2', { extra: 'new' });
    expect((await client.next(({ event }) => event === 'update', from)).data).toMatchObject([{ id: 2, extra: 'new' }]);
    await service.api.delete('/fields/notes/extra');
    await reportsAll(from, false);
  });
});
