import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDialect, run, type TestDialect } from '../../../../test/harness/mysql-dialect.js';
import type { RawColumn, RawDatabase, RawTable } from '../../../core/schema/raw.js';
import type { Connection } from '../../../core/vendor/driver.js';

let test: TestDialect;
let database: RawDatabase;

const statements = [
  "CREATE TABLE authors (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, name VARCHAR(100) NOT NULL COMMENT 'full name', mentor INT UNSIGNED, CONSTRAINT mentors FOREIGN KEY (mentor) REFERENCES authors (id) ON DELETE SET NULL ON UPDATE CASCADE) COMMENT 'who wrote'",
  'CREATE TABLE parts (book INT, number SMALLINT, title TEXT, PRIMARY KEY (number, book))',
  'CREATE TABLE chapters (id BIGINT PRIMARY KEY, number SMALLINT, book INT, CONSTRAINT chapter_part FOREIGN KEY (number, book) REFERENCES parts (number, book) ON DELETE CASCADE)',
  "CREATE VIEW names AS SELECT id, name, CONCAT(name, '!') AS loud FROM authors",
  'CREATE TABLE loose (a INT, b VARCHAR(200), c VARCHAR(200), d VARCHAR(20), e INT, UNIQUE KEY prefix (b(10)), UNIQUE KEY whole (c), UNIQUE KEY pair (d, e), FULLTEXT KEY words (b))',
  `CREATE TABLE odd (
    id INT(8) UNSIGNED ZEROFILL PRIMARY KEY, kind ENUM('a', 'b''c') DEFAULT 'a', flags SET('x', 'y'), doubled INT AS (id * 2) STORED, shown VARCHAR(50) AS (CONCAT(kind, '!')) VIRTUAL,
    hidden INT INVISIBLE DEFAULT 3, address INET6, bits BIT(4) DEFAULT b'101', bit BIT(1), flag TINYINT(1) DEFAULT 1, tiny TINYINT(4), made YEAR, changed TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
    doc JSON DEFAULT '{}', guid UUID DEFAULT UUID(), old_guid CHAR(36), place POINT, shape GEOMETRYCOLLECTION)`,
  `CREATE TABLE defaults (
    word VARCHAR(30) DEFAULT 'current_timestamp', moment DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3), day DATE DEFAULT (CURRENT_DATE), clock TIME DEFAULT (CURRENT_TIME),
    quoted VARCHAR(30) DEFAULT 'it''s \\\\ "x"\\n', nothing VARCHAR(10) DEFAULT NULL, word_null VARCHAR(10) DEFAULT 'NULL', empty VARCHAR(10) DEFAULT '', long_text TEXT DEFAULT 'abc',
    count INT DEFAULT -5, big BIGINT DEFAULT 9223372036854775807, price DECIMAL(10,2) DEFAULT 1.50, ratio DOUBLE DEFAULT 1.5e3, made VARCHAR(20) DEFAULT (CONCAT('a', 'b')), birthday DATE DEFAULT '2020-01-01', required INT NOT NULL)`,
];

beforeAll(async () => {
  test = await openTestDialect('mysql_introspect');
  for (const text of statements) await run(test.dialect.driver, text);
  database = await test.dialect.introspect(test.dialect.driver);
});
afterAll(() => test.end());

function table(name: string): RawTable {
  const found = database.tables.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no table ${name}`);
  return found;
}

function column(tableName: string, name: string): RawColumn {
  const found = table(tableName).columns.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no column ${name}`);
  return found;
}

describe('introspection', () => {
  it('takes seven statements, and one that confirms them', async () => {
    const before = test.dialect.driver.statements();
    await test.dialect.introspect(test.dialect.driver);
    expect(test.dialect.driver.statements() - before).toBe(8);
  });

  it.each(['tables', 'columns', 'statistics'])('does not believe a reading of %s that misses a table under alteration', async (view) => {
    let missing = true;
    const { driver } = test.dialect;
    const connection: Connection = {
      ...driver,
      async rows(statement) {
        const rows = await driver.rows(statement);
        if (!missing || !statement.text.includes(`information_schema.${view}`)) return rows;
        missing = false;
        return rows.filter(([name]) => name !== 'authors');
      },
    };
    expect(await test.dialect.introspect(connection)).toEqual(database);
    expect(missing).toBe(false);
  });

  it('knows keys, comments and references to the same table', () => {
    const authors = table('authors');
    expect(authors).toMatchObject({ schema: null, kind: 'table', comment: 'who wrote', primaryKey: ['id'] });
    expect(authors.foreignKeys).toEqual([
      {
        name: 'mentors',
        columns: ['mentor'],
        foreignSchema: null,
        foreignTable: 'authors',
        foreignColumns: ['id'],
        onDelete: 'SET NULL',
        onUpdate: 'CASCADE',
      },
    ]);
    expect(column('authors', 'id')).toMatchObject({
      type: 'integer',
      dataType: 'int',
      autoIncrement: true,
      primaryKey: true,
      nullable: false,
      unique: true,
      default: { kind: 'counter' },
    });
    expect(column('authors', 'name')).toMatchObject({
      type: 'string',
      maxLength: 100,
      nullable: false,
      comment: 'full name',
      default: null,
      collation: 'utf8mb4_general_ci',
    });
    expect(column('authors', 'mentor')).toMatchObject({ indexed: true, unique: false });
  });

  it('keeps the order of composite keys', () => {
    expect(table('parts').primaryKey).toEqual(['number', 'book']);
    expect(column('parts', 'book')).toMatchObject({ primaryKey: true, unique: false, indexed: false });
    expect(table('chapters').foreignKeys[0]).toMatchObject({
      columns: ['number', 'book'],
      foreignColumns: ['number', 'book'],
      onDelete: 'CASCADE',
    });
  });

  it('shows a view as nullable columns without key and default', () => {
    expect(table('names')).toMatchObject({ kind: 'view', primaryKey: [], indexes: [], estimatedRows: null, comment: null });
    expect(
      table('names').columns.map(({ name, type, nullable, default: value, autoIncrement }) => [name, type, nullable, value, autoIncrement]),
    ).toEqual([
      ['id', 'integer', true, null, false],
      ['name', 'string', true, null, false],
      ['loud', 'string', true, null, false],
    ]);
  });

  it('does not take a prefix, a pair or a fulltext index for uniqueness', () => {
    expect(table('loose').primaryKey).toEqual([]);
    expect(table('loose').indexes).toEqual([
      { name: 'pair', columns: ['d', 'e'], unique: true, partial: false },
      { name: 'prefix', columns: ['b'], unique: true, partial: true, definition: 'BTREE (b(10))' },
      { name: 'whole', columns: ['c'], unique: true, partial: false },
      { name: 'words', columns: ['b'], unique: false, partial: true, definition: 'FULLTEXT (b)' },
    ]);
    expect(table('loose').columns.map(({ name, unique, indexed }) => [name, unique, indexed])).toEqual([
      ['a', false, false],
      ['b', false, true],
      ['c', true, true],
      ['d', false, true],
      ['e', false, false],
    ]);
  });

  it('mirrors the odd types', () => {
    expect(Object.fromEntries(table('odd').columns.map(({ name, type }) => [name, type]))).toEqual({
      id: 'integer',
      kind: 'string',
      flags: 'csv',
      doubled: 'integer',
      shown: 'string',
      hidden: 'integer',
      address: 'unknown',
      bits: 'unknown',
      bit: 'boolean',
      flag: 'boolean',
      tiny: 'integer',
      made: 'integer',
      changed: 'timestamp',
      doc: 'json',
      guid: 'uuid',
      old_guid: 'uuid',
      place: 'geometry.Point',
      shape: 'geometry',
    });
    expect(column('odd', 'id').vendor).toMatchObject({ unsigned: true, zerofill: true });
    expect(column('odd', 'kind').choices).toEqual(['a', "b'c"]);
    expect(column('odd', 'hidden').vendor).toMatchObject({ invisible: true });
    expect(column('odd', 'changed').vendor).toMatchObject({ onUpdate: 'current_timestamp()' });
    expect(column('odd', 'doubled')).toMatchObject({
      generated: true,
      generationExpression: '`id` * 2',
      default: null,
      vendor: { generation: 'STORED' },
    });
    expect(column('odd', 'shown').vendor).toMatchObject({ generation: 'VIRTUAL' });
    expect(column('odd', 'flag')).toMatchObject({ default: { kind: 'literal', value: true }, precision: null, scale: null });
    expect(column('odd', 'doc')).toMatchObject({ dataType: 'longtext', maxLength: null });
    expect(column('odd', 'guid').default).toEqual({ kind: 'expression', value: 'uuid()' });
  });

  it('reads defaults as values where they are values', () => {
    const now = { kind: 'expression', value: 'CURRENT_TIMESTAMP' };
    const literal = (value: unknown) => ({ kind: 'literal', value });
    expect(Object.fromEntries(table('defaults').columns.map(({ name, default: value }) => [name, value]))).toEqual({
      word: literal('current_timestamp'),
      moment: now,
      day: now,
      clock: now,
      quoted: literal('it\'s \\ "x"\n'),
      nothing: null,
      word_null: literal('NULL'),
      empty: literal(''),
      long_text: literal('abc'),
      count: literal(-5),
      big: literal('9223372036854775807'),
      price: literal('1.50'),
      ratio: literal(1500),
      made: { kind: 'expression', value: "concat('a','b')" },
      birthday: literal('2020-01-01'),
      required: null,
    });
  });
});

describe('the change token', () => {
  const changes = [
    'ALTER TABLE loose ADD COLUMN f INT',
    'ALTER TABLE loose MODIFY COLUMN f INT NOT NULL DEFAULT 0',
    'CREATE INDEX found ON loose (f)',
    'ALTER TABLE loose DROP INDEX whole',
    'ALTER TABLE chapters DROP FOREIGN KEY chapter_part',
    'CREATE TABLE fresh (id INT PRIMARY KEY)',
    'DROP TABLE fresh',
    'ALTER TABLE loose DROP COLUMN f',
    'CREATE OR REPLACE VIEW names AS SELECT id FROM authors',
    'ALTER TABLE loose RENAME TO slack',
    'ALTER TABLE slack MODIFY COLUMN c VARCHAR(200) COLLATE utf8mb4_bin',
    'ALTER TABLE slack ADD COLUMN j LONGTEXT COLLATE utf8mb4_bin',
    'ALTER TABLE slack MODIFY COLUMN j JSON',
    "ALTER TABLE slack COMMENT = 'not tight'",
    'CREATE TRIGGER counted BEFORE INSERT ON slack FOR EACH ROW SET NEW.e = 1',
  ];

  it('differs after every change, is the same without one, and is that of a reading', async () => {
    const { driver, changeToken, readCatalogue } = test.dialect;
    const before = driver.statements();
    let last = await changeToken(driver);
    expect(driver.statements() - before).toBe(1);
    for (const change of changes) {
      await run(driver, change);
      const token = await changeToken(driver);
      expect(token, change).not.toBe(last);
      expect(await changeToken(driver)).toBe(token);
      expect((await readCatalogue(driver)).token, change).toBe(token);
      last = token;
    }
  });
});
