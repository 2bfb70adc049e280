import { describe, expect, it } from 'vitest';
import { leastTime } from '../../../../test/harness/least-time.js';
import { Bytes } from './bytes.js';
import { coerceValue } from './coerce-value.js';
import type { CoerceMode, Misfit, ValueFacts } from './coerced.js';
import { noFacts } from './coerced.js';
import { columnTypes, type FieldType } from './field-type.js';

/** The canonical value, or the reason in brackets. */
function coerce(type: FieldType, value: unknown, facts: Partial<ValueFacts> = {}, mode: CoerceMode = 'write'): unknown {
  const coerced = coerceValue(type, value, { ...noFacts, ...facts }, mode);
  return coerced.ok ? coerced.value : `<${coerced.reason}>`;
}

const misfit = (reason: Misfit): string => `<${reason}>`;

describe('coerceValue', () => {
  it.each<[FieldType, unknown, unknown]>([
    ['string', 'a', 'a'],
    ['string', '', ''],
    ['string', '  spaced  ', '  spaced  '],
    ['string', 42, '42'],
    ['string', { a: [1] }, '{"a":[1]}'],
    ['string', 'a\u0000b', misfit('text')],
    ['text', '\ud800', misfit('text')],
    ['text', 'a\udc00b', misfit('text')],
    ['text', '👋', '👋'],
    ['string', undefined, misfit('type')],
    ['integer', 0, 0],
    ['integer', -0, 0],
    ['integer', '123', 123],
    ['integer', '+5', 5],
    ['integer', 2147483647, 2147483647],
    ['integer', 2147483648, misfit('range')],
    ['integer', '99999999999', misfit('range')],
    ['integer', '9'.repeat(5000), misfit('range')],
    ['integer', 1.5, misfit('type')],
    ['integer', '1.5', misfit('type')],
    ['integer', '12abc', misfit('type')],
    ['integer', '0x10', misfit('type')],
    ['integer', '', misfit('type')],
    ['integer', true, misfit('type')],
    ['integer', {}, misfit('type')],
    ['integer', Number.NaN, misfit('type')],
    ['integer', Number.POSITIVE_INFINITY, misfit('type')],
    ['bigInteger', '9223372036854775807', 9223372036854775807n],
    ['bigInteger', '9223372036854775808', misfit('range')],
    ['bigInteger', '-9223372036854775808', -9223372036854775808n],
    ['bigInteger', 9007199254740991, 9007199254740991n],
    ['bigInteger', 9007199254740992, misfit('range')],
    ['bigInteger', '9007199254740993', 9007199254740993n],
    ['float', '2.75', 2.75],
    ['float', -0, 0],
    ['float', '1e400', misfit('range')],
    ['float', 'NaN', misfit('type')],
    ['float', 'Infinity', misfit('type')],
    ['float', Number.NaN, misfit('type')],
    ['float', '1,5', misfit('type')],
    ['float', '', misfit('type')],
    ['decimal', 12.345, '12.345'],
    ['decimal', '12.3450', '12.345'],
    ['decimal', '-0.00', '0'],
    ['decimal', '007', '7'],
    ['decimal', '1e3', '1000'],
    ['decimal', 1e21, '1000000000000000000000'],
    ['decimal', 1e-7, '0.0000001'],
    ['decimal', '.5', '0.5'],
    ['decimal', `0.1${'0'.repeat(29)}1`, `0.1${'0'.repeat(29)}1`],
    ['decimal', 0.1 + 0.2, misfit('range')],
    ['decimal', '1,5', misfit('type')],
    ['decimal', '1e9999', misfit('range')],
    ['boolean', true, true],
    ['boolean', 0, false],
    ['boolean', '1', true],
    ['boolean', 'yes', misfit('type')],
    ['boolean', 2, misfit('type')],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '2024-02-29T23:30:00', '2024-02-29'],
    ['date', '2024-02-29T23:30:00-05:00', '2024-02-29'],
    ['date', '2024-02-30', misfit('type')],
    ['date', '2024-13-45', misfit('type')],
    ['date', '0000-00-00', misfit('type')],
    ['date', '0000-01-01', misfit('type')],
    ['date', '+010000-01-01', misfit('type')],
    ['date', 'infinity', misfit('type')],
    ['date', 20240229, misfit('type')],
    ['time', '13:45:10', '13:45:10'],
    ['time', '13:45', '13:45:00'],
    ['time', '13:45:10.5', '13:45:10.500'],
    ['time', '24:00', misfit('type')],
    ['time', '23:59:60', misfit('type')],
    ['dateTime', '2024-03-10T02:30:00', '2024-03-10T02:30:00.000'],
    ['dateTime', '2024-03-10 02:30:00Z', '2024-03-10T02:30:00.000'],
    ['dateTime', '2024-03-10', '2024-03-10T00:00:00.000'],
    ['dateTime', '2024-03-10T02:30:00.1234567', '2024-03-10T02:30:00.123'],
    ['dateTime', 'not a date', misfit('type')],
    ['dateTime', '2024-03-10T25:00:00', misfit('type')],
    ['timestamp', '2024-03-10T02:30:00+02:00', '2024-03-10T00:30:00.000Z'],
    ['timestamp', '2024-03-10T02:30:00.456Z', '2024-03-10T02:30:00.456Z'],
    ['timestamp', '2024-03-10T02:30:00', '2024-03-10T02:30:00.000Z'],
    ['timestamp', '2024-12-31T23:30-0130', '2025-01-01T01:00:00.000Z'],
    ['timestamp', '0050-01-01T00:00:00+01:00', '0049-12-31T23:00:00.000Z'],
    ['timestamp', '0001-01-01T00:00:00+01:00', misfit('type')],
    ['timestamp', '9999-12-31T23:59:59-01:00', misfit('type')],
    ['timestamp', '2024-03-10T02:30:00+99:00', misfit('type')],
    ['timestamp', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['timestamp', new Date(Number.NaN), misfit('type')],
    ['timestamp', 0, misfit('type')],
    ['json', { a: [1, { b: null }] }, '{"a":[1,{"b":null}]}'],
    ['json', '{"k":"v"}', '{"k":"v"}'],
    ['json', false, 'false'],
    ['json', 'not json', misfit('type')],
    ['json', { a: 'x\u0000' }, misfit('text')],
    ['json', ['\ud800'], misfit('text')],
    ['json', ['\\u0000', '👋'], '["\\\\u0000","👋"]'],
    ['csv', ['a', 1, 'c'], 'a,1,c'],
    ['csv', 'x,y', 'x,y'],
    ['csv', [], ''],
    ['csv', ['a,b'], misfit('type')],
    ['csv', [null], misfit('type')],
    ['csv', { a: 1 }, misfit('type')],
    ['uuid', '7D444840-9DC0-41D1-B245-5FFDCE74FAD2', '7d444840-9dc0-41d1-b245-5ffdce74fad2'],
    ['uuid', '7d4448409dc041d1b2455ffdce74fad2', misfit('type')],
    ['uuid', 5, misfit('type')],
    ['binary', '\\x0aff', new Bytes([10, 255])],
    ['binary', 'Cv8=', new Bytes([10, 255])],
    ['binary', '\\x0', misfit('type')],
    ['binary', 'no base64!', misfit('type')],
    ['geometry', { type: 'Point', coordinates: [1, 2], extra: 1 }, '{"type":"Point","coordinates":[1,2]}'],
    [
      'geometry.Polygon',
      '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}',
      '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}',
    ],
    [
      'geometry.Point',
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
      misfit('type'),
    ],
    ['geometry', { type: 'Point', coordinates: ['1', 2] }, misfit('type')],
    [
      'geometry',
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
      '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}',
    ],
    ['geometry', 'POINT(1 2)', misfit('type')],
    ['alias', 1, misfit('type')],
    ['hash', 'secret', 'secret'],
    ['unknown', 'anything', 'anything'],
  ])('%s: %o gives %o', (type, value, expected) => {
    expect(coerce(type, value)).toEqual(expected);
  });

  it('takes null for every type', () => {
    expect(coerce('integer', null)).toBeNull();
    expect(coerce('json', null)).toBeNull();
  });

  it('counts characters and not code units, and only of what is written', () => {
    expect(coerce('string', 'xxxxxxxxxxx', { maxLength: 10 })).toBe(misfit('length'));
    expect(coerce('string', '👋'.repeat(10), { maxLength: 10 })).toBe('👋'.repeat(10));
    expect(coerce('csv', ['aaaa', 'bbbb'], { maxLength: 5 })).toBe(misfit('length'));
    expect(coerce('hash', 'x'.repeat(300), { maxLength: 255 })).toHaveLength(300);
    expect(coerce('string', 'xxxxxxxxxxx', { maxLength: 10 }, 'operand')).toBe('xxxxxxxxxxx');
  });

  it('bounds numbers by the column', () => {
    expect(coerce('integer', 32768, { precision: 16 })).toBe(misfit('range'));
    expect(coerce('integer', 4294967295, { range: { min: 0n, max: 4294967295n } })).toBe(4294967295);
    expect(coerce('decimal', '12345678.90', { precision: 10, scale: 2 })).toBe('12345678.9');
    expect(coerce('decimal', '123456789', { precision: 10, scale: 2 })).toBe(misfit('range'));
    expect(coerce('decimal', '1.005', { precision: 10, scale: 2 })).toBe(misfit('range'));
    expect(coerce('decimal', '1.005', { precision: 10, scale: 2 }, 'operand')).toBe('1.005');
    expect(coerce('decimal', '0.99', { precision: 2, scale: 2 })).toBe('0.99');
  });

  it('reads operands with blanks around numbers, moments as times, and no structures as text', () => {
    expect(coerce('integer', ' 3', {}, 'operand')).toBe(3);
    expect(coerce('time', '2024-01-01T13:45:10.500Z', {}, 'operand')).toBe('13:45:10.500');
    expect(coerce('string', { a: 1 }, {}, 'operand')).toBe(misfit('type'));
    expect(coerce('string', true, {}, 'operand')).toBe('true');
  });

  it('refuses JSON that is nested too deeply, as text or not', () => {
    expect(coerce('json', `${'['.repeat(101)}${']'.repeat(101)}`)).toBe(misfit('range'));
    expect(coerce('json', JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`))).toBe(misfit('range'));
  });

  it.each(columnTypes)('D07: no text keeps %s busy', (type) => {
    // Long enough to tell quadratic from linear time, short enough to end in either case.
    const length = 100_000;
    for (const text of ['0', '1', 'a', 'A', ' ', '.', '-', '\\', '[', '{"a":', '\\u'])
      for (const end of ['', 'x', '!'])
        for (const mode of ['write', 'operand'] as const) {
          const value = text.repeat(length / text.length) + end;
          expect(
            leastTime(() => coerceValue(type, value, noFacts, mode), 50),
            `${text}…${end}`,
          ).toBeLessThan(50);
        }
  });
});
