// Security cases H15 and H16: a request that waits for a lock, for a connection or for a silent server is answered in time, and those
// who need something else do not notice.

import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { WebSocket } from 'ws';
import { defaultDeadlines } from '../../src/core/vendor/dialect.js';
import { createService, type Service } from '../../src/tain.js';
import { type Answer, type Api, makeApi } from '../harness/api.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { openDialect } from '../harness/open-dialect.js';
import { waitFor } from '../harness/run-command.js';
import { openSilentProxy, type SilentProxy } from '../harness/silent-proxy.js';
import { openAs } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';

const fixture = `
  create table taken (id integer primary key, title varchar(50), free integer);
  create table free (id integer primary key, title varchar(50));
  insert into taken values (1, 'one', 1); insert into free values (1, 'one');
`;

interface Timed {
  readonly answer: Answer;
  readonly ms: number;
}

async function timed(ask: () => Promise<Answer>): Promise<Timed> {
  const started = performance.now();
  const answer = await ask();
  return { answer, ms: performance.now() - started };
}

const repeat = (count: number, ask: (index: number) => Promise<Answer>): Promise<readonly Timed[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => timed(() => ask(index))));
const statusesOf = (asked: readonly Timed[]): readonly number[] => asked.map(({ answer }) => answer.status);
const allWell = (count: number): readonly number[] => Array.from({ length: count }, () => 200);

/** The defaults of the service, whatever other tests are given. */
const deadlines = { poolTimeout: 2_000, lockTimeout: 2_000, silenceTimeout: 2_000, healthTimeout: 2_000 };
/** A few seconds for what is waited for, and ten times as much on a busy machine; without the deadlines it took half a minute and more. */
const withinMs = 20_000;

function expectTurnedAway(asked: readonly Timed[]): void {
  for (const { answer, ms } of asked) {
    expect([answer.status, answer.body?.errors?.[0]?.extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(ms).toBeLessThan(withinMs);
  }
}

const ways: Readonly<Record<string, (api: Api, index: number) => Promise<Answer>>> = {
  reads: (api) => api.get('/items/taken'),
  'unlimited reads': (api) => api.get('/items/taken?limit=-1'),
  creates: (api, index) => api.post('/items/taken', { id: 100 + index, title: 'new' }),
  updates: (api, index) => api.patch('/items/taken/1', { title: `new ${index}` }),
  documents: (api) => api.graphql('{ taken { id } }'),
};

const authorization = { authorization: `Bearer ${adminToken}` };

const leaveHttp = (url: string, path: string, method = 'GET', body?: object): (() => void) => {
  const leaving = new AbortController();
  const headers = { ...authorization, 'content-type': 'application/json' };
  const asked = fetch(url + path, { method, headers, signal: leaving.signal, ...(body ? { body: JSON.stringify(body) } : {}) });
  asked.catch(() => undefined);
  return () => leaving.abort();
};

const document = (query: string) => async (url: string) => leaveHttp(url, '/graphql', 'POST', { query });

async function askBySocket(url: string): Promise<() => void> {
  const client = await openAs(url, adminToken);
  client.send({ type: 'items', action: 'read', collection: 'taken' });
  return () => client.close();
}

async function askByGraphqlSocket(url: string): Promise<() => void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers: authorization });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await once(socket, 'message');
  socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query: '{ taken { id } }' } }));
  return () => socket.terminate();
}

/** Each asks for what the locked table holds; the function that it answers makes the caller leave. */
const leavers: Readonly<Record<string, (url: string) => Promise<() => void>>> = {
  lists: async (url) => leaveHttp(url, '/items/taken'),
  'single items': async (url) => leaveHttp(url, '/items/taken/1'),
  documents: document('{ taken { id } }'),
  'documents of several fields': document('{ a: taken { id } b: taken(limit: 1) { id } }'),
  'documents of one item': document('{ taken_by_id(id: 1) { id } }'),
  'aggregating documents': document('{ taken_aggregated { count { id } } }'),
  'reads of a socket': askBySocket,
  'documents of a socket': askByGraphqlSocket,
};

const servers = inject('vendors').filter(({ name }) => name !== 'sqlite');

const describeDeadlines = (vendor: Vendor): void => {
  const lock = vendor.name === 'postgres' ? ['begin', 'lock table taken in access exclusive mode'] : ['lock tables taken write'];
  const unlock = vendor.name === 'postgres' ? 'rollback' : 'unlock tables';
  const waiters =
    vendor.name === 'postgres'
      ? "select count(*) as many from pg_locks where relation = 'taken'::regclass and not granted"
      : "select count(*) as many from information_schema.processlist where db = database() and state like 'Waiting for table%'";

  async function whileLocked(service: TestService, work: () => Promise<void>): Promise<void> {
    expect((await service.api.get('/items/taken')).status).toBe(200);
    for (const statement of lock) await service.sql(statement);
    try {
      await work();
    } finally {
      await service.sql(unlock);
    }
    expect((await service.api.get('/items/taken')).status).toBe(200);
  }

  describe('a locked table', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService(vendor, { fixture, area: 'locked' });
    });
    afterAll(() => service.stop());

    it.for(Object.entries(ways))('H15: fifty %s wait for it, others do not', async ([name, ask], { expect }) => {
      let blocked: Promise<readonly Timed[]> = Promise.resolve([]);
      let answered = 0;
      await whileLocked(service, async () => {
        blocked = repeat(50, async (index) => {
          const answer = await ask(service.api, index);
          answered += 1;
          return answer;
        });
        await expect.poll(async () => Number((await service.sql(waiters))[0]?.['many'])).toBeGreaterThanOrEqual(4);
        const others = await repeat(20, (index) => service.api.get(`/items/free?limit=${1 + (index % 3)}`));
        const writes = await repeat(5, (index) => service.api.patch('/items/free/1', { title: `${name} ${index}` }));
        const health = await repeat(1, () => service.as(null).get('/server/health'));
        expect(statusesOf([...others, ...writes, ...health])).toEqual(allWell(26));
        // The lock is held by this test: requests answered meanwhile did not wait for it.
        expect(answered).toBe(0);
      });
      expect(statusesOf(await blocked)).toEqual(allWell(50));
    });
  });

  describe('callers who leave', () => {
    const waiting = async ({ sql }: TestService): Promise<number> => Number((await sql(waiters))[0]?.['many']);

    it.for(Object.entries(leavers))('H19: twelve %s of callers who have left hold no connection', async ([, ask], { expect }) => {
      const service = await startService(vendor, { fixture, area: 'left' });
      try {
        for (const statement of lock) await service.sql(statement);
        const leave = await Promise.all(Array.from({ length: 12 }, () => ask(service.url)));
        await expect.poll(() => waiting(service)).toBeGreaterThanOrEqual(4);
        for (const go of leave) go();
        await expect.poll(() => waiting(service)).toBe(0);
        await service.sql(unlock);
        expect((await service.api.get('/items/taken/1')).body.data).toEqual({ id: 1, title: 'one', free: 1 });
      } finally {
        await service.stop();
      }
    });

    it('H19: a slow read of a socket does not delay the end of the service', async ({ expect }) => {
      const service = await startService(vendor, { fixture, area: 'left' });
      for (const statement of lock) await service.sql(statement);
      for (const ask of [leavers['reads of a socket'], leavers['documents of a socket']]) await ask?.(service.url);
      await expect.poll(() => waiting(service)).toBe(2);
      // The table is locked until the service has ended.
      await service.stop();
    });
  });

  describe('a table that stays locked', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService(vendor, { fixture, area: 'locked', config: deadlines });
    });
    afterAll(() => service.stop());

    it('H15: waiting requests get an error in time', async () => {
      await whileLocked(service, async () => {
        const { documents, ...others } = ways;
        const asked = Object.values(others).map((ask) => repeat(10, (index) => ask(service.api, index)));
        // GraphQL reports failures in the body.
        const answers = await repeat(10, (index) => documents?.(service.api, index) ?? service.api.get('/'));
        for (const turnedAway of asked) expectTurnedAway(await turnedAway);
        for (const { answer, ms } of answers) {
          expect(answer.body.errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE');
          expect(ms).toBeLessThan(withinMs);
        }
      });
    });
  });

  describe('a silent server', () => {
    let database: TestDatabase;
    let proxy: SilentProxy;
    let service: Service;
    let api: Api;
    let url: string;

    beforeAll(async () => {
      database = await createDatabase(vendor, 'silent');
      const direct = await openDirectAccess(vendor, database.url);
      await direct.sql(fixture);
      await direct.close();
      proxy = await openSilentProxy(database.url);
      service = await createService({ databaseUrl: proxy.url, port: 0, logLevel: 'silent', adminToken, rateLimit: null });
      url = await service.listen();
      await service.ready();
      api = makeApi(url, adminToken);
    });
    afterAll(async () => {
      await service.close();
      await proxy.close();
      await database.drop();
    });

    it('H16: is noticed within seconds, at every door, and is used again as soon as it answers', async () => {
      const health = (): Promise<Answer> => makeApi(url, null).get('/server/health');
      expect(statusesOf(await repeat(12, () => api.get('/items/free')))).toEqual(allWell(12));
      expect((await health()).status).toBe(200);
      proxy.silence();
      for (let round = 0; round < 2; round += 1) {
        const [reads, writes, long, [check]] = await Promise.all([
          repeat(12, () => api.get('/items/free')),
          repeat(3, (index) => api.patch('/items/free/1', { title: `${index}` })),
          repeat(3, () => api.get('/items/free?limit=-1')),
          repeat(1, health),
        ]);
        expectTurnedAway([...reads, ...writes, ...long]);
        expect(check?.answer.status).toBe(503);
        expect(check?.ms).toBeLessThan(withinMs);
      }
      await proxy.resume();
      expect(await waitFor(async () => ((await api.get('/items/free')).status === 200 ? true : null), 60_000)).toBe(true);
      expect((await health()).status).toBe(200);
      expect(statusesOf(await repeat(12, () => api.get('/items/free')))).toEqual(allWell(12));
    });

    it('H16: a statement that takes its time is not taken for silence', async () => {
      const { driver } = await openDialect(vendor.name, database.url, null, defaultDeadlines);
      const text = vendor.name === 'postgres' ? "SELECT 'x' FROM pg_sleep(4)" : "SELECT 'x' FROM (SELECT SLEEP(4)) s";
      expect(await driver.rows({ kind: 'read', text, values: [] })).toEqual([['x']]);
      await driver.close();
    });
  });
};

describeVendorsTogether('deadlines', describeDeadlines, servers);
