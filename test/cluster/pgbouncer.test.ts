// The service behind PgBouncer in transaction mode, without further settings of either: every recorded conversation, the limits of statements, and
// no trace in the sessions that others use, too.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { playOn } from '../conformance/play-suites.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { startService, type TestService } from '../harness/start-service.js';
import type { Vendor } from '../harness/vendors.js';
import { type PgBouncer, type PgBouncerOptions, startPgBouncer } from './pgbouncer-server.js';

const postgres = inject('vendors').find(({ name }) => name === 'postgres');

async function start(options: PgBouncerOptions = {}): Promise<PgBouncer> {
  if (postgres === undefined) throw new Error('there is no PostgreSQL on this machine');
  return startPgBouncer(postgres, options);
}

describe('behind PgBouncer', () => {
  let bouncer: PgBouncer;
  beforeAll(async () => {
    bouncer = await start();
  });
  afterAll(() => bouncer?.stop());

  playOn('pgbouncer', async (): Promise<Vendor> => bouncer.vendor);
});

const inTokyo = `do $$ begin execute format('alter database %I set timezone to %L', current_database(), 'Asia/Tokyo'); end $$`;

// The second drops the settings of the service instead of refusing them.
describe.each([
  ['as it is shipped', []],
  ['told to ignore settings', ['ignore_startup_parameters = options']],
])('PgBouncer %s', (_name, settings) => {
  let bouncer: PgBouncer;
  let service: TestService;
  beforeAll(async () => {
    bouncer = await start({ settings, sessions: 2 });
    service = await startService(bouncer.vendor, { area: 'pooled', config: { statementTimeout: 2_000 }, fixture: inTokyo });
    await service.api.post('/collections', {
      collection: 'notes',
      schema: {},
      fields: [
        { field: 'text', type: 'string' },
        { field: 'at', type: 'timestamp' },
      ],
    });
    await service.sql('create view slow as select id, pg_sleep(20)::text as text from notes');
    await service.api.post('/items/notes', { text: 'first', at: '2024-03-01T12:00:00Z' });
  });
  afterAll(async () => {
    await service?.stop();
    await bouncer?.stop();
  });

  it('stops a statement at its limit', async () => {
    await expect.poll(async () => (await service.api.get('/items/slow')).status).toBe(503);
  });

  it("writes times as UTC under every setting of the server's sessions", async () => {
    const reads = await Promise.all(Array.from({ length: 20 }, () => service.api.get('/items/notes?fields=at&filter[text][_eq]=first')));
    expect(new Set(reads.map(({ body }) => body.data[0].at))).toEqual(new Set(['2024-03-01T12:00:00.000Z']));
  });

  it('burns no keys and refuses nothing while statements of many kinds share two sessions', async () => {
    const before = (await service.api.post('/items/notes', { text: 'before' })).body.data.id;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_entry, index) =>
        index % 2 === 0
          ? service.api.post('/items/notes', { text: `n${index}` })
          : service.api.get(`/items/notes?filter[text][_eq]=n${index}&sort=${index % 3 === 0 ? 'text' : 'id'}`),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await service.api.post('/items/notes', { text: 'after' })).body.data.id).toBe(before + 101);
  });

  it('reads in batches through one session', async () => {
    await service.sql("insert into notes (text) select 'row ' || n from generate_series(1, 3000) n");
    const answer = await service.api.get('/items/notes?export=csv&fields=id&limit=-1');
    expect(answer.text.trim().split('\n').length).toBeGreaterThan(3000);
  });

  it('leaves no settings behind', async () => {
    const other = await openDirectAccess(bouncer.vendor, service.databaseUrl);
    await service.api.get('/items/notes?limit=1');
    expect(
      await other.sql('select current_setting(\'statement_timeout\') as "limit", count(*)::int as names from pg_prepared_statements'),
    ).toEqual([{ limit: '0', names: 0 }]);
    await other.close();
  });
});
