import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSqliteTest, type SqliteTest } from '../../../../test/harness/sqlite-dialect.js';
import { KeyBatch } from '../../../core/pipeline/key-batch.js';
import { defaultDeadlines } from '../../../core/vendor/dialect.js';
import type { Driver, Row, Statement } from '../../../core/vendor/driver.js';
import { openSqlite } from '../index.js';

let test: SqliteTest;
let driver: Driver;

beforeAll(async () => {
  test = await openSqliteTest();
  driver = test.dialect.driver;
  await test.run('CREATE TABLE t (id INTEGER PRIMARY KEY, big bigint, name text, data blob)', 'CREATE TABLE numbers (n int)');
  await test.run('INSERT INTO numbers WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000) SELECT n FROM c');
});

afterAll(() => test.end());

const endless = 'SELECT count(*) FROM numbers a, numbers b, numbers c WHERE alive(a.n, b.n, c.n)';

describe('values', () => {
  it('are exact, and numbers where these are exact', async () => {
    const big = 9007199254740993n;
    const values = [1n, big, 'ä\u{1F600}', new Uint8Array([0, 255])];
    expect(await driver.run({ kind: 'insert', text: 'INSERT INTO t VALUES (?, ?, ?, ?)', values })).toBe(1);
    for (const cheap of [false, true]) {
      const [row] = await driver.rows({
        kind: 'read',
        text: 'SELECT id, big, name, data, 1.5, NULL FROM t WHERE id = 1',
        values: [],
        cheap,
      });
      expect(row?.slice(0, 3)).toEqual([1, big, 'ä\u{1F600}']);
      expect([...Uint8Array.from(row?.[3] as Uint8Array)]).toEqual([0, 255]);
      expect(row?.slice(4)).toEqual([1.5, null]);
      expect(await driver.rows({ kind: 'read', text: 'SELECT big FROM t WHERE id = 1', values: [], prepare: true, cheap })).toEqual([
        [big],
      ]);
    }
  });

  it('are returned at once if they are found by key', () => {
    const find = (text: string): readonly Row[] | null | undefined =>
      driver.rowsAtOnce?.({ kind: 'read', text, values: [1n], prepare: true, cheap: true });
    expect(find('SELECT name FROM t WHERE id = ?')).toEqual([['ä\u{1F600}']]);
    expect(find('SELECT big FROM t WHERE id = ?')).toEqual([[9007199254740993n]]);
    expect(find('SELECT big FROM t WHERE id = ?')).toEqual([[9007199254740993n]]);
    expect(find('SELECT id, name FROM t WHERE id = ?')).toEqual([[1, 'ä\u{1F600}']]);
    expect(find('SELECT NULL FROM t WHERE id = ?')).toEqual([[null]]);
    expect(find('SELECT name FROM t WHERE id = ? + 1000')).toEqual([]);
    expect(() => find('SELECT missing FROM t WHERE id = ?')).toThrow('missing');
  });

  it('are as new as the latest reply, even if reads share a snapshot', async () => {
    const read = (): readonly Row[] | null | undefined =>
      driver.rowsAtOnce?.({ kind: 'read', text: 'SELECT name FROM t WHERE id = ?', values: [12n], prepare: true, cheap: true });
    const slow = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000)';
    const beside = new Database(test.file, { readonly: true });
    const written = driver.run({
      kind: 'insert',
      text: `INSERT INTO t (id, name) ${slow} SELECT 12, 'new' FROM n WHERE i = 3000000`,
      values: [],
    });
    // The write ends in the turn of the event loop in which these reads began a snapshot; its reply arrives in a later turn.
    await new Promise((resolve) => setTimeout(resolve, 10));
    const before = [read(), read()];
    const until = performance.now() + 60_000;
    while (performance.now() < until && beside.prepare('SELECT 1 FROM t WHERE id = 12').get() === undefined);
    const snapshot = read();
    beside.close();
    await written;
    expect([...before, snapshot, read()]).toEqual([[], [], [], [['new']]]);
  });

  it('are exact in rows that a write returns', async () => {
    const text = 'INSERT INTO t (id, big) VALUES (?, ?), (?, ?) RETURNING id, big';
    expect(await driver.rows({ kind: 'insert', text, values: [10n, -9223372036854775808n, 11n, 5n] })).toEqual([
      [10, -9223372036854775808n],
      [11, 5],
    ]);
  });

  it('bind booleans as integers and lists as one JSON text', async () => {
    const text = "SELECT typeof(?), (SELECT group_concat(value, '|') FROM json_each(?))";
    expect(await driver.rows({ kind: 'read', text, values: [true, [1, 'a"b', 9007199254740993n, null]] })).toEqual([
      ['integer', '1|a"b|9007199254740993'],
    ]);
  });

  it('use one prepared statement with other values', async () => {
    const ask = (n: bigint): Promise<readonly Row[]> =>
      driver.rows({ kind: 'read', text: 'SELECT n FROM numbers WHERE n = ?', values: [n], prepare: true });
    expect(await Promise.all([ask(1n), ask(2n), ask(3n), ask(20001n)])).toEqual([[[1]], [[2]], [[3]], []]);
  });

  it('keep more prepared statements apart than a worker holds', async () => {
    const texts = Array.from({ length: 600 }, (_, index) => `SELECT ${index}, ?`);
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(texts.map((text) => driver.rows({ kind: 'read', text, values: ['x'], prepare: true })));
      expect(answers.map(([row]) => row?.[0])).toEqual(texts.map((_, index) => index));
    }
  });
});

describe('functions', () => {
  it('fold case as Unicode does', async () => {
    expect(await test.rows("SELECT ulower('ÄÉ'), ulower(NULL)")).toEqual([['äé', null]]);
  });

  it('add exactly', async () => {
    const values = "(VALUES ('0.1'), ('0.2'), (9223372036854775807), (9223372036854775807), (NULL))";
    expect(await test.rows(`SELECT exact_sum(column1), exact_avg(column1) FROM ${values}`)).toEqual([
      ['18446744073709551614.3', '4611686018427387903.575'],
    ]);
    expect(await test.rows('SELECT exact_sum(n), exact_avg(n) FROM numbers WHERE n < 0')).toEqual([[null, null]]);
    expect(await test.rows("SELECT exact_avg(column1) FROM (VALUES ('1'), ('1'), ('0'))")).toEqual([['0.6666666666666667']]);
    expect(await test.rows("SELECT exact_avg(column1) FROM (VALUES ('-1'), ('-1'), ('0'))")).toEqual([['-0.6666666666666667']]);
  });
});

describe('transactions', () => {
  it('commit what they did, and show it to readers afterwards only', async () => {
    await driver.transaction(async (connection) => {
      await connection.run({ kind: 'insert', text: 'INSERT INTO t (id) VALUES (20)', values: [] });
      expect(await test.rows('SELECT id FROM t WHERE id = 20')).toEqual([]);
      expect(await connection.rows({ kind: 'read', text: 'SELECT id FROM t WHERE id = 20', values: [] })).toEqual([[20]]);
    });
    expect(await test.rows('SELECT id FROM t WHERE id = 20')).toEqual([[20]]);
  });

  it('roll back when the work rejects, and leave the writer usable', async () => {
    const work = driver.transaction(async (connection) => {
      await connection.run({ kind: 'insert', text: 'INSERT INTO t (id) VALUES (21)', values: [] });
      await connection.run({ kind: 'insert', text: 'INSERT INTO t (id) VALUES (21)', values: [] });
    });
    await expect(work).rejects.toMatchObject({ kind: 'unique', table: 't', columns: ['id'] });
    expect(await test.rows('SELECT id FROM t WHERE id = 21')).toEqual([]);
    await test.run('INSERT INTO t (id) VALUES (21)');
  });

  it('accept after a failure only a rollback to a savepoint, or their end', async () => {
    const write = (text: string): Statement => ({ kind: 'write', text, values: [] });
    await driver.transaction(async (connection) => {
      await connection.run(write("INSERT INTO t (id, name) VALUES (7001, 'before')"));
      await connection.run(write('SAVEPOINT here'));
      await connection.run(write("UPDATE t SET name = 'inside' WHERE id = 7001"));
      await expect(connection.run(write('INSERT INTO t (id) VALUES (7001)'))).rejects.toMatchObject({ kind: 'unique' });
      await expect(connection.run(write('INSERT INTO t (id) VALUES (7002)'))).rejects.toMatchObject({ kind: 'retry' });
      await connection.run({ ...write('ROLLBACK TO SAVEPOINT here'), recovers: true });
      await connection.run(write('INSERT INTO t (id) VALUES (7003)'));
    });
    const rows = await driver.rows({ kind: 'read', text: 'SELECT id, name FROM t WHERE id > 7000 ORDER BY id', values: [] });
    expect(rows).toEqual([
      [7001, 'before'],
      [7003, null],
    ]);
  });

  it('commit with the statement marked as the last, and refuse any after it', async () => {
    const read: Statement = { kind: 'read', text: 'SELECT count(*) FROM t WHERE id IN (22, 23)', values: [], last: true };
    await driver.transaction(async (connection) => {
      await connection.run({ kind: 'insert', text: 'INSERT INTO t (id) VALUES (22)', values: [] });
      expect(await connection.rows(read)).toEqual([[1]]);
      expect(await test.rows('SELECT id FROM t WHERE id = 22')).toEqual([[22]]);
      await expect(connection.run({ kind: 'insert', text: 'INSERT INTO t (id) VALUES (23)', values: [] })).rejects.toMatchObject({
        kind: 'other',
      });
    });
    const failed = driver.transaction(async (connection) => {
      await connection.run({ kind: 'insert', text: 'INSERT INTO t (id) VALUES (23)', values: [] });
      await connection.rows({ kind: 'read', text: 'SELECT missing FROM t', values: [], last: true });
    });
    await expect(failed).rejects.toThrow('missing');
    expect(await driver.transaction((connection) => connection.rows(read))).toEqual([[1]]);
  });

  describe('of one exchange each, many at once', () => {
    beforeAll(() =>
      test.run(
        'CREATE TABLE parents (id INTEGER PRIMARY KEY, code text UNIQUE)',
        `CREATE TABLE children (id INTEGER PRIMARY KEY, parent int REFERENCES parents,
          later int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`,
      ),
    );

    /** A parent and two children that refer to its key before it exists. */
    const family = (code: string, later: number | null): Promise<number> =>
      driver.transaction(async (connection) => {
        const batch = new KeyBatch(0, 1);
        const key = batch.key(0);
        const parent: Statement = {
          kind: 'insert',
          text: 'INSERT INTO parents (code) VALUES (?) RETURNING id',
          values: [code],
          batch,
          prepare: true,
        };
        const children = { kind: 'insert' as const, text: 'INSERT INTO children (parent, later) VALUES (?, ?), (?, NULL)', prepare: true };
        const named = {
          ...children,
          values: [null, later, null],
          pending: [
            { at: 0, pending: key },
            { at: 2, pending: key },
          ],
        };
        const onRows = (rows: readonly Row[]): void => batch.settle(rows.map(([id]) => id));
        await connection.run({ ...named, queued: [{ ...parent, onRows }], last: true });
        return Number(key.current());
      });

    const count = async (table: string): Promise<unknown> => (await test.rows(`SELECT count(*) FROM ${table}`))[0]?.[0];

    it('each is applied completely or not at all, independently of the others', async () => {
      const codes = Array.from({ length: 40 }, (_, index) => (index % 4 === 3 ? 'same' : `code ${index}`));
      const ends = await Promise.allSettled(codes.map((code) => family(code, null)));
      const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
      expect(made).toHaveLength(31);
      expect(new Set(made).size).toBe(31);
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ index: 0, error: { kind: 'unique' } });
      expect([await count('parents'), await count('children')]).toEqual([31, 62]);
      expect(await test.rows('SELECT count(*) FROM children c JOIN parents p ON p.id = c.parent')).toEqual([[62]]);
    });

    it('one that is refused at its commit does not affect the others', async () => {
      const ends = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => family(`late ${index}`, index === 5 ? 99_999 : null)));
      expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(Array.from({ length: 12 }, (_, index) => index !== 5));
      expect([await count('parents'), await count('children')]).toEqual([42, 84]);
    });
  });

  it('run one after the other', async () => {
    const order: string[] = [];
    const work = (name: string): Promise<void> =>
      driver.transaction(async (connection) => {
        order.push(`${name} begins`);
        await connection.rows({ kind: 'read', text: 'SELECT 1', values: [] });
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(`${name} ends`);
      });
    await Promise.all([work('a'), work('b'), work('c')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('cannot be used after their end', async () => {
    const kept = await driver.transaction(async (connection) => connection);
    await expect(kept.run({ kind: 'write', text: 'DELETE FROM t', values: [] })).rejects.toMatchObject({ kind: 'other' });
  });

  it('wait for those of another process, then fail as busy', async () => {
    const other = await openSqliteTest();
    const second = await openSqlite({ url: other.file, poolSize: 1, statementTimeoutMs: 0, systemSchema: null });
    await other.run('CREATE TABLE a (b int)');
    await other.dialect.driver.transaction(async (connection) => {
      await connection.run({ kind: 'insert', text: 'INSERT INTO a VALUES (1)', values: [] });
      const refused = second.driver.transaction((inner) => inner.run({ kind: 'insert', text: 'INSERT INTO a VALUES (2)', values: [] }));
      await expect(refused).rejects.toMatchObject({ kind: 'retry' });
    });
    expect(await other.rows('SELECT b FROM a')).toEqual([[1]]);
    await second.driver.close();
    await other.end();
  }, 20_000);
});

describe('readers', () => {
  it('answer during a long write', async () => {
    const leave = new AbortController();
    const write = driver.run(
      { kind: 'insert', text: `INSERT INTO t (name) SELECT 'never' WHERE (${endless}) > 0`, values: [] },
      leave.signal,
    );
    expect(await driver.rows({ kind: 'read', text: 'SELECT count(*) FROM numbers', values: [] })).toEqual([[20_000]]);
    expect(await driver.rows({ kind: 'read', text: 'SELECT n FROM numbers WHERE n = 5', values: [], cheap: true })).toEqual([[5]]);
    leave.abort();
    await expect(write).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('cannot write', async () => {
    await expect(driver.rows({ kind: 'read', text: 'SELECT 1', values: [], cheap: true })).resolves.toEqual([[1]]);
    await expect(test.rows('WITH a AS (SELECT 1) SELECT * FROM a')).resolves.toEqual([[1]]);
    await test.run('CREATE TEMP TABLE IF NOT EXISTS hidden (a)');
    await expect(test.rows('SELECT * FROM hidden')).rejects.toMatchObject({ kind: 'stale-schema' });
  });
});

describe('a file without a write-ahead log', () => {
  it('can be written by this thread between reads of one turn', async () => {
    const file = `${test.file}-rollback`;
    const beside = new Database(file, { timeout: 0 });
    beside.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name text); INSERT INTO t VALUES (1, 'one')");
    const { driver: own } = await openSqlite({ url: `sqlite:${file}`, poolSize: 1, statementTimeoutMs: 1_000, systemSchema: null });
    const read = () =>
      own.rowsAtOnce?.({ kind: 'read', text: 'SELECT name FROM t WHERE id = ?', values: [1n], prepare: true, cheap: true });
    try {
      expect([beside.pragma('journal_mode', { simple: true }), read(), read()]).toEqual(['delete', [['one']], [['one']]]);
      beside.exec("UPDATE t SET name = 'two'");
      expect(read()).toEqual([['two']]);
    } finally {
      beside.close();
      await own.close();
    }
  });
});

describe('cancelling', () => {
  it('stops a running read at once, and every reader stays usable', async () => {
    const leave = new AbortController();
    const read = driver.rows({ kind: 'read', text: endless, values: [] }, leave.signal);
    setTimeout(() => leave.abort(), 50);
    await expect(read).rejects.toMatchObject({ kind: 'cancelled' });
    const others = await Promise.all(Array.from({ length: 8 }, () => test.rows('SELECT 1')));
    expect(others).toEqual(Array.from({ length: 8 }, () => [[1]]));
  });

  it('stops a running write and rolls it back', async () => {
    const leave = new AbortController();
    const write = driver.transaction(async (connection) => {
      await connection.run({ kind: 'insert', text: 'INSERT INTO t (id) VALUES (9999999)', values: [] });
      setTimeout(() => leave.abort(), 50);
      await connection.run({ kind: 'write', text: `UPDATE t SET name = 'x' WHERE (${endless}) > 0`, values: [] }, leave.signal);
    });
    await expect(write).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await test.rows('SELECT id FROM t WHERE id = 9999999')).toEqual([]);
  });

  it('drops statements that are still queued', async () => {
    const [busy, gone] = [new AbortController(), new AbortController()];
    const running = Array.from({ length: 4 }, () =>
      driver.rows({ kind: 'read', text: endless, values: [] }, busy.signal).catch(() => 'stopped'),
    );
    const waiting = driver.rows({ kind: 'read', text: 'SELECT 1', values: [] }, gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' });
    busy.abort();
    expect(await Promise.all(running)).toEqual(['stopped', 'stopped', 'stopped', 'stopped']);
    await expect(driver.rows({ kind: 'read', text: 'SELECT 1', values: [] }, gone.signal)).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('ends a statement that takes longer than allowed', async () => {
    const short = await openSqlite({ url: test.file, poolSize: 1, statementTimeoutMs: 500, systemSchema: null });
    await expect(short.driver.rows({ kind: 'read', text: endless, values: [] })).rejects.toMatchObject({ kind: 'timeout' });
    const work = short.driver.transaction((connection) => connection.rows({ kind: 'read', text: endless, values: [] }));
    await expect(work).rejects.toMatchObject({ kind: 'timeout' });
    await short.driver.close();
  });

  it('replaces readers that never return', async () => {
    const stuck = await openSqliteTest(100);
    const heavy: Statement = {
      kind: 'read',
      text: 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 15000000) SELECT max(n) FROM c',
      values: [],
    };
    const { driver: blocked } = stuck.dialect;
    const reads = Array.from({ length: 4 }, () => blocked.rows(heavy).catch((error: { readonly kind: string }) => error.kind));
    expect(await Promise.all(reads)).toEqual(['timeout', 'timeout', 'timeout', 'timeout']);
    const deadline = performance.now() + 60_000;
    let answer: readonly Row[] = [];
    while (answer.length === 0 && performance.now() < deadline)
      answer = await blocked.rows({ kind: 'read', text: 'SELECT 1', values: [] }).catch(() => []);
    expect(answer).toEqual([[1]]);
    await stuck.end();
  }, 120_000);
});

describe('streams', () => {
  const million = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000) SELECT n, hex(n) FROM c';

  it('return every row in order, in batches', async () => {
    let expected = 1;
    let batches = 0;
    for await (const batch of driver.stream({ kind: 'read', text: 'SELECT n FROM numbers ORDER BY n', values: [] })) {
      batches += 1;
      for (const row of batch) expect(row[0]).toBe(expected++);
    }
    expect(expected).toBe(20_001);
    expect(batches).toBeGreaterThan(10);
  });

  it('read only what is requested, and end when the consumer stops', async () => {
    let seen = 0;
    for await (const batch of driver.stream({ kind: 'read', text: million, values: [] })) {
      seen += batch.length;
      if (seen > 1000) break;
    }
    expect(seen).toBeLessThan(3_000);
  });

  it('keep their snapshot while others write and read', async () => {
    await test.run('CREATE TABLE feed AS SELECT n FROM numbers');
    const stream = driver.stream({ kind: 'read', text: 'SELECT n FROM feed', values: [] })[Symbol.asyncIterator]();
    await stream.next();
    await test.run('DELETE FROM feed');
    expect(await test.rows('SELECT count(*) FROM feed')).toEqual([[0]]);
    let rest = 0;
    for (let step = await stream.next(); step.done !== true; step = await stream.next()) rest += step.value.length;
    expect(rest).toBe(19_500);
  });

  it('stop with the signal, with an error, and with exact integers', async () => {
    const leave = new AbortController();
    const drain = async (text: string, signal?: AbortSignal): Promise<Row[]> => {
      const rows: Row[] = [];
      for await (const batch of driver.stream({ kind: 'read', text, values: [] }, signal)) {
        rows.push(...batch);
        if (rows.length > 1_000) leave.abort();
      }
      return rows;
    };
    await expect(drain(million, leave.signal)).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(drain('SELECT missing FROM numbers')).rejects.toMatchObject({ kind: 'stale-schema' });
    expect(await drain('SELECT 9007199254740993, 1')).toEqual([[9007199254740993n, 1]]);
  });

  it('H06: continue when a reader that was idle for long is being closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
    try {
      const rested = await openSqliteTest();
      for (let round = 0; round < 5; round += 1) {
        for await (const batch of rested.dialect.driver.stream({ kind: 'read', text: 'SELECT 1', values: [] }))
          expect(batch).toEqual([[1]]);
        vi.advanceTimersByTime(40_000);
      }
      await rested.end();
    } finally {
      vi.useRealTimers();
    }
  });

  it('wait for a reader if there are many', async () => {
    const patient = await openSqlite({
      url: test.file,
      poolSize: 1,
      statementTimeoutMs: 10_000,
      deadlines: { ...defaultDeadlines, poolMs: 10_000 },
      systemSchema: null,
    });
    const sums = await Promise.all(
      Array.from({ length: 7 }, async () => {
        let total = 0;
        for await (const batch of patient.driver.stream({ kind: 'read', text: 'SELECT n FROM numbers', values: [] })) total += batch.length;
        return total;
      }),
    );
    expect(sums).toEqual(Array.from({ length: 7 }, () => 20_000));
    await patient.driver.close();
  });
});

describe('closing', () => {
  it('refuses later statements, and may be repeated', async () => {
    const closed = await openSqliteTest();
    await closed.run('CREATE TABLE a (b)');
    await closed.end();
    await closed.dialect.driver.close();
    await expect(closed.rows('SELECT 1')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
