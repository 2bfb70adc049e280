// One slow read, a cross join behind a filter, stalls nobody: other requests go on as before, and it ends when its client leaves or its
// time is over.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

const slowPath = '/items/pairs?filter[total][_eq]=-1&limit=1';
const statementTimeout = 5_000;
const samples = 400;

const digits =
  '(select 0 d union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8 union all select 9)';
const fixture = `
create table numbers (id integer primary key, half integer);
insert into numbers (id, half) select a.d * 100 + b.d * 10 + c.d, 0 from ${digits} a, ${digits} b, ${digits} c;
create view pairs as select a.id as id, a.half + b.half + c.half + b.id + c.id as total from numbers a, numbers b, numbers c;
`;

describeEachVendor('one slow query', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'slow', fixture, config: { statementTimeout } });
  });
  afterAll(() => service.stop());

  const p99 = async (): Promise<number> => {
    const times: number[] = [];
    for (let count = 0; count < samples; count += 1) {
      const begun = performance.now();
      expect((await service.api.get(`/items/numbers?filter[half][_eq]=0&sort=-id&limit=25&offset=${count}`)).status).toBe(200);
      times.push(performance.now() - begun);
    }
    return times.toSorted((a, b) => a - b)[Math.floor(samples * 0.99)] ?? Number.NaN;
  };

  it('does not slow down the others, and is told when its time is over', async () => {
    await p99();
    const alone = await p99();
    const slow = service.api.get(slowPath);
    const beside = await p99();
    const { status, body } = await slow;
    expect([status, body.errors?.[0]?.extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(beside).toBeLessThan(Math.max(alone * 3, 20));
  });

  it('ends when its client leaves', async () => {
    const leave = new AbortController();
    const { api } = service;
    const asked = fetch(service.url + slowPath, { signal: leave.signal, headers: { authorization: 'Bearer tain-test-admin-token' } });
    setTimeout(() => leave.abort(), 300);
    await expect(asked).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 700));
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { user } = process.cpuUsage(before);
    // SQLite works in this process: a statement that went on would fill a core.
    expect(user / 1e6).toBeLessThan(0.6);
    expect((await api.get('/items/numbers?limit=1')).status).toBe(200);
  });
});
