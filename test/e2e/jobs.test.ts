// Two instances of the real command and a long sweep of the history: one of them works, and when it is killed the other continues within ten seconds.

import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, inject, it } from 'vitest';
import { describeEachVendor, describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { build, makeFolder, type RunningCommand, runStart } from '../harness/run-command.js';
import { createDatabase, type Vendor, type VendorName } from '../harness/vendors.js';

beforeAll(build, 300_000);

/** Enough that a sweep in portions takes far longer than the test. */
const old: Readonly<Record<VendorName, number>> = { sqlite: 300_000, postgres: 40_000, mysql: 40_000 };

const numbersTo = (last: number): string => `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${last})`;
const columns = 'service_activity (action, collection, item, timestamp)';
const values = "select 'create', 'things', i, '2020-01-01 00:00:00' from n";
const fill: Readonly<Record<VendorName, string>> = {
  sqlite: `insert into ${columns} ${numbersTo(old.sqlite)} ${values}`,
  postgres: `insert into ${columns} ${numbersTo(old.postgres)} ${values.replace('i,', 'i::text,').replace("00'", "00'::timestamp")}`,
  mysql: `set /*M! max_recursive_iterations */ /*!80000 cte_max_recursion_depth */ = ${old.mysql}; insert into ${columns} ${numbersTo(old.mysql)} ${values}`,
};

/** Makes each deletion take a while. SQLite can only work meanwhile, and a portion must not keep its process from giving a sign of life. */
const slow: Readonly<Record<VendorName, string>> = {
  sqlite: `create trigger slow before delete on service_activity begin
    select count(*) from (${numbersTo(1_000)} select i from n); end`,
  postgres: `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.002); return old; end $$;
    create trigger slow before delete on service_activity for each row execute function slow()`,
  mysql: 'create trigger slow before delete on service_activity for each row do sleep(0.002)',
};

function testSweep(vendor: Vendor): void {
  const start = async (url: string, variables: Readonly<Record<string, string>>) => {
    const folder = makeFolder();
    const command = runStart(folder, [url], { RATE_LIMIT: 'off', ADMIN_PASSWORD: 'jobs-1-password', LOG_LEVEL: 'warn', ...variables });
    await command.address();
    return { command, remove: folder.remove };
  };
  const end = async (command: RunningCommand): Promise<void> => {
    command.process.kill('SIGTERM');
    await command.ended;
  };
  const left = async ({ sql }: DirectAccess): Promise<number> =>
    Number(Object.values((await sql("select count(*) from service_activity where collection = 'things'"))[0] ?? {})[0]);
  /** How many went within a while. */
  const progress = async (access: DirectAccess, ms: number): Promise<number> => {
    const before = await left(access);
    await sleep(ms);
    return before - (await left(access));
  };

  it('runs in one instance, and continues in the other within ten seconds after that one was killed', async ({ expect }) => {
    const database = await createDatabase(vendor, 'sweep');
    const first = await start(database.url, { HISTORY_RETENTION: 'off' });
    const access = await openDirectAccess(vendor, database.url);
    await end(first.command);
    first.remove();
    await access.sql(fill[vendor.name]);
    await access.sql(slow[vendor.name]);
    const holder = await start(database.url, {});
    await expect.poll(() => left(access)).toBeLessThan(old[vendor.name]);
    const other = await start(database.url, {});
    try {
      expect(await progress(access, 3_000)).toBeGreaterThan(0);
      holder.command.process.kill('SIGKILL');
      const killedAt = performance.now();
      await holder.command.ended;
      // What the database had received before is finished by it: a portion at most. If the other one worked, too, more would go.
      await sleep(2_500);
      expect(await progress(access, 2_000)).toBe(0);
      const rest = await left(access);
      await expect.poll(() => left(access), { interval: 50 }).toBeLessThan(rest);
      const takenOverMs = performance.now() - killedAt;
      expect(takenOverMs).toBeLessThan(10_000);
      expect(other.command.output()).toContain('a job is taken over');
      // An instance that ends in the middle leaves the rest to the next at once.
      const third = await start(database.url, {});
      await end(other.command);
      const endedAt = performance.now();
      const then = await left(access);
      await expect.poll(() => left(access), { interval: 50 }).toBeLessThan(then);
      expect(performance.now() - endedAt).toBeLessThan(5_000);
      await end(third.command);
      third.remove();
    } finally {
      for (const { command, remove } of [holder, other]) {
        if (command.process.exitCode === null && command.process.signalCode === null) await end(command);
        remove();
      }
      await access.close();
      await database.drop();
    }
  });
}

// SQLite works in the processes themselves: beside the others it would take their time.
const isFile = ({ name }: Vendor): boolean => name === 'sqlite';
describeEachVendor('a sweep', testSweep, inject('vendors').filter(isFile));
describeVendorsTogether(
  'a sweep',
  testSweep,
  inject('vendors').filter((vendor) => !isFile(vendor)),
);
