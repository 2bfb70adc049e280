import { expect, it } from 'vitest';
import { mysqlSyntax } from '../../dialects/mysql/sql/syntax.js';
import { postgresSyntax } from '../../dialects/postgres/sql/syntax.js';
import type { PendingKey } from '../sql/pending-key.js';
import { empty, sql } from '../sql/sql.js';
import type { Syntax } from '../sql/syntax.js';
import { written } from '../sql/written.js';
import { type InsertedValues, type InsertForm, InsertTextCache } from './insert-text-cache.js';
import { KeyBatch } from './key-batch.js';

const formOf = (syntax: Syntax) => (): InsertForm => ({
  columns: ['who', 'what', 'whom'],
  head: sql`INSERT `,
  cell: (_column, value) => syntax.param(written(value), 'string', null),
  end: empty,
});

const insert = (syntax: Syntax, inserted: InsertedValues, kept = new InsertTextCache()) =>
  kept.statement(syntax, '', formOf(syntax), inserted);

const rows = [
  ['a', 'eve'],
  ['b', 'bob'],
];
const common = ['ann'];

it('binds what is common once, where placeholders have numbers', () => {
  const { text, values } = insert(postgresSyntax, { common, rows });
  expect(text).toMatch(/^INSERT \(\$1\S*, \$2\S*, \$3\S*\), \(\$1\S*, \$4\S*, \$5\S*\)$/);
  expect(values).toEqual(['ann', 'a', 'eve', 'b', 'bob']);
});

it('binds it in every row elsewhere', () => {
  expect(insert(mysqlSyntax, { common, rows }).values).toEqual(['ann', 'a', 'eve', 'ann', 'b', 'bob']);
});

it('distinguishes pending keys from other values, and by their batch', () => {
  const kept = new InsertTextCache();
  const late = (place: number): PendingKey => new KeyBatch(place, 1).key(0);
  const lateRows = (place: number) => [
    [late(place), 'eve'],
    ['b', late(place)],
  ];
  expect(insert(postgresSyntax, { common, rows }, kept).values).toHaveLength(5);
  for (const place of [0, 1]) {
    const { text, values } = insert(postgresSyntax, { common, rows: lateRows(place) }, kept);
    const counter = `current_setting\\('tain.keys${place}'\\)\\S*`;
    expect(text).toMatch(new RegExp(`^INSERT \\(\\$1\\S*, ${counter}, \\$2\\S*\\), \\(\\$1\\S*, \\$3\\S*, ${counter}\\)$`));
    expect(values).toEqual(['ann', 'eve', 'b']);
  }
  expect(insert(postgresSyntax, { common, rows }, kept).values).toHaveLength(5);
});
