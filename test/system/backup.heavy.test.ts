// Backups and restores that are killed at ten points each, and the memory of both with generated data.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { build, type Folder, makeFolder, type RunningCommand, runTain } from '../harness/run-command.js';
import { startService, type TestService } from '../harness/start-service.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';

/** Megabytes of generated rows; the bound does not depend on it. */
const megabytes = Number(process.env['BACKUP_MEGABYTES'] ?? 120);
/** Beyond what the process holds at its start. SQLite runs in threads of the process, each with a heap of its own. */
const mostMegabytes = { sqlite: 120, postgres: 60, mysql: 60 } as const;
const kills = 10;
const leftOut = ['service_sessions', 'service_idempotency', 'service_secrets'];

let folder: Folder;

beforeAll(async () => {
  await build();
  folder = makeFolder();
});

afterAll(() => folder.remove());

const generated = (vendor: Vendor, rows: number): string => {
  const body =
    vendor.name === 'sqlite' ? 'hex(randomblob(400)) || x' : vendor.name === 'postgres' ? 'repeat(md5(x::text), 25)' : 'repeat(md5(x), 25)';
  const counted = `with recursive n(x) as (select 1 union all select x + 1 from n where x < ${rows}) select x, ${body} from n`;
  const limit = vendor.name === 'mysql' ? 'set session max_recursive_iterations = 4294967295; ' : '';
  return `create table generated (id integer primary key, body text not null); ${limit}insert into generated ${counted}`;
};

/** The most memory that the process held beyond what it holds when it starts, in megabytes. */
async function peakOf(command: RunningCommand): Promise<{ readonly peak: number; readonly first: number }> {
  let [peak, first] = [0, 0];
  const sample = setInterval(() => {
    const status = existsSync(`/proc/${command.process.pid}/status`) ? readFileSync(`/proc/${command.process.pid}/status`, 'utf8') : '';
    const now = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    peak = Math.max(peak, now);
    if (first === 0 && performance.now() - begun > 700) first = now;
  }, 20);
  const begun = performance.now();
  await command.ended;
  clearInterval(sample);
  return { peak, first };
}

describeEachVendor('a backup', (vendor) => {
  let service: TestService;
  const file = (): string => join(folder.path, `${vendor.name}.backup`);
  const tain = (...args: readonly string[]): RunningCommand => runTain(folder, args);

  beforeAll(async () => {
    service = await startService(vendor, { area: 'heavy', demo: true });
    await service.sql(generated(vendor, Math.round((megabytes * 1024 * 1024) / 800)));
  });

  afterAll(() => service.stop());

  it('holds little memory, however much there is', async () => {
    const backup = await peakOf(tain('backup', file(), '--database-url', service.databaseUrl));
    const database = await createDatabase(vendor, 'heavy');
    const restore = await peakOf(tain('restore', file(), '--database-url', database.url));
    await database.drop();
    expect(backup.peak - backup.first).toBeLessThan(mostMegabytes[vendor.name]);
    expect(restore.peak - restore.first).toBeLessThan(mostMegabytes[vendor.name]);
  });

  it('that is killed leaves no file that could be taken for one', async () => {
    const whole = await timed(() => tain('backup', join(folder.path, 'timing.backup'), '--database-url', service.databaseUrl));
    for (let kill = 1; kill <= kills; kill += 1) {
      const name = join(folder.path, `killed-${vendor.name}.backup`);
      const command = tain('backup', name, '--database-url', service.databaseUrl);
      await new Promise((resolve) => setTimeout(resolve, (whole * (kill - 0.5)) / kills));
      command.process.kill('SIGKILL');
      await command.ended;
      if (existsSync(name)) expect(await tain('verify', name).ended).toBe(0);
      if (existsSync(`${name}.part`)) expect(await tain('verify', `${name}.part`).ended).toBe(1);
      rmSync(name, { force: true });
    }
    rmSync(join(folder.path, 'timing.backup'), { force: true });
  });

  it('is restored in the end, after kills at ten points', async () => {
    const expected = await service.checksums(leftOut);
    const first = await createDatabase(vendor, 'heavy');
    const whole = await timed(() => tain('restore', file(), '--database-url', first.url));
    await first.drop();
    for (let kill = 1; kill <= kills; kill += 1) await killRestore((whole * (kill - 0.5)) / kills, expected);
  });

  async function killRestore(afterMs: number, expected: Readonly<Record<string, string>>): Promise<void> {
    const database: TestDatabase = await createDatabase(vendor, 'heavy');
    const direct: DirectAccess = await openDirectAccess(vendor, database.url);
    try {
      const command = tain('restore', file(), '--database-url', database.url);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      command.process.kill('SIGKILL');
      await command.ended;
      await expect.poll(async () => restoreAgain(database, direct), { timeout: 120_000 }).toBe('restored');
      expect(await direct.checksums(leftOut)).toEqual(expected);
    } finally {
      await direct.close();
      await database.drop();
    }
  }

  /** The server may take a moment to notice that the killed process is gone. */
  async function restoreAgain(database: TestDatabase, direct: DirectAccess): Promise<string> {
    const tables = await direct.tables();
    const isUnfinished = tables.includes('service_restoring');
    if (tables.length > 0 && !isUnfinished) return 'restored';
    if (isUnfinished) expect(await tain('users', 'token', 'a@example.com', '--database-url', database.url).ended).toBe(1);
    const again = tain('restore', file(), '--database-url', database.url);
    return (await again.ended) === 0 ? 'restored' : again.output();
  }
});

async function timed(run: () => RunningCommand): Promise<number> {
  const begun = performance.now();
  const command = run();
  expect(await command.ended, command.output()).toBe(0);
  return performance.now() - begun;
}
