// The other doors to realtime: GraphQL subscriptions, server-sent events, and the client package as applications use it.

import * as sdk from '@directus/sdk';
import { type Client, createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openEvents } from '../harness/event-source.js';
import { patience } from '../harness/patience.js';
import { makePerson, type Person } from '../harness/people.js';
import { connectClient } from '../harness/sdk-client.js';
import { openSocket } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table books (id integer primary key, title varchar(50), genre varchar(20));
  create table secrets (id integer primary key);
  insert into books values (1, 'one', 'novel'), (2, 'two', 'poem')`;

const poll = (read: () => unknown) => expect.poll(read, { timeout: patience, interval: 5 });

describeEachVendor('realtime by other doors', (vendor) => {
  let service: TestService;
  let reader: Person;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'realtime_doors', fixture });
    reader = await makePerson(service, [
      { permissions: [{ collection: 'books', action: 'read', permissions: { genre: { _eq: 'poem' } } }] },
    ]);
  });
  afterAll(() => service.stop());

  const graphql = (token: string | null): Client =>
    createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      lazy: true,
      retryAttempts: 0,
      ...(token === null ? {} : { connectionParams: { access_token: token } }),
    });

  /** Everything that the operation receives, and how it ended. */
  const follow = (client: Client, query: string, variables: Record<string, unknown> = {}) => {
    const received: unknown[] = [];
    const ends: unknown[] = [];
    const stop = client.subscribe(
      { query, variables },
      {
        next: (value) => received.push(value.data ?? value.errors),
        error: (error) => ends.push(error),
        complete: () => ends.push('complete'),
      },
    );
    return { received, ends, stop };
  };

  it('GraphQL: sends events under the view, with filter and event as variables', async () => {
    const client = graphql(reader.token);
    const all = follow(client, 'subscription { books_mutated { key event data { title } __typename } }');
    const some = follow(
      client,
      'subscription ($event: EventEnum, $title: String) { m: books_mutated(event: $event, filter: { title: { _eq: $title } }) { event k: key cursor } }',
      { event: 'create', title: 'wanted' },
    );
    const ping = follow(client, '{ books { id } }');
    await poll(() => ping.ends).toEqual(['complete']);
    expect(ping.received).toEqual([{ books: [{ id: '2' }] }]);
    await service.api.post('/items/books', { id: 10, title: 'hidden', genre: 'novel' });
    await service.api.post('/items/books', { id: 11, title: 'wanted', genre: 'poem' });
    await poll(() => [all.received.length, some.received.length]).toEqual([1, 1]);
    await service.api.patch('/items/books/11', { title: 'other' });
    await poll(() => all.received.length).toBe(2);
    await service.api.patch('/items/books/11', { genre: 'novel' });
    await poll(() => all.received).toEqual([
      { books_mutated: { key: '11', event: 'create', data: { title: 'wanted' }, __typename: 'books_mutated' } },
      { books_mutated: { key: '11', event: 'update', data: { title: 'other' }, __typename: 'books_mutated' } },
      { books_mutated: { key: '11', event: 'delete', data: null, __typename: 'books_mutated' } },
    ]);
    expect(some.received).toEqual([{ m: { event: 'create', k: '11', cursor: expect.any(String) } }]);
    all.stop();
    await service.api.delete('/items/books', [10, 11]);
    await client.dispose();
  });

  it('GraphQL: runs queries and mutations, and refuses what is not valid or not allowed', async () => {
    const client = graphql(adminToken);
    const created = follow(client, 'mutation { create_books_item(data: { id: "20", title: "t" }) { id } }');
    await poll(() => created.received).toEqual([{ create_books_item: { id: '20' } }]);
    const wrong = follow(client, 'subscription { nothing_mutated { key } }');
    await poll(() => JSON.stringify(wrong.ends)).toContain('Cannot query field');
    expect(JSON.stringify(wrong.ends)).not.toContain('Did you mean');
    const unreadable = follow(graphql(reader.token), 'subscription { secrets_mutated { key } }');
    await poll(() => JSON.stringify(unreadable.ends)).toContain('Cannot query field');
    await client.dispose();
  });

  it('GraphQL: closes what does not follow the protocol', async () => {
    const open = async (protocols: string[], messages: readonly unknown[]): Promise<number> => {
      const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, protocols);
      const code = new Promise<number>((resolve) => socket.on('close', resolve));
      socket.on('open', () => {
        for (const message of messages) socket.send(JSON.stringify(message));
      });
      return code;
    };
    const init = { type: 'connection_init', payload: { access_token: adminToken } };
    const subscribe = { type: 'subscribe', id: '1', payload: { query: 'subscription { books_mutated { key } }' } };
    const name = ['graphql-transport-ws'];
    expect(await open([], [])).toBe(4406);
    expect(await open(name, [{ type: 'connection_init' }])).toBe(4403);
    expect(await open(name, [{ ...init, payload: { access_token: 'wrong' } }])).toBe(4403);
    expect(await open(name, [subscribe])).toBe(4403);
    expect(await open(name, [init, init])).toBe(4429);
    expect(await open(name, [init, subscribe, subscribe])).toBe(4409);
    const long = { ...subscribe, id: '名'.repeat(60) };
    expect(await open(name, [init, long, long]), 'a name that a closing frame has no room for').toBe(4409);
    expect(await open(name, [init, { type: 'other' }])).toBe(4400);
    expect(await open(name, ['text'])).toBe(4400);
  });

  it('server-sent events: a list, what changes in it, and a resumption', async () => {
    const url = `${service.url}/items/books?fields=id,title&filter[genre][_eq]=poem`;
    const headers = { authorization: `Bearer ${adminToken}` };
    const first = await openEvents(url, headers);
    expect((await first.next('init')).data).toEqual({ data: [{ id: 2, title: 'two' }] });
    await service.api.post('/items/books', { id: 30, title: 'thirty', genre: 'poem' });
    const created = await first.next('create');
    expect(created.data).toEqual({ data: [{ id: 30, title: 'thirty' }] });
    first.close();
    await service.api.patch('/items/books/30', { title: 'THIRTY' });
    await service.api.delete('/items/books/2');
    const second = await openEvents(url, { ...headers, 'last-event-id': created.id });
    expect((await second.next('update')).data).toEqual({ data: [{ id: 30, title: 'THIRTY' }] });
    expect((await second.next('delete')).data).toEqual({ data: [2] });
    expect(second.events.map(({ event }) => event)).toEqual(['update', 'delete']);
    second.close();
    const gap = await openEvents(url, { ...headers, 'last-event-id': 'unknown' });
    expect((await gap.next('reset')).data).toEqual({ data: [{ id: 30, title: 'THIRTY' }] });
    gap.close();
    await service.api.post('/items/books', { id: 2, title: 'two', genre: 'poem' });
    await service.api.delete('/items/books/30');
    expect((await openEvents(`${service.url}/items/secrets`, { authorization: `Bearer ${reader.token}` })).status).toBe(403);
    expect((await openEvents(`${service.url}/items/books?aggregate[count]=*`, headers)).status).toBe(400);
  });

  it('the client package connects, subscribes and comes back after a cut', async () => {
    interface Shop {
      books: { id: number; title: string }[];
    }
    const sockets: WebSocket[] = [];
    class Tracked extends WebSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    }
    const client = sdk
      .createDirectus<Shop>(service.url, { globals: { WebSocket: Tracked as never } })
      .with(sdk.staticToken(adminToken))
      .with(sdk.realtime({ reconnect: { delay: 100, retries: 20 } }));
    await connectClient(client);
    const { subscription, unsubscribe } = await client.subscribe('books', {
      query: { fields: ['id', 'title'], filter: { id: { _gte: 40 } } },
    });
    const received: { event: string; data?: unknown }[] = [];
    const reading = (async () => {
      for await (const message of subscription) received.push(message as never);
    })();
    await poll(() => received.map(({ event, data }) => ({ event, data }))).toEqual([{ event: 'init', data: [] }]);
    await service.api.post('/items/books', [
      { id: 40, title: 'forty' },
      { id: 41, title: 'forty-one' },
    ]);
    await poll(() => received.at(-1)).toMatchObject({ event: 'create', data: [{ id: 40 }, { id: 41 }] });
    sockets.at(-1)?.terminate();
    await poll(() => received.at(-1)).toMatchObject({ event: 'init', data: [{ id: 40 }, { id: 41 }] });
    const before = received.length;
    await poll(async () => {
      // Until the client has subscribed again.
      await service.api.patch('/items/books/40', { title: `changed ${Math.random()}` });
      return received.slice(before).some(({ event }) => event === 'update');
    }).toBe(true);
    unsubscribe();
    client.disconnect();
    await reading;
    await service.api.delete('/items/books', [40, 41]);
  });

  it('a request that offers HTTP/2 is answered as usual', async () => {
    const socket = await openSocket(service.url, `/websocket?access_token=${adminToken}`);
    expect(await socket.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
    socket.close();
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      const headers = {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABkAAQ',
        'content-type': 'application/json',
      };
      const offered = request(`${service.url}/graphql`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      offered.on('error', reject);
      offered.end(JSON.stringify({ query: '{ __typename }' }));
    });
    expect(status).toBe(200);
  });
});
