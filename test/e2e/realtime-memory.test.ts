// Bad input over and over: broken frames, messages of 3 MB, subscriptions beyond the limit, wrong tokens, clients that vanish. What the service keeps
// in memory does not grow.

import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { brokenFrames } from '../harness/broken-frames.js';
import { keptMemory } from '../harness/kept-memory.js';
import { patience } from '../harness/patience.js';
import { waitFor } from '../harness/run-command.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;
const fixture = "create table notes (id integer primary key, title text); insert into notes values (1, 'one')";
const protocol = 'graphql-transport-ws';
const megabyte = 1_000_000;

describe('memory after bad input', () => {
  let service: TestService;
  let writes = 0;

  beforeAll(async () => {
    service = await startService(sqlite, { area: 'realtime_memory', fixture, config: { websocketsHeartbeat: null, realtimeKeep: 0 } });
  });
  afterAll(() => service.stop());

  const connect = (path: string, ...protocols: readonly string[]): WebSocket =>
    new WebSocket(`${service.url.replace('http', 'ws')}${path}`, [...protocols]).on('error', () => undefined);
  /** Sends these messages and resolves to the code of the closing frame. */
  const send = (socket: WebSocket, ...messages: readonly unknown[]): Promise<number> => {
    socket.on('open', () => {
      for (const message of messages) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    });
    return new Promise((resolve) => socket.on('close', resolve));
  };
  const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => act(index)));

  const breakFrames = (bytes: Buffer): Promise<unknown> => {
    const { hostname, port } = new URL(service.url);
    const socket = connectTcp(Number(port), hostname).on('error', () => undefined);
    socket.once('data', () => socket.write(bytes));
    socket.write(
      `GET /websocket?access_token=${adminToken} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    return new Promise((resolve) => socket.resume().on('close', resolve));
  };
  const large = 'x'.repeat(3 * megabyte);
  const subscribeTooOften = async (): Promise<void> => {
    const socket = connect(`/websocket?access_token=${adminToken}`);
    const counts = { all: 0, refused: 0, updates: 0 };
    socket.on('message', (data) => {
      const { event, error } = JSON.parse(String(data));
      counts.all += 1;
      if (error?.code === 'REQUESTS_EXCEEDED') counts.refused += 1;
      if (event === 'update') counts.updates += 1;
    });
    const wanted = Array.from({ length: 600 }, (_, number) => {
      const query = { filter: { id: { _eq: number } } };
      return { type: 'subscribe', collection: 'notes', uid: `${number} ${'u'.repeat(240)}`, query };
    });
    void send(socket, ...wanted);
    await waitFor(() => (counts.all === wanted.length ? true : null), patience);
    expect(counts.refused).toBe(wanted.length - 100);
    writes += 1;
    await service.api.patch('/items/notes/1', { title: `title ${writes} ${'x'.repeat(50_000)}` });
    await waitFor(() => (counts.updates === 1 ? true : null), patience);
    socket.terminate();
  };
  const proveWrongly = async (index: number): Promise<void> => {
    const access_token = `wrong${index} ${'x'.repeat(10_000)}`;
    const status = new Promise((resolve) =>
      connect(`/websocket?access_token=wrong${index}`).on('unexpected-response', (_, { statusCode }) => resolve(statusCode)),
    );
    expect(await status).toBe(401);
    expect(await send(connect('/websocket'), { type: 'auth', access_token })).toBe(1005);
    expect(await send(connect('/graphql', protocol), { type: 'connection_init', payload: { access_token } })).toBe(4403);
  };
  const follow = async (): Promise<void> => {
    const stop = new AbortController();
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${adminToken}` };
    const { body } = await fetch(`${service.url}/items/notes`, { headers, signal: stop.signal });
    await body?.getReader().read();
    stop.abort();
  };

  const observed = async (name: string): Promise<number> =>
    (await service.api.get('/server/health')).body.checks[`realtime:${name}`][0].observedValue;

  async function misbehave(): Promise<number> {
    for (const [, bytes] of brokenFrames) await times(10, () => breakFrames(bytes));
    expect(await times(5, () => send(connect(`/websocket?access_token=${adminToken}`), large))).toEqual(Array(5).fill(1009));
    expect(await times(5, () => send(connect('/graphql', protocol), large))).toEqual(Array(5).fill(1009));
    await subscribeTooOften();
    await times(20, proveWrongly);
    await times(20, follow);
    for (const name of ['connections', 'subscriptions', 'lists', 'items'])
      await waitFor(async () => ((await observed(name)) === 0 ? true : null), patience);
    return keptMemory();
  }

  it('does not grow', { timeout: 20 * patience }, async () => {
    // Caches fill, and the engine compiles.
    for (let round = 0; round < 2; round += 1) await misbehave();
    const before = await misbehave();
    const rounds = 3;
    let after = before;
    for (let round = 0; round < rounds; round += 1) after = await misbehave();
    // A round leaves 30 MB of messages, 150 connections and 120 subscriptions behind. One of them that stayed would be seen.
    expect((after - before) / rounds).toBeLessThan(0.25 * megabyte);
  });
});
