import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDialect, rows, run, type TestDialect } from '../../../../test/harness/mysql-dialect.js';
import { KeyBatch } from '../../../core/pipeline/key-batch.js';
import type { Driver, QueuedStatement, Row, Statement } from '../../../core/vendor/driver.js';
import { openMysql } from '../index.js';

let test: TestDialect;
let driver: Driver;

beforeAll(async () => {
  test = await openTestDialect('mysql_driver');
  driver = test.dialect.driver;
  await run(
    driver,
    'CREATE TABLE things (id INT AUTO_INCREMENT PRIMARY KEY, big BIGINT, amount DECIMAL(30,10), name VARCHAR(50) UNIQUE, raw BLOB)',
  );
});
afterAll(() => test.end());

const slow =
  'SELECT SUM(SLEEP(5)) FROM (SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8) x';
const series = "WITH RECURSIVE s AS (SELECT 1 n UNION ALL SELECT n + 1 FROM s WHERE n < 1000) SELECT n, REPEAT('x', 50) x FROM s";

/** Sessions with a statement. One that was killed, but still writes its answer, is among them. */
async function otherSessions(): Promise<readonly Row[]> {
  return rows(
    driver,
    'SELECT id, info FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info IS NOT NULL',
  );
}

describe.each([true, false])('values (prepared: %s)', (prepare) => {
  it('keeps every digit of big integers and decimals', async () => {
    const values = [9223372036854775807n, '12345678901234567890.0123456789'];
    const [row] = await driver.rows({ kind: 'read', text: 'SELECT CAST(? AS SIGNED), CAST(? AS DECIMAL(30,10))', values, prepare });
    expect(row).toEqual(['9223372036854775807', '12345678901234567890.0123456789']);
  });

  it('binds integers exactly, also as the number of a limit', async () => {
    const [row] = await driver.rows({ kind: 'read', text: 'SELECT CAST(? AS CHAR) LIMIT ?', values: [9007199254740991, 1], prepare });
    expect(row).toEqual(['9007199254740991']);
  });

  it('binds booleans, bytes, lists and text that looks like SQL', async () => {
    const bytes = new Uint8Array([0, 255, 39, 92]);
    const text = 'it\'s \\ " ? \n \u{1F600}';
    const [row] = await driver.rows({
      kind: 'read',
      text: 'SELECT ? + 0, HEX(?), ?, ?, ?',
      values: [true, bytes, ['a', 1n, null], text, null],
      prepare,
    });
    expect(row?.slice(1)).toEqual(['00FF275C', '["a","1",null]', text, null]);
    expect(Number(row?.[0])).toBe(1);
  });
});

describe('sessions', () => {
  it('are in UTC, strict, binary and at READ COMMITTED', async () => {
    const [row] = await rows(
      driver,
      'SELECT @@time_zone, @@sql_mode, @@group_concat_max_len, @@collation_connection, @@tx_isolation, @@max_statement_time',
    );
    expect(row).toEqual([
      '+00:00',
      'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      '1073741824',
      'utf8mb4_bin',
      'READ-COMMITTED',
      60,
    ]);
  });

  it('report the rows that an update matched, even if it changed none', async () => {
    await run(driver, "INSERT INTO things (name) VALUES ('same')");
    expect(await run(driver, "UPDATE things SET name = 'same' WHERE name = 'same'")).toBe(1);
    await run(driver, 'DELETE FROM things');
  });

  it('are counted by state and statement', async () => {
    const before = driver.statements();
    await Promise.all([rows(driver, 'SELECT 1'), rows(driver, 'SELECT 1')]);
    await driver.transaction((connection) => rows(connection, 'SELECT 1'));
    expect(driver.statements() - before).toBe(3);
    expect(driver.pool()).toMatchObject({ waiting: 0 });
    expect(driver.pool().idle).toBe(driver.pool().size);
  });

  it('keep callers waiting when all are busy', async () => {
    const work = Array.from({ length: 6 }, () => rows(driver, 'SELECT SLEEP(1)'));
    await expect.poll(() => driver.pool(), { interval: 5 }).toEqual({ size: 4, idle: 0, waiting: 2 });
    await Promise.all(work);
  });
});

describe('cut answers', () => {
  const text = "SELECT GROUP_CONCAT(REPEAT('x', 1000)) FROM (SELECT 1 UNION SELECT 2 UNION SELECT 3) t";

  it.each([true, false])('are refused (prepared: %s)', async (prepare) => {
    const values = prepare ? [1] : [];
    const statement: Statement = { kind: 'read', text: `${text}${prepare ? ' WHERE ? = 1' : ''}`, values, prepare };
    await driver.transaction(async (connection) => {
      await run(connection, 'SET group_concat_max_len = 1500');
      await expect(connection.rows(statement)).rejects.toMatchObject({ kind: 'too-large' });
      await run(connection, 'SET group_concat_max_len = 1073741824');
      expect(String((await connection.rows(statement))[0]?.[0])).toHaveLength(3002);
    });
  });

  it('are refused when a text outgrows the packet', async () => {
    await expect(rows(driver, "SELECT CONCAT('x', REPEAT('y', @@max_allowed_packet))")).rejects.toMatchObject({ kind: 'too-large' });
  });

  it('are refused at the end of a stream', async () => {
    const read = async () => {
      for await (const batch of driver.stream({ kind: 'read', text: "SELECT REPEAT('y', @@max_allowed_packet + 1)", values: [] }))
        expect(batch.length).toBe(1);
    };
    await expect(read()).rejects.toMatchObject({ kind: 'too-large' });
  });

  it('are not confused with harmless warnings', async () => {
    expect(await rows(driver, "SELECT CAST('1abc' AS SIGNED)")).toEqual([[1]]);
  });
});

describe('cancelling', () => {
  it('stops a running statement at once', async () => {
    const controller = new AbortController();
    const stopped = expect(driver.rows({ kind: 'read', text: slow, values: [] }, controller.signal)).rejects.toMatchObject({
      kind: 'cancelled',
    });
    await expect.poll(otherSessions).toHaveLength(1);
    controller.abort();
    await stopped;
    await expect.poll(otherSessions).toEqual([]);
  });

  it('sends nothing if the caller has already gone', async () => {
    const before = driver.statements();
    await expect(driver.rows({ kind: 'read', text: 'SELECT 1', values: [] }, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'cancelled',
    });
    expect(driver.statements()).toBe(before);
  });

  it('leaves the queue for a connection', async () => {
    const busy = new AbortController();
    const sleeping = Array.from({ length: 4 }, () =>
      driver.rows({ kind: 'read', text: slow, values: [] }, busy.signal).catch(() => 'stopped'),
    );
    const controller = new AbortController();
    const left = expect(driver.rows({ kind: 'read', text: 'SELECT 1', values: [] }, controller.signal)).rejects.toMatchObject({
      kind: 'cancelled',
    });
    await expect.poll(() => driver.pool(), { interval: 5 }).toEqual({ size: 4, idle: 0, waiting: 1 });
    controller.abort();
    await left;
    expect(driver.pool().waiting).toBe(0);
    busy.abort();
    await Promise.all(sleeping);
    expect(await rows(driver, 'SELECT 2')).toEqual([[2]]);
  });

  it('rolls back the earlier writes of a transaction', async () => {
    const work = driver.transaction(async (connection) => {
      await run(connection, "INSERT INTO things (name) VALUES ('cancelled')");
      await connection.rows({ kind: 'read', text: slow, values: [] }, AbortSignal.timeout(50));
    });
    await expect(work).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await rows(driver, 'SELECT * FROM things')).toEqual([]);
  });

  it('at the time limit is a timeout, and the connection stays usable', async () => {
    const hasty = await openMysql({ url: test.url, poolSize: 1, statementTimeoutMs: 1_000, systemSchema: null });
    const [id] = await rows(hasty.driver, 'SELECT CONNECTION_ID()');
    await expect(rows(hasty.driver, slow)).rejects.toMatchObject({ kind: 'timeout' });
    expect(await rows(hasty.driver, 'SELECT CONNECTION_ID()')).toEqual([id]);
    await hasty.driver.transaction((connection) => rows(connection, 'SELECT SLEEP(1.5)'), { structure: true });
    expect(await rows(hasty.driver, 'SELECT @@max_statement_time, @@autocommit')).toEqual([[1, '1']]);
    await hasty.driver.close();
  });
});

describe('streams', () => {
  beforeAll(() => run(driver, `CREATE TABLE numbers AS ${series}`));

  it('return every row, in batches', async () => {
    let count = 0;
    let last: unknown = null;
    for await (const batch of driver.stream({
      kind: 'read',
      text: 'SELECT a.n FROM numbers a, numbers b WHERE b.n <= 5 ORDER BY b.n, a.n',
      values: [],
    })) {
      count += batch.length;
      last = batch.at(-1)?.[0];
    }
    expect([count, last]).toEqual([5000, 1000]);
  }, 20_000);

  it('may wait for rows many times, and leave nothing behind when they do', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error): number => warnings.push(name);
    process.on('warning', hear);
    let waits = 0;
    // Each row is sent by itself, being larger than what the server gathers, and takes a while.
    const text = 'SELECT REPEAT("x", 40000), SLEEP(0.01) FROM numbers WHERE n <= 30';
    for await (const batch of driver.stream({ kind: 'read', text, values: [] })) waits += Math.min(1, batch.length);
    process.off('warning', hear);
    expect(waits).toBeGreaterThan(10);
    expect(warnings).toEqual([]);
  });

  it('wait for a slow consumer and stop when it stops', async () => {
    const cross = 'SELECT a.n, REPEAT("x", 200) FROM numbers a, numbers b';
    const memory = process.memoryUsage().rss;
    for await (const batch of driver.stream({ kind: 'read', text: cross, values: [], prepare: true })) {
      expect(batch.length).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await otherSessions()).toHaveLength(1);
      break;
    }
    await expect.poll(otherSessions).toEqual([]);
    expect(process.memoryUsage().rss - memory).toBeLessThan(100 * 1024 * 1024);
    expect(driver.pool().idle).toBe(driver.pool().size);
  });

  it('are cancelled by a signal', async () => {
    const controller = new AbortController();
    const read = async () => {
      for await (const batch of driver.stream(
        { kind: 'read', text: 'SELECT a.n FROM numbers a, numbers b', values: [] },
        controller.signal,
      )) {
        if (batch.length > 0) controller.abort();
      }
    };
    await expect(read()).rejects.toMatchObject({ kind: 'cancelled' });
    await expect.poll(otherSessions).toEqual([]);
  });

  it('time out when the first row does not come', async () => {
    const hasty = await openMysql({ url: test.url, poolSize: 1, statementTimeoutMs: 300, systemSchema: null });
    const read = async () => {
      for await (const batch of hasty.driver.stream({ kind: 'read', text: slow, values: [] })) expect(batch).toBeUndefined();
    };
    await expect(read()).rejects.toMatchObject({ kind: 'timeout' });
    expect(await rows(hasty.driver, 'SELECT @@max_statement_time')).toEqual([[0.3]]);
    await hasty.driver.close();
  });

  it('report an invalid statement', async () => {
    const read = async () => {
      for await (const batch of driver.stream({ kind: 'read', text: 'SELECT nothing FROM things', values: [] }))
        expect(batch).toBeUndefined();
    };
    await expect(read()).rejects.toMatchObject({ kind: 'stale-schema' });
  });
});

describe('transactions', () => {
  it('commit what was done', async () => {
    const id = await driver.transaction(
      async (connection) => (await rows(connection, "INSERT INTO things (name) VALUES ('kept') RETURNING id"))[0]?.[0],
    );
    expect(await rows(driver, `SELECT name FROM things WHERE id = ${String(id)}`)).toEqual([['kept']]);
  });

  it('roll back on an error of the work and on one of the database', async () => {
    const fail = driver.transaction(async (connection) => {
      await run(connection, "INSERT INTO things (name) VALUES ('gone')");
      throw new Error('mine');
    });
    await expect(fail).rejects.toThrow('mine');
    const duplicate = driver.transaction(async (connection) => {
      await run(connection, "INSERT INTO things (name) VALUES ('gone')");
      await run(connection, "INSERT INTO things (name) VALUES ('kept')");
    });
    await expect(duplicate).rejects.toMatchObject({ kind: 'unique', constraint: 'name' });
    expect(await rows(driver, "SELECT * FROM things WHERE name = 'gone'")).toEqual([]);
    expect(driver.pool().idle).toBe(driver.pool().size);
  });

  describe('in one exchange', () => {
    beforeAll(() => run(driver, 'CREATE TABLE parts (id INT PRIMARY KEY, thing INT, note VARCHAR(9) NOT NULL)'));

    const things = (names: readonly string[], batch: KeyBatch): QueuedStatement => ({
      kind: 'insert',
      text: `INSERT INTO \`things\` (name) VALUES ${names.map(() => '(?)').join(', ')} RETURNING id`,
      values: names,
      prepare: true,
      batch,
      onRows: (made: readonly Row[]) => batch.settle(made.map(([id]) => Number(id))),
    });
    /** A part of the second thing, which does not exist yet. */
    const part = (id: number, note: string | null): Statement => ({
      kind: 'insert',
      text: 'INSERT INTO `parts` VALUES (?, @tain_keys0 + @@auto_increment_increment, ?)',
      values: [id, note],
      prepare: true,
    });
    const exchange = (names: readonly string[], notes: readonly (string | null)[], last = true): Promise<KeyBatch> =>
      driver.transaction(async (connection) => {
        const batch = new KeyBatch(0, names.length);
        const all = notes.map((note, index) => part(Number(names[0]) + index, note));
        const [final = part(0, ''), ...others] = all.toReversed();
        expect(await connection.rows({ ...final, queued: [things(names, batch), ...others.toReversed()], last })).toEqual([]);
        return batch;
      });
    const stored = (from: number) =>
      rows(driver, `SELECT p.id, t.name FROM parts p JOIN things t ON t.id = p.thing WHERE p.id >= ${from} ORDER BY p.id`);

    it.each([true, false])('use the keys that earlier statements generate (the last: %s)', async (last) => {
      const first = last ? 100 : 200;
      const batch = await exchange([String(first), `${first} b`], ['x', 'y'], last);
      expect(Number(batch.at(1))).toBeGreaterThan(Number(batch.at(0)));
      expect(await stored(first)).toEqual([
        [first, `${first} b`],
        [first + 1, `${first} b`],
      ]);
      await run(driver, 'DELETE FROM parts');
    });

    it('report which statement failed, and change nothing', async () => {
      await expect(exchange(['300', '300'], ['x'])).rejects.toMatchObject({ index: 0, error: { kind: 'unique', table: 'things' } });
      await expect(exchange(['301', '302'], ['x', null, 'y'])).rejects.toMatchObject({
        index: 2,
        error: { kind: 'not-null', table: 'parts', columns: ['note'] },
      });
      await expect(exchange(['303', '304'], ['x', 'much too long'])).rejects.toMatchObject({ kind: 'too-long', table: 'parts' });
      expect(await stored(0)).toEqual([]);
      expect(await rows(driver, "SELECT name FROM things WHERE name LIKE '30%'")).toEqual([]);
      expect(driver.pool().idle).toBe(driver.pool().size);
    });

    it('continue after a change of structure', async () => {
      await run(driver, 'ALTER TABLE parts MODIFY note VARCHAR(20) NOT NULL, ADD COLUMN more INT AFTER id');
      await expect(exchange(['400', '401'], ['much too long'])).rejects.toMatchObject({ kind: 'other' });
      await run(driver, 'ALTER TABLE parts DROP COLUMN more');
      await exchange(['402', '403'], ['much too long']);
      expect(await stored(402)).toEqual([[402, '403']]);
    });

    it('commit only with the statement marked as the last', async () => {
      const work = driver.transaction(async (connection) => {
        await connection.rows({ ...part(500, 'x'), queued: [things(['500', '501'], new KeyBatch(0, 2))] });
        throw new Error('mine');
      });
      await expect(work).rejects.toThrow('mine');
      expect(await stored(500)).toEqual([]);
      const kept = driver.transaction(async (connection) => {
        await connection.rows({ ...part(502, 'x'), last: true });
        return () => connection.rows(part(503, 'x'));
      });
      await expect((await kept)()).rejects.toThrow('ended');
      expect(await rows(driver, 'SELECT id FROM parts WHERE id >= 500')).toEqual([[502]]);
    });
  });

  it('refuse statements after their end', async () => {
    const late = await driver.transaction(async (connection) => () => rows(connection, 'SELECT 1'));
    await expect(late()).rejects.toThrow('ended');
  });

  it('run one at a time when exclusive', async () => {
    const seen: string[] = [];
    const work = (name: string) =>
      test.dialect.exclusively(async (connection) => {
        seen.push(`${name} in`);
        await rows(connection, 'SELECT SLEEP(0.1)');
        seen.push(`${name} out`);
      });
    await Promise.all([work('a'), work('b')]);
    expect(seen.map((step) => step.split(' ')[1])).toEqual(['in', 'out', 'in', 'out']);
  });

  it('roll back after a change of structure', async () => {
    const work = test.dialect.exclusively(async (connection) => {
      await run(connection, 'CREATE TABLE made (id INT PRIMARY KEY)');
      await run(connection, 'INSERT INTO made VALUES (1)');
      throw new Error('mine');
    });
    await expect(work).rejects.toThrow('mine');
    expect(await rows(driver, 'SELECT * FROM made')).toEqual([]);
  });
});

describe('losing the connection', () => {
  it('fails the running statement as unavailable, and later statements succeed', async () => {
    const lost = expect(rows(driver, slow)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect.poll(otherSessions).toHaveLength(1);
    const [victim] = await otherSessions();
    await run(driver, `KILL ${String(victim?.[0])}`);
    await lost;
    expect(await rows(driver, 'SELECT 1')).toEqual([[1]]);
  });

  it('of idle connections does not affect the next caller', async () => {
    const own = await rows(driver, 'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()');
    const ids = own.map(([id]) => String(id));
    // One that the test before this has killed may still be listed, and be gone by now.
    const isGone = (error: Error): boolean => error.message.startsWith('Unknown thread id');
    for (const id of ids) {
      await run(driver, `KILL ${id}`).catch((error: Error) => {
        if (!isGone(error)) throw error;
      });
    }
    // The server closes a session before it forgets it; the driver hears of it in a turn of its own.
    const left = `SELECT id FROM information_schema.processlist WHERE id IN (${['0', ...ids].join(', ')})`;
    await expect.poll(() => rows(driver, left)).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await Promise.all(Array.from({ length: 4 }, () => rows(driver, 'SELECT 1')))).toHaveLength(4);
  });

  it('rolls a transaction back', async () => {
    const work = driver.transaction(async (connection) => {
      await run(connection, "INSERT INTO things (name) VALUES ('lost')");
      const [id] = (await rows(connection, 'SELECT CONNECTION_ID()'))[0] ?? [];
      await run(driver, `KILL ${String(id)}`);
      await run(connection, "INSERT INTO things (name) VALUES ('lost too')");
    });
    await expect(work).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await rows(driver, "SELECT * FROM things WHERE name LIKE 'lost%'")).toEqual([]);
  });
});

describe('opening', () => {
  const options = { poolSize: 2, statementTimeoutMs: 1000, systemSchema: null };

  it('succeeds while the server is down; statements are unavailable', async () => {
    const down = await openMysql({ ...options, url: 'mysql://root@127.0.0.1:1/none' });
    const started = Date.now();
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => rows(down.driver, 'SELECT 1')));
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason.kind)).toEqual(Array(5).fill('unavailable'));
    await expect(down.driver.version()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(Date.now() - started).toBeLessThan(20_000);
    await down.driver.close();
  });

  it('refuses a database that does not exist, and a url without one', async () => {
    await expect(openMysql({ ...options, url: test.url.replace(/[^/]+$/, 'tain_test_nowhere') })).rejects.toThrow(
      '"tain_test_nowhere" does not exist',
    );
    await expect(openMysql({ ...options, url: test.url.replace(/[^/]+$/, '') })).rejects.toThrow('names no database');
    await expect(openMysql({ ...options, url: `${test.url}?timeout=3` })).rejects.toThrow('Unknown parameter "timeout"');
  });

  it('reports the version', async () => {
    expect(await driver.version()).toMatch(/^\d+\.\d+/);
  });
});
