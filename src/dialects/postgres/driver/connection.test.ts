import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenPostgres, openTestPostgres } from '../../../../test/harness/open-postgres.js';
import type { Connection, Driver, Statement } from '../../../core/vendor/driver.js';
import { openPostgres } from '../index.js';

let database: OpenPostgres;
let driver: Driver;

beforeAll(async () => {
  database = await openTestPostgres('connection');
  driver = database.dialect.driver;
  await database.run(
    'CREATE TABLE items (id integer PRIMARY KEY, title text)',
    "INSERT INTO items SELECT g, 'title ' || g FROM generate_series(1, 3000) g",
  );
});

afterAll(() => database.remove());

const query = async (text: string, connection: Connection = driver): Promise<unknown> =>
  (await connection.rows({ kind: 'read', text, values: [] }))[0]?.[0];
const count = (): Promise<unknown> => query('SELECT count(*)::integer FROM items');
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const settled = (): Promise<void> => wait(20);
const running = (text: string): Promise<unknown> =>
  query(`SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query = '${text}'`);
/** Statements that end in time only if they are cancelled. */
const slow = 'SELECT pg_sleep(50)';
const isRunning = (): Promise<void> => expect.poll(() => running(slow)).toBe(1);

describe('rows', () => {
  it('keeps everything but small integers and booleans as exact text', async () => {
    const text = `SELECT 1::smallint, 2, true, 9007199254740993::bigint, 0.10000000000000000001::numeric, '{"b":1, "a":2}'::json,
      '2024-02-29 12:00:00.5'::timestamp, '2024-02-29 12:00:00+02'::timestamptz, 0.1::float8, NULL, '\\xdead'::bytea, ARRAY[1, 2]`;
    expect(await driver.rows({ kind: 'read', text, values: [] })).toEqual([
      [
        1,
        2,
        true,
        '9007199254740993',
        '0.10000000000000000001',
        '{"b":1, "a":2}',
        '2024-02-29 12:00:00.5',
        '2024-02-29 10:00:00+00',
        '0.1',
        null,
        '\\xdead',
        '{1,2}',
      ],
    ]);
  });

  it('binds every kind of value', async () => {
    const values = ['ä"\\', 5, 9007199254740993n, true, null, new Uint8Array([0, 255]), ['a,"\\', null, '{}', ''], [1n, 2]];
    const text = 'SELECT $1::text, $2::integer, $3::bigint, $4::boolean, $5::text, $6::bytea, to_json($7::text[]), $8::bigint[]';
    const [row] = await driver.rows({ kind: 'read', text, values });
    expect(row?.slice(0, 6)).toEqual(['ä"\\', 5, '9007199254740993', true, null, '\\x00ff']);
    expect(JSON.parse(String(row?.[6]))).toEqual(['a,"\\', null, '{}', '']);
    expect(row?.[7]).toBe('{1,2}');
  });

  it('reads prepared statements again, with rows typed as the first time', async () => {
    const statement: Statement = { kind: 'read', text: 'SELECT id, id::bigint FROM items WHERE id = $1', values: [7], prepare: true };
    for (let time = 0; time < 6; time += 1) expect(await driver.rows(statement)).toEqual([[7, '7']]);
    const names = await driver.rows({ kind: 'read', text: 'SELECT statement FROM pg_prepared_statements', values: [] });
    expect(names.filter(([text]) => text === statement.text)).toHaveLength(1);
  });

  it('survives a prepared statement whose result type changed, and one that is gone', async () => {
    await database.run('CREATE TABLE changing (a integer)', 'INSERT INTO changing VALUES (1)');
    const statement: Statement = { kind: 'read', text: 'SELECT * FROM changing', values: [], prepare: true };
    expect(await driver.rows(statement)).toEqual([[1]]);
    await database.run('ALTER TABLE changing ALTER COLUMN a TYPE text');
    expect(await driver.rows(statement)).toEqual([['1']]);
    expect(await driver.rows(statement)).toEqual([['1']]);
    await database.run('DEALLOCATE ALL');
    expect(await driver.rows(statement)).toEqual([['1']]);
  });

  it('prepares a statement again after its first use failed', async () => {
    const statement = (value: string): Statement => ({
      kind: 'read',
      text: 'SELECT $1::text::integer + 0',
      values: [value],
      prepare: true,
    });
    await expect(driver.rows(statement('x'))).rejects.toMatchObject({ kind: 'invalid-value' });
    expect(await driver.rows(statement('3'))).toEqual([[3]]);
    expect(await driver.rows(statement('4'))).toEqual([[4]]);
  });

  it('counts the items a statement touched and the statements it sent', async () => {
    const before = driver.statements();
    expect(await driver.run({ kind: 'write', text: 'UPDATE items SET title = title WHERE id <= $1', values: [3] })).toBe(3);
    expect(await driver.run({ kind: 'insert', text: 'INSERT INTO items VALUES (9001), (9002)', values: [] })).toBe(2);
    expect(await driver.run({ kind: 'write', text: 'DELETE FROM items WHERE id > 9000', values: [] })).toBe(2);
    expect(await driver.transaction((connection) => connection.run({ kind: 'write', text: 'SET LOCAL work_mem = 1000', values: [] }))).toBe(
      0,
    );
    expect(driver.statements() - before).toBe(4);
  });

  it('serves more users than connections', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => driver.rows({ kind: 'read', text: 'SELECT $1::integer', values: [index], prepare: true })),
    );
    expect(answers.map(([row]) => row?.[0])).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect(driver.pool().size).toBeLessThanOrEqual(4);
    expect(driver.pool().waiting).toBe(0);
  });

  it('sets the session as the answers need it', async () => {
    for (const [name, value] of Object.entries({
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      extra_float_digits: '1',
      statement_timeout: '1min',
      jit: 'off',
    })) {
      expect(await query(`SHOW "${name}"`)).toBe(value);
    }
  });
});

describe('transaction', () => {
  it('commits when the work resolves and rolls back when it rejects', async () => {
    const before = await count();
    await driver.transaction((connection) => connection.run({ kind: 'insert', text: 'INSERT INTO items VALUES (10001)', values: [] }));
    await expect(
      driver.transaction(async (connection) => {
        await connection.run({ kind: 'insert', text: 'INSERT INTO items VALUES (10002)', values: [] });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await count()).toBe(Number(before) + 1);
    await database.run('DELETE FROM items WHERE id > 10000');
    expect(driver.pool().idle).toBe(driver.pool().size);
  });

  it('rejects when a failure inside was swallowed, since the server has rolled back', async () => {
    const work = async (connection: Connection): Promise<void> => {
      await connection.run({ kind: 'insert', text: 'INSERT INTO items VALUES (10003)', values: [] });
      await connection.run({ kind: 'read', text: 'SELECT 1/0', values: [] }).catch(() => undefined);
    };
    await expect(driver.transaction(work)).rejects.toThrow('rolled back');
    expect(await query('SELECT count(*)::integer FROM items WHERE id = 10003')).toBe(0);
  });

  it('runs statements given at once one after the other, and none after its end', async () => {
    let escaped: Connection | null = null;
    const sums = await driver.transaction((connection) => {
      escaped = connection;
      return Promise.all([1, 2, 3].map((value) => query(`SELECT ${value}`, connection)));
    });
    expect(sums).toEqual([1, 2, 3]);
    await expect(query('SELECT 1', escaped ?? driver)).rejects.toThrow('ended');
  });

  it('reports a constraint that fails at the commit', async () => {
    await database.run('CREATE TABLE late (id integer PRIMARY KEY, other integer REFERENCES late DEFERRABLE INITIALLY DEFERRED)');
    await expect(
      driver.transaction((connection) => connection.run({ kind: 'insert', text: 'INSERT INTO late VALUES (1, 5)', values: [] })),
    ).rejects.toMatchObject({
      kind: 'foreign-key',
    });
    expect(await query('SELECT count(*)::integer FROM late')).toBe(0);
  });

  it('commits with the statement marked as the last, and refuses any after it', async () => {
    const insert = (id: number): Statement => ({ kind: 'insert', text: `INSERT INTO items VALUES (${id})`, values: [] });
    const present = 'SELECT count(*)::integer FROM items WHERE id IN (10020, 10021, 10022)';
    await driver.transaction(async (connection) => {
      expect(await connection.run(insert(10020))).toBe(1);
      expect(await connection.rows({ kind: 'read', text: present, values: [], prepare: true, last: true })).toEqual([[1]]);
      expect(await query(present)).toBe(1);
      await expect(connection.run(insert(10021))).rejects.toMatchObject({ kind: 'other' });
    });
    expect(await driver.transaction((connection) => connection.run({ ...insert(10021), last: true }))).toBe(1);
    const failed = driver.transaction(async (connection) => {
      await connection.run(insert(10022));
      await connection.rows({ kind: 'read', text: 'SELECT missing FROM items', values: [], last: true });
    });
    await expect(failed).rejects.toThrow('missing');
    expect(await query(present)).toBe(2);
    await driver.run({ kind: 'write', text: 'DELETE FROM items WHERE id > 10000', values: [] });
  });

  it('lets only one structural transaction run at a time', async () => {
    const log: string[] = [];
    const work = (name: string) => () =>
      wait(50)
        .then(() => log.push(`${name} begins`))
        .then(() => wait(50))
        .then(() => log.push(`${name} ends`));
    await Promise.all([database.dialect.exclusively(work('a')), database.dialect.exclusively(work('b'))]);
    expect([0, 2].map((at) => log[at]?.[0] === log[at + 1]?.[0])).toEqual([true, true]);
  });
});

describe('cancelling', () => {
  it('stops a running statement and keeps the connection', async () => {
    const before = driver.pool().size;
    const controller = new AbortController();
    const stopped = expect(driver.rows({ kind: 'read', text: slow, values: [] }, controller.signal)).rejects.toMatchObject({
      kind: 'cancelled',
    });
    await isRunning();
    controller.abort();
    await stopped;
    expect(await running(slow)).toBe(0);
    expect(driver.pool()).toMatchObject({ size: Math.max(before, 2), waiting: 0 });
    expect(await query('SELECT 1')).toBe(1);
  });

  it('sends nothing for a request that is cancelled already', async () => {
    const before = driver.statements();
    await expect(driver.rows({ kind: 'read', text: 'SELECT 1', values: [] }, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'cancelled',
    });
    expect(driver.statements()).toBe(before);
  });

  it('lets a waiting request leave the queue', async () => {
    const busy = new AbortController();
    const sleeping = Array.from({ length: 4 }, () =>
      driver.rows({ kind: 'read', text: slow, values: [] }, busy.signal).catch(() => 'stopped'),
    );
    const controller = new AbortController();
    const left = expect(driver.rows({ kind: 'read', text: 'SELECT 1', values: [] }, controller.signal)).rejects.toMatchObject({
      kind: 'cancelled',
    });
    await expect.poll(() => driver.pool()).toEqual({ size: 4, idle: 0, waiting: 1 });
    controller.abort();
    await left;
    expect(driver.pool().waiting).toBe(0);
    busy.abort();
    await Promise.all(sleeping);
  });

  it('rolls a transaction back when one of its statements is cancelled', async () => {
    const work = async (connection: Connection): Promise<void> => {
      await connection.run({ kind: 'insert', text: 'INSERT INTO items VALUES (10004)', values: [] });
      await connection.rows({ kind: 'read', text: slow, values: [] }, AbortSignal.timeout(50));
    };
    await expect(driver.transaction(work)).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await query('SELECT count(*)::integer FROM items WHERE id = 10004')).toBe(0);
  });

  it('times out by itself', async () => {
    const hurried = await openPostgres({ url: database.url, poolSize: 1, statementTimeoutMs: 100, systemSchema: null });
    await expect(hurried.driver.rows({ kind: 'read', text: slow, values: [] })).rejects.toMatchObject({ kind: 'timeout' });
    await hurried.driver.close();
  });
});

describe('streaming', () => {
  it('may take longer as a whole than a single statement may', async () => {
    const options = { url: database.url, poolSize: 1, statementTimeoutMs: 1_000, systemSchema: null };
    const { driver: hurried } = await openPostgres(options);
    let rows = 0;
    for await (const batch of hurried.stream({ kind: 'read', text: 'SELECT id FROM items', values: [] })) {
      rows += batch.length;
      await wait(400);
    }
    expect(rows).toBe(3000);
    expect(await hurried.rows({ kind: 'read', text: 'SELECT 1', values: [] })).toEqual([[1]]);
    await hurried.close();
  });

  const everything: Statement = { kind: 'read', text: 'SELECT id, title FROM items ORDER BY id', values: [] };

  it('gives all rows in batches', async () => {
    const sizes: number[] = [];
    let last: unknown;
    for await (const batch of driver.stream(everything)) {
      sizes.push(batch.length);
      last = batch.at(-1);
    }
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(3000);
    expect(last).toEqual([3000, 'title 3000']);
    expect(driver.pool().idle).toBe(driver.pool().size);
  });

  it('gives nothing for no rows', async () => {
    const batches: unknown[] = [];
    for await (const batch of driver.stream({ kind: 'read', text: 'SELECT id FROM items WHERE id = $1', values: [-1] }))
      batches.push(batch);
    expect(batches).toEqual([]);
  });

  it('frees the connection and the cursor when the reader leaves early', async () => {
    const before = driver.pool().size;
    for await (const _ of driver.stream({ kind: 'read', text: 'SELECT generate_series(1, 100000000)', values: [] })) break;
    expect(driver.pool()).toMatchObject({ size: before, idle: before });
    expect(
      await query(
        "SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()",
      ),
    ).toBe(0);
  });

  it('fetches no more than the reader asks for', async () => {
    await database.run('CREATE SEQUENCE fetched');
    for await (const _ of driver.stream({ kind: 'write', text: "SELECT nextval('fetched') FROM generate_series(1, 100000)", values: [] })) {
      await wait(50);
      break;
    }
    expect(Number(await query('SELECT last_value::integer FROM fetched'))).toBeLessThan(2_000);
  });

  it('ends with an error when the statement fails midway, and when it is cancelled', async () => {
    const read = async (text: string, signal?: AbortSignal): Promise<void> => {
      for await (const _ of driver.stream({ kind: 'read', text, values: [] }, signal)) await settled();
    };
    await expect(read('SELECT 1 / (900 - g) FROM generate_series(1, 1000) g')).rejects.toMatchObject({ kind: 'broken' });
    await expect(read(slow, AbortSignal.timeout(50))).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(read('SELECT generate_series(1, 100000000)', AbortSignal.timeout(100))).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await query('SELECT 1')).toBe(1);
  });
});

describe('a server that goes away', () => {
  const others = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

  it('is unavailable at once when no server listens, and opening does not fail', async () => {
    const absent = await openPostgres({
      url: 'postgres://nobody@127.0.0.1:1/nothing',
      poolSize: 2,
      statementTimeoutMs: 5_000,
      systemSchema: null,
    });
    const started = performance.now();
    const attempts = await Promise.allSettled(Array.from({ length: 6 }, () => absent.driver.version()));
    expect(attempts.every((attempt) => attempt.status === 'rejected' && attempt.reason.kind === 'unavailable')).toBe(true);
    expect(performance.now() - started).toBeLessThan(20_000);
    await absent.driver.close();
  });

  it('is refused for good when it has no such database or user', async () => {
    const options = { poolSize: 1, statementTimeoutMs: 5_000, systemSchema: null };
    const nowhere = database.url.replace(/[^/]+$/, 'tain_test_nowhere');
    await expect(openPostgres({ ...options, url: nowhere })).rejects.toThrow('create it first');
    const nobody = Object.assign(new URL(database.url), { username: 'tain_test_nobody' });
    await expect(openPostgres({ ...options, url: nobody.href })).rejects.toThrow('refused the user');
  });

  it('resumes after idle connections were closed', async () => {
    await Promise.all([count(), count(), count()]);
    await query(others);
    await settled();
    expect(await count()).toBe(3000);
  });

  it('repeats a read that was running, fails a transaction, and resumes', async () => {
    const short = 'SELECT pg_sleep(3)';
    const outside = driver.rows({ kind: 'read', text: short, values: [] });
    const inTransaction = driver.transaction(async (connection) => {
      await connection.rows({ kind: 'read', text: 'SELECT 1', values: [] });
      await connection.rows({ kind: 'read', text: short, values: [] });
    });
    const ends = Promise.allSettled([outside, inTransaction]);
    await expect.poll(() => running(short), { interval: 10 }).toBe(2);
    await query(others);
    expect((await ends).map((end) => (end.status === 'rejected' ? end.reason.kind : 'answered'))).toEqual(['answered', 'unavailable']);
    expect(await count()).toBe(3000);
    expect(driver.pool().idle).toBe(driver.pool().size);
  });

  it('refuses work after it was closed', async () => {
    const closing = await openPostgres({ url: database.url, poolSize: 2, statementTimeoutMs: 5_000, systemSchema: null });
    const short = 'SELECT 5 FROM pg_sleep(2)';
    const answer = closing.driver.rows({ kind: 'read', text: short, values: [] });
    await expect.poll(() => running(short), { interval: 10 }).toBe(1);
    await closing.driver.close();
    expect(await answer).toEqual([[5]]);
    await expect(closing.driver.version()).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
