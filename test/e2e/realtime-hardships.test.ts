// What may happen to subscribers: cut off in the middle of a commit, rights that are removed while a subscription begins or a large commit is sent, cursors
// of others, events that are forgotten, tables that are dropped. They receive everything that they may see, or the message that they have to start again.

import { type Client, createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openEvents } from '../harness/event-source.js';
import { patience } from '../harness/patience.js';
import { makePerson, type Person } from '../harness/people.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table notes (id integer primary key, title text, owner varchar(20));
  create table fleeting (id integer primary key, title varchar(50));
  insert into notes values (1, 'one', 'ann'), (2, 'two', 'bob'), (3, 'three', 'ann');
  insert into fleeting values (1, 'one'), (2, 'two')`;
const waiting = { timeout: patience, interval: 5 };
const own = { collection: 'notes', action: 'read', fields: ['id', 'title'], permissions: { owner: { _eq: 'ann' } } } as const;

interface Mutated {
  readonly key: string;
  readonly event: string;
  readonly cursor: string;
}

describeEachVendor('hardships of subscribers', (vendor) => {
  let service: TestService;
  const open: SocketClient[] = [];
  const clients: Client[] = [];

  const connect = async (token: string): Promise<SocketClient> => {
    const client = await openAs(service.url, token);
    open.push(client);
    return client;
  };
  const follow = (client: SocketClient, more: object = {}) =>
    client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes', query: { sort: 'id', fields: ['*'], limit: -1 }, ...more });
  const person = (): Promise<Person> => makePerson(service, [{ permissions: [own] }]);
  const permissionOf = async ({ policies: [policy] }: Person): Promise<string> =>
    `/permissions/${(await service.api.get(`/permissions?filter[policy][_eq]=${policy}`)).body.data[0].id}`;
  const subscriptions = async (): Promise<number> =>
    (await service.api.get('/server/health')).body.checks['realtime:subscriptions'][0].observedValue;
  /** What a GraphQL subscription receives, and whether it has failed. */
  const mutations = async (
    since: string | null,
    selection: string,
  ): Promise<{ readonly received: Mutated[]; readonly errors: unknown[] }> => {
    const before = await subscriptions();
    const client = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { access_token: adminToken },
    });
    clients.push(client);
    const [received, errors]: [Mutated[], unknown[]] = [[], []];
    const query = `subscription ($since: String) { notes_mutated(since: $since) { ${selection} } }`;
    client.subscribe(
      { query, variables: { since } },
      {
        next: ({ data }) => received.push(data?.['notes_mutated'] as Mutated),
        error: (error) => errors.push(error),
        complete: () => undefined,
      },
    );
    await expect.poll(async () => errors.length > 0 || (await subscriptions()) > before, waiting).toBe(true);
    return { received, errors };
  };

  beforeAll(async () => {
    service = await startService(vendor, { area: 'hardships', fixture, config: { realtimeQueue: 200_000, history: false } });
  });
  afterEach(async () => {
    for (const client of open.splice(0)) client.close();
    for (const client of clients.splice(0)) await client.dispose();
    await expect.poll(subscriptions, waiting).toBe(0);
  });
  afterAll(() => service.stop());

  it('GraphQL: a client that is cut off in the middle of a commit receives the rest of it, once', async () => {
    const first = await mutations(null, 'key event cursor data { title }');
    const ids = [10, 11, 12, 13, 14];
    await service.api.post(
      '/items/notes',
      ids.map((id) => ({ id, title: `note ${id}` })),
    );
    await expect.poll(() => first.received.map(({ key }) => key), waiting).toEqual(ids.map(String));
    await service.api.delete('/items/notes/10');
    await expect.poll(() => first.received.length, waiting).toBe(6);
    for (const seen of [1, 2, 4, 5]) {
      const again = await mutations(first.received[seen - 1]?.cursor ?? '', 'key event cursor');
      // The same question with another selection is another list.
      expect(again.errors, 'another list').toHaveLength(1);
      const resumed = await mutations(first.received[seen - 1]?.cursor ?? '', 'key event cursor data { title }');
      await expect
        .poll(() => resumed.received.map(({ event, key }) => `${event} ${key}`), waiting)
        .toEqual([...ids.slice(seen).map((id) => `create ${id}`), 'delete 10']);
      // A client that is cut off once more continues from there.
      const last = await mutations(resumed.received[0]?.cursor ?? '', 'key event cursor data { title }');
      await expect
        .poll(() => last.received.map(({ event, key }) => `${event} ${key}`), waiting)
        .toEqual([...ids.slice(seen + 1).map((id) => `create ${id}`), ...(seen === 5 ? [] : ['delete 10'])]);
    }
    await service.api.delete('/items/notes', [11, 12, 13, 14]);
  });

  it('GraphQL: without data, changes of every field are reported', async () => {
    const { received } = await mutations(null, 'key event');
    await service.api.patch('/items/notes/2', { title: 'zwei' });
    await expect.poll(() => received, waiting).toEqual([{ key: '2', event: 'update' }]);
    await service.api.patch('/items/notes/2', { title: 'two' });
    await expect.poll(() => received.length, waiting).toBe(2);
  });

  it('a client that is cut off while changed rights are applied starts again', async () => {
    const ann = await person();
    const permission = await permissionOf(ann);
    const client = await connect(ann.token);
    await follow(client);
    await service.api.patch(permission, { permissions: { owner: { _eq: 'bob' } } });
    const created = await client.next(({ event }) => event === 'create');
    const deleted = await client.next(({ event }) => event === 'delete');
    expect([created.data, deleted.data]).toEqual([[{ id: 2, title: 'two' }], [1, 3]]);
    const again = await connect(ann.token);
    expect(await follow(again, { since: created.cursor })).toMatchObject({ event: 'init', reset: true, data: [{ id: 2 }] });
    const third = await connect(ann.token);
    const from = third.messages.length;
    third.send({
      type: 'subscribe',
      collection: 'notes',
      uid: 'x',
      query: { sort: 'id', fields: ['*'], limit: -1 },
      since: deleted.cursor,
    });
    await service.api.patch('/items/notes/2', { title: 'zwei' });
    expect(await third.next(() => true, from)).toMatchObject({ event: 'update', data: [{ id: 2, title: 'zwei' }] });
    await service.api.patch('/items/notes/2', { title: 'two' });
  });

  it('a cursor of another user, or of another subscription, only starts the subscription again', async () => {
    const admin = await connect(adminToken);
    const { cursor } = await follow(admin);
    const mine = await follow(admin, { uid: 'one', query: { fields: ['id'], filter: { id: { _eq: 1 } } } });
    await service.api.patch('/items/notes/2', { title: 'hidden' });
    const ann = await connect((await person()).token);
    const visible = [
      { id: 1, title: 'one' },
      { id: 3, title: 'three' },
    ];
    for (const since of [cursor, mine.cursor, '', 'x'.repeat(5_000), `${cursor.slice(0, -2)}AA`])
      expect(await follow(ann, { since, uid: 'stolen' })).toMatchObject({ event: 'init', reset: true, data: visible });
    await service.api.patch('/items/notes/2', { title: 'two' });
  });

  it('a client that comes back after more events than are kept starts again', async () => {
    const client = await connect(adminToken);
    const { cursor } = await follow(client);
    const from = client.messages.length;
    for (let number = 0; number < 10; number += 1) {
      await service.api.patch('/items/notes/1', { title: `${number} ${'x'.repeat(30_000)}` });
      // Each is an event of its own.
      await client.next(({ data }) => data?.[0]?.title?.startsWith(`${number} `) === true, from);
    }
    const last = client.messages.at(-1).cursor;
    await service.api.patch('/items/notes/1', { title: 'one' });
    const [late, soon] = [await connect(adminToken), await connect(adminToken)];
    expect(await follow(late, { since: cursor })).toMatchObject({ event: 'init', reset: true });
    expect(await follow(soon, { since: last })).toMatchObject({ event: 'update', data: [{ id: 1, title: 'one' }] });
  });

  it('rights that go while a stream begins end it', async () => {
    for (let round = 0; round < 15; round += 1) {
      const ann = await person();
      const permission = await permissionOf(ann);
      const opening = openEvents(`${service.url}/items/notes`, { authorization: `Bearer ${ann.token}` });
      const [stream] = await Promise.all([opening, service.api.delete(permission)]);
      const ended = await Promise.race([
        stream.ended.then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), patience)),
      ]);
      expect([round, ended]).toEqual([round, true]);
      expect(stream.status === 403 || stream.events.at(-1)?.event === 'error').toBe(true);
    }
  });

  it('a right that is withdrawn while a large commit is sent: nothing of it comes after the end, and no key that was not sent before', async () => {
    const items = Array.from({ length: 1_500 }, (_, index) => ({ id: 1_000 + index, title: 'many', owner: 'ann' }));
    for (let round = 0; round < 4; round += 1) {
      const ann = await person();
      const permission = await permissionOf(ann);
      const client = await connect(ann.token);
      await follow(client);
      const writing = service.api.post('/items/notes?fields=id', items);
      if (round > 1) await writing;
      await Promise.all([writing, service.api.delete(permission)]);
      const end = await client.next(({ event }) => event === 'unsubscribe');
      expect(end.error.code).toBe('FORBIDDEN');
      await service.api.patch('/items/notes/1', { title: 'secret' });
      await client.ask({ type: 'ping' });
      const received = new Set<number>();
      for (const { event, data } of client.messages.filter(({ type }) => type === 'subscription'))
        if (event === 'init' || event === 'create' || event === 'update') for (const { id } of data) received.add(id);
        else if (event === 'delete') for (const key of data) expect(received.has(key)).toBe(true);
      expect(client.messages.at(-2)).toBe(end);
      expect(JSON.stringify(client.messages)).not.toContain('secret');
      await service.api.patch('/items/notes/1', { title: 'one' });
      await service.sql('delete from notes where id >= 1000');
    }
  });

  it('a table that another program drops ends the subscriptions to it, and no other', async () => {
    const followers = await Promise.all(Array.from({ length: 20 }, () => connect(adminToken)));
    for (const client of followers) await client.ask({ type: 'subscribe', collection: 'fleeting', uid: 'f', query: { limit: -1 } });
    const stream = await openEvents(`${service.url}/items/fleeting`, { authorization: `Bearer ${adminToken}` });
    await stream.next('init');
    const other = await connect(adminToken);
    await follow(other);
    await service.sql('drop table fleeting');
    for (const client of followers)
      expect(await client.next(({ event }) => event === 'unsubscribe')).toMatchObject({ uid: 'f', error: { code: 'FORBIDDEN' } });
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({ event: 'error', data: { code: 'FORBIDDEN' } });
    const from = other.messages.length;
    await service.api.patch('/items/notes/3', { title: 'drei' });
    expect(await other.next(({ event }) => event === 'update', from)).toMatchObject({ data: [{ id: 3, title: 'drei' }] });
    expect(await subscriptions()).toBe(1);
    await service.sql("create table fleeting (id integer primary key, title varchar(50)); insert into fleeting values (7, 'new')");
    const [again] = followers;
    await expect
      .poll(async () => (await again?.ask({ type: 'subscribe', collection: 'fleeting', query: { limit: -1 } }))?.data, waiting)
      .toEqual([{ id: 7, title: 'new' }]);
    await service.api.patch('/items/notes/3', { title: 'three' });
  });
});
