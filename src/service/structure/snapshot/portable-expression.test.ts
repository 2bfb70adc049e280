import { describe, expect, it } from 'vitest';
import { isSameExpression, portableExpression } from './portable-expression.js';

describe('an expression in the spelling of a vendor', () => {
  it.each([
    ['(milliseconds / 1000)', 'milliseconds / 1000'],
    ['`milliseconds` DIV 1000', 'milliseconds / 1000'],
    ['(unit_price * (quantity)::numeric)', 'unit_price * quantity'],
    ['(a + b) * (c + d)', '(a + b) * (c + d)'],
    ['lower((name)::text)', 'lower(name)'],
    ['upper(name)', 'upper(name)'],
    ['"Net price" * 2', '"Net price" * 2'],
  ])('%s is %s', (text, portable) => {
    expect(portableExpression(text)).toBe(portable);
    expect(isSameExpression(text, portable)).toBe(true);
  });

  it('differs from another', () => {
    expect(isSameExpression('a * 2', 'a * 3')).toBe(false);
    expect(isSameExpression('a', null)).toBe(false);
    expect(isSameExpression(null, null)).toBe(true);
  });
});
