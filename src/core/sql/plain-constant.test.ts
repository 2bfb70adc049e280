import { describe, expect, it } from 'vitest';
import { postgresSyntax } from '../../dialects/postgres/sql/syntax.js';
import type { ColumnType } from '../schema/types/field-type.js';
import { render } from './sql.js';

const textOf = (value: unknown, type: ColumnType): string =>
  render(postgresSyntax.param({ kind: 'rule', value }, type, null), (index) => postgresSyntax.placeholder(index)).text;

describe('constants of a plan', () => {
  it.each([
    ['published', 'string', "'published'::text"],
    ['', 'string', "''::text"],
    [true, 'boolean', 'TRUE::boolean'],
    [7, 'integer', '7::bigint'],
    [-5, 'integer', '(-5)::bigint'],
  ] as const)('%j as %s stands in the text', (value, type, text) => {
    expect(textOf(value, type)).toBe(text);
  });

  it.each([
    ["it's", 'string'],
    ['back\\slash', 'string'],
    ['$CURRENT_USER', 'string'],
    ['ünïcode', 'string'],
    ['x'.repeat(61), 'string'],
    ['not a number', 'integer'],
    [null, 'string'],
    [1.5, 'float'],
    [['a'], 'string'],
  ] as const)('%j as %s is a parameter', (value, type) => {
    expect(textOf(value, type)).toMatch(/^\$1/);
  });
});
