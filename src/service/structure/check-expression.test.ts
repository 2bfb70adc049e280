import { describe, expect, it } from 'vitest';
import { checkExpression } from './check-expression.js';

describe('expressions of generated columns', () => {
  it.each(['a * 2', '(a + b) / 2', "first || ' ' || last", `coalesce("A b", 'x;--')`, '`a` + 1', "json_extract(doc, '$.a')"])(
    'may be %s',
    (text) => {
      expect(checkExpression(text)).toBe(text);
    },
  );

  it.each([
    '',
    '1) STORED; drop table x; --',
    '1; select 2',
    "'a",
    '(a',
    'a)',
    ')(',
    'a -- b',
    'a /* b */',
    'a # b',
    "E'\\''",
    '$$a$$',
    'a\0',
    '[a',
  ])('may not be %j', (text) => {
    expect(() => checkExpression(text)).toThrow(/An expression must be/);
  });
});
