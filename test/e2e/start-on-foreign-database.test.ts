// A database that somebody else made is mirrored as it is: every table and view can be read, and none of them is altered.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { foundKeys } from '../fixtures/found-keys.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { readStructure } from '../harness/read-structure.js';
import { startService } from '../harness/start-service.js';
import { createDatabase, type Vendor, type VendorName } from '../harness/vendors.js';

const momentTypes: Readonly<Record<VendorName, string>> = { sqlite: 'datetime', postgres: 'timestamp', mysql: 'datetime(6)' };

const withoutOurs = (sums: Readonly<Record<string, string>>): unknown =>
  Object.fromEntries(Object.entries(sums).filter(([table]) => !table.startsWith('service_')));

/** The database as the fixture alone makes it. */
async function dumpOf(vendor: Vendor, fixture: string): Promise<{ readonly structure: unknown; readonly contents: unknown }> {
  const alone = await createDatabase(vendor, 'foreign');
  const untouched = await openDirectAccess(vendor, alone.url);
  try {
    await untouched.sql(fixture);
    return { structure: await readStructure(vendor.name, untouched), contents: await untouched.checksums() };
  } finally {
    await untouched.close();
    await alone.drop();
  }
}

describeEachVendor('a foreign database', (vendor) => {
  it('is mirrored without an error and without being altered', async () => {
    const fixture = readFileSync(new URL(`../fixtures/shop.${vendor.name}.sql`, import.meta.url), 'utf8');
    const { structure, contents } = await dumpOf(vendor, fixture);

    const service = await startService(vendor, { area: 'foreign', fixture, onEmpty: true });
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
      expect(await readStructure(vendor.name, service)).toEqual(structure);
      expect(withoutOurs(await service.checksums())).toEqual(contents);
    } finally {
      await service.stop();
    }
  });

  it('full of composite keys, junctions and strange names is mirrored the same way', async () => {
    const fixture = foundKeys(vendor.name);
    const { structure, contents } = await dumpOf(vendor, fixture);
    const service = await startService(vendor, { area: 'foreign', fixture, onEmpty: true });
    try {
      for (const { collection } of (await service.api.get('/collections')).body.data) {
        if (collection.startsWith('service_')) continue;
        const answer = await service.api.get(`/items/${encodeURIComponent(collection)}?fields=*.*`);
        expect([collection, answer.status]).toEqual([collection, 200]);
      }
      expect(await readStructure(vendor.name, service)).toEqual(structure);
      expect(withoutOurs(await service.checksums())).toEqual(contents);
    } finally {
      await service.stop();
    }
  });

  it('shows dates and moments in the form of the wire: as much of a second as is kept, and infinity in words', async () => {
    const fixture = `create table moments (id integer primary key, day date, moment ${momentTypes[vendor.name]});
insert into moments values (1, '2024-02-29', '2024-02-29 23:59:59.999999'), (2, '0099-01-02', '0099-01-02 03:04:05');
${vendor.name === 'postgres' ? "insert into moments values (3, 'infinity', '-infinity');" : 'insert into moments values (3, null, null);'}`;
    const service = await startService(vendor, { area: 'moments', fixture, onEmpty: true });
    try {
      expect((await service.api.get('/items/moments?sort=id')).body.data).toEqual([
        { id: 1, day: '2024-02-29', moment: '2024-02-29T23:59:59.999999' },
        { id: 2, day: '0099-01-02', moment: '0099-01-02T03:04:05' },
        vendor.name === 'postgres' ? { id: 3, day: 'infinity', moment: '-infinity' } : { id: 3, day: null, moment: null },
      ]);
    } finally {
      await service.stop();
    }
  });
});
