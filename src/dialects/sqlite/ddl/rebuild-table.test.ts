import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { column, create, key, named, openSqliteTest, type SqliteTest } from '../../../../test/harness/sqlite-dialect.js';

let test: SqliteTest;

beforeAll(async () => {
  test = await openSqliteTest();
});

afterAll(() => test.end());

describe('foreign keys', () => {
  beforeAll(async () => {
    await test.change(create('teams', []), create('players', [column({ name: 'team', type: 'integer' })]));
    await test.run('INSERT INTO teams DEFAULT VALUES', 'INSERT INTO players (team) VALUES (1), (NULL)');
  });

  const team = key({ columns: ['team'], foreignTable: 'teams', onDelete: 'SET NULL' });
  const add = (): Promise<void> => test.change({ kind: 'add-foreign-key', table: named('players'), foreignKey: team });

  it('are added, hold, and are dropped by name', async () => {
    await add();
    await expect(test.run('INSERT INTO players (team) VALUES (99)')).rejects.toMatchObject({ kind: 'foreign-key' });
    await test.change({ kind: 'drop-foreign-key', table: named('players'), foreignKey: team });
    expect((await test.table('players')).foreignKeys).toEqual([]);
    await test.run('INSERT INTO players (team) VALUES (99)');
  });

  it('are refused if rows refer to missing rows', async () => {
    await expect(add()).rejects.toMatchObject({ kind: 'foreign-key', table: 'players' });
    expect((await test.table('players')).foreignKeys).toEqual([]);
  });

  it('are checked when a table that others refer to is dropped', async () => {
    await test.run(
      'CREATE TABLE clubs (id INTEGER PRIMARY KEY)',
      'CREATE TABLE members (id INTEGER PRIMARY KEY, club INTEGER REFERENCES clubs (id))',
      'INSERT INTO clubs VALUES (1)',
      'INSERT INTO members VALUES (1, 1)',
    );
    const refused = { kind: 'foreign-key', table: 'members' };
    await expect(test.change({ kind: 'drop-table', table: named('clubs') })).rejects.toMatchObject(refused);
    const deleting = test.dialect.exclusively((connection) => connection.run({ kind: 'write', text: 'DELETE FROM clubs', values: [] }));
    await expect(deleting).rejects.toMatchObject(refused);
    expect(await test.rows('SELECT count(*) FROM clubs')).toEqual([[1]]);
  });

  it('that were violated before do not prevent other changes', async () => {
    await test.run('CREATE TABLE old (id INTEGER PRIMARY KEY, team REFERENCES teams (id))');
    await test.dialect.exclusively((connection) =>
      connection.run({ kind: 'insert', text: 'INSERT INTO players (team) VALUES (98)', values: [] }),
    );
    await test.change({ kind: 'add-column', table: named('players'), column: column({ name: 'x', type: 'integer' }) });
    expect((await test.column('players', 'x')).type).toBe('integer');
  });

  it('without a name are dropped by their column, and with their column', async () => {
    await test.change({ kind: 'drop-foreign-key', table: named('old'), foreignKey: { ...team, name: null } });
    expect((await test.table('old')).foreignKeys).toEqual([]);
    await test.run('CREATE TABLE older (id INTEGER PRIMARY KEY, team REFERENCES teams (id), name text)');
    await test.change({ kind: 'drop-column', table: named('older'), column: 'team' });
    expect((await test.table('older')).columns.map(({ name }) => name)).toEqual(['id', 'name']);
  });
});

describe('a rebuild', () => {
  it('keeps everything else', async () => {
    await test.run(
      `CREATE TABLE books (
        id INTEGER PRIMARY KEY AUTOINCREMENT, /* the key */
        title TEXT COLLATE NOCASE NOT NULL CHECK (length(title) > 0), -- never empty
        price decimal(10,2) DEFAULT 1.5,
        gross REAL GENERATED ALWAYS AS (price * 1.2) STORED,
        sequel INTEGER REFERENCES books (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT one_title UNIQUE (title)
      )`,
      'CREATE INDEX books_price ON books (price DESC) WHERE price > 0',
      'CREATE TABLE log (what TEXT)',
      "CREATE TRIGGER books_log AFTER INSERT ON books BEGIN INSERT INTO log VALUES ('new ' || NEW.title); END",
      'CREATE TRIGGER log_books AFTER DELETE ON log BEGIN UPDATE books SET price = 0 WHERE title = OLD.what; END',
      'CREATE VIEW cheap AS SELECT id, title FROM books WHERE price < 10',
      'CREATE TABLE reviews (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE)',
      "INSERT INTO books (title, price) VALUES ('A', 5), ('B', 20), ('C', 1)",
      'UPDATE books SET sequel = 2 WHERE id = 1',
      'INSERT INTO reviews (book) VALUES (1), (2)',
      'DELETE FROM books WHERE id = 3',
    );
    const before = await test.table('books');
    await test.change({
      kind: 'alter-column',
      table: named('books'),
      column: column({
        name: 'price',
        type: 'decimal',
        nullable: false,
        precision: 10,
        scale: 2,
        default: { kind: 'literal', value: '2.5' },
      }),
    });
    const after = await test.table('books');

    expect(after.columns.map(({ name, type, nullable }) => [name, type, nullable])).toEqual(
      before.columns.map(({ name, type, nullable }) => [name, type, name === 'price' ? false : nullable]),
    );
    expect(after.foreignKeys).toEqual(before.foreignKeys);
    expect(after.indexes).toEqual(before.indexes);
    expect(await test.rows('SELECT id, title, price, gross, sequel FROM books')).toEqual([
      [1, 'A', 5, 6, 2],
      [2, 'B', 20, 24, null],
    ]);
    expect(await test.rows('SELECT id, book FROM reviews')).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(await test.rows('SELECT id, title FROM cheap')).toEqual([[1, 'A']]);
    expect(await test.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")).toEqual([['books_log'], ['log_books']]);

    await test.run("INSERT INTO books (title) VALUES ('D')");
    expect(await test.rows("SELECT id, price FROM books WHERE title = 'd'")).toEqual([[4, 2.5]]);
    expect(await test.rows('SELECT what FROM log')).toContainEqual(['new D']);
    await expect(test.run("INSERT INTO books (title) VALUES ('')")).rejects.toMatchObject({ kind: 'check' });
    await expect(test.run("INSERT INTO books (title) VALUES ('a')")).rejects.toMatchObject({
      kind: 'unique',
      table: 'books',
      columns: ['title'],
    });
    await test.run('DELETE FROM books WHERE id = 2');
    expect(await test.rows('SELECT book FROM reviews')).toEqual([[1]]);
    expect(await test.rows('SELECT sequel FROM books WHERE id = 1')).toEqual([[null]]);
  });

  it('is refused where it would delete rows that refer to the table', async () => {
    const before = await test.dialect.introspect(test.dialect.driver);
    const steps = test.dialect.ddl.steps({ kind: 'drop-column', table: named('books'), column: 'sequel' }, before);
    const plain = test.dialect.driver.transaction(async (connection) => {
      for (const { text } of steps) await connection.run({ kind: 'write', text, values: [] });
    });
    await expect(plain).rejects.toMatchObject({ message: 'a table can be rebuilt in a structural transaction only' });
    expect(await test.rows('SELECT count(*) FROM reviews')).toEqual([[1]]);
  });

  it('that fails changes nothing and leaves foreign keys on', async () => {
    const failing = test.dialect.exclusively(async (connection) => {
      const before = await test.dialect.introspect(connection);
      for (const { text } of test.dialect.ddl.steps({ kind: 'drop-column', table: named('books'), column: 'sequel' }, before))
        await connection.run({ kind: 'write', text, values: [] });
      throw new Error('not today');
    });
    await expect(failing).rejects.toThrow('not today');
    expect((await test.table('books')).columns.some(({ name }) => name === 'sequel')).toBe(true);
    await expect(test.run('INSERT INTO reviews (book) VALUES (99)')).rejects.toMatchObject({ kind: 'foreign-key' });
    expect(await test.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'tain_rebuild%'")).toEqual([]);
  });
});
