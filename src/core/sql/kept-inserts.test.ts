import { expect, it } from 'vitest';
import { mysqlSyntax } from '../../dialects/mysql/syntax.js';
import { postgresSyntax } from '../../dialects/postgres/syntax.js';
import { type InsertForm, KeptInserts } from './kept-inserts.js';
import { Counter, LateValue } from './late-value.js';
import { empty, sql } from './sql.js';
import type { Syntax } from './syntax.js';
import { written } from './written.js';

const columns = ['who', 'what', 'whom'];

const formOf = (syntax: Syntax) => (): InsertForm => ({
  head: sql`INSERT `,
  cell: (_column, value) => syntax.param(written(value), 'string', null),
  end: empty,
});

const insert = (syntax: Syntax, rows: readonly (readonly unknown[])[], shares: boolean, kept = new KeptInserts()) =>
  kept.statement(syntax, columns, '', formOf(syntax), rows, { shares });

const rows = [
  ['ann', 'a', 'eve'],
  ['ann', 'b', 'eve'],
];

it('binds what is the same in all rows once, where placeholders have numbers', () => {
  const { text, values } = insert(postgresSyntax, rows, true);
  expect(text).toMatch(/^INSERT \(\$1\S*, \$2\S*, \$3\S*\), \(\$1\S*, \$4\S*, \$3\S*\)$/);
  expect(values).toEqual(['ann', 'a', 'eve', 'b']);
});

it('binds every value elsewhere, and where nobody says that rows share', () => {
  expect(insert(mysqlSyntax, rows, true).values).toEqual(rows.flat());
  expect(insert(postgresSyntax, rows, false).values).toEqual(rows.flat());
});

it('tells rows that share from rows that do not, and late values from others', () => {
  const kept = new KeptInserts();
  const late = new LateValue(new Counter(0, 1), 0);
  const others = [
    ['ann', 'a', 'eve'],
    ['bob', 'b', 'eve'],
  ];
  const lateRows = [
    [late, 'a', 'eve'],
    [late, 'b', 'eve'],
  ];
  expect(insert(postgresSyntax, rows, true, kept).values).toEqual(['ann', 'a', 'eve', 'b']);
  expect(insert(postgresSyntax, others, true, kept).values).toEqual(['ann', 'a', 'eve', 'bob', 'b']);
  const { text, values } = insert(postgresSyntax, lateRows, true, kept);
  expect(text).toMatch(
    /^INSERT \(current_setting\('tain.counter0'\)\S*, \$1\S*, \$2\S*\), \(current_setting\('tain.counter0'\)\S*, \$3\S*, \$2\S*\)$/,
  );
  expect(values).toEqual(['a', 'eve', 'b']);
});
