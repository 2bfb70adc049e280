import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDialect, run, type TestDialect } from '../../../../test/harness/mysql-dialect.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { toDatabaseError } from './errors.js';

let test: TestDialect;

beforeAll(async () => {
  test = await openTestDialect('mysql_errors');
  const { driver } = test.dialect;
  await run(driver, 'CREATE TABLE parents (id INT PRIMARY KEY)');
  await run(
    driver,
    'CREATE TABLE children (id INT PRIMARY KEY, code VARCHAR(40), size TINYINT, born DATE, doc JSON, age INT CHECK (age > 0), need INT NOT NULL, parent INT, kind ENUM("a"), place POINT, guid UUID, UNIQUE KEY `code key` (code), CONSTRAINT `par``ent` FOREIGN KEY (parent) REFERENCES parents (id), CONSTRAINT small CHECK (size < 100))',
  );
  await run(driver, 'INSERT INTO parents VALUES (1)');
  await run(driver, 'INSERT INTO children (id, code, need, parent) VALUES (1, "a", 1, 1)');
});
afterAll(() => test.end());

const insert = (columns: string, values: string) => `INSERT INTO \`children\` (id, ${columns}) VALUES (2, ${values})`;

describe('errors of the server', () => {
  const table = 'children';
  it.each([
    ['a duplicate', insert('need, code', "1, 'a'"), { kind: 'unique', constraint: 'code key', table }],
    ['a duplicate key', 'INSERT INTO `children` (id, need) VALUES (1, 1)', { kind: 'unique', constraint: 'PRIMARY', table }],
    ['a reference to nothing', insert('need, parent', '1, 9'), { kind: 'foreign-key', constraint: 'par`ent', table, columns: ['parent'] }],
    ['a delete of what is referred to', 'DELETE FROM parents', { kind: 'restrict', constraint: 'par`ent', table }],
    ['null where none may be', insert('need', 'NULL'), { kind: 'not-null', columns: ['need'], table }],
    ['a missing value', insert('code', "'b'"), { kind: 'not-null', columns: ['need'] }],
    ['a text too long', insert('need, code', `1, '${'x'.repeat(41)}'`), { kind: 'too-long', columns: ['code'] }],
    ['a number too large', insert('need, size', '1, 1000'), { kind: 'out-of-range', columns: ['size'] }],
    ['an overflow', insert('need', '9223372036854775807 + 1'), { kind: 'out-of-range' }],
    ['a word for a number', insert('need', "'abc'"), { kind: 'invalid-value', columns: ['need'], table }],
    ['a date that is none', insert('need, born', "1, '2020-13-40'"), { kind: 'invalid-value', columns: ['born'] }],
    ['a value outside an enum', insert('need, kind', "1, 'z'"), { kind: 'invalid-value', columns: ['kind'] }],
    ['a uuid that is none', insert('need, guid', "1, 'z'"), { kind: 'invalid-value', columns: ['guid'] }],
    ['a place that is none', insert('need, place', "1, 'z'"), { kind: 'invalid-value' }],
    ['json that is none', insert('need, doc', "1, '{'"), { kind: 'check', constraint: 'doc', table }],
    ['a failed check of a column', insert('need, age', '1, -1'), { kind: 'check', constraint: 'age', table }],
    ['a failed check of the table', insert('need, size', '1, 101'), { kind: 'check', constraint: 'small', table }],
    ['an unknown column', 'SELECT nope FROM children', { kind: 'stale-schema' }],
    ['an unknown table', 'SELECT 1 FROM nope', { kind: 'stale-schema' }],
    ['nonsense', 'SELEC 1', { kind: 'other' }],
  ])('tell %s', async (_name, text, expected) => {
    const error: unknown = await run(test.dialect.driver, text).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error).toMatchObject(expected);
  });

  it('are not fooled by a value that looks like a message', async () => {
    const text = "x' for key 'parents.fake";
    await test.dialect.driver.run({ kind: 'write', text: insert('need, code', '1, ?'), values: [text] });
    const again = test.dialect.driver.run({
      kind: 'insert',
      text: 'INSERT INTO `children` (id, need, code) VALUES (3, 1, ?)',
      values: [text],
    });
    await expect(again).rejects.toMatchObject({ kind: 'unique', constraint: 'code key', table: 'children' });
  });

  it('distinguish a deadlock, which is worth a retry, from a lock timeout', async () => {
    const { driver } = test.dialect;
    await run(driver, 'INSERT INTO parents VALUES (11), (12)');
    let holders = 0;
    const cross = (first: number, second: number) =>
      driver.transaction(async (connection) => {
        await connection.rows({ kind: 'write', text: `SELECT * FROM parents WHERE id = ${first} FOR UPDATE`, values: [] });
        holders += 1;
        await expect.poll(() => holders).toBe(2);
        await connection.rows({ kind: 'write', text: `SELECT * FROM parents WHERE id = ${second} FOR UPDATE`, values: [] });
      });
    const results = await Promise.allSettled([cross(11, 12), cross(12, 11)]);
    expect(results.map((result) => (result.status === 'rejected' ? result.reason.kind : 'done')).sort()).toEqual(['deadlock', 'done']);
    const waiting = driver.transaction(async (connection) => {
      await connection.rows({ kind: 'write', text: 'SELECT * FROM parents WHERE id = 11 FOR UPDATE', values: [] });
      await driver.rows({ kind: 'write', text: 'SELECT * FROM parents WHERE id = 11 FOR UPDATE NOWAIT', values: [] });
    });
    await expect(waiting).rejects.toMatchObject({ kind: 'locked' });
  });
});

describe('errors from messages', () => {
  const error = (errno: number, message: string) => Object.assign(new Error(message), { errno });

  it('read the messages of MySQL', () => {
    expect(toDatabaseError(error(1062, "Duplicate entry 'x' for key 'pets.chip'"))).toMatchObject({
      kind: 'unique',
      table: 'pets',
      constraint: 'chip',
    });
    expect(toDatabaseError(error(3819, "Check constraint 'pets_chk_1' is violated."))).toMatchObject({
      kind: 'check',
      constraint: 'pets_chk_1',
    });
    expect(toDatabaseError(error(3140, 'Invalid JSON text: "x" at position 0 in value for column \'pets.doc\'.'))).toMatchObject({
      kind: 'invalid-value',
    });
    expect(toDatabaseError(error(3024, 'Query execution was interrupted'))).toMatchObject({ kind: 'timeout' });
  });

  it.each([
    ['unavailable', [1040, 1047, 1053, 1037, 1038, 1041, 1135, 1180, 1203, 1206, 1226, 1927, 1194, 1030, 3032, 3168, 4031]],
    ['read-only', [1036, 1223, 1792, 1836, 1874]],
    ['full', [1021, 1114, 1878]],
    ['retry', [1615, 3572]],
    ['locked', [1205]],
    ['deadlock', [1020, 1213, 1614, 3101]],
    ['timeout', [1969, 3024]],
    ['cancelled', [1317]],
    ['denied', [1044, 1142, 1143, 1227, 1370]],
    ['other', [1064, 1149, 1295, 9999]],
    ['broken', [1305, 1356, 1365, 1429]],
  ])('call it %s: %j', (kind, numbers) => {
    expect(numbers.map((number) => toDatabaseError(error(number, 'said by the server')).kind)).toEqual(numbers.map(() => kind));
  });

  it.each([
    [1290, 'The MariaDB server is running with the --read-only option so it cannot execute this statement', 'read-only'],
    [1290, 'The MySQL server is running with the --super-read-only option so it cannot execute this statement', 'read-only'],
    [1290, 'The MySQL server is running with the --innodb-read-only option so it cannot execute this statement', 'read-only'],
    [1290, 'The MariaDB server is running with the --secure-file-priv option so it cannot execute this statement', 'other'],
    [1030, 'Got error 28 "No space left on device" from storage engine InnoDB', 'full'],
    [1030, 'Got error 122 "Internal (unspecified) error in handler" from storage engine InnoDB', 'full'],
    [3, 'Error writing file \'/tmp/MLfd=32\' (Errcode: 28 "No space left on device")', 'full'],
    [1005, 'Can\'t create table `a`.`b` (errno: 28 "No space left on device")', 'full'],
    [1005, "Can't create table 'a.b' (errno: 30 - Read-only file system)", 'read-only'],
    [1180, 'Got error 28 during COMMIT', 'full'],
    [1005, 'Can\'t create table `a`.`b` (errno: 121 "Duplicate key on write or update")', 'unique'],
    [1105, 'WSREP replication failed. Check your wsrep connection state and retry the query.', 'unavailable'],
    [1317, 'WSREP detected deadlock/conflict and aborted the transaction. Try restarting the transaction', 'deadlock'],
    [1180, 'Maximum writeset size exceeded', 'too-large'],
    [1062, "Duplicate entry 'wsrep' for key 'name'", 'unique'],
    [1050, "Table 'a' already exists", 'unique'],
  ])('read what stands in the way from %i: %s', (number, message, kind) => {
    expect(toDatabaseError(error(number, message)).kind).toBe(kind);
  });

  it('distinguish errors of the network from those of the server', () => {
    expect(toDatabaseError(Object.assign(new Error('refused'), { errno: -111, code: 'ECONNREFUSED' }))).toMatchObject({
      kind: 'unavailable',
    });
    expect(toDatabaseError(Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true }))).toMatchObject({
      kind: 'unavailable',
    });
    expect(toDatabaseError(new TypeError('a bug'))).toMatchObject({ kind: 'other' });
  });
});
