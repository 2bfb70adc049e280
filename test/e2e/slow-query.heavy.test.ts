// One slow read, a cross join behind a filter, does not stall other requests, and it ends when its client leaves or its
// time is over.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import type { VendorName } from '../harness/vendors.js';

const slowPath = '/items/pairs?filter[total][_eq]=-1&limit=1';
const statementTimeout = 5_000;
/** Quiet and busy phases take turns, so that what others do on this machine meets both alike. */
const rounds = 5;
const phaseMs = 3_000;

const digits =
  '(select 0 d union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8 union all select 9)';
const fixture = `
create table numbers (id integer primary key, half integer);
insert into numbers (id, half) select a.d * 100 + b.d * 10 + c.d, 0 from ${digits} a, ${digits} b, ${digits} c;
create view pairs as select a.id as id, a.half + b.half + c.half + b.id + c.id as total from numbers a, numbers b, numbers c;
`;

const sorted = (figures: readonly number[]): readonly number[] => figures.toSorted((a, b) => a - b);
const median = (figures: readonly number[]): number => sorted(figures)[Math.floor(figures.length / 2)] ?? Number.NaN;

/** What a server is still working on. */
const runningStatements: Readonly<Record<VendorName, string | null>> = {
  sqlite: null,
  postgres: `select query from pg_stat_activity
    where state = 'active' and query like '%pairs%' and datname = current_database() and pid <> pg_backend_pid()`,
  mysql: `select info from information_schema.processlist where info like '%pairs%' and db = database() and id <> connection_id()`,
};

describeEachVendor('one slow query', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'slow', fixture, config: { statementTimeout } });
  });
  afterAll(() => service.stop());

  const findRunning = async (): Promise<readonly unknown[]> => {
    const statement = runningStatements[vendor.name];
    return statement === null ? [] : service.sql(statement);
  };

  /** Of requests one after the other, in milliseconds. */
  const p99 = async (): Promise<number> => {
    const times: number[] = [];
    for (const end = performance.now() + phaseMs; performance.now() < end; ) {
      const begun = performance.now();
      const answer = await service.api.get(`/items/numbers?filter[half][_eq]=0&sort=-id&limit=25&offset=${times.length % 500}`);
      times.push(performance.now() - begun);
      expect(answer.status).toBe(200);
    }
    return sorted(times)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  };

  it('does not slow down the others, and gets an error when its time is over', async () => {
    const [alone, beside]: [number[], number[]] = [[], []];
    await p99();
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await p99());
      const slow = service.api.get(slowPath);
      beside.push(await p99());
      const { status, body } = await slow;
      expect([status, body.errors?.[0]?.extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    }
    expect(median(beside), `alone ${alone.map(Math.round)}, beside ${beside.map(Math.round)} ms`).toBeLessThan(median(alone) * 3);
  });

  it('ends when its client leaves', async () => {
    const leave = new AbortController();
    const asked = fetch(service.url + slowPath, { signal: leave.signal, headers: { authorization: `Bearer ${adminToken}` } });
    setTimeout(() => leave.abort(), 300);
    await expect(asked).rejects.toThrow();
    await sleep(700);
    expect(await findRunning()).toEqual([]);
    const before = process.cpuUsage();
    await sleep(1_000);
    const { user } = process.cpuUsage(before);
    // SQLite works in this process: a statement that went on would fill a core.
    expect(user / 1e6).toBeLessThan(0.6);
    expect((await service.api.get('/items/numbers?limit=1')).status).toBe(200);
  });
});
