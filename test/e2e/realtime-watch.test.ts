// What other programs write is reported in time where no log of the database can be read: by watching.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureDelays } from '../harness/delivery-delays.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { openAs } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const fixture = "create table notes (id integer primary key, title varchar(50)); insert into notes values (1, 'one')";

/** MariaDB notes the time of a write in whole seconds. */
const bars = { sqlite: { ms: 1_000, count: 20 }, postgres: { ms: 2_000, count: 20 }, mysql: { ms: 2_000, count: 12 } } as const;

describeVendorsTogether('what other programs write, without a log', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'realtime_watch', fixture });
  });
  afterAll(() => service.stop());

  it('is reported in time', async () => {
    const { ms, count } = bars[vendor.name];
    const client = await openAs(service.url, adminToken);
    await client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes' });
    const write = (title: string): Promise<unknown> => service.sql(`update notes set title = '${title}' where id = 1`);
    const delays = await measureDelays({ client, write, count, everyMs: 500 });
    expect(delays.ownP95, JSON.stringify(delays)).toBeLessThan(ms);
    client.close();
  });
});
