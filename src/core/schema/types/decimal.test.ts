import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, parseDecimal, significantDigits } from './decimal.js';

const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }));
const write = ([digits, scale]: readonly [bigint, number]): string => parseDecimal(`${digits}e-${scale}`) ?? '';

describe('decimals', () => {
  it('compare as the numbers they stand for', () => {
    fc.assert(
      fc.property(decimal, decimal, (left, right) => {
        const [a, b] = [left[0] * 10n ** BigInt(20 - left[1]), right[0] * 10n ** BigInt(20 - right[1])];
        expect(Math.sign(compareDecimals(write(left), write(right)))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(write(left) === write(right)).toBe(a === b);
      }),
    );
  });

  it('have one spelling per value', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        expect(parseDecimal(write(value))).toBe(write(value));
      }),
    );
  });

  it('count digits that matter', () => {
    expect(significantDigits('0.00120')).toBe(2);
    expect(significantDigits('1200')).toBe(2);
    expect(significantDigits('-12.5')).toBe(3);
  });
});
