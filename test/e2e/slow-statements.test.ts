// SLOW_STATEMENT: what the log of a running service says about slow statements, over REST and GraphQL, and what administrators may read of it.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, makeApi } from '../harness/api.js';
import { describeVendorsTogether } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { patience } from '../harness/patience.js';
import { build, type Folder, makeFolder, type RunningCommand, runStart, waitFor } from '../harness/run-command.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

beforeAll(build, 300_000);

interface Line {
  readonly msg: string;
  readonly durationMs: number;
  readonly sql: string;
  readonly collections: readonly string[];
  readonly requestId?: string;
  readonly plan?: readonly string[];
}

interface Reported {
  readonly request_id: string | null;
  readonly sql: string;
  readonly plan: readonly string[] | null;
}

describeVendorsTogether('SLOW_STATEMENT', (vendor) => {
  let folder: Folder;
  let database: TestDatabase;
  let running: RunningCommand;
  let url: string;
  const token = 'slow-admin-token';

  beforeAll(async () => {
    folder = makeFolder();
    database = await createDatabase(vendor, 'slow');
    const direct = await openDirectAccess(vendor, database.url);
    await direct.sql('create table things (id integer primary key, name varchar(50))');
    // So many that an index is the better way to one of them, whatever the database knows of the table by then.
    await direct.sql(
      `insert into things (id, name) with recursive others (id) as (select 100000 union all select id + 1 from others where id < 100900)
      select id, 'the name of one of the other things in this table' from others`,
    );
    await direct.close();
    const environment = { ADMIN_TOKEN: token, ADMIN_PASSWORD: 'slow-1-password', RATE_LIMIT: 'off', WEBSOCKETS: 'off', LOG_LEVEL: 'warn' };
    // Every statement takes at least as long.
    running = runStart(folder, [database.url], { ...environment, SLOW_STATEMENT: '0ms' });
    url = await running.address();
  });
  afterAll(async () => {
    running.process.kill('SIGTERM');
    await running.ended;
    await database.drop();
    folder.remove();
  });

  const lines = (): readonly Line[] =>
    running
      .output()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') && line.includes('a slow statement') ? [JSON.parse(line) as Line] : []));

  /** Asks until a line names one of the requests: lines beyond the limit are left out, and the others come after the answer. */
  const linesOf = (ask: () => Promise<Answer>): Promise<readonly Line[]> => {
    const asked = new Set<string | null>();
    return waitFor(async () => {
      const answer = await ask();
      expect(answer.status, answer.text).toBe(200);
      asked.add(answer.headers.get('x-request-id'));
      const found = lines().filter(({ requestId, collections }) => asked.has(requestId ?? null) && collections.includes('things'));
      return found.length > 0 ? found : null;
    }, patience);
  };

  it('names request and collection of a read and a write, by both doors, and no value', async () => {
    const api = makeApi(url, token);
    let key = 0;
    const create = 'mutation ($name: String!, $id: ID!) { create_things_item(data: { id: $id, name: $name }) { id } }';
    const next = (): number => {
      key += 1;
      return key;
    };
    const asks: Readonly<Record<string, () => Promise<Answer>>> = {
      read: () => api.get('/items/things?filter[name][_eq]=a-hidden-value'),
      write: () => api.post('/items/things', { id: next(), name: 'a-hidden-value' }),
      query: () => api.graphql('{ things(filter: { name: { _eq: "a-hidden-value" } }) { id } }'),
      mutation: () => api.graphql(create, { id: next(), name: 'a-hidden-value' }),
    };
    // At once, since all share the lines of ten seconds.
    const asking = Object.entries(asks).map(async ([what, ask]) => {
      for (const { sql, durationMs } of await linesOf(ask)) {
        expect([what, sql]).toEqual([what, expect.stringMatching(/things/)]);
        expect(durationMs).toBeGreaterThanOrEqual(0);
      }
    });
    await Promise.all(asking);
    expect(running.output()).not.toContain('a-hidden-value');
  });

  it('shows the plan of a read, without its values', async () => {
    const api = makeApi(url, token);
    const found = await linesOf(() => api.get('/items/things?filter[name][_starts_with]=a-hidden-value&sort=name'));
    expect(found.flatMap(({ plan = [] }) => plan)).toEqual(expect.arrayContaining([expect.stringMatching(/^scan t0/), 'sort']));
    await api.post('/items/things', { id: 1471147113 });
    const byKey = await linesOf(() => api.get('/items/things?filter[id][_eq]=1471147113&fields=name'));
    expect(byKey.flatMap(({ plan = [] }) => plan).join()).toMatch(/^search t0 by /);
    expect(running.output()).not.toMatch(/a-hidden-value|1471147113/);
  });

  it('shows the same lines to administrators, by both doors, and to no other caller', async () => {
    const api = makeApi(url, token);
    const found = await linesOf(() => api.get('/items/things?filter[name][_contains]=a-hidden-value&sort=-name'));
    const { body, headers, text } = await api.get('/server/statements/slow');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.data).toMatchObject({ threshold_ms: 0, process: expect.stringMatching(/:\d+$/) });
    const { requestId, sql, collections, durationMs } = found[0] as Line;
    const reported = body.data.statements.find((each: Reported) => each.request_id === requestId && each.sql === sql);
    expect(reported).toMatchObject({ duration_ms: durationMs, collections, failed: false });
    expect(body.data.statements.find(({ plan }: Reported) => plan?.[0]?.startsWith('scan t0') === true)).toBeDefined();
    expect(text).not.toMatch(/a-hidden-value|1471147113/);
    const document = '{ server_statements_slow { threshold_ms process statements { request_id sql } } }';
    const { body: asked } = await api.graphql(document, {}, '/graphql/system');
    expect(asked.data.server_statements_slow).toMatchObject({ threshold_ms: 0, process: body.data.process });
    expect(asked.data.server_statements_slow.statements).toContainEqual({ request_id: requestId, sql });
    expect((await makeApi(url, null).get('/server/statements/slow')).status).toBe(403);
  });
});
