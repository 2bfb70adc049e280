import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteTest, type SqliteTest } from '../../../../test/harness/sqlite-dialect.js';
import type { RawColumn, RawTable } from '../../../core/schema/raw.js';

let test: SqliteTest;

const schema = [
  `CREATE TABLE authors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name varchar(80) NOT NULL DEFAULT 'it''s me', -- with a comment, and a comma
    code TEXT UNIQUE,
    age int DEFAULT -5,
    active boolean NOT NULL DEFAULT true,
    price decimal(20,6) DEFAULT 12.50,
    born DATE DEFAULT CURRENT_DATE,
    made TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    shout TEXT GENERATED ALWAYS AS (upper(name) || ',(') STORED,
    twice int AS (age * 2),
    boss INTEGER CONSTRAINT boss_key REFERENCES Authors ON DELETE SET NULL,
    random_default int DEFAULT (abs(random()))
  )`,
  'CREATE TABLE articles (lang TEXT, nr int, title TEXT, author INTEGER NOT NULL, PRIMARY KEY (lang, nr), CONSTRAINT by_author FOREIGN KEY (author) REFERENCES authors (id) ON DELETE CASCADE ON UPDATE RESTRICT)',
  'CREATE TABLE notes (a TEXT, b TEXT, article_lang TEXT, article_nr int, FOREIGN KEY (article_lang, article_nr) REFERENCES articles)',
  'CREATE TABLE settings ("key" TEXT PRIMARY KEY, "odd ""name""" text) WITHOUT ROWID',
  'CREATE INDEX notes_a ON notes (a, b)',
  'CREATE UNIQUE INDEX notes_b ON notes (b) WHERE a IS NOT NULL',
  'CREATE UNIQUE INDEX notes_lower ON notes (lower(b))',
  'CREATE VIEW elders AS SELECT id, name, count(*) AS n FROM authors WHERE age > 60 GROUP BY id',
  'CREATE VIRTUAL TABLE words USING fts5(word)',
];

beforeAll(async () => {
  test = await openSqliteTest();
  await test.run(...schema);
});

afterAll(() => test.end());

const columnOf = (table: RawTable, name: string): RawColumn => {
  const found = table.columns.find((column) => column.name === name);
  if (found === undefined) throw new Error(`no column ${name}`);
  return found;
};

describe('introspect', () => {
  it('takes five statements, the last for samples of dates and timestamps', async () => {
    const before = test.dialect.driver.statements();
    await test.dialect.introspect(test.dialect.driver);
    expect(test.dialect.driver.statements() - before).toBe(5);
  });

  it('lists tables and views, and nothing that belongs to SQLite or to a virtual table', async () => {
    const { tables } = await test.dialect.introspect(test.dialect.driver);
    expect(tables.map(({ name, kind }) => `${name} ${kind}`).sort()).toEqual([
      'articles table',
      'authors table',
      'elders view',
      'notes table',
      'settings table',
      'words view',
    ]);
  });

  it('reads types, lengths and nullability', async () => {
    const authors = await test.table('authors');
    expect(columnOf(authors, 'id')).toMatchObject({
      type: 'integer',
      nullable: false,
      unique: true,
      indexed: true,
      primaryKey: true,
      autoIncrement: true,
    });
    expect(columnOf(authors, 'name')).toMatchObject({ dataType: 'varchar', type: 'string', maxLength: 80, nullable: false, unique: false });
    expect(columnOf(authors, 'code')).toMatchObject({ type: 'text', maxLength: null, unique: true, indexed: true });
    expect(columnOf(authors, 'price')).toMatchObject({ type: 'decimal', precision: 20, scale: 6 });
  });

  it('reads defaults as plain values or expressions', async () => {
    const authors = await test.table('authors');
    const defaults = Object.fromEntries(authors.columns.map((column) => [column.name, column.default]));
    expect(defaults).toMatchObject({
      id: { kind: 'counter' },
      name: { kind: 'literal', value: "it's me" },
      code: null,
      age: { kind: 'literal', value: -5 },
      active: { kind: 'literal', value: true },
      price: { kind: 'literal', value: '12.50' },
      born: { kind: 'expression', value: 'CURRENT_DATE' },
      made: { kind: 'expression', value: 'CURRENT_TIMESTAMP' },
      random_default: { kind: 'expression', value: 'abs(random())' },
    });
  });

  it('reads generated columns with their expressions', async () => {
    const authors = await test.table('authors');
    expect(columnOf(authors, 'shout')).toMatchObject({
      generated: true,
      generationExpression: "upper(name) || ',('",
      vendor: { stored: true },
    });
    expect(columnOf(authors, 'twice')).toMatchObject({ generated: true, generationExpression: 'age * 2', vendor: { stored: false } });
    expect(columnOf(authors, 'age').generated).toBe(false);
  });

  it('reads foreign keys: names, actions, a self-reference in another case, and targets that are only implied', async () => {
    expect((await test.table('authors')).foreignKeys).toEqual([
      {
        name: 'boss_key',
        columns: ['boss'],
        foreignSchema: null,
        foreignTable: 'authors',
        foreignColumns: ['id'],
        onDelete: 'SET NULL',
        onUpdate: 'NO ACTION',
      },
    ]);
    expect((await test.table('articles')).foreignKeys).toMatchObject([{ name: 'by_author', onDelete: 'CASCADE', onUpdate: 'RESTRICT' }]);
    expect((await test.table('notes')).foreignKeys).toMatchObject([
      { name: null, columns: ['article_lang', 'article_nr'], foreignTable: 'articles', foreignColumns: ['lang', 'nr'] },
    ]);
  });

  it('reads composite keys, and keys that are not generated', async () => {
    const articles = await test.table('articles');
    expect(articles.primaryKey).toEqual(['lang', 'nr']);
    expect(columnOf(articles, 'lang')).toMatchObject({
      primaryKey: true,
      unique: false,
      indexed: true,
      nullable: false,
      autoIncrement: false,
    });
    expect(columnOf(articles, 'nr')).toMatchObject({ unique: false, indexed: false });
    const settings = await test.table('settings');
    expect(settings.primaryKey).toEqual(['key']);
    expect(settings.columns.map((column) => column.name)).toEqual(['key', 'odd "name"']);
  });

  it('does not infer uniqueness from partial indexes and expressions', async () => {
    const notes = await test.table('notes');
    expect(columnOf(notes, 'b')).toMatchObject({ unique: false, indexed: false });
    expect(columnOf(notes, 'a')).toMatchObject({ unique: false, indexed: true });
    expect(notes.indexes.find((index) => index.name === 'notes_b')).toEqual({
      name: 'notes_b',
      columns: ['b'],
      unique: true,
      partial: true,
      definition: 'CREATE UNIQUE INDEX notes_b ON notes (b) WHERE a IS NOT NULL',
    });
  });

  it('gives views their columns and no key', async () => {
    const elders = await test.table('elders');
    expect(elders.primaryKey).toEqual([]);
    expect(elders.columns.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
      ['id', 'integer', true],
      ['name', 'string', true],
      ['n', 'unknown', true],
    ]);
  });

  it('changes its token with the structure only', async () => {
    const { driver } = test.dialect;
    const token = await test.dialect.changeToken(driver);
    await test.run("INSERT INTO settings VALUES ('a', 'b')");
    expect(await test.dialect.changeToken(driver)).toBe(token);
    await test.run('CREATE TABLE later (a int)');
    expect(await test.dialect.changeToken(driver)).not.toBe(token);
  });

  it('knows the number of distinct values of a column after ANALYZE', async () => {
    const { driver } = test.dialect;
    const valuesOf = async (name: string): Promise<unknown> => columnOf(await test.table('visits'), name).vendor['values'];
    await test.run(
      'CREATE TABLE visits (id INTEGER PRIMARY KEY, place int, day int, guest int)',
      'CREATE INDEX visits_place ON visits (place, day)',
    );
    await test.run(`INSERT INTO visits (place, day, guest) SELECT value % 5, value, value FROM json_each('[${[...Array(100).keys()]}]')`);
    expect(await valuesOf('place')).toBeNull();
    await test.run('ANALYZE');
    expect([await valuesOf('place'), await valuesOf('day'), await valuesOf('guest')]).toEqual([5, null, null]);
    const before = driver.statements();
    await test.dialect.introspect(driver);
    expect(driver.statements() - before).toBe(6);
    await test.run('DROP TABLE visits', 'DROP TABLE sqlite_stat1');
  });

  it('omits a view that no longer matches its table, and reads everything else', async () => {
    await test.run('CREATE VIEW broken AS SELECT nothing_there FROM notes');
    const { tables } = await test.dialect.introspect(test.dialect.driver);
    expect(tables.some((table) => table.name === 'broken')).toBe(false);
    expect(tables.some((table) => table.name === 'elders')).toBe(true);
    await test.run('DROP VIEW broken');
  });
});
