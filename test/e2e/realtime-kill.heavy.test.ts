// 1,000 writes while the subscribers are cut off 20 times and the service is killed 3 times: in the end they have exactly what the database has,
// and of each item they received messages in the order of its writes.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { type EventSourceClient, openEvents } from '../harness/event-source.js';
import { reportRow } from '../harness/heavy-run.js';
import { patience } from '../harness/patience.js';
import { build, type Folder, makeFolder, type RunningCommand, runStart, waitFor } from '../harness/run-command.js';
import { openSocket, type SocketClient } from '../harness/socket-client.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';
import { makeRandom } from '../properties/random.js';

const writes = 1_000;
const cuts = 20;
const kills = 3;
const token = 'realtime-kill-token';
const items = 40;

interface Item {
  readonly id: number;
  readonly number: number;
}

/** What a subscriber has received, over all its connections. */
class Memory {
  readonly items = new Map<number, number>();
  cursor: string | null = null;
  resets = 0;
  fault: string | null = null;

  take(event: string, data: readonly unknown[], cursor: string): void {
    this.cursor = cursor;
    if (event === 'init' || event === 'reset') {
      this.items.clear();
      this.resets += 1;
    }
    for (const one of data) {
      if (event === 'delete') this.items.delete(one as number);
      else this.#see(one as Item);
    }
  }

  #see({ id, number }: Item): void {
    const known = this.items.get(id);
    if (known !== undefined && number <= known) this.fault ??= `item ${id}: ${number} after ${known}`;
    this.items.set(id, number);
  }
}

interface Connected {
  cut(): void;
  readonly ended: Promise<unknown>;
}

const query = { fields: ['id', 'number'], limit: -1, sort: 'id' };

async function connectSocket(url: string, memory: Memory): Promise<Connected> {
  const client: SocketClient = await openSocket(url, `/websocket?access_token=${token}`);
  client.socket.on('message', (text) => {
    const { type, event, data, cursor } = JSON.parse(String(text));
    if (type === 'subscription') memory.take(event, data, cursor);
  });
  client.send({
    type: 'subscribe',
    collection: 'things',
    query,
    uid: 'things',
    ...(memory.cursor === null ? {} : { since: memory.cursor }),
  });
  return { cut: () => client.close(), ended: new Promise((resolve) => client.socket.once('close', resolve)) };
}

async function connectStream(url: string, memory: Memory): Promise<Connected> {
  const headers = { authorization: `Bearer ${token}`, ...(memory.cursor === null ? {} : { 'last-event-id': memory.cursor }) };
  const stream: EventSourceClient = await openEvents(
    `${url}/items/things?fields=id,number&limit=-1&sort=id`,
    headers,
    ({ event, data, id }) => memory.take(event, data.data, id),
  );
  if (stream.status !== 200) throw new Error(`refused: ${stream.status}`);
  return { cut: () => stream.close(), ended: stream.ended };
}

describeEachVendor('realtime while the service is killed', (vendor) => {
  let folder: Folder;
  let database: TestDatabase;
  let direct: DirectAccess;

  beforeAll(async () => {
    await build();
    folder = makeFolder();
    database = await createDatabase(vendor, 'realtime_kill');
    direct = await openDirectAccess(vendor, database.url);
    await direct.sql('create table things (id integer primary key, number integer)');
  }, 300_000);
  afterAll(async () => {
    await direct.close();
    await database.drop();
    folder.remove();
  });

  it('subscribers end with what the database has', { timeout: 600_000 }, async () => {
    const random = makeRandom(20261116);
    const launch = async (): Promise<{ readonly running: RunningCommand; readonly url: string; readonly api: Api }> => {
      const running = runStart(folder, [], { DATABASE_URL: database.url, RATE_LIMIT: 'off', ADMIN_TOKEN: token });
      const url = await running.address();
      const api = makeApi(url, token);
      await waitFor(async () => ((await api.get('/users/me').catch(() => null))?.status === 200 ? true : null), 60_000, running.output);
      return { running, url, api };
    };
    let service = await launch();

    let isOver = false;
    const open = new Set<Connected>();
    const memories = [new Memory(), new Memory()] as const;
    /** Connects again whenever the connection is gone, as a client does. */
    const stay = async (memory: Memory, connect: (url: string, memory: Memory) => Promise<Connected>): Promise<void> => {
      while (!isOver) {
        const connected = await connect(service.url, memory).catch(() => null);
        if (connected === null) await new Promise((resolve) => setTimeout(resolve, 50));
        else {
          open.add(connected);
          await connected.ended;
          open.delete(connected);
        }
      }
    };
    const staying = Promise.all([stay(memories[0], connectSocket), stay(memories[1], connectStream)]);
    await waitFor(() => (memories.every(({ cursor }) => cursor !== null) ? true : null), patience);

    const present = new Set<number>();
    /** Sent until it is answered: a repeated creation is refused, a repeated change changes nothing. */
    const write = async (number: number): Promise<void> => {
      const id = random.int(items);
      const remove = present.has(id) && random.chance(0.2);
      const bySql = random.chance(0.1);
      const isNew = !present.has(id);
      if (bySql) {
        if (remove) await direct.sql(`delete from things where id = ${id}`);
        else
          await direct.sql(
            isNew ? `insert into things values (${id}, ${number})` : `update things set number = ${number} where id = ${id}`,
          );
      } else {
        const send = async (): Promise<true | null> => {
          const answer = remove
            ? await service.api.delete(`/items/things/${id}`).catch(() => null)
            : isNew
              ? await service.api.post('/items/things', { id, number }).catch(() => null)
              : await service.api.patch(`/items/things/${id}`, { number }).catch(() => null);
          const isDone = answer !== null && (answer.status < 300 || answer.text.includes(remove ? 'FORBIDDEN' : 'RECORD_NOT_UNIQUE'));
          return isDone ? true : null;
        };
        await waitFor(send, 120_000, () => service.running.output());
      }
      if (remove) present.delete(id);
      else present.add(id);
    };

    let cut = 0;
    let killed = 0;
    let restarting: Promise<unknown> = Promise.resolve();
    for (let number = 1; number <= writes; number += 1) {
      await write(number);
      if (number >= ((cut + 1) * writes) / (cuts + 1) && cut < cuts) {
        cut += 1;
        for (const connected of open) connected.cut();
      }
      if (number >= ((killed + 1) * writes) / (kills + 1) && killed < kills) {
        killed += 1;
        const { running } = service;
        running.process.kill('SIGKILL');
        // Writes go on: they are sent until the next process answers.
        restarting = running.ended.then(launch).then((next) => {
          service = next;
        });
      }
    }
    await restarting;
    const rows = await direct.sql('select id, number from things');
    const stored = Object.fromEntries(rows.map((row) => [Number(row['id']), Number(row['number'])]));
    for (const memory of memories)
      await expect
        .poll(() => [memory.fault, Object.fromEntries(memory.items)], { timeout: patience, interval: 20 })
        .toEqual([null, stored]);
    isOver = true;
    for (const connected of open) connected.cut();
    await staying;
    service.running.process.kill('SIGTERM');
    await service.running.ended;
    const resets = memories.map((memory) => memory.resets);
    // The service remembers over a cut, not over its own end.
    expect(Math.max(...resets)).toBeLessThanOrEqual(1 + kills + 1);
    reportRow('realtime', vendor.name, `${writes} writes, ${cuts} cuts, ${kills} kills, two subscribers`, 'same rows, in order');
  });
});
