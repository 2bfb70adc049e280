// Databases of every earlier migration, brought up to date: from what revisions of the past left, while others write, and with a start that is
// killed before each of its changes. However it came about, the result is that of a first start, and no row is lost. `upgrade.heavy.test.ts` does
// all of it at once from each of them.

import { expect, it } from 'vitest';
import { install } from '../../src/service/system/install.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { installOptions } from '../harness/install-options.js';
import { startService } from '../harness/start-service.js';
import {
  earlier,
  fixtureFor,
  lostRows,
  onDatabaseOf,
  readRows,
  readShape,
  shapeOfFirstStart,
  startWriting,
  upgradedVendors,
  upgradeUnderKills,
  versions,
} from './old-databases.js';

describeEachVendor(
  'an upgrade',
  (vendor) => {
    it.each(earlier)('from migration %s', async (version) => {
      const wanted = await shapeOfFirstStart(vendor);
      await onDatabaseOf(version, vendor, async (old) => {
        const before = await readRows(old);
        const log = async () => (await old.direct.sql('select version from service_migrations')).map((row) => String(row['version']));
        expect((await log()).filter((seen) => versions.includes(seen)).toSorted()).toEqual(versions.filter((seen) => seen <= version));
        expect((await install(installOptions(old.dialect))).administrator).toBeNull();
        expect((await log()).filter((seen) => versions.includes(seen)).toSorted()).toEqual(versions);
        expect(await readShape(old.dialect)).toEqual(wanted);
        expect(await lostRows(before, old)).toEqual([]);
      });
    });

    it('from the first release, while others write', async () => {
      await onDatabaseOf('0002', vendor, async (old) => {
        const stop = await startWriting(old, vendor);
        await install(installOptions(old.dialect));
        const written = await stop();
        const notes = (await old.direct.sql('select text from notes')).map((row) => String(row['text']));
        expect(notes.toSorted()).toEqual([...written, 'first'].toSorted());
      });
    });

    it('from the first release, killed before each change', async () => {
      const wanted = await shapeOfFirstStart(vendor);
      await onDatabaseOf('0002', vendor, async (old) => {
        const before = await readRows(old);
        expect(await upgradeUnderKills(old)).toBeGreaterThan(15);
        expect(await readShape(old.dialect)).toEqual(wanted);
        expect(await lostRows(before, old)).toEqual([]);
      });
    });

    it('from the first release: its people, tokens, items and versions serve on', async () => {
      const service = await startService(vendor, { area: 'upgrade', fixture: await fixtureFor('0002', vendor), onEmpty: true });
      try {
        const reader = service.as('upgrade-reader-token');
        expect((await reader.get('/users/me?fields=email')).body.data).toEqual({ email: 'reader@example.com' });
        expect((await reader.get('/items/notes')).body.data).toEqual([{ id: 1, text: 'first' }]);
        const login = { email: 'reader@example.com', password: 'upgrade-1-password' };
        expect((await service.as(null).post('/auth/login', login)).status).toBe(200);
        const admin = service.as('upgrade-admin-token');
        const [version] = (await admin.get('/versions?fields=id,key')).body.data;
        expect(version.key).toBe('draft');
        expect((await admin.post(`/versions/${version.id}/save`, { text: 'third' })).status).toBe(200);
        expect((await admin.get('/items/notes/1?version=draft&fields=text')).body.data).toEqual({ text: 'third' });
      } finally {
        await service.stop();
      }
    });
  },
  upgradedVendors,
);
