// Suggestions on a table of 20 million rows: two seconds, and one page in a hundred.

import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

const rows = 20_000_000;

const fixture = `create table readers (id integer primary key, name text);
insert into readers select i, 'r' || i from generate_series(1, 100000) i;
create unlogged table visits (id integer primary key, reader_id integer, note text);
insert into visits select i, 1 + i % 100000, 'a note of some length' from generate_series(1, ${rows}) i;
analyze visits;`;

describeEachVendor(
  'suggestions on many rows',
  (vendor) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService(vendor, { area: 'suggest_many', fixture });
    }, 900_000);
    afterAll(() => service.stop());

    const readPages = async (): Promise<number> => {
      await service.sql('select pg_stat_clear_snapshot()');
      const [row] = await service.sql(
        'select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)) as pages from pg_statio_user_tables',
      );
      return Number(row?.['pages']);
    };

    it('take two seconds and one page in a hundred', async () => {
      const [size] = await service.sql("select relpages from pg_class where relname = 'visits'");
      const before = await readPages();
      const from = performance.now();
      const found = (await service.api.get('/utils/relations/suggest')).body.data;
      const took = performance.now() - from;
      expect(found).toEqual([
        expect.objectContaining({ collection: 'visits', field: 'reader_id', related_collection: 'readers', compared: 200, matched: 200 }),
      ]);
      // Sessions report what they have read when they are idle, at most a second later.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      const pages = (await readPages()) - before;
      expect(pages).toBeGreaterThan(0);
      expect(pages).toBeLessThan(Number(size?.['relpages']) / 100);
      expect(took).toBeLessThan(2000);
    });
  },
  inject('vendors').filter(({ name }) => name === 'postgres'),
);
