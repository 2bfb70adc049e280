// Tests that rely on checksums prove nothing unless these tell every change.

import { expect, it } from 'vitest';
import { describeEachVendor } from './describe-each-vendor.js';
import { openDirectAccess } from './direct-access.js';
import { createDatabase } from './vendors.js';

describeEachVendor('checksums of tables', (vendor) => {
  it('differ by every change, whoever made it, and are equal again when it is undone', async () => {
    const { url, drop } = await createDatabase(vendor, 'checksums');
    const [own, other] = [await openDirectAccess(vendor, url), await openDirectAccess(vendor, url)];
    await own.sql('create table kept (id integer); create table notes (id integer primary key, title varchar(20), mark integer)');
    await own.sql("insert into notes values (1, 'one', null), (2, null, 2)");
    const before = await own.checksums();
    expect(Object.keys(before)).toEqual(['kept', 'notes']);
    const changes = [
      ["update notes set title = 'onf' where id = 1", "update notes set title = 'one' where id = 1"],
      ["update notes set title = '' where id = 2", 'update notes set title = null where id = 2'],
      ['update notes set mark = 0 where id = 1', 'update notes set mark = null where id = 1'],
      ['update notes set id = 5 - id where id = 2', 'update notes set id = 5 - id where id = 3'],
      ["insert into notes values (3, 'one', null)", 'delete from notes where id = 3'],
    ];
    for (const { sql } of [own, other])
      for (const [change = '', undo = ''] of changes) {
        await sql(change);
        const { kept, notes } = await own.checksums();
        expect([kept, notes === before['notes']], change).toEqual([before['kept'], false]);
        await sql(undo);
        expect(await own.checksums(), undo).toEqual(before);
      }
    expect(Object.keys(await own.checksums(['notes']))).toEqual(['kept']);
    await own.close();
    await other.close();
    await drop();
  });
});
