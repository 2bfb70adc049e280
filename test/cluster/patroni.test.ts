// A cluster of PostgreSQL that Patroni runs: its primary dies, and changes, under load. Two instances write, one through HAProxy and one that knows all
// hosts.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDirectAccess } from '../harness/direct-access.js';
import { waitFor } from '../harness/run-command.js';
import { runOnServer, type Vendor } from '../harness/vendors.js';
import { type ClusterService, notes, serve } from './cluster-service.js';
import { type PatroniCluster, startPatroni } from './patroni-cluster.js';
import { lostOf, startWriteLoad, type WriteLoad } from './write-load.js';

const database = 'tain_test_patroni';
const mostMsWithoutWrites = 30_000;

interface Way {
  readonly name: string;
  readonly collection: string;
  readonly running: ClusterService;
}

let cluster: PatroniCluster;
let ways: readonly Way[] = [];

const vendorAt = (address: string): Vendor => ({ name: 'postgres', server: `postgres://postgres@${address}`, label: 'Patroni' });

beforeAll(async () => {
  cluster = await startPatroni();
  await cluster.inStep();
  await runOnServer(vendorAt((await cluster.primary()).address), `create database ${database}`);
  const hosts = cluster.nodes.map(({ address }) => address).join(',');
  const through = await serve(`postgres://postgres@${cluster.balancer}/${database}`);
  ways = [{ name: 'through HAProxy', collection: 'notes', running: through }];
  const direct = await serve(`postgres://postgres@${hosts}/${database}`);
  ways = [...ways, { name: 'by several hosts', collection: 'remarks', running: direct }];
  for (const { collection } of ways) expect((await through.api.post('/collections', { ...notes, collection })).status).toBe(200);
  await waitFor(async () => ((await direct.api.get('/items/remarks')).status === 200 ? true : null), 30_000);
});
afterAll(async () => {
  for (const { running } of ways) await running.stop();
  await cluster?.remove();
});

const startLoads = (): readonly WriteLoad[] => ways.map(({ running, collection }) => startWriteLoad(running.api, collection, 2));

const written = (loads: readonly WriteLoad[]): readonly number[] => loads.map(({ acknowledged }) => acknowledged.length);

/** The milliseconds until each load has written 20 items more. */
const recovered = (loads: readonly WriteLoad[]): Promise<readonly number[]> => {
  const begun = performance.now();
  return Promise.all(
    loads.map(async (load) => {
      const before = load.acknowledged.length;
      await expect.poll(() => load.acknowledged.length, { timeout: 120_000, interval: 20 }).toBeGreaterThan(before + 20);
      return performance.now() - begun;
    }),
  );
};

async function expectNothingLost(loads: readonly WriteLoad[]): Promise<void> {
  const primary = vendorAt((await cluster.primary()).address);
  const access = await openDirectAccess(primary, `${primary.server}/${database}`);
  for (const [index, load] of loads.entries()) {
    await load.stop();
    expect(lostOf(load, await access.sql(`select text from ${ways[index]?.collection}`))).toEqual([]);
    expect(load.odd).toEqual([]);
  }
  await access.close();
}

describe('Patroni', () => {
  it('replaces a primary that dies: writes again within 30 s, and every acknowledged one is there', async () => {
    const loads = startLoads();
    await expect.poll(() => Math.min(...written(loads))).toBeGreaterThan(50);
    const old = await cluster.primary();
    await old.kill();
    const delays = await recovered(loads);
    const figures = ways.map(({ name }, index) => `${name} ${((delays[index] ?? 0) / 1000).toFixed(1)} s`);
    process.stdout.write(`writes again after the primary died: ${figures.join(', ')}\n`);
    expect(Math.max(...delays)).toBeLessThan(mostMsWithoutWrites);
    await expectNothingLost(loads);
    for (const { running } of ways) expect((await running.api.get('/server/health')).status).toBe(200);
    // It comes back as a standby, and no client notices.
    const quiet = startLoads();
    await old.start();
    await expect.poll(() => old.is('replica'), { timeout: 120_000, interval: 200 }).toBe(true);
    await recovered(quiet);
    await expectNothingLost(quiet);
  });

  it('switches over: clients see nothing but 200 and 503, and every acknowledged write is there', async () => {
    await cluster.inStep();
    const loads = startLoads();
    await expect.poll(() => Math.min(...written(loads))).toBeGreaterThan(50);
    const old = await cluster.primary();
    await cluster.switchOver();
    await expect.poll(async () => (await cluster.primary()).name, { timeout: 60_000 }).not.toBe(old.name);
    const delays = await recovered(loads);
    expect(Math.max(...delays)).toBeLessThan(mostMsWithoutWrites);
    await expectNothingLost(loads);
  });
});
