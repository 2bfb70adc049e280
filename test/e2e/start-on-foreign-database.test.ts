// A database that somebody else made is mirrored as it is: every table and view can be read, and none of them is altered.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { startService } from '../harness/start-service.js';
import { createDatabase, type VendorName } from '../harness/vendors.js';

const structureOf: Readonly<Record<VendorName, string>> = {
  sqlite:
    "select type, name, sql from sqlite_master where name not like 'service\\_%' escape '\\' and tbl_name not like 'service\\_%' escape '\\' order by type, name",
  postgres:
    "select table_schema, table_name, column_name, ordinal_position, column_default, is_nullable, data_type, udt_name from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema') and table_name not like 'service\\_%' order by 1, 2, 4",
  mysql:
    "select table_name, column_name, ordinal_position, column_default, is_nullable, column_type, column_key, extra, collation_name from information_schema.columns where table_schema = database() and table_name not like 'service\\\\_%' order by 1, 3",
};

const momentTypes: Readonly<Record<VendorName, string>> = { sqlite: 'datetime', postgres: 'timestamp', mysql: 'datetime(6)' };

const withoutOurs = (sums: Readonly<Record<string, string>>): unknown =>
  Object.fromEntries(Object.entries(sums).filter(([table]) => !table.startsWith('service_')));

describeEachVendor('a foreign database', (vendor) => {
  it('is mirrored without an error and without being altered', async () => {
    const fixture = readFileSync(new URL(`../fixtures/shop.${vendor.name}.sql`, import.meta.url), 'utf8');
    const alone = await createDatabase(vendor, 'foreign');
    const untouched = await openDirectAccess(vendor, alone.url);
    await untouched.sql(fixture);
    const structure = await untouched.sql(structureOf[vendor.name]);
    const contents = await untouched.checksums();
    await untouched.close();
    await alone.drop();

    const service = await startService(vendor, { area: 'foreign', fixture });
    try {
      for (const collection of [
        'artists',
        'albums',
        'tracks',
        'employees',
        'playlist_track',
        'stock',
        'log_entries',
        'invoice_totals',
        'long_tracks',
      ]) {
        const answer = await service.api.get(`/items/${collection}?limit=2`);
        expect([collection, answer.status, Array.isArray(answer.body.data)]).toEqual([collection, 200, true]);
      }
      const nested = await service.api.get('/items/albums?fields=title,artist_id.name&limit=1');
      expect(nested.body.data[0].artist_id).toEqual({ name: expect.any(String) });
      expect(await service.sql(structureOf[vendor.name])).toEqual(structure);
      expect(withoutOurs(await service.checksums())).toEqual(contents);
    } finally {
      await service.stop();
    }
  });

  it('tells dates and moments in the form of the wire: no fraction of a second, and nothing where there is no end', async () => {
    const fixture = `create table moments (id integer primary key, day date, moment ${momentTypes[vendor.name]});
insert into moments values (1, '2024-02-29', '2024-02-29 23:59:59.999999'), (2, '0099-01-02', '0099-01-02 03:04:05');
${vendor.name === 'postgres' ? "insert into moments values (3, 'infinity', '-infinity');" : 'insert into moments values (3, null, null);'}`;
    const service = await startService(vendor, { area: 'moments', fixture });
    try {
      expect((await service.api.get('/items/moments?sort=id')).body.data).toEqual([
        { id: 1, day: '2024-02-29', moment: '2024-02-29T23:59:59' },
        { id: 2, day: '0099-01-02', moment: '0099-01-02T03:04:05' },
        { id: 3, day: null, moment: null },
      ]);
    } finally {
      await service.stop();
    }
  });
});
