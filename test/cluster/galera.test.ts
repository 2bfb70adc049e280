// A Galera cluster of three nodes: instances that start at once, conflicts between them, a node that loses its quorum, and nodes that die.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, makeApi } from '../harness/api.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { waitFor } from '../harness/run-command.js';
import { makeGalera, type ThrowAwayServer } from '../harness/throw-away-server.js';
import { runOnServer } from '../harness/vendors.js';
import { addressOf, type ClusterService, notes, serve } from './cluster-service.js';
import { lostOf, startWriteLoad } from './write-load.js';

const database = 'tain_test_galera';
let nodes: readonly ThrowAwayServer[] = [];
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
  nodes = await makeGalera();
  for (const node of nodes) {
    await node.start();
    await waitFor(async () => ((await isReady(node)) ? true : null), 60_000);
  }
  await runOnServer(at(nodes, 0).vendor, `create database ${database}`);
});
afterAll(async () => {
  for (const instance of instances) await instance.stop();
  for (const node of nodes) await node.remove();
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

  it('loses no acknowledged write when the node that is written to dies', async () => {
    await expect.poll(() => Promise.all(nodes.map(isReady)), { timeout: 60_000 }).toEqual([true, true, true]);
    const spread = await serve(addressOf(nodes, database));
    const load = startWriteLoad(spread.api, 'notes');
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(50);
    await at(nodes, 0).kill();
    const before = load.acknowledged.length;
    await expect.poll(() => load.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 50);
    await load.stop();
    await spread.stop();
    const access = await openDirectAccess(at(nodes, 1).vendor, `${at(nodes, 1).vendor.server}/${database}`);
    expect(lostOf(load, await access.sql('select text from notes'))).toEqual([]);
    expect(load.odd).toEqual([]);
    await access.close();
  });
});
