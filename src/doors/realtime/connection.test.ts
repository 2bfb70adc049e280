import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../../core/access/view.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Authenticator } from '../../service/auth/session/authenticate.js';
import type { Subscription } from '../../service/events/subscription.js';
import { Turns } from '../../service/events/turns.js';
import { Connection, type ConnectionDeps } from './connection.js';
import { Identity, type IdentityDeps } from './identity.js';
import { OpenConnections } from './open-connections.js';
import { SendTurns } from './send-turns.js';

const client = { ip: '127.0.0.1', userAgent: null, origin: null };
const ann = { accountability: { user: 'ann', accessKey: null } } as Caller;
const limits = { subscriptions: 1, waiting: 1_000, authTimeoutMs: 60_000 };
const log = { warn: () => undefined, error: () => undefined };
const deps = { store: { subscribe: () => () => undefined }, limits, log, sends: new SendTurns() } as unknown as ConnectionDeps;

let server: WebSocketServer;
let socket: WebSocket;
let lookups = 0;

/** A connection of Ann while the database is away: what is in the cache is found, and the rights of the public are not in it. */
async function connectAnn(known: Set<string>, turns = new Turns(1)): Promise<Connection> {
  const authenticate: Authenticator['authenticate'] = (token) => {
    if (token === null) return Promise.reject(serviceError('SERVICE_UNAVAILABLE', 'The database is away.', { service: 'database' }));
    lookups += 1;
    if (!known.has(token)) throw serviceError('INVALID_CREDENTIALS', 'Invalid credentials.');
    return ann;
  };
  const identity = new Identity({ authenticator: { authenticate }, turns } as unknown as IdentityDeps, client, 'token of ann', ann);
  const place = new OpenConnections({
    connections: 1,
    userConnections: 1,
    userSubscriptions: 1,
    requests: null,
    waiting: { user: 1, together: 1 },
  }).take(identity);
  const [accepted] = (await once(server, 'connection')) as [WebSocket];
  return new Connection(
    deps,
    { socket: accepted, stream: new PassThrough(), identity, place },
    { onExpired: () => undefined, onTimeout: () => true },
  );
}

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  socket.terminate();
  server.close();
});

it('a caller who fails to authenticate leaves no connection with its former rights when those of the public cannot be looked up', async () => {
  const connection = await connectAnn(new Set(['token of ann']));
  const closed = once(socket, 'close');
  await expect(connection.prove({ kind: 'token', token: 'a wrong one' })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect(connection.isClosed).toBe(true);
  expect((await closed)[0]).toBe(1013);
});

it('neither does one whose session has ended', async () => {
  const known = new Set(['token of ann']);
  const connection = await connectAnn(known);
  const closed = once(socket, 'close');
  known.clear();
  connection.renew();
  expect((await closed)[0]).toBe(1013);
  expect(connection.isClosed).toBe(true);
});

it('a lookup that has waited for its turn is good for all changes of the meantime, however often rights change', async () => {
  const turns = new Turns(1);
  const connection = await connectAnn(new Set(['token of ann']), turns);
  const renewed: unknown[] = [];
  const subscription = { hold: () => undefined, stop: () => undefined, renew: async (caller: Caller) => void renewed.push(caller) };
  connection.subscriptions.set('notes', subscription as unknown as Subscription);
  await expect.poll(() => lookups).toBeGreaterThan(0);
  for (let round = 1; round <= 3; round += 1) {
    const end = await turns.take('somebody else');
    const [before, told] = [lookups, renewed.length];
    for (let change = 0; change < 5; change += 1) {
      connection.renew();
      await new Promise(setImmediate);
    }
    end();
    await expect.poll(() => renewed.length).toBe(told + 1);
    await new Promise(setImmediate);
    expect(lookups).toBe(before + 1);
  }
});
