// kill -9 in the middle of a load: what was acknowledged is there after the restart, and no write is there in part. Continues until
// 100,000 writes are acknowledged on each vendor, or HEAVY_MINUTES are over; a second run adds to the count of the first.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createService } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { addCounts, countsSoFar, heavyMs, reportRow, thousands } from '../harness/heavy-run.js';
import { build, type Folder, makeFolder, type RunningCommand, runStart, waitFor } from '../harness/run-command.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

const wanted = Number(process.env['HEAVY_WRITES'] ?? 100_000);
const leastRounds = 5;
const writers = 8;
const longestRoundMs = 4000;
const token = 'kill-admin-token';
const booksOfAuthor = 3;
const reviewsOfBook = 2;

describeEachVendor('killed in mid-load', (vendor) => {
  let folder: Folder;
  let database: TestDatabase;
  let direct: DirectAccess;

  beforeAll(async () => {
    await build();
    folder = makeFolder();
    database = await createDatabase(vendor, 'kill');
    await loadBookshop();
    direct = await openDirectAccess(vendor, database.url);
  }, 300_000);

  afterAll(async () => {
    await direct.close();
    await database.drop();
    folder.remove();
  });

  const loadBookshop = async (): Promise<void> => {
    const service = await createService({ databaseUrl: database.url, port: 0, logLevel: 'error', adminToken: token });
    await service.loadDemo();
    await service.close();
  };

  const start = async (): Promise<{ readonly running: RunningCommand; readonly api: Api }> => {
    const running = runStart(folder, [], { DATABASE_URL: database.url, RATE_LIMIT: 'off' });
    const api = makeApi(await running.address(), token);
    const isReady = async () => ((await api.get('/users/me').catch(() => null))?.status === 200 ? true : null);
    await waitFor(isReady, 60_000, running.output);
    return { running, api };
  };

  /** Writes until the service is gone, and notes what was acknowledged. */
  const writeOn = async (api: Api, prefix: string, acknowledged: Set<string>): Promise<void> => {
    for (let count = 0; ; count += 1) {
      const name = `${prefix}-${count}`;
      const answer = await api.post('/items/authors?fields=id', authorWithBooks(name)).catch(() => null);
      if (answer === null) return;
      expect(answer.status, answer.text).toBe(200);
      acknowledged.add(name);
    }
  };

  const count = async (statement: string): Promise<number> => Number(Object.values((await direct.sql(statement))[0] ?? {})[0]);

  it('no acknowledged write is lost, none is half done', { timeout: heavyMs + 600_000 }, async () => {
    const acknowledged = new Set<string>();
    const before = countsSoFar(`kill-${vendor.name}`)['acknowledged'] ?? 0;
    const until = Date.now() + heavyMs;
    let kills = 0;
    for (; kills < leastRounds || (before + acknowledged.size < wanted && Date.now() < until); kills += 1) {
      const { running, api } = await start();
      const first = acknowledged.size;
      const loads = Array.from({ length: writers }, (_, writer) => writeOn(api, `k-${kills}-${writer}`, acknowledged));
      await waitFor(() => (acknowledged.size > first + writers ? true : null), 60_000, running.output);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestRoundMs));
      running.process.kill('SIGKILL');
      expect(await running.ended).toBe('SIGKILL');
      await Promise.all(loads);
    }
    const { running, api } = await start();
    const names = new Set((await direct.sql("select name from authors where name like 'k-%'")).map((row) => String(row['name'])));
    expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
    expect(await count("select count(*) from books where slug like 'k-%'")).toBe(names.size * booksOfAuthor);
    const reviewed =
      "select count(*) from reviews r join books b on b.id = r.book join authors a on a.id = b.author where a.name like 'k-%'";
    expect(await count(reviewed)).toBe(names.size * booksOfAuthor * reviewsOfBook);
    expect(await count("select count(*) from service_revisions where collection = 'authors'")).toBe(names.size);
    expect((await api.post('/items/authors', authorWithBooks('k-last'))).status).toBe(200);
    running.process.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    const sums = addCounts(`kill-${vendor.name}`, { acknowledged: acknowledged.size, kills });
    const done = `${thousands(sums.acknowledged)} acknowledged writes (an author with 3 books and 6 reviews each), ${thousands(sums.kills)} kills`;
    reportRow('kill -9', vendor.name, done, '0 lost, 0 by halves');
  });
});

const authorWithBooks = (name: string): object => ({
  name,
  books: Array.from({ length: booksOfAuthor }, (_, index) => ({
    title: name,
    slug: `${name}-${index}`,
    reviews: Array.from({ length: reviewsOfBook }, (__, at) => ({ reader: `reader ${at}`, rating: 3 })),
  })),
});
