import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDialect, rows, run, type TestDialect } from '../../../../test/harness/mysql-dialect.js';
import { column, create, key, named, reference } from '../../../../test/harness/structure-changes.js';
import type { RawColumn, RawDatabase, RawTable } from '../../../core/schema/raw.js';
import { type ColumnType, columnTypes } from '../../../core/schema/types/field-type.js';
import type { ColumnSpec, DdlStep, StructureChange } from '../../../core/vendor/ddl.js';
import { parseServer } from '../types/server.js';
import { createDdl } from './ddl.js';

let test: TestDialect;

beforeAll(async () => {
  test = await openTestDialect('mysql_ddl');
});
afterAll(() => test.end());

const introspect = (): Promise<RawDatabase> => test.dialect.introspect(test.dialect.driver);

async function tableNow(name: string): Promise<RawTable> {
  const found = (await introspect()).tables.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no table ${name}`);
  return found;
}

async function columnNow(table: string, name: string): Promise<RawColumn> {
  const found = (await tableNow(table)).columns.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no column ${name}`);
  return found;
}

/** Plans all changes from the present structure, so they must not depend on each other. */
async function apply(...changes: readonly StructureChange[]): Promise<readonly DdlStep[]> {
  const before = await introspect();
  const steps = changes.flatMap((change) => test.dialect.ddl.steps(change, before));
  for (const { text } of steps) await run(test.dialect.driver, text);
  return steps;
}

async function finish(steps: readonly DdlStep[]): Promise<void> {
  for (const step of steps) if (step.finish !== undefined) await run(test.dialect.driver, step.finish);
}

/** Applies the changes, undoes them and compares the whole structure, then applies them again. */
async function applyAndUndo(...changes: readonly StructureChange[]): Promise<void> {
  const before = await withoutEstimates();
  for (const { undo } of (await apply(...changes)).toReversed()) {
    if (undo === null) throw new Error('cannot be taken back');
    await run(test.dialect.driver, undo);
  }
  expect(await withoutEstimates()).toEqual(before);
  await apply(...changes);
}

const withoutEstimates = async () => (await introspect()).tables.map((table) => ({ ...table, estimatedRows: null }));

describe('types', () => {
  const makeable = columnTypes.filter((type) => type !== 'unknown');

  it('read back as they were created, added or changed to', async () => {
    await applyAndUndo(create('everything', [key, ...makeable.map((type) => column(`c_${type}`, type))]));
    const table = named('everything');
    await apply(...makeable.map((type): StructureChange => ({ kind: 'add-column', table, column: column(`a_${type}`, type) })));
    await apply(create('changing', [key, ...makeable.map((type) => column(`m_${type}`, 'string'))]));
    await apply(
      ...makeable.map((type): StructureChange => ({ kind: 'alter-column', table: named('changing'), column: column(`m_${type}`, type) })),
    );
    const columns = [...(await tableNow('everything')).columns, ...(await tableNow('changing')).columns];
    for (const { name, type } of columns.filter((candidate) => candidate.name !== 'id')) {
      const asked = makeable.find((candidate) => name.endsWith(`_${candidate}`));
      expect(type, name).toBe(test.dialect.ddl.readBackType(column(name, asked ?? 'unknown')));
    }
    expect(columns.filter(({ maxLength }) => maxLength !== null).map(({ dataType }) => dataType)).toEqual(
      expect.arrayContaining(['varchar']),
    );
    expect(columns.every(({ dataType, maxLength }) => maxLength === null || dataType === 'varchar' || dataType === 'char')).toBe(true);
  });

  it('keep length, precision and scale', async () => {
    await apply(
      create('sized', [
        key,
        column('s', 'string', { maxLength: 77 }),
        column('d', 'decimal', { precision: 20, scale: 6 }),
        column('b', 'binary', { maxLength: 16 }),
        column('e', 'decimal'),
      ]),
    );
    expect(await columnNow('sized', 's')).toMatchObject({ maxLength: 77 });
    expect(await columnNow('sized', 'd')).toMatchObject({ precision: 20, scale: 6 });
    expect(await columnNow('sized', 'e')).toMatchObject({ precision: 10, scale: 5 });
    expect(await columnNow('sized', 'b')).toMatchObject({ dataType: 'varbinary', maxLength: null });
  });

  it('keep milliseconds, and do not renew a timestamp on update', async () => {
    await apply(create('times', [key, column('t', 'timestamp', { nullable: false }), column('d', 'dateTime'), column('n', 'integer')]));
    await run(test.dialect.driver, "INSERT INTO times (t, d) VALUES ('2024-02-29 12:00:00.123', '2024-02-29 12:00:00.456')");
    await run(test.dialect.driver, 'UPDATE times SET n = 1');
    expect(await rows(test.dialect.driver, 'SELECT t, d FROM times')).toEqual([['2024-02-29 12:00:00.123', '2024-02-29 12:00:00.456']]);
  });

  it('compare text byte by byte and without padding, in existing tables as well', async () => {
    await run(test.dialect.driver, 'CREATE TABLE found_latin (id INT PRIMARY KEY) CHARACTER SET latin1');
    await apply({ kind: 'add-column', table: named('found_latin'), column: column('s', 'string', { unique: true }) });
    await run(test.dialect.driver, "INSERT INTO found_latin VALUES (1, 'a'), (2, 'A'), (3, 'á'), (4, 'a '), (5, '\u{1F600}')");
    expect(await rows(test.dialect.driver, "SELECT id FROM found_latin WHERE s = 'a'")).toEqual([[1]]);
    expect((await tableNow('sized')).vendor).toMatchObject({ engine: 'InnoDB', collation: 'utf8mb4_nopad_bin' });
  });

  it('store uuids as text if the server has no type for them', () => {
    const ddl = createDdl(() => parseServer('8.0.36'));
    const [step] = ddl.steps({ kind: 'add-column', table: named('t'), column: column('u', 'uuid') }, { tables: [] });
    expect(step?.text).toBe('ALTER TABLE `t` ADD COLUMN `u` char(36) COLLATE utf8mb4_0900_bin NULL');
  });
});

describe('defaults', () => {
  const literal = (value: string | number | boolean) => ({ kind: 'literal', value }) as const;
  const cases: readonly (readonly [string, ColumnType, string | number | boolean, unknown])[] = [
    ['text', 'text', 'it\'s \\ "x"\n`?', 'it\'s \\ "x"\n`?'],
    ['string', 'string', 'current_timestamp', 'current_timestamp'],
    ['empty', 'string', '', ''],
    ['unicode', 'string', '\u{1F600}\\', '\u{1F600}\\'],
    ['integer', 'integer', -5, -5],
    ['big', 'bigInteger', '9223372036854775807', '9223372036854775807'],
    ['decimal', 'decimal', '1.50000', '1.50000'],
    ['float', 'float', 0.1, 0.1],
    ['yes', 'boolean', true, true],
    ['no', 'boolean', 'false', false],
    ['json', 'json', '{"a":"b\\"c"}', '{"a":"b\\"c"}'],
    ['date', 'date', '2020-02-29', '2020-02-29'],
    ['csv', 'csv', 'a,b', 'a,b'],
  ];

  it('read back as the value given and are restated by a change', async () => {
    await apply(create('defaulted', [key, ...cases.map(([name, type, value]) => column(name, type, { default: literal(value) }))]));
    const expected = cases.map(([name, , , value]) => [name, { kind: 'literal', value }]);
    const present = async () => (await tableNow('defaulted')).columns.filter((candidate) => candidate.name !== 'id');
    expect((await present()).map((candidate) => [candidate.name, candidate.default])).toEqual(expected);
    const tighten = ([name, type, value]: (typeof cases)[number]): StructureChange => ({
      kind: 'alter-column',
      table: named('defaulted'),
      column: column(name, type, { default: literal(value), nullable: false }),
    });
    await applyAndUndo(...cases.map(tighten));
    expect((await present()).map((candidate) => [candidate.name, candidate.default])).toEqual(expected);
    expect((await present()).some((candidate) => candidate.nullable)).toBe(false);
  });

  it('of the clock fit the type', async () => {
    const types = ['date', 'time', 'dateTime', 'timestamp', 'string'] as const;
    await apply(create('clocks', [key, ...types.map((type) => column(type, type, { default: { kind: 'now' } }))]));
    for (const type of types) expect((await columnNow('clocks', type)).default).toEqual({ kind: 'expression', value: 'CURRENT_TIMESTAMP' });
    await apply({
      kind: 'alter-column',
      table: named('clocks'),
      column: column('timestamp', 'timestamp', { default: { kind: 'expression', text: 'CURRENT_TIMESTAMP' }, nullable: false }),
    });
    expect(await columnNow('clocks', 'timestamp')).toMatchObject({
      nullable: false,
      default: { kind: 'expression', value: 'CURRENT_TIMESTAMP' },
    });
    await run(test.dialect.driver, 'INSERT INTO clocks () VALUES ()');
  });

  it('of a new column fill existing rows', async () => {
    await apply(create('filled', [key]));
    await run(test.dialect.driver, 'INSERT INTO filled () VALUES (), ()');
    await apply({ kind: 'add-column', table: named('filled'), column: column('n', 'integer', { default: literal(7), nullable: false }) });
    expect(await rows(test.dialect.driver, 'SELECT n FROM filled')).toEqual([[7], [7]]);
  });

  it('may be expressions of the catalogue', async () => {
    await apply({
      kind: 'add-column',
      table: named('filled'),
      column: column('u', 'uuid', { default: { kind: 'expression', text: 'uuid()' } }),
    });
    expect((await columnNow('filled', 'u')).default).toEqual({ kind: 'expression', value: 'uuid()' });
  });
});

describe('tables', () => {
  it('have keys, uniques, indexes, comments and references', async () => {
    await apply(create('owners', [key]));
    await applyAndUndo(
      create(
        'pets',
        [
          key,
          column('owner', 'integer', { indexed: true }),
          column('chip', 'string', { unique: true, comment: "it's \\ a chip" }),
          column('bio', 'text', { indexed: true }),
          column('name', 'string'),
        ],
        {
          foreignKeys: [reference('owner', 'owners')],
          uniques: [['owner', 'name']],
          comment: 'Tiere: "ä" \\',
        },
      ),
    );
    const pets = await tableNow('pets');
    expect(pets).toMatchObject({
      comment: 'Tiere: "ä" \\',
      primaryKey: ['id'],
      foreignKeys: [{ name: 'owner_owners_foreign', columns: ['owner'], onDelete: 'SET NULL', onUpdate: 'NO ACTION' }],
    });
    expect(pets.columns.map(({ name, unique, indexed, comment }) => [name, unique, indexed, comment])).toEqual([
      ['id', true, true, null],
      ['owner', false, true, null],
      ['chip', true, true, "it's \\ a chip"],
      ['bio', false, true, null],
      ['name', false, false, null],
    ]);
  });

  it('continue counting after an explicit key', async () => {
    await run(test.dialect.driver, 'INSERT INTO owners VALUES (41)');
    expect(await rows(test.dialect.driver, 'INSERT INTO owners () VALUES () RETURNING id')).toEqual([[42]]);
  });

  it('may have a composite key and strange names', async () => {
    const name = 'we`ird "name\' \\ ?';
    await applyAndUndo(
      create(
        name,
        [
          column('a`b', 'string', { nullable: false, maxLength: 20 }),
          column('order', 'integer', { nullable: false, default: { kind: 'literal', value: 1 } }),
        ],
        { primaryKey: ['order', 'a`b'] },
      ),
    );
    expect(await tableNow(name)).toMatchObject({ primaryKey: ['order', 'a`b'] });
    await apply({ kind: 'drop-table', table: named(name) });
    expect((await introspect()).tables.some((table) => table.name === name)).toBe(false);
  });

  it('cut long names of keys to the length that the server allows', async () => {
    const long = 'l'.repeat(60);
    const owner = reference('owner', 'owners', { name: `${long}_owner_foreign` });
    await applyAndUndo(
      create(long, [key, column(long, 'integer', { unique: true }), column('owner', 'integer')], {
        foreignKeys: [owner],
      }),
    );
    const made = await tableNow(long);
    expect(made.indexes.every(({ name }) => name.length <= 64)).toBe(true);
    await applyAndUndo({ kind: 'drop-foreign-key', table: named(long), foreignKey: owner });
    expect((await tableNow(long)).foreignKeys).toEqual([]);
  });

  it('may have generated columns', async () => {
    await applyAndUndo(create('sums', [key, column('a', 'integer'), column('b', 'integer', { generationExpression: '`a` * 2' })]));
    expect(await columnNow('sums', 'b')).toMatchObject({ generated: true, generationExpression: '`a` * 2' });
    await applyAndUndo({
      kind: 'alter-column',
      table: named('sums'),
      column: column('b', 'integer', { generationExpression: '`a` * 3', comment: 'threefold' }),
    });
    expect(await columnNow('sums', 'b')).toMatchObject({ generationExpression: '`a` * 3', comment: 'threefold' });
  });

  it('are dropped in two steps, the first of which can be undone', async () => {
    await apply(create('lost', [key, column('a', 'integer'), column('b', 'integer')], { uniques: [['a', 'b']] }));
    await run(test.dialect.driver, 'INSERT INTO lost (a, b) VALUES (1, 2), (1, 3)');
    await applyAndUndo({ kind: 'drop-column', table: named('lost'), column: 'b' });
    expect((await columnNow('lost', 'a')).unique).toBe(false);
    await applyAndUndo({ kind: 'drop-table', table: named('lost') });
    expect((await introspect()).tables.some((table) => table.name === 'lost')).toBe(false);
  });

  it('leave nothing behind when they are finally dropped', async () => {
    await apply(create('gone', [key, column('a', 'json'), column('b', 'integer')], { uniques: [['b', 'id']] }));
    const tables = (await introspect()).tables.length;
    for (const name of ['a', 'b']) await finish(await apply({ kind: 'drop-column', table: named('gone'), column: name }));
    expect((await tableNow('gone')).columns.map(({ name }) => name)).toEqual(['id']);
    await finish(await apply({ kind: 'drop-table', table: named('gone') }));
    expect((await introspect()).tables.length).toBe(tables - 1);
  });
});

describe('altering a column', () => {
  it('restates properties that the service does not know', async () => {
    await run(
      test.dialect.driver,
      "CREATE TABLE legacy (id INT PRIMARY KEY, n INT(8) UNSIGNED ZEROFILL NOT NULL DEFAULT 3 COMMENT 'old', k ENUM('a', 'b''c') COLLATE utf8mb4_bin DEFAULT 'a', t TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, h INT INVISIBLE DEFAULT 1, j LONGTEXT CHECK (JSON_VALID(j) AND LENGTH(j) > 2), w VARCHAR(20) CHARACTER SET latin1 DEFAULT CONCAT('a', 'b'), v VARCHAR(9) AS (CONCAT(k, '!')) VIRTUAL)",
    );
    const before = await tableNow('legacy');
    const asIs = (name: string): ColumnSpec => {
      const raw = before.columns.find((candidate) => candidate.name === name);
      if (raw === undefined) throw new Error(name);
      const value = raw.default;
      const spec =
        value === null || value.kind === 'counter'
          ? null
          : value.kind === 'literal'
            ? ({ kind: 'literal', value: value.value } as const)
            : ({ kind: 'expression', text: String(value.value) } as const);
      return { ...raw, default: spec };
    };
    const comment = (name: string): StructureChange => ({
      kind: 'alter-column',
      table: named('legacy'),
      column: { ...asIs(name), comment: 'new' },
    });
    await applyAndUndo(...['n', 'k', 't', 'h', 'j', 'w', 'v'].map(comment));
    const expected = before.columns.map((candidate) => (candidate.name === 'id' ? candidate : { ...candidate, comment: 'new' }));
    expect((await tableNow('legacy')).columns).toEqual(expected);
  });

  it('changes length, nullability, uniqueness and index, and all of it back', async () => {
    await apply(create('altered', [key, column('s', 'string', { maxLength: 20 })]));
    const change = (more: Partial<ColumnSpec>): StructureChange => ({
      kind: 'alter-column',
      table: named('altered'),
      column: column('s', 'string', more),
    });
    await applyAndUndo(change({ maxLength: 40, nullable: false, unique: true }));
    expect(await columnNow('altered', 's')).toMatchObject({ maxLength: 40, nullable: false, unique: true });
    await applyAndUndo(change({ maxLength: 40, indexed: true }));
    expect(await columnNow('altered', 's')).toMatchObject({ nullable: true, unique: false, indexed: true });
    await applyAndUndo(change({}));
    expect(await columnNow('altered', 's')).toMatchObject({ maxLength: 40, unique: false, indexed: false });
  });

  it('does nothing when nothing changes', async () => {
    await apply({ kind: 'alter-column', table: named('altered'), column: column('s', 'string', { maxLength: 40 }) });
    expect(await apply({ kind: 'alter-column', table: named('altered'), column: column('s', 'string', { maxLength: 40 }) })).toEqual([]);
  });

  it('refuses a column that does not exist and another primary key', async () => {
    const facts = await introspect();
    const steps = (spec: ColumnSpec) => () =>
      test.dialect.ddl.steps({ kind: 'alter-column', table: named('altered'), column: spec }, facts);
    expect(steps(column('nope', 'string'))).toThrow('does not exist');
    expect(steps(column('s', 'string', { primaryKey: true }))).toThrow('primary key');
  });

  it('refuses nulls and duplicates that are stored', async () => {
    await run(test.dialect.driver, "INSERT INTO altered (s) VALUES (NULL), ('x'), ('x')");
    const change = (more: Partial<ColumnSpec>): StructureChange => ({
      kind: 'alter-column',
      table: named('altered'),
      column: column('s', 'string', more),
    });
    await expect(apply(change({ unique: true }))).rejects.toMatchObject({ kind: 'unique' });
    await expect(apply(change({ nullable: false }))).rejects.toMatchObject({ kind: 'not-null', columns: ['s'] });
  });
});

describe('keys', () => {
  it('that refer to other tables are added and dropped with their index', async () => {
    await apply(create('visits', [key, column('owner', 'integer')]));
    const table = named('visits');
    const foreignKey = reference('owner', 'owners', { name: 'visitor', onDelete: 'CASCADE' });
    await applyAndUndo({ kind: 'add-foreign-key', table, foreignKey });
    expect((await tableNow('visits')).foreignKeys).toMatchObject([{ name: 'visitor', onDelete: 'CASCADE' }]);
    await applyAndUndo({ kind: 'drop-foreign-key', table, foreignKey });
    expect(await tableNow('visits')).toMatchObject({ foreignKeys: [], indexes: [{ name: 'PRIMARY' }] });
  });

  it.each([
    ['BIGINT UNSIGNED', 'integer'],
    ['CHAR(36) CHARACTER SET latin1', 'uuid'],
    ['VARCHAR(80) COLLATE utf8mb4_general_ci', 'string'],
  ] as const)('fit a referred column of type %s', async (sqlType, type) => {
    const name = `old_${type}`;
    await run(test.dialect.driver, `CREATE TABLE ${name} (id ${sqlType} PRIMARY KEY)`);
    await applyAndUndo(create(`${name}_a`, [key, column('r', type)], { foreignKeys: [reference('r', name, { name: `${name}_a` })] }));
    await apply(create(`${name}_b`, [key, column('r', type)]));
    await applyAndUndo({ kind: 'add-foreign-key', table: named(`${name}_b`), foreignKey: reference('r', name, { name: `${name}_b` }) });
    expect((await tableNow(`${name}_b`)).foreignKeys).toHaveLength(1);
  });

  it('between columns of different types are refused as foreign keys', async () => {
    await apply(create('misfit', [key, column('r', 'date')]));
    await expect(
      apply({ kind: 'add-foreign-key', table: named('misfit'), foreignKey: reference('r', 'owners', { name: 'misfit' }) }),
    ).rejects.toMatchObject({ kind: 'foreign-key' });
  });

  it('that are indexes are created and dropped', async () => {
    const table = named('misfit');
    await applyAndUndo({ kind: 'create-index', table, name: 'several', columns: ['r', 'id'], unique: true });
    expect((await tableNow('misfit')).indexes).toContainEqual({ name: 'several', columns: ['r', 'id'], unique: true, partial: false });
    await applyAndUndo({ kind: 'drop-index', table, name: 'several' });
    expect((await tableNow('misfit')).indexes).toHaveLength(1);
  });
});
