// What the driver does behind a pooler, on a direct connection: the mode is stated, so it sets everything for each transaction. PgBouncer itself is in
// test/cluster.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenPostgres, openTestPostgres } from '../../../../test/harness/open-postgres.js';
import type { Connection, Driver, Row, Statement } from '../../../core/vendor/driver.js';
import { sessionSettings } from './session-settings.js';

const read = (text: string): Statement => ({ kind: 'read', text, values: [] });
const settings = "SELECT current_setting('TimeZone'), current_setting('statement_timeout'), current_setting('random_page_cost')";
const names = 'SELECT count(*)::integer FROM pg_prepared_statements';
const set: Row = ['UTC', '1500ms', '1.5'];

describe('a driver behind a pooler', () => {
  let database: OpenPostgres;
  let driver: Driver;
  beforeAll(async () => {
    database = await openTestPostgres('pooler', { pooler: 'transaction', poolSize: 1, statementTimeoutMs: 1_500 });
    driver = database.dialect.driver;
    await database.run('CREATE TABLE items (id serial PRIMARY KEY, title text)');
  });
  afterAll(() => database.remove());

  it('has its settings in a statement, a transaction and a stream', async () => {
    expect(await driver.rows(read(settings))).toEqual([set]);
    const inTransaction = await driver.transaction(async (connection: Connection) => {
      const first = await connection.rows(read(settings));
      return [...first, ...(await connection.rows(read(settings)))];
    });
    expect(inTransaction).toEqual([set, set]);
    for await (const batch of driver.stream(read(settings))) expect(batch).toEqual([set]);
  });

  it('prepares nothing by name', async () => {
    const statement: Statement = {
      kind: 'insert',
      text: 'INSERT INTO items (title) VALUES ($1) RETURNING id',
      values: ['a'],
      prepare: true,
    };
    for (let time = 0; time < 3; time += 1) await driver.rows(statement);
    await driver.transaction((connection) => connection.rows({ ...statement, last: true }));
    expect(await driver.rows(read(names))).toEqual([[0]]);
  });

  it('stops statements and streams at the limit', async () => {
    await expect(driver.rows(read('SELECT pg_sleep(20)'))).rejects.toMatchObject({ kind: 'timeout' });
    const stream = driver.stream(read('SELECT pg_sleep(20)'));
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'timeout' });
    expect(await driver.rows(read('SELECT 1'))).toEqual([[1]]);
  });

  it('streams batches while its reader pauses for longer than the limit', async () => {
    let count = 0;
    for await (const batch of driver.stream(read('SELECT n FROM generate_series(1, 1200) n'))) {
      count += batch.length;
      await new Promise((resolve) => setTimeout(resolve, 900));
    }
    expect(count).toBe(1200);
  });
});

it('takes a direct connection for one', async () => {
  const database = await openTestPostgres('direct', { pooler: 'auto', poolSize: 1 });
  const { driver } = database.dialect;
  await driver.rows({ ...read('SELECT 1'), prepare: true });
  expect(await driver.rows(read(names))).toEqual([[1]]);
  await database.remove();
});

describe('the settings of a session', () => {
  const options = { poolSize: 1, statementTimeoutMs: 1_000, systemSchema: null };

  it('are those of the URL, and the own ones above them', () => {
    const url = 'postgres://h/db?options=-c%20geqo%3Doff%20--work-mem%3D8MB%20-c%20search_path%3Da%2C%5C%20b';
    const { client, local } = sessionSettings({ ...options, url }, true);
    expect(client.options).toBeUndefined();
    expect(local).toContain(
      "set_config('geqo', 'off', true), set_config('work_mem', '8MB', true), set_config('search_path', 'a, b', true)",
    );
    expect(sessionSettings({ ...options, url }, false).client.options).toContain(
      '-c geqo=off --work-mem=8MB -c search_path=a,\\ b -c TimeZone=UTC',
    );
  });

  it('cannot be anything else behind a pooler', () => {
    expect(() => sessionSettings({ ...options, url: 'postgres://h/db?options=-P' }, true)).toThrow('"-P"');
  });
});
