// A Galera cluster of three nodes: instances that start at once, conflicts between them, a node that loses its quorum, nodes that die, come back, stand
// still and are cut off from the others, and the recorded conversations.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playOn } from '../conformance/play-suites.js';
import { type Answer, makeApi } from '../harness/api.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { waitFor } from '../harness/run-command.js';
import { type GaleraNode, makeGalera, type ThrowAwayServer } from '../harness/throw-away-server.js';
import { runOnServer } from '../harness/vendors.js';
import { addressOf, type ClusterService, notes, serve } from './cluster-service.js';
import { openClusterNetwork } from './network.js';
import { lostOf, startWriteLoad, type WriteLoad } from './write-load.js';

const database = 'tain_test_galera';
const network = openClusterNetwork();
let nodes: readonly GaleraNode[] = [];
let instances: readonly ClusterService[] = [];

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no ${index + 1}th`);
  return found;
};

/** A node that is joining, or has lost its quorum, answers some statements, but not this one. */
const isReady = (node: ThrowAwayServer): Promise<boolean> =>
  runOnServer(node.vendor, 'do 1').then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  nodes = await makeGalera(network);
  for (const node of nodes) {
    await node.start();
    await waitFor(async () => ((await isReady(node)) ? true : null), 60_000);
  }
  await runOnServer(at(nodes, 0).vendor, `create database ${database}`);
});
afterAll(async () => {
  for (const instance of instances) await instance.stop();
  for (const node of nodes) await node.remove();
  await network.close();
});

describe('a cluster of three nodes', () => {
  it('lets one instance on each node start first at the same time', async () => {
    instances = await Promise.all(nodes.map((node) => serve(addressOf([node], database))));
    const created = await at(instances, 0).api.post('/collections', notes);
    expect(created.status).toBe(200);
    const access = await openDirectAccess(at(nodes, 1).vendor, `${at(nodes, 1).vendor.server}/${database}`);
    const counts = await access.sql(
      'select (select count(*) from service_users) as users, (select count(*) from service_roles) as roles, (select count(*) from service_secrets where name = "secret") as secrets',
    );
    await access.close();
    expect(counts.map((row) => Object.values(row).map(Number))).toEqual([[1, 1, 1]]);
    for (const { api } of instances) await expect.poll(async () => (await api.get('/items/notes')).status).toBe(200);
  });

  it('shows no conflict between instances to a client', async () => {
    const { api } = at(instances, 0);
    const { id } = (await api.post('/items/notes', { text: 'contended' })).body.data;
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_entry, index) => at(instances, index % 3).api.patch(`/items/notes/${id}`, { text: `t${index}` })),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(60);
  });

  it('answers 503 on a node without quorum, never 500, and serves again with the others', async () => {
    const { api, url } = at(instances, 2);
    const node = at(nodes, 2);
    const seen: Answer[] = [];
    const ask = async (): Promise<Answer> => {
      const answers = await Promise.all([
        api.get('/items/notes'),
        api.post('/items/notes', { text: 'without quorum' }),
        api.patch('/items/notes/1', { text: 'without quorum' }),
        api.get('/users/me'),
        api.post('/fields/notes', { field: 'more', type: 'string' }),
        api.graphql('{ notes { id } }'),
        makeApi(url, null).post('/auth/login', { email: 'admin@example.com', password: 'wrong' }),
      ]);
      seen.push(...answers);
      return answers[0];
    };
    await runOnServer(node.vendor, "set global wsrep_provider_options = 'gmcast.isolate=1'");
    await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(503);
    for (let turn = 0; turn < 5; turn += 1) await ask();
    expect((await makeApi(url, null).get('/server/health')).status).toBe(503);
    await runOnServer(node.vendor, "set global wsrep_provider_options = 'gmcast.isolate=0'");
    await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(200);
    expect(seen.filter(({ status }) => status === 500).map(({ text }) => text)).toEqual([]);
    await expect.poll(async () => (await api.post('/items/notes', { text: 'again' })).status).toBe(200);
  });

  // The last node is the first of the list, so it is the one that is written to.
  const spread = (): Promise<ClusterService> => serve(addressOf(nodes.toReversed(), database));

  const everyNodeIsReady = (): Promise<void> =>
    expect.poll(() => Promise.all(nodes.map(isReady)), { timeout: 120_000, interval: 500 }).toEqual([true, true, true]);

  /** What a node has, after everything that the others have committed. Fails on a node that is about to leave the cluster, or to come back. */
  async function textsOn({ vendor }: ThrowAwayServer): Promise<Awaited<ReturnType<DirectAccess['sql']>>> {
    const access = await openDirectAccess(vendor, `${vendor.server}/${database}`);
    try {
      await access.sql('set session wsrep_sync_wait = 1');
      return await access.sql('select text from notes');
    } finally {
      await access.close();
    }
  }

  async function expectNothingLost(load: WriteLoad): Promise<void> {
    for (const node of nodes)
      await expect.poll(async () => lostOf(load, await textsOn(node)), { timeout: 60_000, interval: 500 }).toEqual([]);
    expect(load.odd).toEqual([]);
  }

  it('loses no acknowledged write when the node that is written to dies, and has them all when it is back', async () => {
    await everyNodeIsReady();
    const running = await spread();
    const load = startWriteLoad(running.api, 'notes');
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(50);
    await at(nodes, 2).kill();
    const before = load.acknowledged.length;
    await expect.poll(() => load.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 50);
    // It gets from the others what it has missed, while they are written to.
    await at(nodes, 2).start();
    await everyNodeIsReady();
    await load.stop();
    await running.stop();
    await expectNothingLost(load);
  });

  it('continues with the others while the node that is written to is suspended, and loses nothing', async () => {
    const running = await spread();
    const load = startWriteLoad(running.api, 'notes');
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(50);
    at(nodes, 2).pause();
    const before = load.acknowledged.length;
    await expect.poll(() => load.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 50);
    at(nodes, 2).resume();
    await everyNodeIsReady();
    await load.stop();
    await running.stop();
    await expectNothingLost(load);
  });

  it('continues with the others when the node that is written to is cut off from them, which answers 503 until it has joined again', async () => {
    const alone = at(instances, 2);
    const seen: Answer[] = [];
    const write = async (): Promise<number> => {
      const answers = await Promise.all([alone.api.post('/items/notes', { text: 'cut off' }), alone.api.get('/items/notes?limit=1')]);
      seen.push(...answers);
      return answers[0].status;
    };
    await expect.poll(write, { timeout: 60_000 }).toBe(200);
    const running = await spread();
    const load = startWriteLoad(running.api, 'notes');
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(50);
    network.cut(at(nodes, 2).nodePort);
    await expect.poll(write, { timeout: 60_000 }).toBe(503);
    const before = load.acknowledged.length;
    await expect.poll(() => load.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 50);
    // Once the node knows that it is alone it reads nothing, either.
    await expect.poll(async () => (await alone.api.get('/items/notes?limit=1')).status, { timeout: 60_000 }).toBe(503);
    expect(await Promise.all(nodes.map(isReady))).toEqual([true, true, false]);
    for (let turn = 0; turn < 5; turn += 1) expect(await write()).toBe(503);
    expect((await makeApi(alone.url, null).get('/server/health')).status).toBe(503);
    // It gets from the others what it has missed, while they are written to.
    network.restore(at(nodes, 2).nodePort);
    await everyNodeIsReady();
    await expect.poll(write, { timeout: 60_000 }).toBe(200);
    await load.stop();
    await running.stop();
    expect(seen.filter(({ status }) => status !== 200 && status !== 503).map(({ text }) => text)).toEqual([]);
    await expectNothingLost(load);
  });
});

describe('a cluster of three nodes, as one server', () => {
  beforeAll(async () => {
    // The recorded answers have the keys of a single server: 1, 2, 3.
    for (const { vendor } of nodes) {
      await runOnServer(vendor, 'set global wsrep_auto_increment_control = off');
      for (const name of ['increment', 'offset']) await runOnServer(vendor, `set global auto_increment_${name} = 1`);
    }
  });

  playOn('galera', async () => at(nodes, 0).vendor, 'items');
});
