import { describe, expect, it } from 'vitest';
import { generationExpression, parseTableSource } from './table-source.js';

const clausesOf = (definition: string): readonly (readonly [string, string | null, string])[] =>
  parseTableSource(`CREATE TABLE t (${definition})`)?.columns[0]?.clauses.map(({ rule, name, text }) => [rule, name, text] as const) ?? [];

describe('parseTableSource', () => {
  it('parses columns, constraints and options', () => {
    const source = parseTableSource(`create table "a ""b""" ( -- head, with (brackets
      [x y] varchar ( 10 , 2 ) not null, \`z\` , 'quoted' text /* , */ default 'a,)(''',
      CONSTRAINT pk PRIMARY KEY ([x y], z), check (z in ('(', ','))
    ) WITHOUT ROWID, STRICT`);
    expect(source?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['x y', 'varchar ( 10 , 2 )'],
      ['z', ''],
      ['quoted', 'text'],
    ]);
    expect(source?.columns[2]?.clauses[0]?.text).toBe("default 'a,)('''");
    expect(source?.constraints.map(({ rule, name, columns }) => [rule, name, columns])).toEqual([
      ['primary key', 'pk', ['x y', 'z']],
      ['check', null, []],
    ]);
    expect(source?.options).toBe('WITHOUT ROWID, STRICT');
  });

  it('does not mistake words inside of a clause for another clause', () => {
    expect(clausesOf('a int DEFAULT NULL NULL')).toEqual([
      ['default', null, 'DEFAULT NULL'],
      ['null', null, 'NULL'],
    ]);
    expect(
      clausesOf('a int REFERENCES b (c) ON DELETE SET NULL ON UPDATE SET DEFAULT NOT DEFERRABLE INITIALLY IMMEDIATE NOT NULL'),
    ).toEqual([
      ['references', null, 'REFERENCES b (c) ON DELETE SET NULL ON UPDATE SET DEFAULT NOT DEFERRABLE INITIALLY IMMEDIATE'],
      ['not null', null, 'NOT NULL'],
    ]);
    expect(clausesOf('a INTEGER CONSTRAINT pk PRIMARY KEY ON CONFLICT REPLACE AUTOINCREMENT CONSTRAINT u UNIQUE')).toEqual([
      ['primary key', 'pk', 'CONSTRAINT pk PRIMARY KEY ON CONFLICT REPLACE AUTOINCREMENT'],
      ['unique', 'u', 'CONSTRAINT u UNIQUE'],
    ]);
    expect(clausesOf("a text COLLATE NOCASE DEFAULT ('x' || NULL) CHECK (a IS NOT NULL)").map(([rule]) => rule)).toEqual([
      'collate',
      'default',
      'check',
    ]);
  });

  it('finds generation expressions, long and short', () => {
    const expressions = parseTableSource(
      'CREATE TABLE t (a int, b int GENERATED ALWAYS AS ((a + 1) * 2) STORED, c AS (b) NOT NULL)',
    )?.columns.map(generationExpression);
    expect(expressions).toEqual([null, '(a + 1) * 2', 'b']);
  });

  it('returns null for what it cannot parse', () => {
    expect(parseTableSource('CREATE VIRTUAL TABLE t USING fts5(a)')).toBeNull();
  });
});
