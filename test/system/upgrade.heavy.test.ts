// Upgrades from each earlier migration, killed before each change and started again, while another program writes all the time.

import { expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import {
  earlier,
  lostRows,
  onDatabaseOf,
  readRows,
  readShape,
  shapeOfFirstStart,
  startWriting,
  upgradedVendors,
  upgradeUnderKills,
} from './old-databases.js';

describeEachVendor(
  'an upgrade under writes and kills',
  (vendor) => {
    it.each(earlier)('from migration %s', { timeout: 600_000 }, async (version) => {
      const wanted = await shapeOfFirstStart(vendor);
      await onDatabaseOf(version, vendor, async (old) => {
        const before = await readRows(old);
        // What the other program changes all the time is not compared.
        const kept = new Map([...before].filter(([table]) => table !== 'service_sessions'));
        const stop = await startWriting(old, vendor);
        const kills = await upgradeUnderKills(old).catch(String);
        const written = await stop();
        expect(kills).toBeGreaterThan(0);
        expect(await readShape(old.dialect)).toEqual(wanted);
        expect(await lostRows(kept, old)).toEqual([]);
        const notes = (await old.direct.sql('select text from notes')).map((row) => String(row['text']));
        expect(notes.toSorted()).toEqual([...written, 'first'].toSorted());
      });
    });
  },
  upgradedVendors,
);
