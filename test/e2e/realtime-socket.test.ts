// The WebSocket at /websocket: messages, subscriptions, and what subscribers receive.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openEvents } from '../harness/event-source.js';
import { leastStatements } from '../harness/least-statements.js';
import { makePerson, type Person } from '../harness/people.js';
import { openAs, openSocket, type SocketClient } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50));
  create table notes (id integer primary key, title varchar(50), owner varchar(50), secret varchar(50),
    author integer references authors (id) on delete cascade);
  insert into authors values (1, 'Ann'), (2, 'Bob');
  insert into notes values (1, 'one', 'ann', 's1', 1), (2, 'two', 'bob', 's2', 2)`;

describeEachVendor('the WebSocket', (vendor) => {
  let service: TestService;
  let ann: Person;
  const open: SocketClient[] = [];
  const connect = async (token: string | null): Promise<SocketClient> => {
    const client = token === null ? await openSocket(service.url) : await openAs(service.url, token);
    open.push(client);
    return client;
  };

  beforeAll(async () => {
    service = await startService(vendor, { area: 'realtime_socket', fixture });
    ann = await makePerson(service, [
      {
        permissions: [
          { collection: 'notes', action: 'read', fields: ['id', 'title', 'owner'], permissions: { owner: { _eq: 'ann' } } },
          { collection: 'notes', action: 'update', permissions: { owner: { _eq: 'ann' } } },
        ],
      },
    ]);
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(() => service.stop());

  it('answers ping with its uid, and what is not a message with an error', async () => {
    const client = await connect(adminToken);
    expect(await client.ask({ type: 'ping', uid: 7 })).toEqual({ type: 'pong', uid: 7 });
    expect(await client.ask({ type: 'ping', uid: '7' })).toEqual({ type: 'pong', uid: '7' });
    client.send('{');
    expect(await client.next(({ type }) => type === 'server')).toMatchObject({ status: 'error', error: { code: 'INVALID_PAYLOAD' } });
    client.send([]);
    await expect.poll(() => client.messages.filter(({ type }) => type === 'server').length).toBe(2);
  });

  it('C19: refuses a first message that does not authenticate, a wrong token, and pages of other sites', async () => {
    const failed = { type: 'auth', status: 'error', error: { code: 'AUTH_FAILED', message: 'Authentication handshake failed.' } };
    for (const message of [{ type: 'ping' }, '{', { type: 'auth', access_token: 'wrong', uid: 1 }]) {
      const client = await connect(null);
      client.send(message);
      expect(await client.next(() => true)).toEqual(failed);
      expect(await client.closed()).toBe(1005);
    }
    await expect(openSocket(service.url, '/websocket?access_token=wrong')).rejects.toThrow('401');
    await expect(openSocket(service.url, '/nowhere')).rejects.toThrow('404');
    await expect(openSocket(service.url, '/websocket', { origin: 'https://elsewhere.example' })).rejects.toThrow('403');
  });

  it('reports what is created, changed and deleted, items of one commit together', async () => {
    const client = await connect(adminToken);
    const init = await client.ask({ type: 'subscribe', collection: 'notes', uid: 'all', query: { fields: ['id', 'title'], sort: 'id' } });
    expect(init).toMatchObject({
      type: 'subscription',
      event: 'init',
      uid: 'all',
      data: [
        { id: 1, title: 'one' },
        { id: 2, title: 'two' },
      ],
    });
    await service.api.post('/items/notes', [
      { id: 10, title: 'ten', owner: 'ann' },
      { id: 11, title: 'eleven', owner: 'bob' },
    ]);
    expect(await client.next(({ event }) => event === 'create')).toMatchObject({
      uid: 'all',
      data: [
        { id: 10, title: 'ten' },
        { id: 11, title: 'eleven' },
      ],
    });
    await service.api.patch('/items/notes/10', { title: 'TEN' });
    expect((await client.next(({ event }) => event === 'update')).data).toEqual([{ id: 10, title: 'TEN' }]);
    await service.api.delete('/items/notes', [10, 11]);
    expect((await client.next(({ event }) => event === 'delete')).data).toEqual([10, 11]);
  });

  it('sends no event of items a subscriber may not see; items that leave the view are reported as deleted', async () => {
    const client = await connect(ann.token);
    const init = await client.ask({ type: 'subscribe', collection: 'notes', uid: 'mine', query: { fields: ['*'] } });
    expect(init.data).toEqual([{ id: 1, title: 'one', owner: 'ann' }]);
    const from = client.messages.length;
    await service.api.patch('/items/notes/2', { title: 'zwei' });
    await service.api.post('/items/notes', { id: 20, title: 'hidden', owner: 'bob' });
    await service.api.delete('/items/notes/20');
    await service.api.patch('/items/notes/1', { secret: 'changed' });
    await service.api.patch('/items/notes/2', { owner: 'ann' });
    expect(await client.next(() => true, from)).toMatchObject({ event: 'create', data: [{ id: 2, title: 'zwei', owner: 'ann' }] });
    await service.api.patch('/items/notes/2', { owner: 'bob', title: 'two' });
    expect(await client.next(() => true, from + 1)).toMatchObject({ event: 'delete', data: [2] });
  });

  it('equal subscribers share one reading: nine more of them, by sockets and streams, cost no statement', async () => {
    const bob = await makePerson(service, [{ permissions: [{ collection: 'notes', action: 'read' }] }]);
    const received: (() => Promise<unknown>)[] = [];
    const follow = async (): Promise<void> => {
      const client = await connect(bob.token);
      await client.ask({ type: 'subscribe', collection: 'notes', query: { fields: ['id', 'title'] } });
      received.push(() => client.next(({ data }) => data?.[0]?.title === `title ${count}`));
    };
    let count = 0;
    const write = async (): Promise<void> => {
      count += 1;
      await service.api.patch('/items/notes/1', { title: `title ${count}` });
      await Promise.all(received.map((wait) => wait()));
    };
    await follow();
    await write();
    const alone = await leastStatements(service, write);
    for (let more = 0; more < 8; more += 1) await follow();
    const stream = await openEvents(`${service.url}/items/notes?fields=id,title`, { authorization: `Bearer ${bob.token}` });
    received.push(() => expect.poll(() => stream.events.at(-1)?.data.data[0].title).toBe(`title ${count}`));
    await write();
    expect(await leastStatements(service, write)).toBe(alone);
    stream.close();
    await service.api.patch('/items/notes/1', { title: 'one' });
  });

  it('refuses subscriptions to what may not be read, with the uid', async () => {
    const client = await connect(ann.token);
    for (const [message, code] of [
      [{ collection: 'authors' }, 'FORBIDDEN'],
      [{ collection: 'authors', event: 'delete' }, 'FORBIDDEN'],
      [{ collection: 'nothing' }, 'FORBIDDEN'],
      [{ collection: 'notes', query: { fields: ['secret'] } }, 'FORBIDDEN'],
      [{ collection: 'notes', item: 2 }, 'FORBIDDEN'],
      [{ collection: 'notes', event: 'delete', item: 2 }, 'FORBIDDEN'],
      [{ collection: 'notes', event: 'other' }, 'INVALID_PAYLOAD'],
      [{ collection: 'notes', query: { aggregate: { count: '*' } } }, 'INVALID_QUERY'],
      [{}, 'INVALID_PAYLOAD'],
    ] as const)
      expect(await client.ask({ type: 'subscribe', ...message })).toMatchObject({ type: 'subscribe', status: 'error', error: { code } });
  });

  it('reports related items and cascades', async () => {
    const client = await connect(adminToken);
    await service.api.post('/items/authors', { id: 5, name: 'Eve' });
    await service.api.post('/items/notes', { id: 50, title: 'fifty', author: 5 });
    const query = { fields: ['id', 'author.name'], filter: { id: { _eq: 50 } } };
    expect((await client.ask({ type: 'subscribe', collection: 'notes', query, uid: 'r' })).data).toEqual([
      { id: 50, author: { name: 'Eve' } },
    ]);
    await service.api.patch('/items/authors/5', { name: 'Eva' });
    expect((await client.next(({ event }) => event === 'update')).data).toEqual([{ id: 50, author: { name: 'Eva' } }]);
    await service.api.delete('/items/authors/5');
    expect((await client.next(({ event }) => event === 'delete')).data).toEqual([50]);
  });

  it('follows one item, one kind of event, and stops on request', async () => {
    const client = await connect(adminToken);
    const one = await client.ask({ type: 'subscribe', collection: 'notes', item: 1, uid: 'one', query: { fields: ['title'] } });
    expect(one.data).toEqual({ title: 'one' });
    // Made before the subscription: an item that comes and goes between two reads is never sent.
    await service.api.post('/items/notes', { id: 30, title: 'x' });
    expect(await client.ask({ type: 'subscribe', collection: 'notes', event: 'delete', uid: 'gone' })).not.toHaveProperty('data');
    await service.api.patch('/items/notes/1', { title: 'uno' });
    expect((await client.next(({ event, uid }) => event === 'update' && uid === 'one')).data).toEqual({ title: 'uno' });
    await service.api.delete('/items/notes/30');
    expect((await client.next(({ event, uid }) => event === 'delete' && uid === 'gone')).data).toEqual([30]);
    expect(client.messages.filter(({ uid }) => uid === 'gone')).toHaveLength(2);
    expect(await client.ask({ type: 'unsubscribe', uid: 'one' })).toEqual({ type: 'subscription', event: 'unsubscribe', uid: 'one' });
    await service.api.patch('/items/notes/1', { title: 'one' });
    await client.ask({ type: 'ping' });
    expect(client.messages.filter(({ uid, event }) => uid === 'one' && event === 'update')).toHaveLength(1);
  });

  it('reports what other programs write', async () => {
    const client = await connect(ann.token);
    await client.ask({ type: 'subscribe', collection: 'notes', uid: 'mine', query: { fields: ['id', 'title'] } });
    const from = client.messages.length;
    await service.sql("insert into notes (id, title, owner) values (70, 'raw', 'ann'), (71, 'hidden', 'bob')");
    expect(await client.next(({ event }) => event === 'create', from)).toMatchObject({ data: [{ id: 70, title: 'raw' }] });
    await service.sql("update notes set title = 'rawer' where id >= 70");
    expect(await client.next(({ event }) => event === 'update', from)).toMatchObject({ data: [{ id: 70, title: 'rawer' }] });
    await service.sql('delete from notes where id >= 70');
    expect(await client.next(({ event }) => event === 'delete', from)).toMatchObject({ data: [70] });
  });

  it('reads and writes items', async () => {
    const client = await connect(adminToken);
    const items = (message: object) => client.ask({ type: 'items', collection: 'notes', ...message });
    const query = { fields: ['id', 'title'] };
    expect((await items({ action: 'create', data: { id: 60, title: 'a' }, query })).data).toEqual({ id: 60, title: 'a' });
    expect((await items({ action: 'create', data: [{ id: 61, title: 'b' }], query })).data).toEqual([{ id: 61, title: 'b' }]);
    expect((await items({ action: 'read', id: 60, query })).data).toEqual({ id: 60, title: 'a' });
    expect((await items({ action: 'read', ids: [61], query })).data).toEqual([{ id: 61, title: 'b' }]);
    const found = await items({ action: 'read', query: { ...query, filter: { id: { _gte: 60 } }, meta: 'filter_count' } });
    expect(found).toMatchObject({ data: [{ id: 60 }, { id: 61 }], meta: { filter_count: 2 } });
    expect((await items({ action: 'update', id: 60, data: { title: 'c' } })).data).toMatchObject({ id: 60, title: 'c' });
    expect((await items({ action: 'update', ids: [60, 61], data: { title: 'd' }, query })).data).toEqual([
      { id: 60, title: 'd' },
      { id: 61, title: 'd' },
    ]);
    expect((await items({ action: 'delete', id: 60 })).data).toBe(60);
    expect((await items({ action: 'delete', query: { filter: { id: { _eq: 61 } } } })).data).toEqual([61]);
    expect((await items({ action: 'delete' })).error.code).toBe('INVALID_PAYLOAD');
    expect((await items({ action: 'read', id: 60 })).error.code).toBe('FORBIDDEN');
    expect((await items({ action: 'read', collection: 'service_users' })).error.code).toBe('INVALID_COLLECTION');
  });
});
