// Several hosts in DATABASE_URL: the service finds the one that accepts writes and follows it when it changes, without a restart.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createService } from '../../src/tain.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { makeServer, makeStandby, type ThrowAwayServer } from '../harness/throw-away-server.js';
import { runOnServer } from '../harness/vendors.js';
import { addressOf, type ClusterService, notes, serve } from './cluster-service.js';
import { lostOf, startWriteLoad } from './write-load.js';

const database = 'tain_test_failover';

const remove = async (...servers: readonly (ThrowAwayServer | undefined)[]): Promise<void> => {
  for (const server of servers) await server?.remove();
};

const startRefused = async (databaseUrl: string): Promise<string> => {
  const service = await createService({ databaseUrl, logLevel: 'silent' });
  return service.ready().then(
    () => 'started',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
};

describe('a primary of PostgreSQL that dies', () => {
  let primary: ThrowAwayServer;
  let standby: ThrowAwayServer;
  let running: ClusterService;
  let promoted: DirectAccess;

  beforeAll(async () => {
    primary = await makeServer('postgres');
    await primary.start();
    await runOnServer(primary.vendor, `create database ${database}`);
    standby = await makeStandby(primary);
    await standby.start();
    // No write is acknowledged before the standby has it.
    await runOnServer(primary.vendor, "alter system set synchronous_standby_names = '*'");
    await runOnServer(primary.vendor, 'select pg_reload_conf()');
    running = await serve(addressOf([standby, primary], database));
    await running.api.post('/collections', notes);
  });
  afterAll(async () => {
    await running?.stop();
    await promoted?.close();
    await remove(primary, standby);
  });

  it('is followed by its standby, with every acknowledged write', async () => {
    const load = startWriteLoad(running.api, 'notes');
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(50);
    await primary.kill();
    const before = load.acknowledged.length;
    expect((await running.api.get('/items/notes?limit=1')).status).toBe(200);
    await runOnServer(standby.vendor, "alter system set synchronous_standby_names = ''");
    await runOnServer(standby.vendor, 'select pg_promote()');
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + 50);
    await load.stop();
    promoted = await openDirectAccess(standby.vendor, `${standby.vendor.server}/${database}`);
    expect(lostOf(load, await promoted.sql('select text from notes'))).toEqual([]);
    expect(load.odd).toEqual([]);
  });
});

describe('a switchover of MariaDB', () => {
  let first: ThrowAwayServer;
  let second: ThrowAwayServer;
  let running: ClusterService;
  const replication = (id: number) => [`--server-id=${id}`, '--log-bin=log', '--log-slave-updates=1', '--gtid-strict-mode=1'];

  beforeAll(async () => {
    first = await makeServer('mysql', replication(1));
    second = await makeServer('mysql', [...replication(2), '--read-only=1']);
    await first.start();
    await second.start();
    const { hostname, port } = new URL(first.vendor.server);
    await runOnServer(first.vendor, "create user app@'%'");
    await runOnServer(first.vendor, "grant all on *.* to app@'%'");
    await runOnServer(first.vendor, "revoke read only admin, super on *.* from app@'%'");
    await runOnServer(
      second.vendor,
      `change master to master_host='${hostname}', master_port=${port}, master_user='app', master_use_gtid=slave_pos`,
    );
    await runOnServer(second.vendor, 'start slave');
    await runOnServer(first.vendor, `create database ${database}`);
    running = await serve(addressOf([second, first], database).replace('root@', 'app@'));
    await running.api.post('/collections', notes);
  });
  afterAll(async () => {
    await running?.stop();
    await remove(second, first);
  });

  it('continues after a switchover: no acknowledged write is lost, and clients see nothing but 200 and 503', async () => {
    const load = startWriteLoad(running.api, 'notes');
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(50);
    await runOnServer(first.vendor, 'set global read_only = 1');
    const access = await openDirectAccess(first.vendor, `${first.vendor.server}/${database}`);
    const other = await openDirectAccess(second.vendor, `${second.vendor.server}/${database}`);
    const [at] = await access.sql('select @@gtid_binlog_pos as at');
    await other.sql('select master_gtid_wait(?)', [at?.['at']]);
    await other.sql('stop slave');
    const before = load.acknowledged.length;
    await other.sql('set global read_only = 0');
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + 50);
    await load.stop();
    expect(lostOf(load, await other.sql('select text from notes'))).toEqual([]);
    expect(load.odd).toEqual([]);
    await access.close();
    await other.close();
  });

  it('does not start on two servers that both accept writes', async () => {
    await runOnServer(first.vendor, 'set global read_only = 0');
    expect(await startRefused(addressOf([first, second], database))).toContain('both accept writes');
  });
});

describe('hosts that are not one database', () => {
  let one: ThrowAwayServer;
  let other: ThrowAwayServer;
  beforeAll(async () => {
    [one, other] = [await makeServer('postgres'), await makeServer('postgres')];
    for (const server of [one, other]) {
      await server.start();
      await runOnServer(server.vendor, `create database ${database}`);
    }
  });
  afterAll(() => remove(one, other));

  it('are refused in one line', async () => {
    const url = addressOf([one, other], database);
    expect(await startRefused(url)).toContain('both accept writes');
    await runOnServer(other.vendor, 'alter system set default_transaction_read_only = on');
    await runOnServer(other.vendor, 'select pg_reload_conf()');
    await expect.poll(() => startRefused(url)).toContain('is not a copy of the database');
  });

  it('are distinguished from a database that does not exist', async () => {
    expect(await startRefused(addressOf([one, other], 'tain_test_none'))).toContain('no such database');
  });
});

describe.each(['postgres', 'mysql'])('hosts of %s that cannot be used', (scheme) => {
  it('are named in one line, each with its reason', async () => {
    const line = await startRefused(`${scheme}://someone@127.0.0.1:1,nowhere.invalid:2/${database}`);
    expect(line).toMatch(
      /^none of the hosts can be reached \(127\.0\.0\.1:1: .*ECONNREFUSED.*; nowhere\.invalid:2: .*nowhere\.invalid.*\)$/,
    );
  });

  it('are named with the refusal of a server that knows no such user', async () => {
    const server = inject('vendors').find(({ name }) => name === scheme)?.server ?? '';
    const line = await startRefused(`${scheme}://tain_nobody@${new URL(server).host},127.0.0.1:1/${database}`);
    expect(line).toMatch(/^none of the hosts can be reached \(.*tain_nobody.*ECONNREFUSED.*\)$/);
  });
});
