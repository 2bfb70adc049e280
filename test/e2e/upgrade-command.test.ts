// `tain upgrade` as an operator runs it: with --check it tells and writes nothing, without it the tables are those of a first start.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { build, type Folder, makeFolder, runTain } from '../harness/run-command.js';
import { createDatabase } from '../harness/vendors.js';
import { lostRows, onDatabaseOf, readRows, readShape, shapeOfFirstStart, upgradedVendors, versions } from '../system/old-databases.js';

const newest = versions.at(-1) ?? '';
let folder: Folder;

beforeAll(async () => {
  await build();
  folder = makeFolder();
});

afterAll(() => folder.remove());

async function upgrade(...args: readonly string[]): Promise<{ readonly code: number | string; readonly output: string }> {
  const command = runTain(folder, ['upgrade', ...args]);
  const code = await command.ended;
  return { code, output: command.output() };
}

describeEachVendor(
  'tain upgrade',
  (vendor) => {
    it('says what is due and writes nothing, then does it', async () => {
      await onDatabaseOf('0007', vendor, async (old) => {
        const [rows, shape] = [await readRows(old), await readShape(old.dialect)];
        await expectUnchanged(old.direct, async () => {
          const { code, output } = await upgrade(old.url, '--check');
          expect([code, output]).toEqual([2, expect.stringContaining(`Due: from migration 0007 to ${newest}, the newest of Tain `)]);
          const listed = [...output.matchAll(/^ {2}(\d+) [\w ]+: \w.*$/gm)].map(([, version]) => version);
          expect(listed).toEqual(versions.filter((version) => version > '0007'));
          expect(output).toContain('Nothing was changed.');
        });
        expect(await readShape(old.dialect)).toEqual(shape);

        const done = await upgrade(old.url);
        expect([done.code, done.output]).toEqual([0, expect.stringContaining(`Done: from migration 0007 to ${newest}`)]);
        expect(await readShape(old.dialect)).toEqual(await shapeOfFirstStart(vendor));
        expect(await lostRows(rows, old)).toEqual([]);

        await expectUnchanged(old.direct, async () => {
          for (const args of [['--check'], []])
            expect(await upgrade(old.url, ...args)).toEqual({
              code: 0,
              output: expect.stringMatching(`^Nothing to do: the database is at migration ${newest}, `),
            });
        });
      });
    });

    it('refuses a database that is newer than the program', async () => {
      await onDatabaseOf(newest, vendor, async (old) => {
        await old.direct.sql("insert into service_migrations (version, name) values ('9999', 'of the future')");
        await expectUnchanged(old.direct, async () => {
          for (const args of [['--check'], []])
            expect(await upgrade(old.url, ...args)).toEqual({
              code: 1,
              output: expect.stringMatching(
                /^tain: the database is at migration 9999, which this program does not know: .* or a newer one\n$/,
              ),
            });
        });
      });
    });
  },
  upgradedVendors,
);

describeEachVendor('tain upgrade of a database that nobody has started on', (vendor) => {
  const onNew = async (work: (url: string, direct: DirectAccess) => Promise<void>): Promise<void> => {
    const database = await createDatabase(vendor, 'upgrade_none');
    const direct = await openDirectAccess(vendor, database.url);
    try {
      // A file of SQLite comes into being by its first table.
      await direct.sql('create table notes (id integer primary key)');
      await work(database.url, direct);
    } finally {
      await direct.close();
      await database.drop();
    }
  };

  it('leaves the first start to the start', async () => {
    await onNew(async (url, direct) => {
      const sentence = 'Tain has never been started on this database: `tain start` makes its tables and the first administrator';
      expect(await upgrade(url, '--check')).toEqual({ code: 2, output: `${sentence}. Nothing was changed.\n` });
      expect(await upgrade(url)).toEqual({ code: 1, output: `tain: ${sentence}\n` });
      expect(await direct.tables()).toEqual(['notes']);
    });
  });

  it('refuses tables of another program', async () => {
    await onNew(async (url, direct) => {
      await direct.sql('create table service_users (id integer primary key)');
      expect(await upgrade(url, '--check')).toEqual({
        code: 1,
        output: 'tain: The database has a table service_users that this service did not make. Rename it, or use another database.\n',
      });
    });
  });
});

describe('tain upgrade of a file that is not there', () => {
  it('does not make it', async () => {
    for (const args of [['--check'], []]) {
      const { code, output } = await upgrade('sqlite:./none.db', ...args);
      expect([code, output]).toEqual([1, expect.stringMatching(/^tain: cannot open the SQLite file .*none\.db: it is not there\n$/)]);
    }
    expect(existsSync(join(folder.path, 'none.db'))).toBe(false);
  });
});
