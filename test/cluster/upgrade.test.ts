// A rolling upgrade: the revision before the newest migration serves while the present one migrates its database, and beside it afterwards. What the old
// one reads and writes stays as it was, so it may even be started again, and subscribers of each are told what the other one writes.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { RawTable } from '../../src/core/schema/raw.js';
import { type Api, makeApi } from '../harness/api.js';
import { openDialect } from '../harness/open-dialect.js';
import { openAs } from '../harness/socket-client.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';
import { notes, serve } from './cluster-service.js';
import { checkOut, type PreviousRevision, type RunningRevision } from './previous-revision.js';
import { lostOf, startWriteLoad } from './write-load.js';

const token = 'cluster-admin-token';
const variables = { ADMIN_TOKEN: token, ADMIN_PASSWORD: 'upgrade-1-password' };

let previous: PreviousRevision;
beforeAll(() => {
  previous = checkOut();
});
afterAll(() => previous?.remove());

type Tables = ReadonlyMap<string, RawTable>;

async function readTables(vendor: Vendor, url: string): Promise<Tables> {
  const dialect = await openDialect(vendor.name, url);
  const { tables } = await dialect.introspect(dialect.driver);
  await dialect.driver.close();
  return new Map(tables.filter(({ name }) => name.startsWith('service_')).map((table) => [table.name, table]));
}

/** What the old revision would stumble over, as lines. */
function lossesOf(before: Tables, after: Tables): readonly string[] {
  return [...before].flatMap(([name, table]) => {
    const present = after.get(name);
    if (present === undefined) return [`${name} is gone`];
    const columnOf = new Map(present.columns.map((column) => [column.name, column]));
    const lost = table.columns.flatMap((column) => {
      const kept = columnOf.get(column.name);
      if (kept === undefined) return [`${name}.${column.name} is gone`];
      if (kept.dataType !== column.dataType) return [`${name}.${column.name} was ${column.dataType} and is ${kept.dataType}`];
      return column.nullable && !kept.nullable ? [`${name}.${column.name} takes no null any more`] : [];
    });
    const known = new Set(table.columns.map((column) => column.name));
    const demanded = present.columns.filter((column) => !known.has(column.name) && !column.nullable && column.default === null);
    return [...lost, ...demanded.map((column) => `${name}.${column.name} is new and has to be written`)];
  });
}

const namesOf = (tables: Tables): readonly string[] =>
  [...tables.values()]
    .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.dataType} ${column.nullable}`))
    .sort();

/** One person's day: what touches most of the system tables. The answers that were not 200 or 204. */
async function playDay(api: Api, url: string, name: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  const expectFine = async (what: string, sending: ReturnType<Api['get']>): Promise<Record<string, unknown>> => {
    const answer = await sending;
    if (answer.status !== 200 && answer.status !== 204) wrong.push(`${what}: ${answer.status} ${answer.text}`);
    return answer.body?.data ?? {};
  };
  const [email, password] = [`${name}@example.com`, 'upgrade-1-password'];
  const role = await expectFine('role', api.post('/roles', { name }));
  const policy = await expectFine('policy', api.post('/policies', { name, app_access: true }));
  await expectFine('access', api.post('/access', { role: role['id'], policy: policy['id'] }));
  await expectFine('permission', api.post('/permissions', { policy: policy['id'], collection: 'notes', action: 'read', fields: ['*'] }));
  await expectFine('user', api.post('/users', { email, password, role: role['id'] }));
  const nobody = makeApi(url, null);
  const session = await expectFine('login', nobody.post('/auth/login', { email, password }));
  await expectFine('me', makeApi(url, String(session['access_token'])).get('/users/me'));
  await expectFine('own read', makeApi(url, String(session['access_token'])).get('/items/notes?limit=1'));
  await expectFine('refresh', nobody.post('/auth/refresh', { refresh_token: session['refresh_token'], mode: 'json' }));
  const note = await expectFine('note', api.post('/items/notes', { text: name }));
  await expectFine('update', api.patch(`/items/notes/${note['id']}`, { text: `${name}!` }));
  await expectFine('revisions', api.get(`/revisions?filter[item][_eq]=${note['id']}`));
  await expectFine('activity', api.get('/activity?limit=1'));
  await expectFine('preset', api.post('/presets', { collection: 'notes', bookmark: name }));
  await expectFine('folder', api.post('/folders', { name }));
  await expectFine('settings', api.patch('/settings', { project_name: name }));
  await expectFine('field', api.post('/fields/notes', { field: name, type: 'string', meta: { note: name } }));
  await expectFine('flow', api.get('/flows'));
  await expectFine('graphql', api.graphql('{ notes(limit: 1) { id text } }'));
  return wrong;
}

/** A subscriber of one revision is told what the other one writes. */
async function expectTold(listening: string, writing: Api, text: string): Promise<void> {
  const client = await openAs(listening, token);
  const query = { fields: ['text'], filter: { text: { _eq: text } } };
  await client.ask({ type: 'subscribe', collection: 'notes', uid: 'notes', query });
  expect((await writing.post('/items/notes', { text })).status).toBe(200);
  expect(await client.next(({ event }) => event === 'create')).toMatchObject({ data: [{ text }] });
  client.close();
}

describe.each(inject('vendors').filter(({ name }) => name !== 'sqlite'))('an upgrade on $name', (vendor) => {
  let database: TestDatabase;
  let old: RunningRevision;
  beforeAll(async () => {
    database = await createDatabase(vendor, 'upgrade');
    old = await previous.start(database.url, variables);
    expect((await makeApi(old.url, token).post('/collections', notes)).status).toBe(200);
  });
  afterAll(async () => {
    await old?.stop();
    await database?.drop();
  });

  it('lets both revisions serve, before, during and after the migration', async () => {
    const before = await readTables(vendor, database.url);
    const load = startWriteLoad(makeApi(old.url, token), 'notes', 2);
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(20);
    const fresh = await serve(database.url);
    try {
      const both = startWriteLoad(fresh.api, 'notes', 2);
      expect(await playDay(makeApi(old.url, token), old.url, 'old')).toEqual([]);
      expect(await playDay(fresh.api, fresh.url, 'fresh')).toEqual([]);
      await expect.poll(() => both.acknowledged.length).toBeGreaterThan(20);
      await expectTold(old.url, fresh.api, 'told by the present one');
      await expectTold(fresh.url, makeApi(old.url, token), 'told by the old one');
      await Promise.all([load.stop(), both.stop()]);
      for (const { odd, refused } of [load, both]) expect({ odd, refused }).toEqual({ odd: [], refused: 0 });
      const rows = (await fresh.api.get('/items/notes?limit=-1&fields=text')).body.data;
      expect([...lostOf(load, rows), ...lostOf(both, rows)]).toEqual([]);
    } finally {
      await fresh.stop();
    }
    const after = await readTables(vendor, database.url);
    expect(lossesOf(before, after)).toEqual([]);
  });

  it('can be taken back: the old revision starts on the migrated database', async () => {
    await old.stop();
    old = await previous.start(database.url, variables);
    expect(await playDay(makeApi(old.url, token), old.url, 'again')).toEqual([]);
  });

  it('leaves the tables that a first start makes', async () => {
    const empty = await createDatabase(vendor, 'upgrade_new');
    const first = await serve(empty.url);
    await first.stop();
    const expected = namesOf(await readTables(vendor, empty.url));
    await empty.drop();
    expect(namesOf(await readTables(vendor, database.url))).toEqual(expected);
  });
});
