import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteTest, type SqliteTest } from '../../../test/harness/sqlite-dialect.js';
import { Counter, LateValue } from '../../core/sql/late-value.js';
import type { Driver, Row } from '../../core/vendor/driver.js';

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
const stopwatch = (): (() => number) => {
  const start = performance.now();
  return () => performance.now() - start;
};

describe('values', () => {
  it('come back exact, and as plain numbers where these are exact', async () => {
    const big = 9007199254740993n;
    const values = [1n, big, 'ä\u{1F600}', new Uint8Array([0, 255])];
    expect(await driver.run({ text: 'INSERT INTO t VALUES (?, ?, ?, ?)', values })).toBe(1);
    for (const cheap of [false, true]) {
      const [row] = await driver.rows({ text: 'SELECT id, big, name, data, 1.5, NULL FROM t WHERE id = 1', values: [], cheap });
      expect(row?.slice(0, 3)).toEqual([1, big, 'ä\u{1F600}']);
      expect([...Uint8Array.from(row?.[3] as Uint8Array)]).toEqual([0, 255]);
      expect(row?.slice(4)).toEqual([1.5, null]);
      expect(await driver.rows({ text: 'SELECT big FROM t WHERE id = 1', values: [], prepare: true, cheap })).toEqual([[big]]);
    }
  });

  it('come at once where they are found by key', () => {
    const find = (text: string): readonly Row[] | null | undefined =>
      driver.rowsAtOnce?.({ text, values: [1n], prepare: true, cheap: true });
    expect(find('SELECT name FROM t WHERE id = ?')).toEqual([['ä\u{1F600}']]);
    expect(find('SELECT big FROM t WHERE id = ?')).toEqual([[9007199254740993n]]);
    expect(find('SELECT big FROM t WHERE id = ?')).toEqual([[9007199254740993n]]);
    expect(find('SELECT id, name FROM t WHERE id = ?')).toEqual([[1, 'ä\u{1F600}']]);
    expect(find('SELECT NULL FROM t WHERE id = ?')).toEqual([[null]]);
    expect(find('SELECT name FROM t WHERE id = ? + 1000')).toEqual([]);
    expect(() => find('SELECT missing FROM t WHERE id = ?')).toThrow('missing');
  });

  it('are as new as what was told before, also where reads share a snapshot', async () => {
    const read = (): readonly Row[] | null | undefined =>
      driver.rowsAtOnce?.({ text: 'SELECT name FROM t WHERE id = ?', values: [12n], prepare: true, cheap: true });
    const slow = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)';
    const written = driver.run({ text: `INSERT INTO t (id, name) ${slow} SELECT 12, 'new' FROM n WHERE i = 300000`, values: [] });
    // The write ends, and is told, in the turn of the event loop in which these reads have begun a snapshot.
    await new Promise((resolve) => setTimeout(resolve, 10));
    const before = [read(), read()];
    const until = performance.now() + 1_000;
    while (performance.now() < until);
    const snapshot = read();
    await written;
    expect([...before, snapshot, read()]).toEqual([[], [], [], [['new']]]);
  });

  it('are exact in rows that a write returns', async () => {
    const text = 'INSERT INTO t (id, big) VALUES (?, ?), (?, ?) RETURNING id, big';
    expect(await driver.rows({ text, values: [10n, -9223372036854775808n, 11n, 5n] })).toEqual([
      [10, -9223372036854775808n],
      [11, 5],
    ]);
  });

  it('bind booleans as integers and lists as one JSON text', async () => {
    const text = "SELECT typeof(?), (SELECT group_concat(value, '|') FROM json_each(?))";
    expect(await driver.rows({ text, values: [true, [1, 'a"b', 9007199254740993n, null]] })).toEqual([
      ['integer', '1|a"b|9007199254740993'],
    ]);
  });

  it('give the same prepared statement with other values', async () => {
    const ask = (n: bigint): Promise<readonly Row[]> =>
      driver.rows({ text: 'SELECT n FROM numbers WHERE n = ?', values: [n], prepare: true });
    expect(await Promise.all([ask(1n), ask(2n), ask(3n), ask(20001n)])).toEqual([[[1]], [[2]], [[3]], []]);
  });

  it('keep more prepared statements apart than a worker holds', async () => {
    const texts = Array.from({ length: 600 }, (_, index) => `SELECT ${index}, ?`);
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(texts.map((text) => driver.rows({ text, values: ['x'], prepare: true })));
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
      await connection.run({ text: 'INSERT INTO t (id) VALUES (20)', values: [] });
      expect(await test.rows('SELECT id FROM t WHERE id = 20')).toEqual([]);
      expect(await connection.rows({ text: 'SELECT id FROM t WHERE id = 20', values: [] })).toEqual([[20]]);
    });
    expect(await test.rows('SELECT id FROM t WHERE id = 20')).toEqual([[20]]);
  });

  it('roll back when the work rejects, and leave the writer usable', async () => {
    const work = driver.transaction(async (connection) => {
      await connection.run({ text: 'INSERT INTO t (id) VALUES (21)', values: [] });
      await connection.run({ text: 'INSERT INTO t (id) VALUES (21)', values: [] });
    });
    await expect(work).rejects.toMatchObject({ kind: 'unique', table: 't', columns: ['id'] });
    expect(await test.rows('SELECT id FROM t WHERE id = 21')).toEqual([]);
    await test.run('INSERT INTO t (id) VALUES (21)');
  });

  it('commit with the statement that is said to be the last, and refuse any after it', async () => {
    const read = { text: 'SELECT count(*) FROM t WHERE id IN (22, 23)', values: [], last: true };
    await driver.transaction(async (connection) => {
      await connection.run({ text: 'INSERT INTO t (id) VALUES (22)', values: [] });
      expect(await connection.rows(read)).toEqual([[1]]);
      expect(await test.rows('SELECT id FROM t WHERE id = 22')).toEqual([[22]]);
      await expect(connection.run({ text: 'INSERT INTO t (id) VALUES (23)', values: [] })).rejects.toMatchObject({ kind: 'other' });
    });
    const failed = driver.transaction(async (connection) => {
      await connection.run({ text: 'INSERT INTO t (id) VALUES (23)', values: [] });
      await connection.rows({ text: 'SELECT missing FROM t', values: [], last: true });
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

    /** A parent and two children that name its key before it is there. */
    const family = (code: string, later: number | null): Promise<number> =>
      driver.transaction(async (connection) => {
        const counter = new Counter(0, 1);
        const key = new LateValue(counter, 0);
        const parent = { text: 'INSERT INTO parents (code) VALUES (?) RETURNING id', values: [code], counter, prepare: true };
        const children = { text: 'INSERT INTO children (parent, later) VALUES (?, ?), (?, NULL)', prepare: true };
        const named = {
          ...children,
          values: [null, later, null],
          lates: [
            { at: 0, late: key },
            { at: 2, late: key },
          ],
        };
        const told = (rows: readonly Row[]): void => counter.settle(rows.map(([id]) => id));
        await connection.run({ ...named, ahead: [{ ...parent, told }], last: true });
        return Number(key.now());
      });

    const count = async (table: string): Promise<unknown> => (await test.rows(`SELECT count(*) FROM ${table}`))[0]?.[0];

    it('each is whole or not at all, whatever becomes of the others', async () => {
      const codes = Array.from({ length: 40 }, (_, index) => (index % 4 === 3 ? 'same' : `code ${index}`));
      const ends = await Promise.allSettled(codes.map((code) => family(code, null)));
      const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
      expect(made).toHaveLength(31);
      expect(new Set(made).size).toBe(31);
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ index: 0, error: { kind: 'unique' } });
      expect([await count('parents'), await count('children')]).toEqual([31, 62]);
      expect(await test.rows('SELECT count(*) FROM children c JOIN parents p ON p.id = c.parent')).toEqual([[62]]);
    });

    it('one that is refused at its commit takes none with it', async () => {
      const ends = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => family(`late ${index}`, index === 5 ? 99_999 : null)));
      expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(Array.from({ length: 12 }, (_, index) => index !== 5));
      expect([await count('parents'), await count('children')]).toEqual([42, 84]);
    });
  });

  it('come one after the other', async () => {
    const order: string[] = [];
    const work = (name: string): Promise<void> =>
      driver.transaction(async (connection) => {
        order.push(`${name} begins`);
        await connection.rows({ text: 'SELECT 1', values: [] });
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(`${name} ends`);
      });
    await Promise.all([work('a'), work('b'), work('c')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('cannot be used after their end', async () => {
    const kept = await driver.transaction(async (connection) => connection);
    await expect(kept.run({ text: 'DELETE FROM t', values: [] })).rejects.toMatchObject({ kind: 'other' });
  });

  it('of another process are waited for, then refused as busy', async () => {
    const other = await openSqliteTest();
    const { openSqlite } = await import('./index.js');
    const second = await openSqlite({ url: other.file, poolSize: 1, statementTimeoutMs: 0, systemSchema: null });
    await other.run('CREATE TABLE a (b int)');
    await other.dialect.driver.transaction(async (connection) => {
      await connection.run({ text: 'INSERT INTO a VALUES (1)', values: [] });
      const refused = second.driver.transaction((inner) => inner.run({ text: 'INSERT INTO a VALUES (2)', values: [] }));
      await expect(refused).rejects.toMatchObject({ kind: 'retry' });
    });
    expect(await other.rows('SELECT b FROM a')).toEqual([[1]]);
    await second.driver.close();
    await other.end();
  }, 20_000);
});

describe('readers', () => {
  it('answer during a long write', async () => {
    let writing = true;
    const write = driver
      .run({ text: 'INSERT INTO t (name) SELECT a.n || b.n FROM numbers a, (SELECT n FROM numbers LIMIT 20) b', values: [] })
      .finally(() => {
        writing = false;
      });
    await driver.rows({ text: 'SELECT count(*) FROM numbers', values: [] });
    await driver.rows({ text: 'SELECT n FROM numbers WHERE n = 5', values: [], cheap: true });
    expect(writing).toBe(true);
    expect(await write).toBe(400_000);
  });

  it('cannot write', async () => {
    await expect(driver.rows({ text: 'SELECT 1', values: [], cheap: true })).resolves.toEqual([[1]]);
    await expect(test.rows('WITH a AS (SELECT 1) SELECT * FROM a')).resolves.toEqual([[1]]);
    await test.run('CREATE TEMP TABLE IF NOT EXISTS hidden (a)');
    await expect(test.rows('SELECT * FROM hidden')).rejects.toMatchObject({ kind: 'stale-schema' });
  });
});

describe('cancelling', () => {
  it('stops a running read at once, and every reader goes on', async () => {
    const leave = new AbortController();
    const elapsed = stopwatch();
    const read = driver.rows({ text: endless, values: [] }, leave.signal);
    setTimeout(() => leave.abort(), 50);
    await expect(read).rejects.toMatchObject({ kind: 'cancelled' });
    const others = await Promise.all(Array.from({ length: 8 }, () => test.rows('SELECT 1')));
    expect(others).toEqual(Array.from({ length: 8 }, () => [[1]]));
    expect(elapsed()).toBeLessThan(2_000);
  });

  it('stops a running write and rolls it back', async () => {
    const leave = new AbortController();
    const elapsed = stopwatch();
    const write = driver.transaction(async (connection) => {
      await connection.run({ text: 'INSERT INTO t (id) VALUES (9999999)', values: [] });
      setTimeout(() => leave.abort(), 50);
      await connection.run({ text: `UPDATE t SET name = 'x' WHERE (${endless}) > 0`, values: [] }, leave.signal);
    });
    await expect(write).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await test.rows('SELECT id FROM t WHERE id = 9999999')).toEqual([]);
    expect(elapsed()).toBeLessThan(2_000);
  });

  it('drops what still waits in line', async () => {
    const [busy, gone] = [new AbortController(), new AbortController()];
    const running = Array.from({ length: 4 }, () => driver.rows({ text: endless, values: [] }, busy.signal).catch(() => 'stopped'));
    const waiting = driver.rows({ text: 'SELECT 1', values: [] }, gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' });
    busy.abort();
    expect(await Promise.all(running)).toEqual(['stopped', 'stopped', 'stopped', 'stopped']);
    await expect(driver.rows({ text: 'SELECT 1', values: [] }, gone.signal)).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('ends a statement that takes longer than allowed', async () => {
    const short = await openSqliteTest(200);
    await short.run(
      'CREATE TABLE n (n)',
      'INSERT INTO n WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000) SELECT n FROM c',
    );
    const slow = { text: 'SELECT count(*) FROM n a, n b, n c WHERE alive(a.n, b.n, c.n)', values: [] };
    await expect(short.dialect.driver.rows(slow)).rejects.toMatchObject({ kind: 'timeout' });
    await expect(short.dialect.driver.transaction((connection) => connection.rows(slow))).rejects.toMatchObject({ kind: 'timeout' });
    await short.end();
  });

  it('replaces readers that never come back', async () => {
    const stuck = await openSqliteTest(100);
    const heavy = {
      text: 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 15000000) SELECT max(n) FROM c',
      values: [],
    };
    const { driver: blocked } = stuck.dialect;
    const reads = Array.from({ length: 4 }, () => blocked.rows(heavy).catch((error: { readonly kind: string }) => error.kind));
    expect(await Promise.all(reads)).toEqual(['timeout', 'timeout', 'timeout', 'timeout']);
    const deadline = performance.now() + 10_000;
    let answer: readonly Row[] = [];
    while (answer.length === 0 && performance.now() < deadline)
      answer = await blocked.rows({ text: 'SELECT 1', values: [] }).catch(() => []);
    expect(answer).toEqual([[1]]);
    await stuck.end();
  }, 30_000);
});

describe('streams', () => {
  const million = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000) SELECT n, hex(n) FROM c';

  it('bring every row in order, in batches', async () => {
    let expected = 1;
    let batches = 0;
    for await (const batch of driver.stream({ text: 'SELECT n FROM numbers ORDER BY n', values: [] })) {
      batches += 1;
      for (const row of batch) expect(row[0]).toBe(expected++);
    }
    expect(expected).toBe(20_001);
    expect(batches).toBeGreaterThan(10);
  });

  it('make only what is asked for, and end when the reader leaves', async () => {
    const elapsed = stopwatch();
    let seen = 0;
    for await (const batch of driver.stream({ text: million, values: [] })) {
      seen += batch.length;
      if (seen > 1000) break;
    }
    expect(seen).toBeLessThan(3_000);
    expect(elapsed()).toBeLessThan(10_000);
  });

  it('keep their state of the data while others write and read', async () => {
    await test.run('CREATE TABLE feed AS SELECT n FROM numbers');
    const stream = driver.stream({ text: 'SELECT n FROM feed', values: [] })[Symbol.asyncIterator]();
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
      for await (const batch of driver.stream({ text, values: [] }, signal)) {
        rows.push(...batch);
        if (rows.length > 1_000) leave.abort();
      }
      return rows;
    };
    await expect(drain(million, leave.signal)).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(drain('SELECT missing FROM numbers')).rejects.toMatchObject({ kind: 'stale-schema' });
    expect(await drain('SELECT 9007199254740993, 1')).toEqual([[9007199254740993n, 1]]);
  });

  it('wait for a place when there are many', async () => {
    const sums = await Promise.all(
      Array.from({ length: 7 }, async () => {
        let total = 0;
        for await (const batch of driver.stream({ text: 'SELECT n FROM numbers', values: [] })) total += batch.length;
        return total;
      }),
    );
    expect(sums).toEqual(Array.from({ length: 7 }, () => 20_000));
  });
});

describe('closing', () => {
  it('refuses what comes later, and may be done twice', async () => {
    const closed = await openSqliteTest();
    await closed.run('CREATE TABLE a (b)');
    await closed.end();
    await closed.dialect.driver.close();
    await expect(closed.rows('SELECT 1')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
