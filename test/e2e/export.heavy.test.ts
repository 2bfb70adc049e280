// A million items leave as a file while the memory of the service hardly grows; and a client that goes away takes its query with it.

import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { memoryOf } from '../harness/measure-memory.js';
import { build, makeFolder, type RunningCommand, runStart, waitFor } from '../harness/run-command.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';

const rows = 1_000_000;
const allowedGrowth = 64 * 1024 ** 2;
const token = 'tain-test-heavy-token';

const numbers: Readonly<Record<Vendor['name'], string>> = {
  sqlite: `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n`,
  postgres: `select i from generate_series(1, ${rows}) n(i)`,
  mysql: `select seq as i from seq_1_to_${rows}`,
};

describeEachVendor('a million items', (vendor) => {
  const folder = makeFolder();
  let database: TestDatabase;
  let direct: DirectAccess;
  let command: RunningCommand;
  let url: string;

  beforeAll(async () => {
    await build();
    database = await createDatabase(vendor, 'heavy_export');
    direct = await openDirectAccess(vendor, database.url);
    await direct.sql('create table measures (id integer primary key, name varchar(40), amount decimal(12,2), made timestamp null)');
    await direct.sql(
      `insert into measures select i, ${vendor.name === 'mysql' ? "concat('measure number ', i)" : "'measure number ' || i"}, i / 100.0, '2024-01-01 00:00:00' from (${numbers[vendor.name]}) n`,
    );
    command = runStart(folder, [], { DATABASE_URL: database.url, ADMIN_TOKEN: token, RATE_LIMIT: 'off' });
    url = await command.address();
    await drain('/items/measures?limit=20000&export=csv');
  }, 300_000);

  afterAll(async () => {
    command.process.kill('SIGKILL');
    await command.ended;
    await direct.close();
    await database.drop();
    folder.remove();
  });

  const memory = (): number => memoryOf(command.process);

  /** Reads the whole answer without keeping it. */
  const drain = (path: string): Promise<{ readonly lines: number; readonly bytes: number; readonly peak: number }> =>
    new Promise((resolve, reject) => {
      const seen = { lines: 1, bytes: 0, peak: memory() };
      const asked = request(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
        expect(response.statusCode).toBe(200);
        response.on('data', (chunk: Buffer) => {
          seen.bytes += chunk.length;
          for (const byte of chunk) if (byte === 10) seen.lines += 1;
          seen.peak = Math.max(seen.peak, memory());
        });
        response.once('end', () => resolve(seen)).once('error', reject);
      });
      asked.once('error', reject).end();
    });

  it.each(['csv', 'json'])('as %s', async (format) => {
    const before = memory();
    const { lines, bytes, peak } = await drain(`/items/measures?limit=-1&export=${format}`);
    if (format === 'csv') expect(lines).toBe(rows + 1);
    expect(bytes).toBeGreaterThan(rows * 50);
    expect(peak - before).toBeLessThan(allowedGrowth);
  });

  it('ends the query of a client that goes away', async () => {
    await new Promise<void>((resolve, reject) => {
      const asked = request(`${url}/items/measures?limit=-1`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
      });
      asked.once('error', reject).end();
    });
    await waitFor(async () => ((await runningReads()) === 0 ? true : null), 5000);
    expect((await fetch(`${url}/server/ping`)).status).toBe(200);
  });

  /** Statements of the service on the big table that still run; SQLite lists none; there a write must not wait for a reader. */
  async function runningReads(): Promise<number> {
    const questions: Partial<Record<Vendor['name'], string>> = {
      postgres:
        "select count(*) as n from pg_stat_activity where datname = current_database() and state = 'active' and query like '%measures%' and pid <> pg_backend_pid()",
      mysql:
        "select count(*) as n from information_schema.processlist where db = database() and info like '%measures%' and id <> connection_id()",
    };
    const question = questions[vendor.name];
    if (question !== undefined) return Number((await direct.sql(question))[0]?.['n']);
    const [checkpoint] = await direct.sql('pragma wal_checkpoint(truncate)');
    return Number(checkpoint?.['busy']);
  }
});
