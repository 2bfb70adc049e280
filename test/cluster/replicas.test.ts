// Replicas in DATABASE_READ_URLS: reads go there, clients see their own writes whatever the replica does, and what is no replica is refused.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createService } from '../../src/tain.js';
import type { Answer } from '../harness/api.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { patientConfig } from '../harness/patience.js';
import { waitFor } from '../harness/run-command.js';
import { makeGalera, makeServer, makeStandby, type ThrowAwayServer } from '../harness/throw-away-server.js';
import { runOnServer } from '../harness/vendors.js';
import { addressOf, type ClusterService, notes, serve } from './cluster-service.js';

const database = 'tain_test_replicas';

interface Copies {
  readonly primary: ThrowAwayServer;
  readonly replica: ThrowAwayServer;
  readonly running: ClusterService;
  /** A session at the replica that may pause and resume it. */
  readonly control: DirectAccess;
}

const urlOf = (server: ThrowAwayServer): string => addressOf([server], database);

const readsOf = async ({ api }: ClusterService): Promise<number> => {
  const text = String((await api.get('/metrics')).text);
  return [...text.matchAll(/^tain_replica_reads_total\{[^}]*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
};

/** What health says about the only replica. */
const healthOf = async ({
  api,
}: ClusterService): Promise<{ readonly status: string; readonly output: string; readonly observedValue: unknown }> => {
  const { checks } = (await api.get('/server/health')).body;
  const [name = ''] = Object.keys(checks).filter((check) => check.startsWith('replica:'));
  return checks[name][0];
};

const inUse = (running: ClusterService): Promise<boolean> => healthOf(running).then(({ status }) => status === 'ok');

const tokenOf = ({ headers }: Answer): Readonly<Record<string, string>> => ({ 'x-read-after': headers.get('x-read-after') ?? '' });

/** Each turn writes an item and reads it back in one of the ways in which items are read; returns what went wrong. */
async function readOwnWrites(running: ClusterService, turns: number, clients: number): Promise<readonly string[]> {
  const { api } = running;
  const wrong: string[] = [];
  const play = async (client: number): Promise<void> => {
    let id: number | null = null;
    for (let turn = 0; turn < turns; turn += 1) {
      const text = `${client}-${turn}`;
      const written: Answer = id === null ? await api.post('/items/notes', { text }) : await api.patch(`/items/notes/${id}`, { text });
      if (written.status !== 200) {
        wrong.push(`${text} was not written: ${written.status} ${written.text}`);
        continue;
      }
      id = written.body.data.id;
      const answer = await readBack(running, Number(id), turn % 4, tokenOf(written));
      if (!answer.text.includes(`"${text}"`)) wrong.push(`${text} was not read: ${answer.status} ${answer.text}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_entry, client) => play(client)));
  return wrong;
}

function readBack({ api }: ClusterService, id: number, way: number, token: Readonly<Record<string, string>>): Promise<Answer> {
  const list = `/items/notes?filter[id][_eq]=${id}&fields=text`;
  switch (way) {
    case 0:
      return api.get(`/items/notes/${id}`, token);
    case 1:
      return api.get(list, token);
    case 2:
      return api.get(`${list}&export=json`, { cookie: `service_read_after=${token['x-read-after']}` });
    default:
      return api.post('/graphql', { query: `{ notes_by_id(id: ${id}) { text } }` }, token);
  }
}

/** Sent again when recovery ends it, as PostgreSQL does with conflicting reads after a pause. */
async function command(control: DirectAccess, text: string): Promise<void> {
  for (;;) {
    try {
      await control.sql(text);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === '40001')) throw error;
    }
  }
}

async function startPostgres(): Promise<Copies> {
  const primary = await makeServer('postgres');
  await primary.start();
  await runOnServer(primary.vendor, `create database ${database}`);
  const replica = await makeStandby(primary);
  await replica.start();
  const running = await serve(urlOf(primary), { ...patientConfig, databaseReadUrls: [urlOf(replica)] });
  await running.api.post('/collections', notes);
  return { primary, replica, running, control: await openDirectAccess(replica.vendor, urlOf(replica)) };
}

async function startMaria(): Promise<Copies> {
  const replication = (id: number): readonly string[] => [`--server-id=${id}`, '--log-bin=log', '--log-slave-updates=1'];
  const primary = await makeServer('mysql', replication(1));
  const replica = await makeServer('mysql', [...replication(2), '--read-only=1']);
  await primary.start();
  await replica.start();
  const { hostname, port } = new URL(primary.vendor.server);
  await runOnServer(primary.vendor, "create user app@'%'");
  await runOnServer(primary.vendor, "grant all on *.* to app@'%'");
  await runOnServer(
    replica.vendor,
    `change master to master_host='${hostname}', master_port=${port}, master_user='app', master_use_gtid=slave_pos`,
  );
  await runOnServer(replica.vendor, 'start slave');
  await runOnServer(primary.vendor, `create database ${database}`);
  await waitFor(
    () =>
      openDirectAccess(replica.vendor, urlOf(replica))
        .then(
          (access) => access.close(),
          () => null,
        )
        .then((found) => (found === null ? null : true)),
    30_000,
  );
  const running = await serve(urlOf(primary), { ...patientConfig, databaseReadUrls: [urlOf(replica)] });
  await running.api.post('/collections', notes);
  return { primary, replica, running, control: await openDirectAccess(replica.vendor, urlOf(replica)) };
}

describe.each([
  {
    name: 'PostgreSQL',
    start: startPostgres,
    pause: 'select pg_wal_replay_pause()',
    resume: 'select pg_wal_replay_resume()',
    turns: 250,
  },
  { name: 'MariaDB', start: startMaria, pause: 'stop slave sql_thread', resume: 'start slave sql_thread', turns: 100 },
])('a replica of $name', ({ start, pause, resume, turns }) => {
  let copies: Copies;
  beforeAll(async () => {
    copies = await start();
  });
  afterAll(async () => {
    await copies?.running.stop();
    await copies?.control.close();
    for (const server of [copies?.replica, copies?.primary]) await server?.remove();
  });

  it('answers reads of items, and nothing else', async () => {
    const { running } = copies;
    await expect.poll(() => inUse(running)).toBe(true);
    await running.api.post('/items/notes', { text: 'first' });
    await expect.poll(async () => (await running.api.get('/items/notes')).body.data.length).toBe(1);
    const before = await readsOf(running);
    for (const path of ['/users/me', '/permissions', '/collections', '/fields/notes', '/settings']) await running.api.get(path);
    expect(await readsOf(running)).toBe(before);
    for (const path of ['/items/notes', '/items/notes/1', '/items/notes?aggregate[count]=*', '/items/notes?export=csv']) {
      const answer = await running.api.get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-read-after')).toBeNull();
    }
    await running.api.graphql('{ notes { text } }');
    expect(await readsOf(running)).toBe(before + 5);
  });

  it('shows every client its own writes while it follows', async () => {
    const before = await readsOf(copies.running);
    expect(await readOwnWrites(copies.running, turns, 20)).toEqual([]);
    // Most are answered by the replica, after a wait perhaps.
    expect((await readsOf(copies.running)) - before).toBeGreaterThan(turns * 2);
  });

  it('shows every client its own writes while it is suspended, and while it comes and goes', async () => {
    const { running, control } = copies;
    await control.sql(pause);
    const { id } = (await running.api.post('/items/notes', { text: 'unseen' })).body.data;
    // Without a token a read may be late: this shows that the replica really hangs.
    expect((await running.api.get(`/items/notes/${id}`)).status).toBe(403);
    expect(await readOwnWrites(running, turns, 10)).toEqual([]);
    let playing = true;
    const comeAndGo = async (): Promise<void> => {
      for (let count = 0; playing; count += 1) {
        await command(control, count % 2 === 0 ? resume : pause);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await command(control, resume);
    };
    const coming = comeAndGo();
    expect(await readOwnWrites(running, turns, 10)).toEqual([]);
    playing = false;
    await coming;
    await expect.poll(async () => (await running.api.get(`/items/notes/${id}`)).status).toBe(200);
  });

  it('is not read from while it is away, and is used again when it is back', async () => {
    const { running, replica } = copies;
    await copies.control.close();
    await replica.kill();
    const answers = await Promise.all(Array.from({ length: 50 }, () => running.api.get('/items/notes?limit=1')));
    expect(answers.flatMap(({ status, text }) => (status === 200 ? [] : [text]))).toEqual([]);
    await expect.poll(() => inUse(running)).toBe(false);
    await replica.start();
    copies = { ...copies, control: await openDirectAccess(replica.vendor, urlOf(replica)) };
    await expect.poll(() => inUse(running)).toBe(true);
  });

  it('that lags behind the bound is reported by health and metrics, and not read from', async () => {
    const { primary, replica, control } = copies;
    const running = await serve(urlOf(primary), { ...patientConfig, databaseReadUrls: [urlOf(replica)], replicaLag: 300 });
    try {
      await expect.poll(() => inUse(running)).toBe(true);
      await control.sql(pause);
      await running.api.post('/items/notes', { text: 'late' });
      await expect.poll(async () => (await healthOf(running)).output).toMatch(/behind/);
      const before = await readsOf(running);
      expect((await running.api.get('/items/notes?filter[text][_eq]=late')).body.data).toHaveLength(1);
      expect(await readsOf(running)).toBe(before);
      expect((await running.api.get('/metrics')).text).toMatch(/^tain_replica_in_use\{replica="[^"]+"\} 0$/m);
    } finally {
      await control.sql(resume);
      await running.stop();
    }
  });
});

describe('nodes of a Galera cluster as replicas', () => {
  let nodes: readonly ThrowAwayServer[] = [];
  let running: ClusterService | null = null;
  beforeAll(async () => {
    nodes = await makeGalera();
    for (const node of nodes) {
      await node.start();
      await waitFor(
        () =>
          runOnServer(node.vendor, 'do 1').then(
            () => true,
            () => null,
          ),
        60_000,
      );
    }
    const [first] = nodes;
    if (first === undefined) throw new Error('there is no node');
    await runOnServer(first.vendor, `create database ${database}`);
    running = await serve(urlOf(first), { ...patientConfig, databaseReadUrls: nodes.slice(1).map(urlOf) });
    await running.api.post('/collections', notes);
  });
  afterAll(async () => {
    await running?.stop();
    for (const node of nodes) await node.remove();
  });

  it('show every client its own writes', async () => {
    if (running === null) throw new Error('nothing runs');
    const before = await readsOf(running);
    expect(await readOwnWrites(running, 100, 10)).toEqual([]);
    expect((await readsOf(running)) - before).toBeGreaterThan(200);
  });
});

describe('what is not a replica', () => {
  let primary: ThrowAwayServer;
  let replica: ThrowAwayServer;
  let other: ThrowAwayServer;
  beforeAll(async () => {
    [primary, other] = [await makeServer('postgres'), await makeServer('postgres')];
    for (const server of [primary, other]) {
      await server.start();
      await runOnServer(server.vendor, `create database ${database}`);
    }
    await runOnServer(primary.vendor, 'create database tain_test_beside');
    await runOnServer(primary.vendor, 'create role reader login');
    replica = await makeStandby(primary);
    await replica.start();
    const service = await serve(urlOf(primary));
    await service.api.post('/collections', notes);
    await service.stop();
  });
  afterAll(async () => {
    for (const server of [replica, primary, other]) await server?.remove();
  });

  const startRefused = async (url: string): Promise<string> => {
    const service = await createService({ databaseUrl: urlOf(primary), databaseReadUrls: [url], logLevel: 'silent' });
    const outcome = await service.ready().then(
      () => 'started',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    await service.close();
    return outcome;
  };

  it('is refused in one line', async () => {
    const name = new URL(replica.vendor.server).host;
    const lines = {
      otherServer: await startRefused(urlOf(other)),
      otherDatabase: await startRefused(addressOf([replica], 'tain_test_beside')),
      noDatabase: await startRefused(addressOf([replica], 'tain_test_none')),
      noUser: await startRefused(urlOf(replica).replace('postgres@', 'nobody@')),
      noRights: await startRefused(urlOf(replica).replace('postgres@', 'reader@')),
    };
    expect(lines).toEqual({
      otherServer: expect.stringMatching(/^DATABASE_READ_URLS: \S+ is not a copy of the database$/),
      otherDatabase: `DATABASE_READ_URLS: ${name} is not a copy of the database`,
      noDatabase: expect.stringMatching(new RegExp(`^DATABASE_READ_URLS: ${name}: The server has no such database .*$`)),
      noUser: expect.stringMatching(new RegExp(`^DATABASE_READ_URLS: ${name}: The server refused the user.*$`)),
      noRights: expect.stringMatching(new RegExp(`^DATABASE_READ_URLS: ${name} cannot be read: permission denied.*$`)),
    });
  });

  it('is refused for a single table that it does not let the service read', async () => {
    await runOnServer(primary.vendor, 'grant pg_read_all_data to reader');
    expect(await startRefused(urlOf(replica).replace('postgres@', 'reader@'))).toBe('started');
    await runOnServer(primary.vendor, 'revoke pg_read_all_data from reader');
    const direct = await openDirectAccess(primary.vendor, urlOf(primary));
    await direct.sql('grant select on all tables in schema public to reader; revoke select on notes from reader');
    await direct.close();
    expect(await startRefused(urlOf(replica).replace('postgres@', 'reader@'))).toContain('refuses its user the table "notes"');
  });
});
