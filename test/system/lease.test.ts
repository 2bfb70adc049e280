// Jobs that only one of several processes runs: each `Leases` stands for a process.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { definitionOf } from '../../src/core/engine/own-rows/definition-of.js';
import { type Leases, openLeases } from '../../src/core/engine/store/lease.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { install } from '../../src/service/system/install.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { installOptions } from '../harness/install-options.js';
import { openDialect } from '../harness/open-dialect.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

const system = ownHome(systemDefinitions);
const hourMs = 3_600_000;

describeEachVendor('a job', (vendor) => {
  let database: TestDatabase;
  let dialect: Dialect;
  let processes: readonly Leases[];

  beforeEach(async () => {
    database = await createDatabase(vendor, 'lease');
    dialect = await openDialect(vendor.name, database.url);
    await install(installOptions(dialect, { secret: 'x', adminPassword: 'x' }));
    processes = [open(2_000), open(2_000), open(2_000)];
  });
  afterEach(async () => {
    await dialect.driver.close();
    await database.drop();
  });

  const open = (patienceMs: number): Leases =>
    openLeases(dialect, definitionOf(system, 'service_epoch'), system, { renewMs: 100, patienceMs });

  const offer = (job: string, everyMs: number, act: () => Promise<void>): Promise<readonly boolean[]> =>
    Promise.all(processes.map((leases) => leases.run(job, everyMs, act)));

  it('runs in one process, and not again before it is due', async () => {
    let runs = 0;
    const count = async (): Promise<void> => {
      runs += 1;
    };
    expect((await offer('sweep', hourMs, count)).filter((ran) => ran)).toHaveLength(1);
    expect(await offer('sweep', hourMs, count)).toEqual([false, false, false]);
    expect(runs).toBe(1);
    expect((await offer('other', hourMs, count)).filter((ran) => ran)).toHaveLength(1);
    expect((await offer('sweep', 0, count)).filter((ran) => ran).length).toBeGreaterThan(0);
  });

  it('leaves no trace where there is nothing to do', async () => {
    const before = await dialect.driver.rows({ kind: 'read', text: 'select name, value from service_epoch order by name', values: [] });
    let looked = 0;
    const look = async (): Promise<boolean> => {
      looked += 1;
      return false;
    };
    const refuse = async (): Promise<never> => {
      throw new Error('there was nothing to do');
    };
    expect(await processes[0]?.run('idle', hourMs, refuse, look)).toBe(false);
    expect(looked).toBe(1);
    expect(await dialect.driver.rows({ kind: 'read', text: 'select name, value from service_epoch order by name', values: [] })).toEqual(
      before,
    );
  });

  it('is left to the process that runs it, however long that takes', async () => {
    let end = (): void => undefined;
    // Far longer than a busy machine keeps a process from renewing.
    const [first, second] = [open(10_000), open(10_000)];
    const running = new Promise<void>((resolve) => {
      end = resolve;
    });
    const long = first.run('long', 0, () => running);
    expect(await second.run('long', 0, async () => undefined)).toBe(false);
    end();
    expect(await long).toBe(true);
  });

  it('is taken over from a process that is gone, which notices when it is not', async () => {
    const rows = await dialect.driver.rows({
      kind: 'read',
      text: "select count(*) from service_epoch where name = 'job:left'",
      values: [],
    });
    expect(Number(rows[0]?.[0])).toBe(0);
    // A process that was killed: the row says that the job runs, and nobody renews it.
    await dialect.driver.run({ kind: 'write', text: "insert into service_epoch (name, value) values ('job:left', 2001)", values: [] });
    expect(await processes[0]?.run('left', hourMs, async () => undefined)).toBe(true);

    let lost = false;
    const taken = processes[1]?.run('taken', hourMs, async (signal) => {
      await dialect.driver.run({ kind: 'write', text: "update service_epoch set value = 4001 where name = 'job:taken'", values: [] });
      await expect.poll(() => signal.aborted).toBe(true);
      lost = true;
    });
    await taken;
    expect(lost).toBe(true);
  });

  it('is due at once when it failed', async () => {
    await expect(processes[0]?.run('failing', hourMs, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await processes[1]?.run('failing', hourMs, async () => undefined)).toBe(true);
  });
});
