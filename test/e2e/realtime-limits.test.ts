// What a client may do to the service over an open connection: broken frames, large messages, thousands of subscriptions, no reading, no answers.
// Each has an error or a closing code, and none costs memory that stays.

import { connect as connectTcp } from 'node:net';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Config } from '../../src/config.js';
import { brokenFrames } from '../harness/broken-frames.js';
import { openEvents } from '../harness/event-source.js';
import { patience } from '../harness/patience.js';
import { codeOf, makePerson } from '../harness/people.js';
import { openAs, openSocket, type SocketClient } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;
const fixture = `
  create table notes (id integer primary key, title text);
  insert into notes values (1, 'one')`;
const waiting = { timeout: patience, interval: 5 };

const start = (config: Partial<Config> = {}): Promise<TestService> => startService(sqlite, { area: 'realtime_limits', fixture, config });

/** How many subscriptions the service has, as its health says. */
async function subscriptionsOf({ api }: TestService): Promise<number> {
  return (await api.get('/server/health')).body.checks['realtime:subscriptions'][0].observedValue;
}

async function connectionsOf({ api }: TestService): Promise<number> {
  return (await api.get('/server/health')).body.checks['realtime:connections'][0].observedValue;
}

describe('bad input over realtime connections', () => {
  let service: TestService;

  beforeAll(async () => {
    // Answers are counted: no message comes by itself.
    service = await start({ websocketsHeartbeat: null });
  });
  afterAll(() => service.stop());

  it('every error carries the uid of its message', async () => {
    const client = await openAs(service.url, adminToken);
    const cases: readonly (readonly [object, string, string])[] = [
      [{}, 'server', 'INVALID_PAYLOAD'],
      [{ type: 5 }, 'server', 'INVALID_PAYLOAD'],
      [{ type: 'items' }, 'items', 'INVALID_COLLECTION'],
      [{ type: 'items', collection: 'service_users', action: 'read' }, 'items', 'INVALID_COLLECTION'],
      [{ type: 'items', collection: 'nothing', action: 'read' }, 'items', 'INVALID_COLLECTION'],
      [{ type: 'items', collection: 'notes' }, 'items', 'INVALID_PAYLOAD'],
      [{ type: 'items', collection: 'notes', action: 'delete' }, 'items', 'INVALID_PAYLOAD'],
      [{ type: 'items', collection: 'notes', action: 'read', id: 99 }, 'items', 'FORBIDDEN'],
      [{ type: 'items', collection: 'notes', action: 'read', ids: 1 }, 'items', 'INVALID_PAYLOAD'],
      [{ type: 'items', collection: 'notes', action: 'read', query: { filter: { title: { _nothing: 1 } } } }, 'items', 'INVALID_QUERY'],
      [{ type: 'items', collection: 'notes', action: 'read', query: [] }, 'items', 'INVALID_QUERY'],
      [{ type: 'items', collection: 'notes', action: 'create', data: { id: 1 } }, 'items', 'RECORD_NOT_UNIQUE'],
      [{ type: 'items', collection: 'notes', action: 'create', data: 'text' }, 'items', 'INVALID_PAYLOAD'],
      [{ type: 'items', collection: 'notes', action: 'update', id: 1, data: 5 }, 'items', 'INVALID_PAYLOAD'],
      [{ type: 'subscribe' }, 'subscribe', 'INVALID_PAYLOAD'],
      [{ type: 'subscribe', collection: 'nothing' }, 'subscribe', 'FORBIDDEN'],
      [{ type: 'subscribe', collection: 'notes', event: 'other' }, 'subscribe', 'INVALID_PAYLOAD'],
      [{ type: 'subscribe', collection: 'notes', item: {} }, 'subscribe', 'INVALID_PAYLOAD'],
      [{ type: 'subscribe', collection: 'notes', item: 99 }, 'subscribe', 'FORBIDDEN'],
      [{ type: 'subscribe', collection: 'notes', since: 5 }, 'subscribe', 'INVALID_PAYLOAD'],
      [{ type: 'subscribe', collection: 'notes', query: { fields: ['nothing'] } }, 'subscribe', 'FORBIDDEN'],
      [{ type: 'subscribe', collection: 'notes', query: { limit: 'x' } }, 'subscribe', 'INVALID_QUERY'],
    ];
    for (const [message, type, code] of cases) {
      const answer = await client.ask({ ...message });
      expect([message, answer]).toEqual([
        message,
        { type, status: 'error', error: { code, message: expect.any(String) }, uid: expect.any(String) },
      ]);
    }
    // A uid is answered in the type in which it came. What is no uid is refused.
    expect(await client.ask({ type: 'items', collection: 'nothing', uid: 7 })).toMatchObject({ uid: 7 });
    // The longest uid is echoed, and a longer one refused with as much of it as fits.
    const longest = 'u'.repeat(255);
    expect(await client.ask({ type: 'ping', uid: longest })).toEqual({ type: 'pong', uid: longest });
    const [isCut, face] = [({ uid }: { readonly uid?: string }) => uid?.startsWith('uu') === true, String.fromCodePoint(0x1f600)];
    expect(await client.ask({ type: 'ping', uid: `${longest}u` }, isCut)).toMatchObject({
      error: { code: 'INVALID_PAYLOAD' },
      uid: longest,
    });
    expect(await client.ask({ type: 'ping', uid: `${'u'.repeat(254)}${face}` }, isCut)).toMatchObject({ uid: 'u'.repeat(254) });
    const unexact = { type: 'server', error: { code: 'INVALID_PAYLOAD' } };
    expect(await client.ask({ type: 'ping', uid: 2 ** 60 }, ({ type }) => type === 'server')).toMatchObject(unexact);
    client.send({ type: 'ping', uid: {} });
    expect(await client.next(({ type }) => type === 'server', client.messages.length)).toMatchObject({
      error: { code: 'INVALID_PAYLOAD' },
    });
    const failed = await openAs(service.url, adminToken);
    expect(await failed.ask({ type: 'auth', access_token: 'wrong', uid: 'again' })).toMatchObject({
      type: 'auth',
      status: 'error',
      error: { code: 'AUTH_FAILED' },
      uid: 'again',
    });
    expect(await failed.closed()).toBe(1005);
    client.close();
  });

  it('E09: what is not a text message is refused, and what is too large or no frame closes the connection', async () => {
    const client = await openAs(service.url, adminToken);
    for (const text of ['', '{', 'null', '5', '"text"', '[]', '{"type":null}', '\u0000']) {
      const from = client.messages.length;
      client.send(text);
      expect(await client.next(({ type }) => type === 'server', from)).toMatchObject({ error: { code: 'INVALID_PAYLOAD' } });
    }
    const from = client.messages.length;
    client.socket.send(Buffer.from([1, 2, 3]));
    expect(await client.next(({ type }) => type === 'server', from)).toMatchObject({ error: { code: 'INVALID_PAYLOAD' } });
    expect(await client.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
    client.send({ type: 'ping', filler: 'x'.repeat(3_000_000) });
    expect(await client.closed()).toBe(1009);
    const graphql = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const code = new Promise((resolve) => graphql.on('close', resolve));
    graphql.on('open', () => graphql.send('x'.repeat(3_000_000)));
    expect(await code).toBe(1009);
  });

  it('H20: a message has as many levels as a body', async () => {
    const client = await openAs(service.url, adminToken);
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const send = (uid: string, levels: number) =>
      client.send(`{"type":"items","collection":"notes","action":"read","uid":"${uid}","query":{"filter":${nested(levels)}}}`);
    const from = client.messages.length;
    send('deep', 99);
    expect(await client.next(({ type }) => type === 'server', from)).toMatchObject({ error: { code: 'INVALID_PAYLOAD' } });
    send('shallow', 98);
    expect(await client.next(({ uid }) => uid === 'shallow', from)).toMatchObject({ error: { code: 'INVALID_QUERY' } });
    client.close();
    const graphql = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const code = new Promise((resolve) => graphql.on('close', resolve));
    graphql.on('open', () => graphql.send(`{"type":"connection_init","payload":{"deep":${nested(99)}}}`));
    expect(await code).toBe(4400);
  });

  it.each(brokenFrames)('%s ends the connection and nothing else', async (_, bytes) => {
    const others = await openAs(service.url, adminToken);
    const { hostname, port } = new URL(service.url);
    const socket = connectTcp(Number(port), hostname);
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (answer.includes('\r\n\r\n')) socket.write(bytes);
    });
    socket.write(
      `GET /websocket?access_token=${adminToken} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await expect.poll(() => answer, waiting).toContain('101');
    await ended;
    expect(await others.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
    others.close();
  });

  // Frames leave one by one with a pause of a millisecond, which is many on a busy machine.
  it('E09: 10,000 subscriptions of one connection: as many as allowed, errors for the rest, and none stays', {
    timeout: 20 * patience,
  }, async () => {
    const client = await openAs(service.url, adminToken);
    const subscribe = (count: number): void => {
      for (let number = 0; number < count; number += 1)
        client.send({
          type: 'subscribe',
          collection: 'notes',
          uid: `s${number}`,
          event: 'create',
          query: { filter: { id: { _eq: number } } },
        });
    };
    subscribe(10_000);
    await expect.poll(() => client.messages.length, { ...waiting, timeout: 15 * patience }).toBe(10_001);
    const errors = client.messages.filter(({ status }) => status === 'error');
    expect(errors).toHaveLength(9_900);
    expect(errors[0]).toMatchObject({ type: 'subscribe', error: { code: 'REQUESTS_EXCEEDED' }, uid: 's100' });
    expect(await subscriptionsOf(service)).toBe(100);
    client.close();
    await expect.poll(() => subscriptionsOf(service), waiting).toBe(0);
  });
});

describe('limits of realtime connections', () => {
  it('A22: without a token a client has the rights of the public', async () => {
    const service = await start({ websocketsAuth: 'public' });
    const client = await openSocket(service.url);
    for (const action of ['create', 'read', 'update', 'delete'])
      expect(await client.ask({ type: 'items', action, collection: 'notes', id: 1, data: { title: 'x' } })).toMatchObject({
        error: { code: 'FORBIDDEN' },
      });
    for (const collection of ['notes', 'service_users', 'service_settings'])
      for (const event of [undefined, 'create', 'update', 'delete'])
        expect(await client.ask({ type: 'subscribe', collection, event })).toMatchObject({ error: { code: 'FORBIDDEN' } });
    expect(await client.ask({ type: 'auth', access_token: 'wrong' })).toMatchObject({ error: { code: 'AUTH_FAILED' } });
    expect(await client.ask({ type: 'auth', access_token: adminToken })).toMatchObject({ status: 'ok' });
    expect(await client.ask({ type: 'subscribe', collection: 'notes' })).toMatchObject({ event: 'init' });
    expect((await service.api.get('/items/notes/1')).body.data).toEqual({ id: 1, title: 'one' });
    client.close();
    await service.stop();
  });

  it('a client that does not read is dropped, and others do not notice', async () => {
    const service = await start({ realtimeQueue: 200_000 });
    const [slow, quick] = [await openAs(service.url, adminToken), await openAs(service.url, adminToken)];
    const stalled = await openEvents(`${service.url}/items/notes`, { authorization: `Bearer ${adminToken}` });
    for (const client of [slow, quick]) await client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes' });
    slow.socket.pause();
    let writes = 0;
    // What the operating system takes before the queue of the service grows differs.
    await expect
      .poll(
        async () => {
          writes += 1;
          await service.api.patch('/items/notes/1', { title: `${writes} ${'x'.repeat(100_000)}` });
          return subscriptionsOf(service);
        },
        { ...waiting, timeout: 3 * patience },
      )
      .toBeLessThan(3);
    await service.api.patch('/items/notes/1', { title: 'last' });
    await quick.next(({ data }) => data?.[0]?.title === 'last');
    expect(quick.socket.readyState).toBe(WebSocket.OPEN);
    slow.socket.resume();
    // 1006: it did not read the closing frame in time.
    expect([1013, 1006]).toContain(await slow.closed());
    quick.close();
    stalled.close();
    await expect.poll(() => connectionsOf(service), waiting).toBe(0);
    await service.stop();
  });

  it('what waits for a client beyond the limit closes its connection with 1013', async () => {
    const service = await start({ realtimeQueue: 20_000 });
    const client = await openAs(service.url, adminToken);
    // One commit is sent to a hundred subscriptions at once, faster than any client reads.
    for (let number = 0; number < 100; number += 1)
      await client.ask({ type: 'subscribe', collection: 'notes', event: 'update', uid: `s${number}` });
    await service.api.patch('/items/notes/1', { title: 'x'.repeat(1_000) });
    expect(await client.closed()).toBe(1013);
    const graphql = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      lazy: false,
      retryAttempts: 0,
      connectionParams: { access_token: adminToken },
      onNonLazyError: () => undefined,
    });
    const closed = new Promise<number>((resolve) => graphql.on('closed', (event) => resolve((event as { code: number }).code)));
    const received: unknown[] = [];
    const query = 'subscription { notes_mutated { key data { title } } }';
    graphql.subscribe({ query }, { next: (value) => received.push(value), error: () => undefined, complete: () => undefined });
    await expect.poll(() => subscriptionsOf(service), waiting).toBe(1);
    // One message per item.
    await service.api.post(
      '/items/notes',
      Array.from({ length: 200 }, (_, index) => ({ id: 100 + index, title: 'x'.repeat(200) })),
    );
    expect(await closed).toBe(1013);
    await graphql.dispose();
    await service.stop();
  });

  it('connections are counted', async () => {
    const service = await start({ realtimeConnections: 2 });
    const socket = await openSocket(service.url, `/websocket?access_token=${adminToken}`);
    const headers = { authorization: `Bearer ${adminToken}` };
    const stream = await openEvents(`${service.url}/items/notes`, headers);
    await expect(openSocket(service.url)).rejects.toThrow('403');
    expect((await openEvents(`${service.url}/items/notes`, headers)).status).toBe(403);
    stream.close();
    socket.close();
    await expect.poll(() => connectionsOf(service), waiting).toBe(0);
    await service.stop();
  });

  it('connections of a user are counted, whichever way they come and however they authenticate; others do not notice', async () => {
    const service = await start({ realtimeUserConnections: 2, websocketsAuth: 'public' });
    const person = await makePerson(service, [{ permissions: [{ collection: 'notes', action: 'read' }] }]);
    const token = person.token;
    const path = `/websocket?access_token=${token}`;
    const events = (headers: Readonly<Record<string, string>>) => openEvents(`${service.url}/items/notes`, headers);
    const socket = await openSocket(service.url, path);
    const stream = await events({ authorization: `Bearer ${token}` });
    await expect(openSocket(service.url, path)).rejects.toThrow('429');
    const refused = await service.as(token).get('/items/notes', { accept: 'text/event-stream' });
    expect(codeOf(refused)).toBe('429 REQUESTS_EXCEEDED');
    expect(refused.body.errors[0].message).toBe('A user can have at most 2 connections.');
    const unknown = await openSocket(service.url);
    expect(await unknown.ask({ type: 'auth', access_token: token })).toMatchObject({
      type: 'auth',
      status: 'error',
      error: { code: 'REQUESTS_EXCEEDED' },
    });
    expect(await unknown.closed()).toBe(1013);
    const graphql = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    graphql.on('open', () => graphql.send(JSON.stringify({ type: 'connection_init', payload: { access_token: token } })));
    expect(await new Promise((resolve) => graphql.on('close', resolve))).toBe(1013);
    const other = await openSocket(service.url, `/websocket?access_token=${adminToken}`);
    expect(await other.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
    // What a connection was before it became somebody's does not count any more.
    const [first, second] = [await openSocket(service.url), await openSocket(service.url)];
    await expect(openSocket(service.url), 'of the public at this address').rejects.toThrow('429');
    expect(await first.ask({ type: 'auth', access_token: adminToken })).toMatchObject({ status: 'ok' });
    const third = await openSocket(service.url);
    stream.close();
    await expect.poll(() => connectionsOf(service), waiting).toBe(5);
    const again = await openSocket(service.url, path);
    for (const client of [socket, other, first, second, third, again]) client.close();
    await expect.poll(() => connectionsOf(service), waiting).toBe(0);
    await service.stop();
  });

  it('subscriptions of a user are counted over all connections, by every protocol', async () => {
    const service = await start({ realtimeUserSubscriptions: 3 });
    const [one, two] = [await openAs(service.url, adminToken), await openAs(service.url, adminToken)];
    const subscribe = (client: SocketClient, uid: string) => client.ask({ type: 'subscribe', collection: 'notes', uid });
    for (const uid of ['a', 'b']) expect(await subscribe(one, uid)).toMatchObject({ event: 'init' });
    expect(await subscribe(two, 'c')).toMatchObject({ event: 'init' });
    const exceeded = { error: { code: 'REQUESTS_EXCEEDED', message: 'A user can have at most 3 subscriptions.' } };
    expect(await subscribe(two, 'd')).toMatchObject({ type: 'subscribe', status: 'error', uid: 'd', ...exceeded });
    expect(await subscribe(one, 'a'), 'in place of the one before').toMatchObject({ event: 'init' });
    expect(codeOf(await service.api.get('/items/notes', { accept: 'text/event-stream' }))).toBe('429 REQUESTS_EXCEEDED');
    const graphql = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { access_token: adminToken },
    });
    const follow = (): Promise<unknown> =>
      new Promise((resolve) => {
        const query = 'subscription { notes_mutated { key } }';
        graphql.subscribe({ query }, { next: resolve, error: resolve, complete: () => resolve(null) });
      });
    expect(await follow()).toMatchObject([{ extensions: { code: 'REQUESTS_EXCEEDED' } }]);
    await one.ask({ type: 'unsubscribe', uid: 'b' });
    const received = follow();
    await expect.poll(() => subscriptionsOf(service), waiting).toBe(3);
    await service.api.patch('/items/notes/1', { title: 'two' });
    expect(await received).toMatchObject({ data: { notes_mutated: { key: '1' } } });
    two.close();
    await expect.poll(() => subscriptionsOf(service), waiting).toBe(2);
    expect(await subscribe(one, 'e')).toMatchObject({ event: 'init' });
    expect(await subscribe(one, 'f'), 'what has ended counts once').toMatchObject(exceeded);
    one.close();
    await graphql.dispose();
    await expect.poll(() => connectionsOf(service), waiting).toBe(0);
    await service.stop();
  });

  it('a list too long to be remembered gets what is new, and its page again only when that differs', async () => {
    // Without hints of other programs, nothing but the clock makes the service look.
    const service = await start({ realtimeItems: 0, realtimeWatch: false, websocketsHeartbeat: null });
    const client = await openAs(service.url, adminToken);
    const query = { fields: ['id', 'title'], sort: 'id' };
    await client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes', query });
    const operations = [
      { method: 'POST', path: '/items/notes', body: { id: 2, title: 'made' } },
      { method: 'PATCH', path: '/items/notes/2', body: { title: 'and changed' } },
    ];
    expect((await service.api.post('/batch', { operations })).status).toBe(200);
    const received = await client.next(({ uid, event }) => uid === 'notes' && event !== 'init');
    expect([received.event, received.data]).toEqual(['create', [{ id: 2, title: 'and changed' }]]);

    // Lists of the service's own tables are read once per second.
    const role = (await service.api.post('/roles', { name: 'before' })).body.data.id;
    const filter = { id: { _eq: role } };
    expect(
      await client.ask({ type: 'subscribe', collection: 'service_roles', uid: 'roles', query: { fields: ['name'], filter } }),
    ).toMatchObject({
      data: [{ name: 'before' }],
    });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(client.messages.filter(({ uid }) => uid === 'roles')).toHaveLength(1);
    await service.sql(`update service_roles set name = 'after' where id = '${role}'`);
    const again = await client.next(({ uid, reset }) => uid === 'roles' && reset === true);
    expect([again.event, again.data]).toEqual(['init', [{ name: 'after' }]]);
    client.close();
    await service.stop();
  });

  it('a silent client, and one that does not authenticate, are let go', async () => {
    const service = await start({ websocketsHeartbeat: 300, websocketsAuthTimeout: 300 });
    const silent = await openSocket(service.url, `/websocket?access_token=${adminToken}`);
    await silent.next(({ type }) => type === 'ping');
    expect(await silent.closed()).toBe(1001);
    const unknown = await openSocket(service.url);
    expect(await unknown.next(({ type }) => type === 'auth')).toMatchObject({ status: 'error', error: { code: 'AUTH_FAILED' } });
    expect(await unknown.closed()).toBe(1005);
    const graphql = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    expect(await new Promise((resolve) => graphql.on('close', resolve))).toBe(4403);
    const path = `${service.url.replace('http', 'ws')}/graphql?access_token=${adminToken}`;
    const init = JSON.stringify({ type: 'connection_init' });
    const [alive, vanished] = [
      new WebSocket(path, 'graphql-transport-ws'),
      new WebSocket(path, 'graphql-transport-ws', { autoPong: false }),
    ];
    for (const socket of [alive, vanished]) socket.on('open', () => socket.send(init));
    expect(await new Promise((resolve) => vanished.on('close', resolve))).toBe(1001);
    expect(alive.readyState).toBe(WebSocket.OPEN);
    alive.close();
    await service.stop();
  });

  it('a client whose answers wait behind slow messages of its own is not silent', async () => {
    const many = `with recursive n (i) as (select 2 union all select i + 1 from n where i < 6000) insert into notes select i, 'note ' || i from n`;
    const service = await start({ websocketsHeartbeat: 300 });
    await service.sql(many);
    const client = await openSocket(service.url, `/websocket?access_token=${adminToken}`);
    let pings = 0;
    client.socket.on('message', (data) => {
      if (!String(data).startsWith('{"type":"ping"')) return;
      pings += 1;
      client.send({ type: 'pong' });
    });
    const read = { type: 'items', collection: 'notes', action: 'read', query: { limit: -1, sort: '-title' } };
    // More than may wait at a time: until the first of them are answered, the service does not read what follows.
    for (let uid = 1; uid <= 140; uid += 1) client.send({ ...read, uid });
    expect((await client.next(({ uid }) => uid === 140)).data).toHaveLength(6000);
    expect(pings, 'the messages took several periods').toBeGreaterThan(2);
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
    client.close();
    await service.stop();
  });

  it('H22: floods are closed before they are parsed, whatever they are made of', async () => {
    const service = await start({ rateLimit: 10 });
    const calm = await openAs(service.url, (await makePerson(service, [{ admin_access: true }])).token);
    const flood = async (send: (client: SocketClient) => void): Promise<number> => {
      const client = await openAs(service.url, adminToken);
      for (let number = 0; number < 25; number += 1) send(client);
      return client.closed();
    };
    expect(await flood((client) => client.send({ type: 'ping' }))).toBe(1008);
    expect(await flood((client) => client.send({ type: 'pong' }))).toBe(1008);
    expect(await flood((client) => client.send('{'))).toBe(1008);
    expect(await flood((client) => client.socket.ping())).toBe(1008);
    const graphql = (): WebSocket => new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const closed = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.on('close', resolve));
    const unknown = graphql();
    unknown.on('open', () => {
      for (let number = 0; number < 25; number += 1) unknown.send('{"type":"ping"}');
    });
    expect(await closed(unknown)).toBe(1008);
    const payload = graphql();
    payload.on('open', () => payload.send(JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(150) } })));
    expect(await closed(payload)).toBe(4400);
    expect(await calm.ask({ type: 'subscribe', collection: 'notes' })).toMatchObject({ event: 'init' });
    calm.close();
    await service.stop();
  });

  it('H22: a client that has not authenticated may send a few kilobytes', async () => {
    const service = await start();
    const large = JSON.stringify({ type: 'auth', access_token: adminToken, padding: 'x'.repeat(20_000) });
    const client = await openSocket(service.url);
    client.send(large);
    expect(await client.closed()).toBe(1009);
    const graphql = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    graphql.on('open', () => graphql.send(JSON.stringify({ type: 'connection_init', payload: { padding: 'x'.repeat(20_000) } })));
    expect(await new Promise((resolve) => graphql.on('close', resolve))).toBe(1009);
    const known = await openAs(service.url, adminToken);
    expect(await known.ask({ type: 'ping', padding: 'x'.repeat(20_000) })).toMatchObject({ type: 'pong' });
    known.close();
    await service.stop();
  });

  it('H22: what waits for the silent clients of a user is bounded together', async () => {
    const service = await start({ realtimeUserWaiting: 6_000_000 });
    await service.sql(`insert into notes values (2, '${'long '.repeat(400_000)}')`);
    const silent = await Promise.all(Array.from({ length: 12 }, () => openAs(service.url, adminToken)));
    for (const client of silent) {
      client.socket.pause();
      client.send({ type: 'items', collection: 'notes', action: 'read', uid: 'all' });
      client.send({ type: 'items', collection: 'notes', action: 'read', uid: 'all' });
      client.send({ type: 'items', collection: 'notes', action: 'read', uid: 'all' });
    }
    await expect.poll(() => connectionsOf(service), waiting).toBeLessThan(8);
    const reader = await openAs(service.url, adminToken);
    expect((await reader.ask({ type: 'items', collection: 'notes', action: 'read' })).data).toHaveLength(2);
    for (const client of [...silent, reader]) client.close();
    await service.stop();
  });

  it('messages are limited as requests are', async () => {
    const service = await start({ rateLimit: 10 });
    const client: SocketClient = await openAs(service.url, adminToken);
    for (let number = 0; number < 18; number += 1) client.send({ type: 'ping', uid: number });
    const refused = await client.next(({ type, error }) => type === 'server' && error.code === 'REQUESTS_EXCEEDED');
    expect(refused.uid).toEqual(expect.any(Number));
    client.close();
    await service.stop();
  });

  it('a token that expires mutes its connection until there is another, or ends it', async () => {
    const service = await start({ accessTokenTtl: 6_000 });
    const login = async (): Promise<string> =>
      (await service.api.post('/auth/login', { email: 'admin@example.com', password: 'correct-horse-battery' })).body.data.access_token;
    const client = await openAs(service.url, await login());
    // Before the other logins: they take their time, and the token expires meanwhile.
    expect(await client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes' })).toMatchObject({ event: 'init' });
    const left = await openAs(service.url, await login());
    const stream = await openEvents(`${service.url}/items/notes`, { authorization: `Bearer ${await login()}` });
    const token = await login();
    const graphql = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    graphql.on('open', () => graphql.send(JSON.stringify({ type: 'connection_init', payload: { access_token: token } })));
    const code = new Promise((resolve) => graphql.on('close', resolve));
    expect(await client.next(({ type, status }) => type === 'auth' && status === 'error')).toMatchObject({
      error: { code: 'TOKEN_EXPIRED' },
    });
    const from = client.messages.length;
    await service.api.patch('/items/notes/1', { title: 'muted' });
    expect((await client.ask({ type: 'auth', access_token: adminToken })).status).toBe('ok');
    expect(await client.next(({ event }) => event === 'update', from)).toMatchObject({ data: [{ title: 'muted' }] });
    expect(client.messages.slice(from).map(({ type }) => type)).toEqual(['auth', 'subscription']);
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({ event: 'error', data: { code: 'TOKEN_EXPIRED' } });
    expect(await code).toBe(4403);
    await left.next(({ error }) => error?.code === 'AUTH_TIMEOUT');
    expect(left.messages.filter(({ error }) => error !== undefined).map(({ error }) => error.code)).toEqual([
      'TOKEN_EXPIRED',
      'AUTH_TIMEOUT',
    ]);
    expect(await left.closed()).toBe(1005);
    await service.stop();
  });
});
