// A database that falls silent, and a pool that has nothing left: every request is answered in time, and afterwards all is as before.

import { expect, it } from 'vitest';
import { createService, type Service } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import { startCutProxy } from '../harness/cut-proxy.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { reportRow, thousands } from '../harness/heavy-run.js';
import { waitFor } from '../harness/run-command.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';

const token = 'starving-admin-token';
const notes = { collection: 'notes', schema: {}, fields: [{ field: 'text', type: 'string' }] };
const clients = 16;
const rounds = 10;
const silenceMs = 4000;
const longestMs = 8000;

interface Seen {
  readonly statuses: Map<number, number>;
  readonly acknowledged: Set<string>;
  longest: number;
}

/** Reads and writes until it is stopped. */
async function load(api: Api, client: number, seen: Seen, isOver: () => boolean): Promise<void> {
  for (let count = 0; !isOver(); count += 1) {
    const text = `s-${client}-${count}`;
    const asked = performance.now();
    const { status } = await (client % 4 === 0 ? api.post('/items/notes', { text }) : api.get('/items/notes?limit=5'));
    seen.longest = Math.max(seen.longest, performance.now() - asked);
    seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
    if (status === 200 && client % 4 === 0) seen.acknowledged.add(text);
  }
}

interface Started {
  readonly service: Service;
  readonly api: Api;
}

async function start(url: string, poolSize: number): Promise<Started> {
  const service = await createService({ databaseUrl: url, port: 0, logLevel: 'silent', adminToken: token, rateLimit: null, poolSize });
  const api = makeApi(await service.listen(), token);
  await service.ready();
  expect((await api.post('/collections', notes)).status).toBe(200);
  return { service, api };
}

async function judge(vendor: Vendor, database: TestDatabase, seen: Seen): Promise<string> {
  expect([...seen.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(seen.longest).toBeLessThan(longestMs);
  const direct = await openDirectAccess(vendor, database.url);
  const texts = (await direct.sql("select text from notes where text like 's-%'")).map((row) => String(row['text']));
  await direct.close();
  const there = new Set(texts);
  expect([[...seen.acknowledged].filter((text) => !there.has(text)), texts.length]).toEqual([[], there.size]);
  const count = (status: number): string => thousands(seen.statuses.get(status) ?? 0);
  return `${count(200)} × 200, ${count(503)} × 503, nothing else; longest answer ${(seen.longest / 1000).toFixed(1)} s; 0 of ${thousands(seen.acknowledged.size)} acknowledged writes lost`;
}

describeEachVendor('a database that starves its service', (vendor) => {
  it.runIf(vendor.name !== 'sqlite')(`silent ${rounds} times`, async () => {
    const database = await createDatabase(vendor, 'silent');
    const { hostname, port } = new URL(vendor.server);
    const proxy = await startCutProxy({ host: hostname, port: Number(port) });
    const { service, api } = await start(database.url.replace(`:${port}/`, `:${proxy.port}/`), 10);
    const seen: Seen = { statuses: new Map(), acknowledged: new Set(), longest: 0 };
    let over = false;
    const loads = Array.from({ length: clients }, (_, client) => load(api, client, seen, () => over));
    for (let round = 0; round < rounds; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      proxy.silence(true);
      await new Promise((resolve) => setTimeout(resolve, silenceMs));
      proxy.silence(false);
      await waitFor(async () => ((await api.get('/items/notes?limit=1')).status === 200 ? true : null), longestMs);
    }
    over = true;
    await Promise.all(loads);
    const found = await judge(vendor, database, seen);
    await service.close();
    proxy.stop();
    await database.drop();
    reportRow('silent database', vendor.name, `${rounds} times ${silenceMs / 1000} s under load`, found);
  });

  it('a pool of two for 200 requests at once', async () => {
    const database = await createDatabase(vendor, 'pool');
    const { service, api } = await start(database.url, 2);
    const seen: Seen = { statuses: new Map(), acknowledged: new Set(), longest: 0 };
    const until = performance.now() + 20_000;
    await Promise.all(Array.from({ length: 200 }, (_, client) => load(api, client, seen, () => performance.now() > until)));
    expect((await api.get('/items/notes?limit=1')).status).toBe(200);
    const found = await judge(vendor, database, seen);
    await service.close();
    await database.drop();
    reportRow('pool exhausted', vendor.name, '200 clients over 2 connections, 20 s', found);
  });
});
