// What other programs write is reported in time where no log of the database can be read: by watching.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureDelays } from '../harness/delivery-delays.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { openAs } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

const lines = Array.from({ length: 2_000 }, (_, index) => `(${index + 1}, 'line ${index + 1}')`).join(', ');
const fixture = `create table notes (id integer primary key, title varchar(50)); insert into notes values (1, 'one');
  create table log_lines (id integer primary key, title varchar(50)); insert into log_lines values ${lines}`;

/** MariaDB notes the time of a write in whole seconds. */
const bars = { sqlite: { ms: 1_000, count: 20 }, postgres: { ms: 2_000, count: 20 }, mysql: { ms: 2_000, count: 12 } } as const;

/** Two lists are read in turn, with rests after each. */
const longListMs = 2_000;

describeVendorsTogether('what other programs write, without a log', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'realtime_watch', fixture, config: { realtimeItems: 500 } });
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

  it('is reported of a list that is too long to remember: what is on its page, and what is asked for by key', async () => {
    const client = await openAs(service.url, adminToken);
    const newest = { fields: ['id'], sort: ['-id'], limit: 100 };
    await client.ask({ type: 'subscribe', collection: 'log_lines', uid: 'newest', query: newest });
    const inSight = { fields: ['title'], filter: { id: { _in: [700, 701, 702] } }, limit: 0 };
    await client.ask({ type: 'subscribe', collection: 'log_lines', uid: 'sight', query: inSight });
    const reported = async (statement: string, uid: string, event: string, text: string): Promise<void> => {
      const from = client.messages.length;
      await service.sql(statement);
      await client.next((message) => message.uid === uid && message.event === event && JSON.stringify(message.data).includes(text), from);
    };
    await reported("insert into log_lines values (2001, 'the last')", 'newest', 'create', '2001');
    const write = (title: string): Promise<unknown> => service.sql(`update log_lines set title = '${title}' where id = 701`);
    const delays = await measureDelays({ client, write, count: 8, everyMs: 500 });
    expect(delays.ownP95, JSON.stringify(delays)).toBeLessThan(longListMs);
    await reported('delete from log_lines where id = 702', 'sight', 'delete', '702');
    client.close();
  });
});
