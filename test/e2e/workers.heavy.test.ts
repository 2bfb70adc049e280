// kill -9 on workers, one after the other, under load: every request is answered or its connection closed, what was acknowledged is there, and
// while other workers serve, no connection is refused.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { heavyMs, reportRow, thousands } from '../harness/heavy-run.js';
import { build, makeFolder, runStart, waitFor } from '../harness/run-command.js';
import { createDatabase } from '../harness/vendors.js';
import { connectToWorkers } from '../harness/worker-connections.js';

const token = 'workers-heavy-token';
const workers = 3;
const kills = 30;
const clients = 12;

describeEachVendor('workers that are killed', (vendor) => {
  it(`${kills} times under load`, { timeout: heavyMs + 300_000 }, async () => {
    await build();
    const folder = makeFolder();
    const database = await createDatabase(vendor, 'workers_heavy');
    const variables = { WORKERS: String(workers), ADMIN_TOKEN: token, RATE_LIMIT: 'off', DATABASE_URL: database.url };
    const running = runStart(folder, [], variables);
    const url = await running.address();
    const api = makeApi(url, token);
    expect((await api.post('/collections', { collection: 'notes', schema: {}, fields: [{ field: 'text', type: 'string' }] })).status).toBe(
      200,
    );
    const seen = { acknowledged: new Set<string>(), statuses: new Map<number | 'closed' | 'refused', number>(), longest: 0, replaced: 0 };
    let over = false;
    const load = async (client: number): Promise<void> => {
      for (let count = 0; !over; count += 1) {
        const text = `w-${client}-${count}`;
        const asked = performance.now();
        const status = await api.post('/items/notes', { text }).then(
          (answer) => answer.status,
          (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? ('refused' as const) : ('closed' as const)),
        );
        seen.longest = Math.max(seen.longest, performance.now() - asked);
        seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
        if (status === 200) seen.acknowledged.add(text);
      }
    };
    const loads = Array.from({ length: clients }, (_, client) => load(client));
    const until = Date.now() + heavyMs;
    let killed = 0;
    await allServe(url);
    for (; killed < kills && Date.now() < until; killed += 1) {
      await killOldest(running.process.pid ?? 0);
      const since = performance.now();
      await allServe(url);
      seen.replaced = Math.max(seen.replaced, performance.now() - since);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1500));
    }
    over = true;
    await Promise.all(loads);
    expect([...seen.statuses.keys()].filter((status) => status !== 200 && status !== 'closed' && status !== 503)).toEqual([]);
    const direct = await openDirectAccess(vendor, database.url);
    const texts = (await direct.sql("select text from notes where text like 'w-%'")).map((row) => String(row['text']));
    const there = new Set(texts);
    expect([...seen.acknowledged].filter((text) => !there.has(text))).toEqual([]);
    expect(texts.length).toBe(there.size);
    expect(seen.longest).toBeLessThan(10_000);
    await direct.close();
    running.process.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    await database.drop();
    folder.remove();
    const count = (status: number | 'closed'): string => thousands(seen.statuses.get(status) ?? 0);
    const done = `${killed} kills among ${workers} workers, ${thousands(seen.acknowledged.size)} acknowledged writes`;
    const found = `0 lost; ${count('closed')} connections closed, ${count(503)} × 503, longest answer ${seconds(seen.longest)}, replaced within ${seconds(seen.replaced)}`;
    reportRow('worker killed', vendor.name, done, found);
  });
});

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function killOldest(parent: number): Promise<void> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--sort=start_time', '--ppid', String(parent)]);
  const [oldest] = stdout.trim().split(/\s+/);
  process.kill(Number(oldest), 'SIGKILL');
}

/** Waits until every worker answers, so that the next kill never takes the last one that does. */
async function allServe(url: string): Promise<void> {
  await waitFor(async () => ((await countServing(url)) === workers ? true : null), 60_000, undefined, 100);
}

/** The primary gives connections to its workers in turn: twice as many connections meet each of them. */
async function countServing(url: string): Promise<number> {
  const names = new Set<string>();
  for (let asked = 0; asked < 2 * workers; asked += 1) {
    const [connection] = await connectToWorkers(url, 1, token).catch(() => []);
    if (connection === undefined) continue;
    names.add(connection.worker);
    connection.close();
  }
  return names.size;
}
