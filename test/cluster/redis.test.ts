// Redis dies, hangs, is slow, comes back, also from the start of the service: no request fails because of it or waits long, limits are still kept, and
// instances still see each other's changes.

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeApi } from '../harness/api.js';
import { makePerson, type Person } from '../harness/people.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import { freePort } from '../harness/throw-away-server.js';
import { type ClusterService, serve } from './cluster-service.js';
import { type Daemon, makeDaemon } from './daemon.js';
import { type Link, openLink } from './network.js';

/** For the requests that are under way when Redis falls silent; this machine may be busy. */
const longestMs = 1_500;
/** For those after them: the median, because no request waits for Redis any more. */
const usualMs = 100;

let port = 0;
let daemon: Daemon;
let client: Redis;
/** The services reach Redis by this. */
let link: Link;

const startRedis = (): Promise<void> =>
  daemon.start(['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], async () => {
    // The client connects again by itself.
    return (await client.ping()) === 'PONG';
  });

beforeAll(async () => {
  daemon = makeDaemon('redis-server', 'redis-server', 'redis');
  port = await freePort();
  client = new Redis(port, '127.0.0.1', { enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  await startRedis();
  link = await openLink(port);
});
afterAll(async () => {
  client?.disconnect();
  await link?.close();
  daemon?.signal('SIGCONT');
  await daemon?.remove();
});

const config = () => ({ redisUrl: `redis://127.0.0.1:${link.port}`, rateLimit: 10_000, logLevel: 'silent' }) as const;

describe('a Redis that', () => {
  let service: TestService;
  let other: ClusterService;
  let person: Person;
  beforeAll(async () => {
    const vendor = inject('vendors').find(({ name }) => name === 'mysql');
    if (vendor === undefined) throw new Error('there is no MariaDB');
    service = await startService(vendor, { area: 'redis', fixture: 'create table things (id integer primary key)', config: config() });
    other = await serve(service.databaseUrl, config());
    person = await makePerson(service, [{ permissions: [{ collection: 'things', action: 'read', fields: ['*'] }] }]);
  });
  afterAll(async () => {
    await other?.stop();
    await service?.stop();
  });

  /** Reads and writes for a while; the durations, and what was not answered as it should. */
  async function play(turns: number, meanwhile: () => void = () => undefined) {
    const durations: number[] = [];
    const wrong: string[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      if (turn === 3) meanwhile();
      const begun = performance.now();
      const answers = await Promise.all([
        service.api.get('/items/things'),
        service.api.post('/items/things', { id: Math.floor(Math.random() * 2 ** 31) }),
        makeApi(other.url, adminToken).get('/items/things?limit=1'),
        makeApi(other.url, person.token).get('/items/things?limit=1'),
      ]);
      durations.push(performance.now() - begun);
      wrong.push(...answers.flatMap(({ status, text }) => (status === 200 ? [] : [text])));
    }
    durations.sort((a, b) => a - b);
    return { wrong, longest: durations.at(-1) ?? 0, usual: durations[Math.floor(turns / 2)] ?? 0 };
  }

  async function expectNoHarm(meanwhile: () => void): Promise<void> {
    const { wrong, longest, usual } = await play(60, meanwhile);
    expect(wrong).toEqual([]);
    expect(longest).toBeLessThan(longestMs);
    expect(usual).toBeLessThan(usualMs);
    // What one instance changes, the other sees by checking.
    const [policy] = person.policies;
    const permission = (await service.api.get(`/permissions?filter[policy][_eq]=${policy}`)).body.data[0].id;
    for (const fields of [[], ['*']]) {
      const begun = performance.now();
      expect((await service.api.patch(`/permissions/${permission}`, { fields })).status).toBe(200);
      const isSeen = async () => (await makeApi(other.url, person.token).get('/items/things?fields=id&limit=1')).status === 200;
      await expect.poll(isSeen, { interval: 10 }).toBe(fields.length > 0);
      expect(performance.now() - begun).toBeLessThan(longestMs);
    }
    // And limits are kept in memory.
    const login = { email: `nobody-${Math.random()}@example.com`, password: 'wrong' };
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await service.as(null).post('/auth/login', login)).status);
    expect(statuses).toContain(429);
  }

  /** Requests are counted in Redis again. */
  async function expectUsed(): Promise<void> {
    await client.flushall();
    await expect
      .poll(async () => {
        await service.api.get('/items/things?limit=1');
        return (await client.keys('tain:request:*')).length;
      })
      .toBeGreaterThan(0);
  }

  it('is killed', async () => {
    await expectUsed();
    await expectNoHarm(() => daemon.signal('SIGKILL'));
    await daemon.end('SIGKILL');
    await startRedis();
    await expectUsed();
  });

  it('is suspended', async () => {
    await expectNoHarm(() => daemon.signal('SIGSTOP'));
    daemon.signal('SIGCONT');
    await expectUsed();
  });

  // Within the patience of a request, beyond it, and beyond that of every other part.
  it.each([150, 300, 3_000])('takes %i ms for each answer', async (ms) => {
    await expectUsed();
    await expectNoHarm(() => link.delay(ms));
    // It is asked again and again, and never used: a request that came after a while has nothing to wait for, either.
    const { wrong, usual, longest } = await play(30);
    expect(wrong).toEqual([]);
    expect(usual).toBeLessThan(usualMs);
    expect(longest).toBeLessThan(longestMs);
    link.delay(0);
    await expectUsed();
  });

  it.each([
    ['is suspended', () => daemon.signal('SIGSTOP'), () => daemon.signal('SIGCONT')],
    ['takes 3 s for each answer', () => link.delay(3_000), () => link.delay(0)],
  ] as const)('%s from the beginning', async (_what, fail, recover) => {
    fail();
    const begun = performance.now();
    const late = await serve(service.databaseUrl, config());
    try {
      const startMs = performance.now() - begun;
      const first = performance.now();
      expect((await makeApi(late.url, adminToken).get('/items/things?limit=1')).status).toBe(200);
      expect(performance.now() - first).toBeLessThan(longestMs);
      expect(startMs).toBeLessThan(10_000);
      recover();
      await expectUsed();
    } finally {
      recover();
      await late.stop();
    }
  });
});
