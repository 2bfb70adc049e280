// Jobs that only one of several processes runs: each `Jobs` stands for a process, which reads the rows of the jobs as the service does.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, it } from 'vitest';
import { definitionOf } from '../../src/core/engine/own-rows/definition-of.js';
import { openEpochs } from '../../src/core/engine/store/epochs.js';
import { type Job, type Jobs, openJobs } from '../../src/core/engine/store/jobs.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import { repeatEvery } from '../../src/core/util/repeat.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { install } from '../../src/service/system/install.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { installOptions } from '../harness/install-options.js';
import { openDialect } from '../harness/open-dialect.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

const system = ownHome(systemDefinitions);
const definition = definitionOf(system, 'service_epoch');
const hourMs = 3_600_000;
const times = { renewMs: 200, trustMs: 2_000, patienceMs: 3_000 };

interface Process {
  readonly jobs: Jobs;
  readonly errors: unknown[];
  readonly takenOver: string[];
  end(): Promise<void>;
}

describeVendorsTogether('a job', (vendor) => {
  let database: TestDatabase;
  let dialect: Dialect;
  let processes: Process[];

  beforeEach(async () => {
    database = await createDatabase(vendor, 'jobs');
    dialect = await openDialect(vendor.name, database.url);
    await install(installOptions(dialect, { secret: 'x', adminPassword: 'x' }));
    processes = [];
  });
  afterEach(async () => {
    for (const { end } of processes) await end();
    await dialect.driver.close();
    await database.drop();
  });

  /** `of`: the database as this process sees it. */
  function begin(job: Job, of: Dialect = dialect): Process {
    const errors: unknown[] = [];
    const takenOver: string[] = [];
    const jobs = openJobs({
      ...{ dialect: of, definition, system, times },
      report: (error) => errors.push(error),
      onTakeover: (name) => takenOver.push(name),
    });
    jobs.add(job);
    const epochs = openEpochs(dialect, definition, system);
    const stop = repeatEvery(
      50,
      async () => jobs.observe((await epochs.read(dialect.driver)).jobs),
      (error) => errors.push(error),
    );
    const process = {
      jobs,
      errors,
      takenOver,
      async end() {
        stop();
        await jobs.stop();
      },
    };
    processes.push(process);
    return process;
  }

  const rowOf = async (name: string): Promise<number | undefined> =>
    (await openEpochs(dialect, definition, system).read(dialect.driver)).jobs.get(`job:${name}`);
  const isRunning = async (name: string): Promise<boolean> => ((await rowOf(name)) ?? 0) % 2 === 1;

  const write = (text: string): Promise<number> => dialect.driver.run({ kind: 'write', text, values: [] });

  it('runs in one process, and not again before it is due', async ({ expect }) => {
    let runs = 0;
    let looks = 0;
    const job: Job = {
      name: 'sweep',
      everyMs: hourMs,
      isNeeded: async () => {
        looks += 1;
        return true;
      },
      step: async () => {
        runs += 1;
        return runs % 3 !== 0;
      },
    };
    for (let count = 0; count < 3; count += 1) begin(job);
    await expect.poll(async () => ((await rowOf('sweep')) ?? 1) % 2).toBe(0);
    await sleep(1_000);
    expect(runs).toBe(3);
    expect(looks).toBeLessThanOrEqual(3);
    // An hour later it is due.
    await write(`update service_epoch set value = value - ${2 * hourMs} where name = 'job:sweep'`);
    await expect.poll(() => runs).toBe(6);
  });

  it('is due when a clock that was ahead has run it in the future', async ({ expect }) => {
    let runs = 0;
    begin({
      name: 'ahead',
      everyMs: hourMs,
      isNeeded: async () => true,
      step: async () => {
        runs += 1;
        return false;
      },
    });
    await expect.poll(async () => ((await rowOf('ahead')) ?? 1) % 2).toBe(0);
    await write(`update service_epoch set value = value + ${20 * 365 * 24 * hourMs} where name = 'job:ahead'`);
    await expect.poll(() => runs).toBe(2);
    await expect.poll(async () => Number(await rowOf('ahead')) / 2 - Date.now()).toBeLessThan(0);
  });

  it('leaves no trace where there is nothing to do, and is not looked for again and again', async ({ expect }) => {
    let looks = 0;
    const refuse = async (): Promise<never> => {
      throw new Error('there was nothing to do');
    };
    const { errors } = begin({
      name: 'idle',
      everyMs: hourMs,
      isNeeded: async () => {
        looks += 1;
        return false;
      },
      step: refuse,
    });
    await expect.poll(() => looks).toBe(1);
    await sleep(500);
    expect([looks, errors, await rowOf('idle')]).toEqual([1, [], undefined]);
  });

  it('is left to the process that runs it, however long that takes', async ({ expect }) => {
    let end = (): void => undefined;
    const long = new Promise<void>((resolve) => {
      end = resolve;
    });
    let steps = 0;
    const job: Job = {
      name: 'long',
      everyMs: hourMs,
      isNeeded: async () => true,
      step: async () => {
        steps += 1;
        await long;
        return false;
      },
    };
    begin(job);
    begin(job);
    await expect.poll(() => steps).toBe(1);
    await sleep(times.patienceMs + 2_000);
    expect(steps).toBe(1);
    end();
    await expect.poll(() => isRunning('long')).toBe(false);
    expect(processes.flatMap(({ takenOver }) => takenOver)).toEqual([]);
  });

  it('is taken over from a process that is gone, after it has given no sign of life for a while', async ({ expect }) => {
    await write("insert into service_epoch (name, value) values ('job:left', 2001)");
    let ran = false;
    const begun = performance.now();
    const { takenOver } = begin({
      name: 'left',
      everyMs: hourMs,
      isNeeded: async () => false,
      step: async () => {
        ran = true;
        return false;
      },
    });
    await expect.poll(() => ran).toBe(true);
    expect(performance.now() - begun).toBeGreaterThan(times.patienceMs - 100);
    expect(takenOver).toEqual(['left']);
    await expect.poll(() => isRunning('left')).toBe(false);
  });

  it('continues at once elsewhere when its process ends in the middle', async ({ expect }) => {
    const ran: string[] = [];
    const job = (who: string): Job => ({
      name: 'handed',
      everyMs: hourMs,
      isNeeded: async () => true,
      step: async () => {
        await sleep(50);
        ran.push(who);
        return true;
      },
    });
    const first = begin(job('first'));
    await expect.poll(() => ran.length).toBeGreaterThan(2);
    begin(job('second'));
    const begun = performance.now();
    await first.end();
    await expect.poll(() => ran.at(-1), { interval: 10 }).toBe('second');
    expect(performance.now() - begun).toBeLessThan(times.patienceMs - 500);
  });

  it('never runs in two processes: one that cannot renew stops before another takes over', async ({ expect }) => {
    let isCutOff = false;
    // Its statements hang while it is cut off; that of another process do not.
    const cut: Dialect = {
      ...dialect,
      driver: {
        ...dialect.driver,
        run: async (statement) => {
          while (isCutOff) await sleep(20);
          return dialect.driver.run(statement);
        },
      },
    };
    const ran: string[] = [];
    const job = (who: string): Job => ({
      name: 'cut',
      everyMs: hourMs,
      isNeeded: async () => true,
      step: async () => {
        await sleep(20);
        ran.push(who);
        return true;
      },
    });
    const first = begin(job('first'), cut);
    await expect.poll(() => ran.length).toBeGreaterThan(2);
    const second = begin(job('second'));
    await sleep(1_000);
    expect(ran).not.toContain('second');
    isCutOff = true;
    await expect.poll(() => ran.at(-1)).toBe('second');
    isCutOff = false;
    await sleep(1_000);
    expect(ran.slice(ran.indexOf('second'))).not.toContain('first');
    expect(second.takenOver).toEqual(['cut']);
    expect(first.errors).toEqual([]);
  });

  it('is due when it failed, for every process once', async ({ expect }) => {
    let tries = 0;
    const job: Job = {
      name: 'failing',
      everyMs: hourMs,
      isNeeded: async () => true,
      step: async () => {
        tries += 1;
        throw new Error('no');
      },
    };
    const first = begin(job);
    await expect.poll(() => first.errors.length).toBe(1);
    const second = begin(job);
    await expect.poll(() => second.errors.length).toBe(1);
    await sleep(500);
    expect(tries).toBe(2);
  });
});
