// The client package as applications use it, in the versions 18 and 26 and in each of its ways to authenticate: connecting, subscribing, coming
// back after a cut, and staying when its token expires. The client of graphql-ws, which comes back by itself, too.

import * as sdk18 from '@directus/sdk';
import * as sdk26 from 'directus-sdk-26';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { patience } from '../harness/patience.js';
import { makePerson, type Person } from '../harness/people.js';
import { connectClient } from '../harness/sdk-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;
const fixture = `
  create table books (id integer primary key, title varchar(50));
  insert into books values (1, 'one')`;
const waiting = { timeout: patience, interval: 5 };

interface Shop {
  books: { id: number; title: string }[];
}

interface Received {
  readonly event: string;
  readonly data?: readonly { readonly id: number; readonly title: string }[];
}

// Both versions have the same functions; the types of one are enough.
const versions = [
  { version: 18, sdk: sdk18 },
  { version: 26, sdk: sdk26 as unknown as typeof sdk18 },
] as const;
const modes = ['handshake', 'public', 'strict'] as const;

/** The sockets that a client opens, so that a test can cut them, and what they receive. */
function trackSockets() {
  const sockets: WebSocket[] = [];
  const received: string[] = [];
  class Tracked extends WebSocket {
    constructor(url: string, protocols?: string) {
      super(url, protocols);
      sockets.push(this);
      this.on('message', (data) => received.push(String(data)));
    }
  }
  return { sockets, received, globals: { WebSocket: Tracked as never } };
}

function collect(subscription: AsyncIterable<unknown>): { readonly received: Received[]; readonly reading: Promise<void> } {
  const received: Received[] = [];
  const reading = (async () => {
    for await (const message of subscription) received.push(message as Received);
  })();
  return { received, reading };
}

describe.each(modes)('the client package with WEBSOCKETS_AUTH=%s', (mode) => {
  let service: TestService;
  let reader: Person;

  beforeAll(async () => {
    service = await startService(sqlite, { area: 'realtime_clients', fixture, config: { websocketsAuth: mode } });
    reader = await makePerson(service, [{ permissions: [{ collection: 'books', action: 'read' }] }]);
    if (mode === 'public') {
      const policies = await service.api.get('/policies?filter[name][_contains]=ublic&fields=id');
      const policy = policies.body.data[0].id;
      await service.api.post('/permissions', { policy, collection: 'books', action: 'read', fields: ['*'] });
    }
  });
  afterAll(() => service.stop());

  it.each(versions)('version $version connects, subscribes and comes back', async ({ sdk, version }) => {
    const { sockets, globals } = trackSockets();
    const id = 100 * version;
    const client = sdk
      .createDirectus<Shop>(service.url, { globals })
      .with(sdk.staticToken(reader.token))
      .with(sdk.realtime({ authMode: mode, reconnect: { delay: 100, retries: 100 } }));
    await connectClient(client);
    const query = { fields: ['id', 'title'] as never, filter: { id: { _between: [id, id + 99] } } as never };
    const { subscription, unsubscribe } = await client.subscribe('books', { query });
    const { received, reading } = collect(subscription);
    await expect.poll(() => received, waiting).toMatchObject([{ event: 'init', data: [] }]);
    await service.api.post('/items/books', [{ id, title: 'a' }]);
    await expect.poll(() => received.at(-1), waiting).toMatchObject({ event: 'create', data: [{ id, title: 'a' }] });
    sockets.at(-1)?.terminate();
    await expect.poll(() => received.at(-1), waiting).toMatchObject({ event: 'init', data: [{ id, title: 'a' }] });
    const before = received.length;
    let number = 0;
    await expect
      .poll(async () => {
        // Until the client, which subscribes twice after a cut, listens again.
        number += 1;
        await service.api.patch(`/items/books/${id}`, { title: `b${number}` });
        return received.slice(before).some(({ event }) => event === 'update');
      }, waiting)
      .toBe(true);
    unsubscribe();
    client.disconnect();
    await reading;
  });

  it.each(versions)('version $version is refused with a wrong token', async ({ sdk }) => {
    const { globals } = trackSockets();
    const client = sdk
      .createDirectus<Shop>(service.url, { globals })
      .with(sdk.staticToken('wrong'))
      .with(sdk.realtime({ authMode: mode, reconnect: false }));
    // In this mode the client sends no token by itself.
    if (mode === 'public') await connectClient(client);
    else await expect(client.connect()).rejects.toBeDefined();
    client.disconnect();
  });
});

// The versions beside each other, since each waits for the end of its token.
describe.concurrent('the client package when its token expires', () => {
  it.for(versions)('version $version authenticates again and misses nothing', async ({ sdk, version }, { expect }) => {
    const service = await startService(sqlite, { area: 'realtime_expiry', fixture, config: { accessTokenTtl: 5_000 } });
    const reader = await makePerson(service, [{ permissions: [{ collection: 'books', action: 'read' }] }]);
    const { globals, received } = trackSockets();
    // A token ends with a whole second, up to one earlier than the client believes: it must take such a token for ended as well.
    const client = sdk
      .createDirectus<Shop>(service.url, { globals })
      .with(sdk.authentication('json', { autoRefresh: false, msRefreshBeforeExpires: 3_000 }))
      .with(sdk.realtime({ reconnect: { delay: 100, retries: 100 } }));
    // The signature of `login` differs between the versions.
    const credentials = { email: reader.email, password: reader.password };
    await (version === 18
      ? client.login(reader.email, reader.password)
      : (client.login as unknown as (given: object) => unknown)(credentials));
    await connectClient(client);
    const { subscription } = await client.subscribe('books', { query: { fields: ['id', 'title'] as never } });
    const { received: events } = collect(subscription);
    await expect.poll(() => events.length, waiting).toBeGreaterThan(0);
    const expiry = (): number => received.findIndex((text) => text.includes('TOKEN_EXPIRED'));
    await expect.poll(expiry, waiting).toBeGreaterThan(0);
    await expect.poll(() => received.slice(expiry()).some((text) => text.includes('"status":"ok"')), waiting).toBe(true);
    await service.api.patch('/items/books/1', { title: 'after' });
    await expect.poll(() => events.at(-1), waiting).toMatchObject({ event: 'update', data: [{ id: 1, title: 'after' }] });
    client.disconnect();
    await service.stop();
  });
});

describe('the client of graphql-ws', () => {
  it('connects, subscribes and comes back after a cut', async () => {
    const service = await startService(sqlite, { area: 'realtime_graphql_ws', fixture });
    const { sockets, globals } = trackSockets();
    const client = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: globals.WebSocket,
      retryAttempts: 100,
      retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
      shouldRetry: () => true,
      connectionParams: { access_token: adminToken },
    });
    const [titles, errors]: [unknown[], unknown[]] = [[], []];
    client.subscribe<{ books_mutated: { data: { title: string } } }>(
      { query: 'subscription { books_mutated(event: update) { data { title } } }' },
      { next: ({ data }) => titles.push(data?.books_mutated.data.title), error: (error) => errors.push(error), complete: () => undefined },
    );
    let number = 0;
    /** The start of a subscription is not reported: writes are repeated until one of them is. */
    const receives = () =>
      expect
        .poll(async () => {
          number += 1;
          await service.api.patch('/items/books/1', { title: `title ${number}` });
          return titles.length > 0;
        }, waiting)
        .toBe(true);
    await receives();
    for (let cut = 1; cut <= 3; cut += 1) {
      sockets.at(-1)?.terminate();
      await expect.poll(() => sockets.length, waiting).toBe(cut + 1);
      titles.length = 0;
      await receives();
    }
    expect(errors).toEqual([]);
    await client.dispose();
    await service.stop();
  });
});
