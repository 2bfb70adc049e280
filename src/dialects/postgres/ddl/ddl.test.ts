import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenPostgres, openTestPostgres } from '../../../../test/harness/open-postgres.js';
import type { RawColumn, RawDatabase, RawTable } from '../../../core/schema/raw.js';
import { type ColumnType, columnTypes } from '../../../core/schema/types/field-type.js';
import type { ColumnSpec, StructureChange } from '../../../core/vendor/ddl.js';
import { continueCounter } from './alter-column.js';

let database: OpenPostgres;

beforeAll(async () => {
  database = await openTestPostgres('ddl');
});

afterAll(() => database.remove());

const introspect = (): Promise<RawDatabase> => database.dialect.introspect(database.dialect.driver);

async function apply(...changes: readonly StructureChange[]): Promise<void> {
  for (const change of changes) {
    const before = await introspect();
    const steps = database.dialect.ddl.steps(change, before);
    await database.dialect.driver.transaction(
      async (connection) => {
        for (const step of steps) await connection.run({ kind: 'write', text: step.text, values: [] });
      },
      { structure: true },
    );
  }
}

const steps = async (change: StructureChange): Promise<readonly string[]> =>
  database.dialect.ddl.steps(change, await introspect()).map((step) => step.text);

const spec = (name: string, type: ColumnType, more: Partial<ColumnSpec> = {}): ColumnSpec => ({
  name,
  type,
  nullable: true,
  default: null,
  maxLength: null,
  precision: null,
  scale: null,
  unique: false,
  indexed: false,
  primaryKey: false,
  autoIncrement: false,
  comment: null,
  generationExpression: null,
  ...more,
});

const key = spec('id', 'integer', { nullable: false, primaryKey: true, autoIncrement: true });

const create = (
  name: string,
  columns: readonly ColumnSpec[],
  more: Partial<StructureChange & { readonly kind: 'create-table' }> = {},
): StructureChange => ({
  kind: 'create-table',
  table: { schema: null, name },
  columns,
  primaryKey: ['id'],
  foreignKeys: [],
  uniques: [],
  comment: null,
  ...more,
});

async function table(name: string, schema: string | null = null): Promise<RawTable> {
  const found = (await introspect()).tables.find((candidate) => candidate.name === name && candidate.schema === schema);
  if (found === undefined) throw new Error(`no table ${name}`);
  return found;
}

async function column(tableName: string, name: string): Promise<RawColumn> {
  const found = (await table(tableName)).columns.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no column ${name}`);
  return found;
}

const value = async (text: string): Promise<unknown> => (await database.dialect.driver.rows({ kind: 'read', text, values: [] }))[0]?.[0];

describe('creating', () => {
  const plain = columnTypes.filter((type) => !type.startsWith('geometry') && type !== 'unknown');

  it('creates a column of every type that reads back as that type', async () => {
    const columns = plain.map((type) => spec(`a_${type}`, type, { maxLength: type === 'string' ? 255 : null, precision: 10, scale: 5 }));
    await apply(create('every_type', [key, ...columns]));
    const read = await table('every_type');
    const types = Object.fromEntries(read.columns.slice(1).map((made) => [made.name, made.type]));
    expect(types).toEqual(Object.fromEntries(columns.map((made) => [made.name, database.dialect.ddl.readBackType(made)])));
    expect(types).toMatchObject({ a_hash: 'string', a_csv: 'text', a_decimal: 'decimal', a_timestamp: 'timestamp' });
    expect(read.columns.find((made) => made.name === 'a_string')).toMatchObject({ maxLength: 255 });
    expect(read.columns.find((made) => made.name === 'a_decimal')).toMatchObject({ precision: 10, scale: 5 });
  });

  it('refuses geometry without PostGIS and types it does not know with a 400', async () => {
    await expect(steps(create('shapes', [key, spec('shape', 'geometry.Point')]))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('PostGIS'),
    });
    await expect(steps(create('shapes', [key, spec('shape', 'unknown')]))).rejects.toMatchObject({ status: 400 });
  });

  it('creates keys, defaults, indexes, comments and foreign keys', async () => {
    await apply(
      create(
        'full',
        [
          key,
          spec('title', 'string', {
            maxLength: 40,
            nullable: false,
            default: { kind: 'literal', value: "it's \\ 100%" },
            comment: "it's a title",
          }),
          spec('code', 'string', { maxLength: 9, unique: true }),
          spec('count', 'integer', { default: { kind: 'literal', value: -3 }, indexed: true }),
          spec('live', 'boolean', { default: { kind: 'literal', value: false } }),
          spec('made', 'timestamp', { default: { kind: 'now' } }),
          spec('token', 'uuid', { default: { kind: 'expression', text: 'gen_random_uuid()' } }),
          spec('twice', 'integer', { generationExpression: '"count" * 2' }),
          spec('parent', 'integer'),
        ],
        {
          comment: "it's full",
          uniques: [['title', 'code']],
          foreignKeys: [
            {
              name: 'full_parent',
              columns: ['parent'],
              foreignSchema: null,
              foreignTable: 'full',
              foreignColumns: ['id'],
              onDelete: 'SET NULL',
              onUpdate: 'NO ACTION',
            },
          ],
        },
      ),
    );
    const made = await table('full');
    expect(made).toMatchObject({
      comment: "it's full",
      primaryKey: ['id'],
      foreignKeys: [{ name: 'full_parent', columns: ['parent'], onDelete: 'SET NULL' }],
    });
    expect(
      made.columns.map(({ name, default: text }) => [name, text?.kind ?? null, text?.kind === 'counter' ? null : (text?.value ?? null)]),
    ).toEqual([
      ['id', 'counter', null],
      ['title', 'literal', "it's \\ 100%"],
      ['code', null, null],
      ['count', 'literal', -3],
      ['live', 'literal', false],
      ['made', 'expression', 'CURRENT_TIMESTAMP'],
      ['token', 'expression', 'gen_random_uuid()'],
      ['twice', null, null],
      ['parent', null, null],
    ]);
    expect(made.columns.filter((each) => each.unique).map((each) => each.name)).toEqual(['id', 'code']);
    expect(made.columns.filter((each) => each.indexed).map((each) => each.name)).toEqual(['id', 'title', 'code', 'count']);
    expect(made.columns.find((each) => each.name === 'title')).toMatchObject({ nullable: false, comment: "it's a title" });
    expect(made.columns.find((each) => each.name === 'twice')).toMatchObject({ generated: true, generationExpression: '(count * 2)' });
  });

  it('creates composite keys, and tables in a schema that does not exist yet', async () => {
    const parts = [spec('a', 'integer', { nullable: false, primaryKey: true }), spec('b', 'uuid', { nullable: false, primaryKey: true })];
    await apply(create('pairs', parts, { table: { schema: 'apart', name: 'pairs' }, primaryKey: ['b', 'a'] }));
    expect((await table('pairs', 'apart')).primaryKey).toEqual(['b', 'a']);
    await apply({ kind: 'drop-table', table: { schema: 'apart', name: 'pairs' } });
  });

  it('quotes every name and refuses NUL', async () => {
    const evil = `x"; DROP TABLE "full"; --`;
    await apply(
      create(evil, [
        key,
        spec(evil, 'text', { unique: true, comment: evil, default: { kind: 'literal', value: `'; DROP TABLE "full"; --` } }),
      ]),
    );
    expect(await column(evil, evil)).toMatchObject({ unique: true, comment: evil, default: { value: `'; DROP TABLE "full"; --` } });
    await apply({ kind: 'drop-table', table: { schema: null, name: evil } });
    expect((await table('full')).name).toBe('full');
    await expect(steps(create('nul\0', [key]))).rejects.toMatchObject({ status: 400 });
  });

  it('keeps derived names apart and within 63 bytes', async () => {
    const long = 'ä'.repeat(30);
    await apply(create(long, [key, spec(`${long}1`, 'text', { unique: true }), spec(`${long}2`, 'text', { unique: true })]));
    await apply(create('a_b', [key, spec('c', 'text', { unique: true })]), create('a', [key, spec('b_c', 'text', { unique: true })]));
    const names = [...(await table(long)).indexes, ...(await table('a_b')).indexes, ...(await table('a')).indexes].map(
      (index) => index.name,
    );
    expect(new Set(names).size).toBe(7);
    expect(names.every((name) => Buffer.byteLength(name) <= 63)).toBe(true);
  });
});

describe('changing a column', () => {
  const alter = (to: ColumnSpec, name = 'changing'): StructureChange => ({
    kind: 'alter-column',
    table: { schema: null, name },
    column: to,
  });
  const add = (made: ColumnSpec): StructureChange => ({ kind: 'add-column', table: { schema: null, name: 'changing' }, column: made });
  const drop = (name: string): StructureChange => ({ kind: 'drop-column', table: { schema: null, name: 'changing' }, column: name });

  beforeAll(async () => {
    await apply(create('changing', [key]));
    await database.run('INSERT INTO changing DEFAULT VALUES');
  });

  it('changes nothing if nothing differs', async () => {
    const wanted = spec('same', 'string', {
      maxLength: 20,
      default: { kind: 'literal', value: "a'b" },
      unique: true,
      indexed: true,
      comment: 'c',
      nullable: false,
    });
    await apply(add(wanted));
    expect(await steps(alter(wanted))).toEqual([]);
    await apply(drop('same'));
  });

  it('keeps the exact type if the type in the service stays the same', async () => {
    await database.run(
      "CREATE TYPE colour AS ENUM ('red')",
      'CREATE TABLE foreign_types (id smallint, data jsonb, colour colour, words text[])',
    );
    for (const [name, type] of [
      ['id', 'integer'],
      ['data', 'json'],
      ['colour', 'string'],
      ['words', 'unknown'],
    ] as const) {
      expect(await steps(alter(spec(name, type, { maxLength: name === 'colour' ? 255 : null }), 'foreign_types'))).toEqual([]);
    }
  });

  it.each([
    ['string', 'integer', "'42'", '42'],
    ['integer', 'string', '42', '42'],
    ['integer', 'boolean', '2', 'true'],
    ['boolean', 'bigInteger', 'true', '1'],
    ['boolean', 'float', 'false', '0'],
    ['bigInteger', 'boolean', '0', 'false'],
    ['float', 'decimal', '1.5', '1.50000'],
    ['dateTime', 'date', "'2024-02-29 10:00:00'", '2024-02-29'],
    ['timestamp', 'time', "'2024-02-29 10:00:00Z'", '10:00:00'],
    ['date', 'timestamp', "'2024-02-29'", '2024-02-29 00:00:00+00'],
    ['text', 'json', `'{"a":1}'`, '{"a":1}'],
    ['json', 'text', `'[1]'`, '[1]'],
    ['json', 'integer', "'7'", '7'],
    ['string', 'uuid', "'8d7f2e0a-0000-4000-8000-000000000001'", '8d7f2e0a-0000-4000-8000-000000000001'],
    ['uuid', 'string', "'8d7f2e0a-0000-4000-8000-000000000001'", '8d7f2e0a-0000-4000-8000-000000000001'],
    ['csv', 'string', "'a,b'", 'a,b'],
  ] as const)('casts %s to %s', async (from, to, stored, expected) => {
    const shape = { maxLength: 60, precision: 10, scale: 5 };
    await apply(add(spec('cast', from, shape)));
    await database.run(`UPDATE changing SET "cast" = ${stored}`);
    await apply(alter(spec('cast', to, shape)));
    expect(await value('SELECT "cast"::text FROM changing')).toBe(expected);
    expect((await column('changing', 'cast')).type).toBe(to);
    await apply(drop('cast'));
  });

  it('refuses a cast that values do not allow, and changes nothing', async () => {
    await apply(add(spec('word', 'string', { maxLength: 10, default: { kind: 'literal', value: 'abc' } })));
    await expect(apply(alter(spec('word', 'integer')))).rejects.toMatchObject({ kind: 'invalid-value' });
    expect(await column('changing', 'word')).toMatchObject({ type: 'string', default: { value: 'abc' } });
    await expect(apply(alter(spec('word', 'string', { maxLength: 2, default: { kind: 'literal', value: 'abc' } })))).rejects.toMatchObject({
      kind: 'too-long',
    });
    await apply(drop('word'));
  });

  it('carries a default through a change of type', async () => {
    await apply(add(spec('number', 'string', { maxLength: 10, default: { kind: 'literal', value: '5' } })));
    await apply(alter(spec('number', 'integer', { default: { kind: 'literal', value: 5 } })));
    expect(await column('changing', 'number')).toMatchObject({ type: 'integer', default: { kind: 'literal', value: 5 } });
    await apply(drop('number'));
  });

  it('sets and drops NOT NULL, default, unique, index and comment', async () => {
    await apply(add(spec('field', 'integer')));
    await expect(apply(alter(spec('field', 'integer', { nullable: false })))).rejects.toMatchObject({
      kind: 'not-null',
      columns: ['field'],
    });
    await database.run('UPDATE changing SET field = 1');
    const full = spec('field', 'integer', { nullable: false, default: { kind: 'literal', value: 1 }, unique: true, comment: 'c' });
    await apply(alter(full));
    expect(await column('changing', 'field')).toMatchObject({ nullable: false, default: { value: 1 }, unique: true, comment: 'c' });
    await apply(alter(spec('field', 'integer', { indexed: true })));
    expect(await column('changing', 'field')).toMatchObject({ nullable: true, default: null, unique: false, indexed: true, comment: null });
    await apply(alter(spec('field', 'integer')));
    expect(await column('changing', 'field')).toMatchObject({ indexed: false });
    await apply(drop('field'));
  });

  it('drops a unique index that is not a constraint', async () => {
    await apply(add(spec('bare', 'integer')));
    await database.run('CREATE UNIQUE INDEX "bare index" ON changing (bare)');
    await apply(alter(spec('bare', 'integer')));
    expect(await column('changing', 'bare')).toMatchObject({ unique: false, indexed: false });
    await apply(drop('bare'));
  });

  it('refuses a unique constraint over duplicate values', async () => {
    await apply(add(spec('doubled', 'integer', { default: { kind: 'literal', value: 1 } })));
    await database.run('INSERT INTO changing DEFAULT VALUES');
    await expect(apply(alter(spec('doubled', 'integer', { default: { kind: 'literal', value: 1 }, unique: true })))).rejects.toMatchObject({
      kind: 'unique',
    });
    await apply(drop('doubled'));
  });

  it('refuses to change the key of a table or a generation expression with a 400', async () => {
    await expect(steps(alter(spec('id', 'integer', { nullable: false })))).rejects.toMatchObject({ status: 400 });
    await expect(steps(alter({ ...key, autoIncrement: false, generationExpression: '1' }))).rejects.toMatchObject({ status: 400 });
  });
});

describe('counters', () => {
  it('continue after explicit keys, and never go back', async () => {
    await apply(create('counted', [key, spec('name', 'text')]));
    await database.run("INSERT INTO counted (id, name) VALUES (41, 'chosen')", continueCounter({ schema: null, name: 'counted' }, 'id'));
    await database.run("INSERT INTO counted (name) VALUES ('next')");
    expect(await value('SELECT max(id) FROM counted')).toBe(42);
    await database.run(
      'DELETE FROM counted WHERE id > 5',
      continueCounter({ schema: null, name: 'counted' }, 'id'),
      "INSERT INTO counted (name) VALUES ('later')",
    );
    expect(await value('SELECT max(id) FROM counted')).toBe(43);
  });

  it('are added to existing values, and dropped', async () => {
    const change = (column: ColumnSpec): StructureChange => ({ kind: 'alter-column', table: { schema: null, name: 'gaining' }, column });
    await apply(create('gaining', [{ ...key, autoIncrement: false }]));
    await database.run('INSERT INTO gaining VALUES (7)');
    await apply(change(key));
    await database.run('INSERT INTO gaining DEFAULT VALUES');
    expect(await value('SELECT max(id) FROM gaining')).toBe(8);
    await apply(change({ ...key, autoIncrement: false }));
    expect(await column('gaining', 'id')).toMatchObject({ autoIncrement: false, default: null });
  });
});

describe('relations, indexes and dropping', () => {
  const at = { schema: null, name: 'many' };

  it('adds and drops foreign keys and indexes by name', async () => {
    await apply(create('one', [key]), create('many', [key, spec('one', 'integer'), spec('rank', 'integer')]));
    const foreignKey = {
      name: 'many_one_foreign',
      columns: ['one'],
      foreignSchema: null,
      foreignTable: 'one',
      foreignColumns: ['id'],
      onDelete: 'CASCADE',
      onUpdate: 'RESTRICT',
    } as const;
    await apply(
      { kind: 'add-foreign-key', table: at, foreignKey },
      { kind: 'create-index', table: at, name: 'many_ranks', columns: ['one', 'rank'], unique: true },
    );
    expect(await table('many')).toMatchObject({ foreignKeys: [{ name: 'many_one_foreign', onDelete: 'CASCADE', onUpdate: 'RESTRICT' }] });
    expect((await table('many')).indexes).toContainEqual({ name: 'many_ranks', columns: ['one', 'rank'], unique: true, partial: false });
    await expect(apply({ kind: 'drop-table', table: { schema: null, name: 'one' } })).rejects.toMatchObject({ kind: 'restrict' });
    await apply({ kind: 'drop-foreign-key', table: at, foreignKey }, { kind: 'drop-index', table: at, name: 'many_ranks' });
    expect(await table('many')).toMatchObject({ foreignKeys: [], indexes: [{ name: 'many_pkey' }] });
  });

  it('drops columns, tables and views', async () => {
    await database.run('CREATE VIEW seen AS SELECT 1 AS a', 'CREATE MATERIALIZED VIEW kept AS SELECT 1 AS a');
    await apply({ kind: 'drop-column', table: at, column: 'rank' });
    expect((await table('many')).columns.map((each) => each.name)).toEqual(['id', 'one']);
    await apply(...['many', 'one', 'seen', 'kept'].map((name): StructureChange => ({ kind: 'drop-table', table: { schema: null, name } })));
    const names = (await introspect()).tables.map((each) => each.name);
    expect(names.filter((name) => ['many', 'one', 'seen', 'kept'].includes(name))).toEqual([]);
  });
});
