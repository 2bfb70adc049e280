import { describe, expect, it } from 'vitest';
import { readDefault } from '../catalogue/default-value.js';
import { convertValue } from '../driver/convert-value.js';
import { parseDeclaredType, readMaxLength, readPrecision, readType } from './column-types.js';

describe('declared types', () => {
  it.each([
    ['VARCHAR(30)', 'string', 30],
    ['character varying (30)', 'string', 30],
    ['CHAR(36)', 'uuid', 36],
    ['char(2)', 'string', 2],
    ['LONGTEXT', 'text', null],
    ['citext', 'text', null],
    ['INT', 'integer', null],
    ['int(11) unsigned', 'integer', null],
    ['UNSIGNED BIG INT', 'bigInteger', null],
    ['tinyint(1)', 'boolean', null],
    ['tinyint', 'integer', null],
    ['DOUBLE PRECISION', 'float', null],
    ['numeric', 'decimal', null],
    ['timestamp with time zone', 'timestamp', null],
    ['POINT', 'geometry.Point', null],
    ['varbinary(16)', 'binary', null],
    ['', 'unknown', null],
    ['money', 'unknown', null],
  ])('%s', (declared, type, maxLength) => {
    const parsed = parseDeclaredType(declared);
    expect([readType(parsed), readMaxLength(parsed)]).toEqual([type, maxLength]);
  });

  it('have precision and scale when they are decimals', () => {
    expect(readPrecision(parseDeclaredType('decimal(10)'))).toEqual({ precision: 10, scale: 0 });
    expect(readPrecision(parseDeclaredType('double(10,2)'))).toEqual({ precision: null, scale: null });
  });
});

describe('defaults', () => {
  it.each([
    ["'it''s'", 'string', 'literal', "it's"],
    ["'5'", 'string', 'literal', '5'],
    ["'5'", 'integer', 'literal', 5],
    ['"old"', 'text', 'literal', 'old'],
    ['+1.5e3', 'float', 'literal', 1500],
    ['9223372036854775807', 'bigInteger', 'literal', '9223372036854775807'],
    ['0', 'boolean', 'literal', false],
    ["x'00'", 'binary', 'expression', "x'00'"],
    ['current_timestamp', 'timestamp', 'expression', 'CURRENT_TIMESTAMP'],
    ["'a' || 'b'", 'text', 'expression', "'a' || 'b'"],
  ] as const)('%s', (text, type, kind, value) => {
    expect(readDefault(text, type)).toEqual({ kind, value });
  });

  it('that are NULL are none', () => {
    expect([readDefault('NULL', 'text'), readDefault('(null)', 'text'), readDefault(null, 'text')]).toEqual([null, null, null]);
  });
});

describe('convertValue', () => {
  it.each([
    ['12', 'string', 'integer', 12n],
    ['-1.5', 'decimal', 'integer', -2n],
    [1n, 'boolean', 'string', 'true'],
    [1.5, 'float', 'decimal', '1.5'],
    ['2024-01-02', 'date', 'timestamp', '2024-01-02 00:00:00.000'],
    ['2024-01-02 03:04:05.000', 'timestamp', 'date', '2024-01-02'],
    ['2024-01-02 03:04:05.000', 'timestamp', 'time', '03:04:05'],
    [null, 'string', 'integer', null],
    ['t', 'string', 'boolean', 1n],
  ] as const)('%s from %s to %s', (value, from, to, expected) => {
    expect(convertValue(value, from, to, 0)).toBe(expected);
  });

  it('refuses what does not fit', () => {
    expect(() => convertValue('many', 'string', 'float', 0)).toThrow('no float');
    expect(() => convertValue(2n ** 31n, 'bigInteger', 'integer', 0)).toThrow('out of range');
    expect(() => convertValue('{', 'string', 'json', 0)).toThrow('no json');
    expect(() => convertValue('äöü', 'string', 'string', 2)).toThrow('longer than 2');
  });
});
