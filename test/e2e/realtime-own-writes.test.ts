// PostgreSQL without its log: what this process writes is read by key, and no list is read as a whole because of it. What other programs write is
// found as before, and so is what the database writes elsewhere than it is told to. Runs on a server of its own, since every write on the server counts.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import { hasServerPrograms, makeServer, type ThrowAwayServer } from '../harness/throw-away-server.js';

const fixture = `
  create table notes (id integer primary key, title text);
  create table others (id integer primary key, title text);
  insert into notes select n, 'note ' || n from generate_series(1, 300) as numbers (n);
  insert into others values (1, 'one')`;
const inherited = 'create table more_notes (primary key (id)) inherits (notes)';
const rule = "create rule also as on update to others do also update notes set title = 'by the rule' where id = 7";
const lists = 40;
/** Several looks at what others have written. */
const writes = 30;
const everyMs = 50;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.runIf(hasServerPrograms('postgres'))('own writes without a log', () => {
  let server: ThrowAwayServer;
  let service: TestService;
  let client: SocketClient;

  beforeAll(async () => {
    server = await makeServer(
      'postgres',
      ['autovacuum=off', 'logging_collector=on', 'log_filename=all', 'log_statement=all'].flatMap((one) => ['-c', one]),
    );
    await server.start();
    service = await startService(server.vendor, { area: 'own_writes', fixture });
    client = await openAs(service.url, adminToken);
    for (let list = 0; list < lists; list += 1) {
      const filter = { id: { _gt: list } };
      await client.ask({ type: 'subscribe', collection: 'notes', uid: `list ${list}`, query: { fields: ['*'], filter, limit: -1 } });
    }
  });
  afterAll(async () => {
    client?.close();
    await service?.stop();
    await server?.remove();
  });

  /** Resolves when every list that shows the item has told of it. */
  const isTold = async (title: string, from: number): Promise<void> => {
    for (const list of [0, 5]) await client.next(({ uid, data }) => uid === `list ${list}` && JSON.stringify(data).includes(title), from);
  };

  /** What the server has been asked between these two statements. */
  async function statementsBetween(begin: string, end: string): Promise<readonly string[]> {
    const log = async (): Promise<string> => String((await service.sql("select pg_read_file('log/all') as text"))[0]?.['text']);
    await expect.poll(log).toContain(end);
    const [, between = ''] = (await log()).split(begin);
    return (between.split(end)[0] ?? '').split('\n');
  }

  it('make no list be read as a whole', async () => {
    await pause(1_500);
    await service.sql("select 'the beginning'");
    for (let number = 0; number < writes; number += 1) {
      expect((await service.api.patch('/items/others/1', { title: `title ${number}` })).status).toBe(200);
      expect((await service.api.patch('/items/notes/200', { title: `title ${number}` })).status).toBe(200);
      await pause(everyMs);
    }
    await service.sql("select 'the end'");
    const seen = await statementsBetween("'the beginning'", "'the end'");
    expect(seen.filter((line) => line.includes('pg_current_snapshot')).length, 'looks').toBeGreaterThan(2);
    const readings = seen.filter((line) => line.includes('"$key0"'));
    const whole = readings.filter((line) => !line.includes('ANY('));
    expect(readings.length, 'readings of the changed item').toBeGreaterThan(lists);
    expect(whole).toEqual([]);
  });

  it('are told, and so is what other programs write between them', async () => {
    const from = client.messages.length;
    expect((await service.api.patch('/items/notes/100', { title: 'by the service' })).status).toBe(200);
    await service.sql("update notes set title = 'by another program' where id = 101");
    expect((await service.api.patch('/items/notes/102', { title: 'by the service again' })).status).toBe(200);
    for (const title of ['by the service', 'by another program', 'by the service again']) await isTold(title, from);
  });

  it('are told where a rule or a table that inherits carries them on', async () => {
    await service.sql(rule);
    await expect.poll(async () => (await service.api.patch('/items/others/1', { title: 'with a rule' })).status).toBe(200);
    await isTold('by the rule', 0);
    await service.sql('drop rule also on others');
    await service.sql(inherited);
    await expect.poll(async () => (await service.api.post('/items/more_notes', { id: 1_000, title: 'by inheritance' })).status).toBe(200);
    await isTold('by inheritance', 0);
  });
});
