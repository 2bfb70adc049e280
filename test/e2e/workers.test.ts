// WORKERS=2: what one process changed is true in the other before the change is answered, and what is counted is counted once.

import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { itemsAfter, openEvents } from '../harness/event-source.js';
import { patience } from '../harness/patience.js';
import { build, type Folder, makeFolder, type RunningCommand, runStart } from '../harness/run-command.js';
import { openAs, type SocketClient } from '../harness/socket-client.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';
import { connectToWorkers, type WorkerConnection } from '../harness/worker-connections.js';

const token = 'workers-admin-token';
const rounds = 10;

beforeAll(build, 300_000);

describeEachVendor('two workers', (vendor) => {
  let folder: Folder;
  let database: TestDatabase;
  let running: RunningCommand;
  let workers: readonly WorkerConnection[] = [];
  /** The two processes in turn, so that each is the one that changes and the one that notices. */
  const pair = (round: number): readonly [WorkerConnection, WorkerConnection] => {
    const [one, other] = round % 2 === 0 ? workers : workers.toReversed();
    if (one === undefined || other === undefined) throw new Error('there are not two workers');
    return [one, other];
  };
  const dataOf = (text: string): Readonly<Record<string, string>> => JSON.parse(text).data;

  beforeAll(async () => {
    folder = makeFolder();
    database = await createDatabase(vendor, 'workers');
    running = runStart(folder, [database.url], {
      WORKERS: '2',
      ADMIN_TOKEN: token,
      ADMIN_PASSWORD: 'workers-1-password',
      RATE_LIMIT: 'off',
    });
    const url = await running.address();
    workers = await connectToWorkers(url, 2, token);
  });
  afterAll(async () => {
    for (const worker of workers) worker.close();
    running.process.kill('SIGTERM');
    await running.ended;
    await database.drop();
    folder.remove();
  });

  it('know a new collection at once', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [one, other] = pair(round);
      const collection = `things_${round}`;
      const made = await one.send('POST', '/collections', { collection, schema: {}, fields: [] });
      expect([round, made.status]).toEqual([round, 200]);
      expect([round, (await other.send('GET', `/items/${collection}`)).status]).toEqual([round, 200]);
    }
  });

  it('know at once what a caller may and may not do any more', async () => {
    const [first] = pair(0);
    const policy = dataOf((await first.send('POST', '/policies', { name: 'reader' })).text);
    const role = dataOf((await first.send('POST', '/roles', { name: 'reader' })).text);
    await first.send('POST', '/access', { role: role['id'], policy: policy['id'] });
    const user = dataOf(
      (await first.send('POST', '/users', { email: 'reader@example.com', role: role['id'], token: 'reader-token' })).text,
    );
    for (let round = 0; round < rounds; round += 1) {
      const [one, other] = pair(round);
      const read = async (): Promise<number> =>
        (await other.send('GET', '/items/things_0', undefined, { authorization: 'Bearer reader-token' })).status;
      const permission = { policy: policy['id'], collection: 'things_0', action: 'read', fields: ['*'] };
      const { id } = dataOf((await one.send('POST', '/permissions', permission)).text);
      expect([round, 'granted', await read()]).toEqual([round, 'granted', 200]);
      await one.send('DELETE', `/permissions/${id}`);
      expect([round, 'taken', await read()]).toEqual([round, 'taken', 403]);
      await one.send('PATCH', `/users/${user['id']}`, { token: `another-token-${round}` });
      expect([round, 'revoked', await read()]).toEqual([round, 'revoked', 401]);
      await one.send('PATCH', `/users/${user['id']}`, { token: 'reader-token' });
    }
  });

  it('know who has an item open in the other one', async () => {
    const url = await running.address();
    const [first] = pair(0);
    await first.send('POST', '/collections', { collection: 'opened', schema: {}, fields: [] });
    await first.send('POST', '/items/opened', { id: 1 });
    await first.send('POST', '/policies', { name: 'all', admin_access: true }).then(async ({ text }) => {
      const policies = [{ policy: dataOf(text)['id'] }];
      for (const name of ['Ada', 'Bea'])
        await first.send('POST', '/users', { email: `${name}@example.com`, first_name: name, token: `token-of-${name}`, policies });
    });
    // Connections are handed to the processes in turn: two of each person are in both.
    const clients: SocketClient[] = [];
    for (const name of ['Ada', 'Ada', 'Bea', 'Bea']) {
      const client = await openAs(url, `token-of-${name}`);
      clients.push(client);
      await client.ask({ type: 'presence', collection: 'opened', item: 1, uid: 'p' });
    }
    const seen = (): readonly string[] =>
      clients.map(({ messages }) =>
        (messages.findLast(({ users }) => users !== undefined)?.users ?? []).map((user: { first_name: string }) => user.first_name).join(),
      );
    await expect.poll(seen, { timeout: patience, interval: 5 }).toEqual(['Bea', 'Bea', 'Ada', 'Ada']);
    for (const client of clients.slice(2)) client.close();
    await expect.poll(() => seen().slice(0, 2), { timeout: patience, interval: 5 }).toEqual(['', '']);
    for (const client of clients.slice(0, 2)) client.close();
  });

  it('inform subscribers of either what both write', async () => {
    const url = await running.address();
    const [first] = pair(0);
    await first.send('POST', '/collections', { collection: 'followed', schema: {}, fields: [] });
    // Connections are handed to the processes in turn.
    const streams = await Promise.all(
      Array.from({ length: 6 }, () => openEvents(`${url}/items/followed?limit=-1`, { authorization: `Bearer ${token}` })),
    );
    for (const stream of streams) await stream.next('init');
    const made: unknown[] = [];
    for (let round = 0; round < rounds; round += 1)
      made.push(dataOf((await pair(round)[0].send('POST', '/items/followed', {})).text)['id']);
    for (const { events } of streams)
      await expect.poll(() => [...itemsAfter(events).keys()].toSorted(), { timeout: patience }).toEqual(made.toSorted());
    for (const stream of streams) stream.close();
  });

  it('count attempts together', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const [one] = pair(attempt);
      statuses.push((await one.send('POST', '/auth/password/request', { email: 'nobody@example.com' })).status);
    }
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429]);
  });

  it('answer a repeated request once', async () => {
    const [one, other] = pair(0);
    const create = (worker: WorkerConnection) => worker.send('POST', '/items/things_1', {}, { 'idempotency-key': 'once' });
    const answers = [await create(one), await create(other)];
    expect(answers.map((answer) => answer.text)).toEqual([answers[0]?.text, answers[0]?.text]);
    const { text } = await one.send('GET', '/items/things_1?aggregate[count]=*');
    expect(Number(JSON.parse(text).data[0].count)).toBe(1);
  });

  it('close or answer what was given to one that dies, and get another when it is ready', async () => {
    const url = await running.address();
    const [doomed] = await childrenOf(running.process.pid ?? 0);
    if (doomed === undefined) throw new Error('there are no workers');
    // Stopped, it takes what it is given and does nothing with it, as one does that is about to die.
    process.kill(doomed, 'SIGSTOP');
    const asked = Array.from({ length: 20 }, () => askOnce(url));
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.kill(doomed, 'SIGKILL');
    const killed = performance.now();
    const endings = await Promise.all(asked);
    expect(performance.now() - killed).toBeLessThan(30_000);
    expect(endings.filter((ending) => ending !== 200 && ending !== 'closed')).toEqual([]);
    expect(endings).toContain(200);
    // Until the replacement is ready the other one serves alone: no request is answered that the service is starting.
    const names = new Set<string>();
    const statuses = new Set<number>();
    for (const until = Date.now() + 60_000; names.size < 2 && Date.now() < until; ) {
      const [connection] = await connectToWorkers(url, 1, token);
      if (connection === undefined) throw new Error('nobody answers');
      statuses.add((await connection.send('GET', '/users/me')).status);
      names.add(connection.worker);
      connection.close();
    }
    expect([names.size, [...statuses]]).toEqual([2, [200]]);
  });

  it('are not replaced once the service stops', async () => {
    const [doomed] = await childrenOf(running.process.pid ?? 0);
    if (doomed === undefined) throw new Error('there are no workers');
    process.kill(doomed, 'SIGKILL');
    // So that the primary knows of the death before it is told to stop.
    await new Promise((resolve) => setTimeout(resolve, 200));
    running.process.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  });
});

async function childrenOf(parent: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(parent)]);
  return stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));
}

/** The status over a connection of its own; 'closed' without one. */
function askOnce(url: string): Promise<number | 'closed'> {
  return new Promise((resolve) => {
    const sent = request(new URL('/users/me', url), { agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve('closed')).end();
  });
}
