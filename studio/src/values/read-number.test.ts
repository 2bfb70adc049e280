import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printNumber, readNumber, showNumber, trimDecimal } from './read-number.js';

const languages = ['en-US', 'de-DE', 'de-CH', 'fr-FR', 'en-IN', 'sv-SE', 'ar-EG', 'fa-IR', 'pt-PT'].map((tag) => ({
  tag,
  number: new Intl.NumberFormat(tag),
}));
const languageOf = (tag: string) => ({ number: new Intl.NumberFormat(tag) });
const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,39})$/).filter((text) => text !== '-0');
const decimal = fc.tuple(digits, fc.stringMatching(/^\d{1,20}$/)).map(([whole, fraction]) => `${whole}.${fraction}`);
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

it.each([
  ['en-US', '1234567.50000', 2, '1,234,567.50'],
  ['de-DE', '1234567.50000', 2, '1.234.567,50'],
  ['de-DE', '-0.125', 2, '-0,125'],
  ['en-US', 9.9, 2, '9.90'],
  ['en-US', 1234, 0, '1,234'],
  ['en-US', '12345678901234567890', 0, '12,345,678,901,234,567,890'],
  ['en-US', 'NaN', 2, 'NaN'],
  ['en-US', '1e+30', 0, '1e+30'],
])('in %s %j is shown with at least %i digits behind the decimal sign as %s', (tag, value, fewest, text) => {
  expect(showNumber(value, { number: new Intl.NumberFormat(tag) }, fewest)).toBe(text);
});

it.each([
  ['12.50000', 5, '12.50'],
  ['12.12345', 5, '12.12345'],
  [9.9, 2, '9.90'],
  ['7', 0, '7'],
  ['-3', 1, '-3.0'],
])('a decimal %j of %i digits is written as %s', (value, scale, text) => {
  expect(trimDecimal(value, scale)).toBe(text);
});

describe('numbers as people write them', () => {
  it.each(languages)('are read back as they are printed, to the last digit: $tag', (language) => {
    const again = (type: string, value: number | string) => readNumber(type, printNumber(value, language), language);
    fc.assert(
      fc.property(digits, decimal, double, fc.maxSafeInteger(), (whole, exact, float, integer) => {
        expect(again('bigInteger', whole)).toBe(whole);
        expect(again('decimal', exact)).toBe(exact);
        expect(again('float', float)).toBe(float);
        expect(again('integer', integer)).toBe(integer);
      }),
    );
  });

  it.each(languages)('are understood with the separators of the language: $tag', (language) => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(readNumber('integer', language.number.format(value), language)).toBe(value + 0);
      }),
    );
  });

  it.each<[string, string, string, number | string | null]>([
    ['de-DE', 'decimal', '12,5', '12.5'],
    ['de-DE', 'decimal', '12,50', '12.50'],
    ['de-DE', 'float', '12.5', 12.5],
    ['de-DE', 'decimal', '1.234.567,89', '1234567.89'],
    ['ar-SA-u-nu-latn', 'decimal', '١٬٢٣٤٫٥', '1234.5'],
    ['ar-SA-u-nu-latn', 'decimal', '1,234.5', '1234.5'],
    ['en-US', 'decimal', '1,5', null],
    ['en-US', 'decimal', '.5', '0.5'],
    ['en-US', 'decimal', '5.', '5'],
    ['en-US', 'float', '1e999', null],
    ['en-US', 'integer', '9007199254740993', null],
    ['en-US', 'integer', '1.5', null],
    ['en-US', 'bigInteger', '1.5', null],
    ['en-US', 'integer', '0x10', null],
    ['en-US', 'integer', '12 5', null],
    ['fr-FR', 'decimal', '1 234,5', '1234.5'],
    ['en-IN', 'integer', '12,34,567', 1_234_567],
    ['en-US', 'integer', '12,34,567', null],
    ['en-US', 'integer', '', null],
    ['en-US', 'float', '-', null],
  ])('in %s, as %s: %j', (tag, type, text, value) => {
    expect(readNumber(type, text, languageOf(tag))).toBe(value);
  });
});
