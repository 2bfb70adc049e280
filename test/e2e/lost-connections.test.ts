// Connections of the pool that the server has ended: reads notice nothing, writes are never sent twice.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

const endAll = {
  sqlite: null,
  postgres: "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tain'",
  mysql: 'select id as id from information_schema.processlist where db = database() and id <> connection_id()',
} as const;

describeEachVendor('connections that the server has ended', (vendor) => {
  // SQLite has no server that could end one.
  const statement = endAll[vendor.name];
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'lost' });
    await service.api.post('/collections', { collection: 'notes', schema: {}, fields: [{ field: 'text', type: 'string' }] });
    await service.api.post('/items/notes', { text: 'a' });
  });
  afterAll(() => service.stop());

  const endConnections = async (): Promise<void> => {
    if (statement === null) return;
    const rows = await service.sql(statement);
    if (vendor.name === 'mysql') for (const { id } of rows) await service.sql(`kill ${String(id)}`).catch(() => undefined);
  };

  it('reads answer 200 all the same', async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 8 }, () => service.api.get('/items/notes')));
      await endConnections();
      const reads = Array.from({ length: 8 }, (_, index) =>
        service.api.get(index % 2 === 0 ? '/items/notes' : '/items/notes/1?fields=text'),
      );
      expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(reads.map(() => 200));
      expect((await service.api.get('/items/notes?limit=-1')).status).toBe(200);
    }
  });

  it('writes are done once or not at all', async () => {
    let acknowledged = 0;
    for (let round = 0; round < 10; round += 1) {
      const ended = endConnections();
      const writes = Array.from({ length: 6 }, (_, index) => service.api.post('/items/notes', { text: `w${round}-${index}` }));
      const answers = await Promise.all(writes);
      await ended;
      acknowledged += answers.filter(({ status }) => status === 200).length;
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([]);
    }
    const texts = (await service.sql("select text from notes where text like 'w%'")).map((row) => String(row['text']));
    expect(texts.length).toBe(new Set(texts).size);
    expect(texts.length).toBeGreaterThanOrEqual(acknowledged);
  });
});
