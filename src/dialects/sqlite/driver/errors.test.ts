import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteTest, type SqliteTest } from '../../../../test/harness/sqlite-dialect.js';
import { toDatabaseError } from './errors.js';

let test: SqliteTest;

beforeAll(async () => {
  test = await openSqliteTest();
  await test.run(
    'CREATE TABLE parent (id INTEGER PRIMARY KEY, code TEXT, lang TEXT, UNIQUE (code, lang))',
    'CREATE TABLE child (id TEXT PRIMARY KEY NOT NULL, parent INTEGER REFERENCES parent (id) ON DELETE RESTRICT, n int CONSTRAINT positive CHECK (n > 0))',
    'CREATE UNIQUE INDEX child_lower ON child (lower(id))',
    "INSERT INTO parent VALUES (1, 'a', 'en')",
    "INSERT INTO child VALUES ('x', 1, 1)",
  );
});

afterAll(() => test.end());

describe('errors of the database', () => {
  it.each([
    ["INSERT INTO parent VALUES (1, 'b', 'en')", { kind: 'unique', table: 'parent', columns: ['id'] }],
    ["INSERT INTO parent VALUES (2, 'a', 'en')", { kind: 'unique', table: 'parent', columns: ['code', 'lang'] }],
    ["INSERT INTO child VALUES ('X', 1, 1)", { kind: 'unique', constraint: 'child_lower', columns: null }],
    ["INSERT INTO child VALUES ('y', 99, 1)", { kind: 'foreign-key' }],
    ['DELETE FROM parent', { kind: 'restrict' }],
    ['INSERT INTO child VALUES (NULL, 1, 1)', { kind: 'not-null', table: 'child', columns: ['id'] }],
    ["INSERT INTO child VALUES ('y', 1, 0)", { kind: 'check', constraint: 'positive' }],
    ["INSERT INTO parent VALUES ('no number', 'b', 'en')", { kind: 'invalid-value' }],
    ['INSERT INTO nowhere VALUES (1)', { kind: 'stale-schema' }],
    ['INSERT INTO parent (missing) VALUES (1)', { kind: 'stale-schema' }],
    ['UPDATE parent SET missing = 1', { kind: 'stale-schema' }],
    ['SELECT sum(n) FROM (SELECT 9223372036854775807 AS n UNION ALL SELECT 1)', { kind: 'out-of-range' }],
    ['this is no SQL', { kind: 'other' }],
  ])('%s', async (text, expected) => {
    const attempt = text.startsWith('SELECT') ? test.rows(text) : test.run(text);
    await expect(attempt).rejects.toMatchObject({ name: 'DatabaseError', ...expected });
  });

  it('are the same on the main thread', async () => {
    const read = test.dialect.driver.rows({ kind: 'read', text: 'SELECT missing FROM parent', values: [], cheap: true });
    await expect(read).rejects.toMatchObject({ name: 'DatabaseError', kind: 'stale-schema' });
  });

  it('name the column of a strict table', () => {
    expect(toDatabaseError('SQLITE_CONSTRAINT_DATATYPE', 'cannot store TEXT value in INTEGER column w.code')).toMatchObject({
      kind: 'invalid-value',
      table: 'w',
      columns: ['code'],
    });
  });

  it('report out of range for integers that SQLite cannot store', async () => {
    const write = test.dialect.driver.run({ kind: 'insert', text: 'INSERT INTO parent (id) VALUES (?)', values: [2n ** 63n] });
    await expect(write).rejects.toMatchObject({ kind: 'out-of-range' });
  });

  it.each([
    [
      'retry',
      ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_RECOVERY', 'SQLITE_LOCKED', 'SQLITE_LOCKED_SHAREDCACHE', 'SQLITE_PROTOCOL'],
    ],
    ['full', ['SQLITE_FULL']],
    ['read-only', ['SQLITE_READONLY', 'SQLITE_READONLY_DBMOVED', 'SQLITE_READONLY_DIRECTORY', 'SQLITE_READONLY_CANTLOCK']],
    [
      'unavailable',
      ['SQLITE_IOERR', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB'],
    ],
    ['unavailable', ['SQLITE_CANTOPEN', 'SQLITE_CANTOPEN_ISDIR', 'SQLITE_PERM', 'SQLITE_NOMEM']],
    ['other', ['SQLITE_ERROR', 'SQLITE_MISUSE', 'SQLITE_INTERNAL', 'SQLITE_SOMETHING_NEW', 'TypeError']],
  ])('are %s: %j', (kind, codes) => {
    expect(codes.map((code) => toDatabaseError(code, 'said by the library').kind)).toEqual(codes.map(() => kind));
  });
});
