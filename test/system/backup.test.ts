// A database as a file: under writes, restored and compared by SQL, from one vendor to another, and files that are refused.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Config, readConfig } from '../../src/config.js';
import { commonForm, type Kept } from '../../src/core/vendor/transfer.js';
import { sealJson } from '../../src/service/transfer/backup/backup-file.js';
import { readBackup } from '../../src/service/transfer/backup/read-backup.js';
import { backupDatabase, createService, restoreDatabase } from '../../src/tain.js';
import { version } from '../../src/version.js';
import { everyValue } from '../fixtures/every-value.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { patientConfig } from '../harness/patience.js';
import { readDefinitions } from '../harness/read-definitions.js';
import { type Folder, makeFolder } from '../harness/run-command.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeForm } from '../harness/upload.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';

const quiet = (): void => undefined;
/** Their rows are of the running service alone. */
const leftOut = ['service_sessions', 'service_idempotency', 'service_secrets'];
let folder: Folder;
const path = (name: string): string => join(folder.path, name);

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => folder.remove());

const configOf = (databaseUrl: string, storage = 'files'): Config =>
  readConfig({}, { databaseUrl, storageRoot: path(storage), logLevel: 'error', ...patientConfig });

const backup = (database: string, file: string, withFiles = false, storage?: string) =>
  backupDatabase(configOf(database, storage), file, withFiles, quiet);
const restore = (database: string, file: string, storage?: string) => restoreDatabase(configOf(database, storage), file, quiet);

async function withDatabase<T>(vendor: Vendor, work: (database: TestDatabase, direct: DirectAccess) => Promise<T>): Promise<T> {
  const database = await createDatabase(vendor, 'restored');
  const direct = await openDirectAccess(vendor, database.url);
  try {
    return await work(database, direct);
  } finally {
    await direct.close();
    await database.drop();
  }
}

/** The rows of a file by table, in the form that all products share. */
async function rowsOf(file: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables: Record<string, string[]> = {};
  let rows: string[] = [];
  await readBackup(file, version, {
    begin: async (part) => {
      if (part.kind !== 'table') return;
      rows = [];
      tables[part.table.name] = rows;
    },
    rows: async (batch) => {
      for (const row of batch) rows.push(JSON.stringify(row.map((kept: Kept) => comparable(commonForm(kept)))));
    },
  });
  for (const list of Object.values(tables)) list.sort();
  for (const name of leftOut) delete tables[name];
  return tables;
}

/** Products write the same moment with more or fewer zeros, and the same JSON with more or fewer blanks. */
function comparable(kept: Kept): Kept {
  if (typeof kept !== 'string') return kept;
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(kept)) return kept.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  if (/^-?\d+\.\d+$/.test(kept)) return kept.replace(/\.?0+$/, '');
  if (!/^[[{"]/.test(kept)) return kept;
  try {
    return JSON.stringify(JSON.parse(kept));
  } catch {
    return kept;
  }
}

describeEachVendor('a backup', (vendor) => {
  let service: TestService;
  const file = (): string => path(`${vendor.name}.backup`);

  beforeAll(async () => {
    const storage = `${vendor.name}-files`;
    service = await startService(vendor, {
      fixture: everyValue[vendor.name],
      area: 'backup',
      config: { storageRoot: path(storage) },
    });
    const form = makeForm([{ name: 'a.txt', bytes: Buffer.from('the content of a file') }]);
    expect((await fetch(`${service.url}/files?access_token=tain-test-admin-token`, { method: 'POST', body: form })).status).toBe(200);
    await backup(service.databaseUrl, file(), true, storage);
  });

  afterAll(() => service.stop());

  it('brings every value and all of the structure into an empty database of the same vendor', async () => {
    await withDatabase(vendor, async (database, direct) => {
      const { end } = await restore(database.url, file(), `${vendor.name}-restored`);
      expect(end.files).toBe(1);
      expect(await direct.tables()).toEqual(await service.tables());
      expect(await direct.checksums(leftOut)).toEqual(await service.checksums(leftOut));
      expect(await readDefinitions(vendor, direct)).toEqual(await readDefinitions(vendor, service));
      const [{ filename_disk: name } = {}] = await direct.sql('select filename_disk from service_files');
      expect(readFileSync(join(path(`${vendor.name}-restored`), String(name)), 'utf8')).toBe('the content of a file');
      const restored = await createService(configOf(database.url));
      const headers = { authorization: 'Bearer tain-test-admin-token' };
      const answer = await restored.inject({ method: 'POST', url: '/items/makers', headers, payload: { name: 'after all' } });
      expect(answer.json()).toMatchObject({ data: { name: 'after all', id: expect.any(Number) } });
      await restored.close();
    });
  });

  it('is not restored over what a database has', async () => {
    const before = await service.checksums();
    await expect(restore(service.databaseUrl, file())).rejects.toThrow(/^the database is not empty \(it has "\w+"\)/);
    expect(await service.checksums()).toEqual(before);
  });

  it('shows one moment while others write', async () => {
    await service.sql(`create table ledger (id integer primary key, amount integer not null);
      create table total (id integer primary key, amount integer not null, moves integer not null);
      insert into total values (1, 0, 0)`);
    const other = await openDirectAccess(vendor, service.databaseUrl);
    let written = 0;
    let stopped = false;
    const writing = (async () => {
      while (!stopped) {
        written += 1;
        await other.sql(
          `begin; insert into ledger values (${written}, ${written % 7}); update total set amount = amount + ${written % 7}, moves = moves + 1; commit`,
        );
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    await expect.poll(() => written).toBeGreaterThan(20);
    const taken = path(`${vendor.name}-busy.backup`);
    await backup(service.databaseUrl, taken);
    stopped = true;
    await writing;
    await other.close();
    await withDatabase(vendor, async (database, direct) => {
      await restore(database.url, taken);
      const [sums] = await direct.sql('select count(*) as moves, sum(amount) as amount from ledger');
      const [total] = await direct.sql('select moves, amount from total');
      expect([Number(total?.['moves']), Number(total?.['amount'])]).toEqual([Number(sums?.['moves']), Number(sums?.['amount'])]);
      expect(Number(total?.['moves'])).toBeGreaterThan(20);
    });
  });

  const next = { sqlite: 'postgres', postgres: 'mysql', mysql: 'sqlite' } as const;
  it.each(inject('vendors').filter(({ name }) => name === next[vendor.name]))('brings a database to $name and back', async (other) => {
    const [there, back] = [path(`${vendor.name}-${other.name}.backup`), path(`${vendor.name}-${other.name}-back.backup`)];
    const shop = await startService(vendor, {
      demo: true,
      area: 'backup',
      fixture: portable(vendor.name === 'sqlite' ? 'decimal_text(30,10)' : 'decimal(30,10)'),
    });
    try {
      const first = path(`${vendor.name}-to-${other.name}.backup`);
      await backup(shop.databaseUrl, first);
      await withDatabase(other, async (database, direct) => {
        await restore(database.url, first);
        expect(await direct.sql('select title from books where id = 1')).toEqual(await shop.sql('select title from books where id = 1'));
        await backup(database.url, there);
      });
      expect(await rowsOf(there)).toEqual(await rowsOf(first));
      await withDatabase(vendor, async (database) => {
        await restore(database.url, there);
        await backup(database.url, back);
        expect(await rowsOf(back)).toEqual(await rowsOf(first));
      });
    } finally {
      await shop.stop();
    }
  });
});

/** What every vendor takes, with digits that are easily lost. */
const portable = (
  decimal: string,
): string => `create table measures (id integer primary key, big bigint, price ${decimal}, seen varchar(40), body text);
insert into measures values (1, 9223372036854775807, '12345678901234567890.1234567890', '2024-02-29 23:59:59.5', 'Ärger 🗾'),
 (2, -9223372036854775808, '-0.0000000001', '', '  '), (3, null, null, null, null)`;

describe('a file', () => {
  const [any] = inject('vendors');
  let whole: Buffer;
  let count = 0;

  async function refusal(bytes: Buffer): Promise<string> {
    count += 1;
    const name = path(`refused-${count}.backup`);
    writeFileSync(name, bytes);
    return readBackup(name, version, {}).then(
      () => 'read to its end',
      (error: unknown) => String(error),
    );
  }

  beforeAll(async () => {
    if (any === undefined) return;
    const service = await startService(any, { demo: true, area: 'backup' });
    await backup(service.databaseUrl, path('small.backup'));
    await service.stop();
    whole = readFileSync(path('small.backup'));
  });

  it('that was cut or changed anywhere is refused', async () => {
    for (let part = 0; part < 12; part += 1) {
      const at = Math.floor(((part + 0.5) * whole.length) / 12);
      expect(await refusal(whole.subarray(0, at))).toMatch(/ends in .*: it was not written or copied to its end|is no backup/);
    }
    for (let at = 8; at < whole.length; at += Math.ceil(whole.length / 400)) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      expect(await refusal(changed), `byte ${at}`).toMatch(/is damaged in .*: take another copy|ends in /);
    }
    expect(await refusal(Buffer.concat([whole, Buffer.from('x')]))).toMatch(/is damaged in its end/);
  });

  it('of something else, or of a newer release, is refused', async () => {
    expect(await refusal(Buffer.from('SQLite format 3\0, and more'))).toMatch(/is no backup of Tain/);
    expect(await refusal(Buffer.alloc(0))).toMatch(/is no backup of Tain/);
    expect(await refusal(withHeader({ format: 2, release: '9.0.0' }))).toMatch(
      /was written by Tain 9\.0\.0 in form 2; .*use that release or a newer one/,
    );
  });

  it('is checked to its end before anything is written', async () => {
    const [file, database] = [path('half.backup'), path('half.db')];
    writeFileSync(file, whole.subarray(0, whole.length - 1));
    await expect(restore(`sqlite:${database}`, file)).rejects.toThrow(/ends in its end|ends in what follows/);
    expect(readFileSync(database).includes('CREATE')).toBe(false);
  });

  it('is never written over another', async () => {
    await expect(backup(`sqlite:${path('any.db')}`, path('small.backup'))).rejects.toThrow(/exists already/);
  });

  /** The same file with another header; its end does not fit any more. */
  function withHeader(changes: object): Buffer {
    const length = whole.readUInt32BE(9);
    const header = JSON.parse(whole.subarray(13 + 32, 13 + length).toString('utf8'));
    const payload = sealJson({ ...header, ...changes });
    const head = Buffer.from(whole.subarray(8, 13));
    head.writeUInt32BE(payload.length, 1);
    return Buffer.concat([whole.subarray(0, 8), head, payload, whole.subarray(13 + length)]);
  }
});
