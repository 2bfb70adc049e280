// PostgreSQL's write-ahead log as the source of changes: what any program commits is reported soon and exactly, other programs are not disturbed, and
// without the log everything works as before. Runs on a server of its own, whose wal_level is logical.

import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createService } from '../../src/tain.js';
import { makeApi } from '../harness/api.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { testLoggedWrites } from '../harness/logged-writes.js';
import { patience, patientConfig } from '../harness/patience.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import { adminEmail, adminPassword, adminToken, startService, type TestService } from '../harness/start-service.js';
import { hasServerPrograms, makeServer, type ThrowAwayServer } from '../harness/throw-away-server.js';
import { createDatabase } from '../harness/vendors.js';

const fixture = `
  create table notes (id integer primary key, title text, owner text);
  create table words (word uuid primary key default gen_random_uuid(), text text);
  create table pairs (a integer, b text, n integer, primary key (a, b));
  create table days (day date primary key, n integer);
  create table keyless (n integer);
  create unlogged table fleeting (id integer primary key, title text);
  create table parts (id integer primary key, title text) partition by range (id);
  create table parts_1 partition of parts for values from (0) to (1000);
  insert into notes values (1, 'one', 'ann'), (2, 'two', 'bob');
  insert into keyless values (1)`;
const waiting = { timeout: patience, interval: 5 };

describe.runIf(hasServerPrograms('postgres'))('the write-ahead log as the source of changes', () => {
  let server: ThrowAwayServer;
  let service: TestService;
  const open: SocketClient[] = [];

  const healthOf = async ({ api }: Pick<TestService, 'api'> = service): Promise<string> =>
    (await api.get('/server/health')).body.checks['realtime:connections'][0].output;
  const follow = async (collection: string, token = adminToken, fields: readonly string[] = ['*']): Promise<SocketClient> => {
    const client = await openAs(service.url, token);
    open.push(client);
    await client.ask({ type: 'subscribe', collection, uid: collection, query: { fields, limit: -1 } });
    await expect.poll(() => healthOf(), waiting).toContain('by the write-ahead log');
    return client;
  };

  beforeAll(async () => {
    server = await makeServer('postgres', ['-c', 'wal_level=logical', '-c', 'max_wal_senders=4', '-c', 'max_replication_slots=4']);
    await server.start();
    service = await startService(server.vendor, { area: 'wal', fixture });
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    await service?.stop();
    await server?.remove();
  });

  testLoggedWrites({ service: () => service, follow, thousands: 'generate_series(1000, 26000) as numbers (n)' });

  it('reports keys of every kind', async () => {
    for (const [collection, statement, item] of [
      ['words', "insert into words (text) values ('new')", { text: 'new' }],
      ['pairs', "insert into pairs values (1, 'b,c', 5)", { a: 1, b: 'b,c', n: 5 }],
      ['days', "insert into days values ('2026-01-02', 5)", { day: '2026-01-02', n: 5 }],
      ['parts', "insert into parts values (5, 'five')", { id: 5, title: 'five' }],
      ['fleeting', "insert into fleeting values (5, 'five')", { id: 5, title: 'five' }],
    ] as const) {
      const client = await follow(collection);
      const from = client.messages.length;
      await service.sql(statement);
      expect(await client.next(({ event }) => event === 'create', from)).toMatchObject({ data: [item] });
    }
  });

  it('disturbs no other program, and leaves nothing behind', async () => {
    const client = await follow('notes');
    await service.sql('update keyless set n = 2; delete from keyless; insert into keyless values (1)');
    client.close();
    const left = async (): Promise<unknown> =>
      (
        await service.sql(
          'select (select count(*)::int from pg_replication_slots) as slots, (select count(*)::int from pg_publication) as publications',
        )
      )[0];
    await service.api.get('/server/ping');
    const other = await startService(server.vendor, { area: 'wal_end', fixture });
    const follower = await openAs(other.url, adminToken);
    await follower.ask({ type: 'subscribe', collection: 'notes' });
    await expect.poll(() => healthOf(other), waiting).toContain('by the write-ahead log');
    follower.close();
    await other.stop();
    // The group of the first service stays for those who come back.
    expect(await left()).toEqual({ slots: 1, publications: 1 });
  });

  it('uses the publication that a killed service has left behind, and removes it in the end', async () => {
    const database = await createDatabase(server.vendor, 'wal_left');
    const direct = await openDirectAccess(server.vendor, database.url);
    await direct.sql(`${fixture}; create publication tain_changes for table days`);
    const next = await createService({
      databaseUrl: database.url,
      port: 0,
      logLevel: 'error',
      rateLimit: null,
      adminEmail,
      adminPassword,
      adminToken,
      ...patientConfig,
    });
    const url = await next.listen();
    await next.ready();
    const follower = await openAs(url, adminToken);
    await follower.ask({ type: 'subscribe', collection: 'notes', uid: 'notes' });
    await expect.poll(() => healthOf({ api: makeApi(url, adminToken) }), waiting).toContain('by the write-ahead log');
    const from = follower.messages.length;
    await direct.sql("update notes set title = 'published' where id = 1");
    await follower.next(({ data }) => data?.[0]?.title === 'published', from);
    follower.close();
    await next.close();
    expect(await direct.sql('select pubname from pg_publication')).toEqual([]);
    await direct.close();
    await database.drop();
  });

  it('continues by watching when the log is lost, and comes back to it', async () => {
    const client = await follow('notes');
    const from = client.messages.length;
    const lost = await service.sql('select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database()');
    expect(lost).toHaveLength(1);
    await service.sql("update notes set title = 'after the loss' where id = 1");
    await client.next(({ data }) => data?.[0]?.title === 'after the loss', from);
    await expect.poll(() => healthOf(), waiting).toContain('by the write-ahead log');
    await service.sql("update notes set title = 'again' where id = 1");
    await client.next(({ data }) => data?.[0]?.title === 'again', from);
  });

  it('one process reads the log; another gets its changes from that one', async () => {
    const client = await follow('notes');
    const second = await createService({ databaseUrl: service.databaseUrl, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig });
    const url = await second.listen();
    await second.ready();
    const other = await openAs(url, adminToken);
    await other.ask({ type: 'subscribe', collection: 'notes', uid: 'notes' });
    const api = makeApi(url, adminToken);
    await expect.poll(() => healthOf({ api } as TestService), waiting).toContain('another process of the service reads it');
    for (const write of [
      () => service.sql("update notes set title = 'raw' where id = 2"),
      () => service.api.patch('/items/notes/2', { title: 'first' }),
      () => api.patch('/items/notes/2', { title: 'second' }),
    ]) {
      const [mine, theirs] = [client.messages.length, other.messages.length];
      await write();
      const { data } = await client.next(({ event }) => event === 'update', mine);
      expect((await other.next(({ event }) => event === 'update', theirs)).data).toMatchObject(data);
    }
    other.close();
    await second.close();
  });

  it('says what to do where the log may not be read', async () => {
    const name = new URL(service.databaseUrl).pathname.slice(1);
    await service.sql(`create role plain login; grant all on database ${name} to plain; grant all on schema public to plain;
      grant all on all tables in schema public to plain; grant all on all sequences in schema public to plain`);
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    const limited = await createService({
      databaseUrl: service.databaseUrl.replace('postgres@', 'plain@'),
      port: 0,
      logLevel: 'silent',
      rateLimit: null,
      ...patientConfig,
    });
    const url = await limited.listen();
    await limited.ready();
    const follower = await openAs(url, adminToken);
    await follower.ask({ type: 'subscribe', collection: 'notes', uid: 'notes' });
    const api = makeApi(url, adminToken);
    await expect.poll(() => healthOf({ api } as TestService), waiting).toContain('ALTER ROLE plain REPLICATION');
    await client.query("update notes set title = 'watched' where id = 1");
    await follower.next(({ event }) => event === 'update');
    follower.close();
    await client.end();
    await limited.close();
  });
});
