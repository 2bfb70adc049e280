// kill -9 on workers, one after the other, under load: every request is answered or its connection closed, what was acknowledged is there.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { heavyMs, reportRow, thousands } from '../harness/heavy-run.js';
import { build, makeFolder, runStart } from '../harness/run-command.js';
import { createDatabase } from '../harness/vendors.js';

const token = 'workers-heavy-token';
const kills = 30;
const clients = 12;

describeEachVendor('workers that are killed', (vendor) => {
  it(`${kills} times under load`, { timeout: heavyMs + 300_000 }, async () => {
    await build();
    const folder = makeFolder();
    const database = await createDatabase(vendor, 'workers_heavy');
    const variables = { WORKERS: '3', ADMIN_TOKEN: token, RATE_LIMIT: 'off', DATABASE_URL: database.url };
    const running = runStart(folder, [], variables);
    const api = makeApi(await running.address(), token);
    expect((await api.post('/collections', { collection: 'notes', schema: {}, fields: [{ field: 'text', type: 'string' }] })).status).toBe(
      200,
    );
    const seen = { acknowledged: new Set<string>(), statuses: new Map<number | 'closed', number>(), longest: 0 };
    let over = false;
    const load = async (client: number): Promise<void> => {
      for (let count = 0; !over; count += 1) {
        const text = `w-${client}-${count}`;
        const asked = performance.now();
        const status = await api.post('/items/notes', { text }).then(
          (answer) => answer.status,
          () => 'closed' as const,
        );
        seen.longest = Math.max(seen.longest, performance.now() - asked);
        seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
        if (status === 200) seen.acknowledged.add(text);
      }
    };
    const loads = Array.from({ length: clients }, (_, client) => load(client));
    const until = Date.now() + heavyMs;
    let killed = 0;
    for (; killed < kills && Date.now() < until; killed += 1) {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(running.process.pid)]);
      const [first] = stdout.trim().split(/\s+/);
      if (first !== undefined && first !== '') process.kill(Number(first), 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 1500 + Math.random() * 1500));
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
    const done = `${killed} kills among 3 workers, ${thousands(seen.acknowledged.size)} acknowledged writes`;
    const found = `0 lost; ${count('closed')} connections closed, ${count(503)} × 503, longest answer ${(seen.longest / 1000).toFixed(1)} s`;
    reportRow('worker killed', vendor.name, done, found);
  });
});
