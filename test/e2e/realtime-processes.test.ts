// Several processes on one database: writes and ended sessions of one reach the subscribers of the other. Messages between the processes make
// that fast; without them it is noticed by watching.

import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Config } from '../../src/config.js';
import { createService, type Service } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { patience, patientConfig } from '../harness/patience.js';
import { makePerson } from '../harness/people.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const redis = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const fixture = `
  create table notes (id integer primary key, title varchar(50), owner varchar(50));
  insert into notes values (1, 'one', 'ann'), (2, 'two', 'bob')`;
const waiting = { timeout: patience, interval: 5 };

interface Other {
  readonly api: Api;
  stop(): Promise<void>;
}

/** A second process would do the same: nothing is shared but the database. */
async function startOther({ databaseUrl }: TestService, config: Partial<Config>): Promise<Other> {
  const service: Service = await createService({ databaseUrl, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig, ...config });
  const url = await service.listen();
  await service.ready();
  return { api: makeApi(url, adminToken), stop: () => service.close() };
}

const follow = (client: SocketClient) =>
  client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes', query: { sort: 'id', fields: ['id', 'title'] } });

describeEachVendor('realtime between processes', (vendor) => {
  let service: TestService;
  let other: Other;
  const open: SocketClient[] = [];

  beforeAll(async () => {
    service = await startService(vendor, { area: 'realtime_processes', fixture });
    other = await startOther(service, {});
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });
  const connect = async (token: string): Promise<SocketClient> => {
    const client = await openAs(service.url, token);
    open.push(client);
    return client;
  };

  it('what another process writes is sent, once and in order', async () => {
    const client = await connect(adminToken);
    await follow(client);
    const from = client.messages.length;
    for (let number = 0; number < 20; number += 1) {
      expect((await other.api.patch('/items/notes/1', { title: `title ${number}` })).status).toBe(200);
      expect((await service.api.patch('/items/notes/2', { title: `title ${number}` })).status).toBe(200);
    }
    const titlesOf = (id: number): readonly number[] =>
      client.messages
        .slice(from)
        .flatMap(({ data }) => data ?? [])
        .filter((item) => item.id === id)
        .map(({ title }) => Number(title.split(' ')[1]));
    for (const id of [1, 2]) {
      await expect.poll(() => titlesOf(id).at(-1), waiting).toBe(19);
      expect(titlesOf(id)).toEqual([...new Set(titlesOf(id))].sort((a, b) => a - b));
    }
  });

  it('a user suspended by another process, or without the permission any more, receives nothing more', async () => {
    const rule = { collection: 'notes', action: 'read', fields: ['id', 'title'], permissions: { owner: { _eq: 'ann' } } } as const;
    const ann = await makePerson(service, [{ permissions: [rule] }]);
    const client = await connect(ann.token);
    await follow(client);
    const permission = (await service.api.get(`/permissions?filter[policy][_eq]=${ann.policies[0]}`)).body.data[0].id;
    await other.api.patch(`/permissions/${permission}`, { permissions: { owner: { _eq: 'bob' } } });
    expect(await client.next(({ event }) => event === 'delete')).toMatchObject({ data: [1] });
    expect(await client.next(({ event }) => event === 'create')).toMatchObject({ data: [{ id: 2 }] });
    await other.api.patch(`/users/${ann.id}`, { status: 'suspended' });
    await client.next(({ error }) => error?.code === 'TOKEN_EXPIRED');
    const from = client.messages.length;
    await other.api.patch('/items/notes/2', { title: 'hidden' });
    expect((await client.ask({ type: 'items', action: 'read', collection: 'notes' })).error.code).toBe('FORBIDDEN');
    expect(client.messages.slice(from).some(({ type }) => type === 'subscription')).toBe(false);
  });
});

// Without watching, messages are the only way.
const channels = [
  ...inject('vendors').flatMap((vendor) => (vendor.name === 'postgres' ? [{ title: 'NOTIFY', vendor, config: {} }] : [])),
  ...inject('vendors').map((vendor) => ({ title: `Redis (${vendor.name})`, vendor, config: { redisUrl: redis } })),
];

describe.each(channels)('messages between processes: $title', ({ vendor, config }) => {
  it('carry what has changed', async () => {
    const settings = { ...config, realtimeWatch: false };
    const service = await startService(vendor, { area: 'realtime_channel', fixture, config: settings });
    const other = await startOther(service, settings);
    try {
      const client = await openAs(service.url, adminToken);
      await follow(client);
      let number = 0;
      // Until the other process has heard that somebody follows.
      await expect
        .poll(async () => {
          number += 1;
          await other.api.patch('/items/notes/1', { title: `title ${number}` });
          return client.messages.some(({ event }) => event === 'update');
        }, waiting)
        .toBe(true);
      const from = client.messages.length;
      await other.api.post('/items/notes', [{ id: 3, title: 'three' }]);
      expect(await client.next(({ event }) => event === 'create', from)).toMatchObject({ data: [{ id: 3, title: 'three' }] });
      await other.api.delete('/items/notes/3');
      expect(await client.next(({ event }) => event === 'delete', from)).toMatchObject({ data: [3] });
      // More than a message may hold.
      const many = Array.from({ length: 1_500 }, (_, index) => ({ id: 1_000_000_000 + index, title: 'many' }));
      await other.api.post('/items/notes', many);
      await expect
        .poll(() => client.messages.slice(from).flatMap(({ event, data }) => (event === 'create' ? data : [])).length, waiting)
        .toBe(many.length + 1);
      client.close();
    } finally {
      await other.stop();
      await service.stop();
    }
  });
});

describe('processes whose Redis is away', () => {
  it('notice each other by watching', async () => {
    const [vendor] = inject('vendors');
    if (vendor === undefined) throw new Error('there is no vendor');
    const settings = { redisUrl: 'redis://127.0.0.1:1', logLevel: 'silent' } as const;
    const service = await startService(vendor, { area: 'realtime_away', fixture, config: settings });
    const other = await startOther(service, settings);
    const client = await openAs(service.url, adminToken);
    await follow(client);
    await other.api.patch('/items/notes/1', { title: 'seen' });
    expect(await client.next(({ event }) => event === 'update')).toMatchObject({ data: [{ id: 1, title: 'seen' }] });
    client.close();
    await other.stop();
    await service.stop();
  });
});
