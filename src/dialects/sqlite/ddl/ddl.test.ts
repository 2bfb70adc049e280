import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { column, create, key, named, openSqliteTest, type SqliteTest } from '../../../../test/harness/sqlite-dialect.js';
import { columnTypes } from '../../../core/schema/types/field-type.js';
import type { ColumnSpec } from '../../../core/vendor/ddl.js';

let test: SqliteTest;

beforeAll(async () => {
  test = await openSqliteTest();
});

afterAll(() => test.end());

describe('create-table', () => {
  it('creates a column of every type that reads back as the port says', async () => {
    const specs = columnTypes.map((type) => column({ name: `c ${type}`, type, precision: 20, scale: 6 }));
    await test.change(create('every type', specs));
    const table = await test.table('every type');
    for (const spec of specs)
      expect([spec.type, table.columns.find(({ name }) => name === spec.name)?.type]).toEqual([
        spec.type,
        test.dialect.ddl.readBackType(spec),
      ]);
    const readBack = { csv: 'text', hash: 'string', unknown: 'text' };
    for (const spec of specs)
      expect(test.dialect.ddl.readBackType(spec)).toBe(spec.type in readBack ? readBack[spec.type as keyof typeof readBack] : spec.type);
    expect(await test.column('every type', 'c decimal')).toMatchObject({ precision: 20, scale: 6 });
    expect(await test.column('every type', 'c string')).toMatchObject({ dataType: 'varchar', maxLength: 255 });
  });

  it('keeps decimals and big integers exact', async () => {
    const { driver } = test.dialect;
    await driver.run({
      kind: 'write',
      text: 'INSERT INTO "every type" ("c decimal", "c bigInteger") VALUES (?, ?)',
      values: ['12345678901234.567890', 9223372036854775807n],
    });
    expect(await test.rows('SELECT "c decimal", "c bigInteger" FROM "every type"')).toEqual([
      ['12345678901234.567890', 9223372036854775807n],
    ]);
  });

  it('writes defaults that read back as plain values', async () => {
    const literal = (value: string | number | boolean): ColumnSpec['default'] => ({ kind: 'literal', value });
    await test.change(
      create('defaults', [
        column({ name: 'quote', type: 'string', default: literal("it's 'so'") }),
        column({ name: 'number_text', type: 'string', default: literal('42') }),
        column({ name: 'word', type: 'text', default: literal('CURRENT_TIMESTAMP') }),
        column({ name: 'yes', type: 'boolean', default: literal(true), nullable: false }),
        column({ name: 'five', type: 'integer', default: literal(5) }),
        column({ name: 'huge', type: 'bigInteger', default: literal('9223372036854775807') }),
        column({ name: 'price', type: 'decimal', default: literal('12.50'), precision: 20, scale: 2 }),
        column({ name: 'data', type: 'json', default: literal('{"a":1}') }),
        column({ name: 'made', type: 'timestamp', default: { kind: 'now' } }),
        column({ name: 'day', type: 'date', default: { kind: 'now' } }),
      ]),
    );
    const { columns } = await test.table('defaults');
    expect(Object.fromEntries(columns.slice(1).map(({ name, default: value }) => [name, value?.value]))).toEqual({
      quote: "it's 'so'",
      number_text: '42',
      word: 'CURRENT_TIMESTAMP',
      yes: true,
      five: 5,
      huge: '9223372036854775807',
      price: '12.50',
      data: '{"a":1}',
      made: 'CURRENT_TIMESTAMP',
      day: 'CURRENT_DATE',
    });
    expect(columns.filter((candidate) => candidate.default?.kind === 'expression').map(({ name }) => name)).toEqual(['made', 'day']);
    await test.run('INSERT INTO defaults DEFAULT VALUES');
    const [row] = await test.rows('SELECT made, quote, huge FROM defaults');
    expect(row?.[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
    expect(row?.slice(1)).toEqual(["it's 'so'", 9223372036854775807n]);
  });

  it('creates composite keys, unique constraints, indexes and foreign keys', async () => {
    await test.change(
      create('parents', []),
      create(
        'links',
        [
          column({ name: 'a', type: 'integer', nullable: false }),
          column({ name: 'b', type: 'integer', nullable: false, indexed: true }),
          column({ name: 'slug', type: 'string', unique: true }),
        ],
        {
          columns: [
            column({ name: 'a', type: 'integer', nullable: false }),
            column({ name: 'b', type: 'integer', nullable: false, indexed: true }),
            column({ name: 'slug', type: 'string', unique: true }),
          ],
          primaryKey: ['b', 'a'],
          uniques: [['a', 'slug']],
          foreignKeys: [key({ columns: ['a'], foreignTable: 'parents' })],
        },
      ),
    );
    const links = await test.table('links');
    expect(links.primaryKey).toEqual(['b', 'a']);
    expect(links.foreignKeys).toMatchObject([
      { name: 'a_foreign', columns: ['a'], foreignTable: 'parents', foreignColumns: ['id'], onDelete: 'CASCADE' },
    ]);
    expect(links.columns.map(({ name, unique, indexed }) => [name, unique, indexed])).toEqual([
      ['a', false, true],
      ['b', false, true],
      ['slug', true, true],
    ]);
  });

  it('never generates a key twice', async () => {
    await test.change(create('counted', []));
    await test.run(
      'INSERT INTO counted DEFAULT VALUES',
      'INSERT INTO counted DEFAULT VALUES',
      'DELETE FROM counted WHERE id = 2',
      'INSERT INTO counted DEFAULT VALUES',
    );
    expect(await test.rows('SELECT id FROM counted')).toEqual([[1], [3]]);
  });

  it('accepts any name without NUL', async () => {
    const odd = `x"; DROP TABLE parents; --'é`;
    await test.change(create(odd, [column({ name: `a"b'c`, type: 'string', unique: true, default: { kind: 'literal', value: `'"` } })]));
    expect(await test.column(odd, `a"b'c`)).toMatchObject({ unique: true, default: { value: `'"` } });
    await expect(test.change(create('a\0b', []))).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    await test.change({ kind: 'drop-table', table: named(odd) });
    expect((await test.table('parents')).name).toBe('parents');
  });

  it.each(['1) STORED, evil TEXT DEFAULT (2', '1 -- ', '1 /*', "'a", '1; DROP TABLE parents', '(1'])(
    'refuses the generation expression %s',
    async (text) => {
      await expect(test.change(create('bad', [column({ name: 'g', type: 'integer', generationExpression: text })]))).rejects.toMatchObject({
        code: 'INVALID_PAYLOAD',
      });
    },
  );
});

describe('columns', () => {
  beforeAll(async () => {
    await test.change(create('items', [column({ name: 'title', type: 'string', nullable: false })]));
    await test.run("INSERT INTO items (title) VALUES ('1'), ('22')");
  });

  const add = (spec: ColumnSpec): Promise<void> => test.change({ kind: 'add-column', table: named('items'), column: spec });
  const alter = (spec: ColumnSpec): Promise<void> => test.change({ kind: 'alter-column', table: named('items'), column: spec });

  it('are added with constant or computed defaults for existing rows', async () => {
    await add(column({ name: 'status', type: 'string', nullable: false, default: { kind: 'literal', value: 'draft' }, indexed: true }));
    await add(column({ name: 'made', type: 'timestamp', nullable: false, default: { kind: 'now' } }));
    await add(column({ name: 'long', type: 'integer', generationExpression: 'length("title")' }));
    await add(column({ name: 'code', type: 'string', unique: true }));
    const [row] = await test.rows('SELECT status, made, long, code FROM items WHERE id = 2');
    expect([row?.[0], typeof row?.[1], row?.[2], row?.[3]]).toEqual(['draft', 'string', 2, null]);
    expect(await test.column('items', 'status')).toMatchObject({ indexed: true, nullable: false });
    expect(await test.column('items', 'long')).toMatchObject({ generated: true, generationExpression: 'length("title")' });
    expect(await test.column('items', 'code')).toMatchObject({ unique: true });
  });

  it('that need a value cannot be added to items without one', async () => {
    await expect(add(column({ name: 'must', type: 'string', nullable: false }))).rejects.toMatchObject({
      kind: 'not-null',
      table: 'items',
      columns: ['must'],
    });
    expect((await test.table('items')).columns.some(({ name }) => name === 'must')).toBe(false);
  });

  it('change type, length, nullability and default', async () => {
    await alter(column({ name: 'title', type: 'integer', nullable: true, default: { kind: 'literal', value: 7 } }));
    expect(await test.column('items', 'title')).toMatchObject({ type: 'integer', nullable: true, default: { kind: 'literal', value: 7 } });
    expect(await test.rows('SELECT title, typeof(title) FROM items')).toEqual([
      [1, 'integer'],
      [22, 'integer'],
    ]);
    await alter(column({ name: 'title', type: 'string', maxLength: 20, nullable: false }));
    expect(await test.column('items', 'title')).toMatchObject({ type: 'string', maxLength: 20, nullable: false, default: null });
    expect(await test.rows('SELECT title FROM items')).toEqual([['1'], ['22']]);
  });

  it('refuse a type, length or rule that stored values do not fit', async () => {
    await test.run("INSERT INTO items (title, code) VALUES ('word', 'c')");
    await expect(alter(column({ name: 'title', type: 'integer' }))).rejects.toMatchObject({ kind: 'invalid-value' });
    await expect(alter(column({ name: 'title', type: 'string', maxLength: 3 }))).rejects.toMatchObject({ kind: 'too-long' });
    await expect(alter(column({ name: 'status', type: 'string', unique: true }))).rejects.toMatchObject({
      kind: 'unique',
      table: 'items',
      columns: ['status'],
    });
    await expect(alter(column({ name: 'code', type: 'string', nullable: false, unique: true }))).rejects.toMatchObject({
      kind: 'not-null',
      table: 'items',
      columns: ['code'],
    });
    expect(await test.column('items', 'title')).toMatchObject({ type: 'string', maxLength: 20 });
  });

  it('gain and lose indexes without a rebuild', async () => {
    const before = await test.dialect.introspect(test.dialect.driver);
    const column_ = column({ name: 'status', type: 'string', nullable: false, default: { kind: 'literal', value: 'draft' } });
    const steps = test.dialect.ddl.steps({ kind: 'alter-column', table: named('items'), column: column_ }, before);
    expect(steps).toEqual([{ text: 'DROP INDEX "items_status_index"', undo: null }]);
    expect(test.dialect.ddl.steps({ kind: 'alter-column', table: named('items'), column: { ...column_, indexed: true } }, before)).toEqual(
      [],
    );
    await alter(column_);
    expect(await test.column('items', 'status')).toMatchObject({ indexed: false });
    await alter({ ...column_, indexed: true });
    expect(await test.column('items', 'status')).toMatchObject({ indexed: true, unique: false });
    await alter(column({ name: 'code', type: 'string' }));
    expect(await test.column('items', 'code')).toMatchObject({ unique: false, indexed: false });
  });

  it('are dropped with their indexes', async () => {
    await test.run(
      'CREATE INDEX items_both ON items (status, code)',
      "CREATE INDEX items_part ON items (title) WHERE code = 'a'",
      'CREATE INDEX items_title ON items (title)',
    );
    await test.change({ kind: 'drop-column', table: named('items'), column: 'code' });
    const items = await test.table('items');
    expect(items.columns.map(({ name }) => name)).toEqual(['id', 'title', 'status', 'made', 'long']);
    expect(items.indexes.map(({ name }) => name).sort()).toEqual(['items_status_index', 'items_title']);
  });

  it('that a view needs are not dropped', async () => {
    await test.run('CREATE VIEW titles AS SELECT id, status FROM items');
    await expect(test.change({ kind: 'drop-column', table: named('items'), column: 'status' })).rejects.toMatchObject({ kind: 'restrict' });
    expect(await test.rows('SELECT count(*) FROM titles')).toEqual([[3]]);
  });

  it('keep or lose their UNIQUE constraint', async () => {
    await test.run(
      'CREATE TABLE found (id INTEGER PRIMARY KEY, a TEXT UNIQUE NOT NULL, b TEXT, UNIQUE (b))',
      "INSERT INTO found VALUES (1, 'x', 'y')",
    );
    const change = (spec: ColumnSpec): Promise<void> => test.change({ kind: 'alter-column', table: named('found'), column: spec });
    await change(column({ name: 'a', type: 'text', unique: true }));
    expect(await test.column('found', 'a')).toMatchObject({ unique: true, nullable: true });
    await change(column({ name: 'a', type: 'text' }));
    await change(column({ name: 'b', type: 'text' }));
    expect((await test.table('found')).indexes).toEqual([]);
    expect(await test.rows('SELECT * FROM found')).toEqual([[1, 'x', 'y']]);
  });
});

describe('indexes', () => {
  it('are created and dropped, including those of a constraint', async () => {
    await test.run('CREATE TABLE pairs (a TEXT, b TEXT, UNIQUE (a, b))');
    await test.change({ kind: 'create-index', table: named('pairs'), name: 'pairs_b', columns: ['b', 'a'], unique: true });
    expect((await test.table('pairs')).indexes).toHaveLength(2);
    await test.change(
      { kind: 'drop-index', table: named('pairs'), name: 'pairs_b' },
      { kind: 'drop-index', table: named('pairs'), name: 'sqlite_autoindex_pairs_1' },
    );
    expect((await test.table('pairs')).indexes).toEqual([]);
  });
});
