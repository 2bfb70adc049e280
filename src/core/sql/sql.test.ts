import { expect, it } from 'vitest';
import { postgresSyntax } from '../../dialects/postgres/sql/syntax.js';
import { join, render, sql, trusted } from './sql.js';

const table = (name: string, schema: string | null = null) => postgresSyntax.table({ schema, name });

it('a statement knows the tables it names, each once, in their order', () => {
  const inner = sql`SELECT 1 FROM ${table('b', 'archive')} WHERE ${join([sql`EXISTS (SELECT 1 FROM ${table('c')})`, trusted('1=1')], ' AND ')}`;
  const { text, tables } = render(sql`SELECT * FROM ${table('a')} JOIN ${table('b')} ON (${inner})`, postgresSyntax.placeholder);
  expect(tables).toEqual(['a', 'b', 'c']);
  expect(text).toBe('SELECT * FROM "a" JOIN "b" ON (SELECT 1 FROM "archive"."b" WHERE EXISTS (SELECT 1 FROM "c") AND 1=1)');
});

it('names that are no tables are none', () => {
  expect(sql`SELECT ${postgresSyntax.identifier('a')} FROM x`.tables).toEqual([]);
});
