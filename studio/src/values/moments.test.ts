import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controlText, printMoment, readMoment } from './moments.js';

const tags = ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'sv-SE', 'ja-JP', 'ko-KR', 'ar-SA', 'ar-EG', 'fa-IR', 'th-TH', 'hu-HU', 'nl-NL'];

const two = (most: number, least = 0) => fc.integer({ min: least, max: most }).map((value) => String(value).padStart(2, '0'));
const date = fc
  .tuple(fc.integer({ min: 1, max: 9999 }), two(12, 1), two(28, 1))
  .map(([year, month, day]) => `${String(year).padStart(4, '0')}-${month}-${day}`);
const fraction = fc.stringMatching(/^(\.\d{0,5}[1-9])?$/);
const time = fc.tuple(two(23), two(59), two(59), fraction).map(([hour, minute, second, digits]) => `${hour}:${minute}:${second}${digits}`);
const dateTime = fc.tuple(date, time).map(([day, at]) => `${day}T${at}`);

describe('moments as people write them', () => {
  it.each(tags)('are read back as they are printed, to the last digit: %s', (tag) => {
    const again = (type: string, value: string) => readMoment(type, printMoment(type, value, { tag }), { tag });
    fc.assert(
      fc.property(date, time, dateTime, (day, at, both) => {
        expect(again('date', day)).toEqual({ value: day, fault: null });
        expect(again('time', at)).toEqual({ value: at, fault: null });
        expect(again('dateTime', both)).toEqual({ value: both, fault: null });
      }),
    );
  });

  it('of a zone are shown in that of the person, and stored in UTC', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fraction, (milliseconds, digits) => {
        const second = new Date(milliseconds - (milliseconds % 1000)).toISOString().slice(0, 19);
        const { value } = readMoment('timestamp', printMoment('timestamp', `${second}${digits}Z`, { tag: 'de-DE' }), { tag: 'de-DE' });
        // An hour that comes twice a year is that before or after the clocks change.
        expect(Math.abs(Date.parse(String(value)) - Date.parse(`${second}${digits}Z`)) % 3_600_000).toBe(0);
        expect(/\.(\d+)Z$/.exec(String(value))?.[1]?.replace(/0+$/, '')).toBe(digits.slice(1));
      }),
    );
  });

  it.each([
    ['dateTime', '2024-05-06T07:08:09.123456', 'en-US', '05/06/2024 7:08:09.123456 AM'],
    ['dateTime', '2024-05-06 19:08:00', 'en-US', '05/06/2024 7:08 PM'],
    ['dateTime', '2024-05-06T07:08:09.120000', 'de-DE', '06.05.2024 07:08:09.12'],
    ['date', '2024-05-06', 'ar-SA', '06/05/2024'],
    ['date', '2024-05-06', 'sv-SE', '2024-05-06'],
    ['date', '-0044-03-15', 'en-US', '-0044-03-15'],
    ['dateTime', 'infinity', 'en-US', 'infinity'],
    ['time', '07:08:00', 'en-US', '7:08 AM'],
    ['time', '07:08:09+02', 'de-DE', '07:08:09+02'],
    ['date', null, 'en-US', ''],
  ])('a %s of %j is written in %s as its people do', (type, value, tag, text) => {
    expect(printMoment(type, value, { tag: String(tag) })).toBe(text);
  });

  it.each([
    ['en-US', 'date', '1/31/2026', '2026-01-31'],
    ['de-DE', 'date', '31.1.2026', '2026-01-31'],
    ['de-DE', 'date', '2026-01-31', '2026-01-31'],
    ['ja-JP', 'date', '2026/1/31', '2026-01-31'],
    ['de-DE', 'date', '31.01.2026 00:00', '2026-01-31'],
    ['de-DE', 'date', '31.01.2026 10:00', null],
    ['en-US', 'date', '01/31', null],
    ['en-US', 'date', '01/31/26', null],
    ['en-US', 'date', '2026-02-30', null],
    ['en-US', 'date', '0131', null],
    ['en-US', 'date', 'infinity', 'infinity'],
    ['en-US', 'dateTime', '1/31/2026, 2:05 pm', '2026-01-31T14:05:00'],
    ['en-US', 'dateTime', '1/31/2026 12:05 AM', '2026-01-31T00:05:00'],
    ['en-US', 'dateTime', '1/31/2026 14:05', '2026-01-31T14:05:00'],
    ['de-DE', 'dateTime', '31.01.2026 24:00', null],
    ['de-DE', 'dateTime', '31.01.2026', '2026-01-31T00:00:00'],
    ['de-DE', 'time', '9:30', '09:30:00'],
    ['de-DE', 'time', 'noon', null],
    ['de-DE', 'timestamp', '2026-01-31T14:05:00.123456Z', '2026-01-31T14:05:00.123456Z'],
  ])('in %s, as %s: %j', (tag, type, text, value) => {
    expect(readMoment(type, text, { tag })).toEqual(value === null ? { value: text, fault: 'moment' } : { value, fault: null });
  });

  it('begin in a calendar where they are, as far as it can hold them', () => {
    expect(controlText('dateTime', '2024-05-06T07:08:09.123456')).toBe('2024-05-06T07:08:09.123');
    expect(controlText('date', '2024-05-06')).toBe('2024-05-06');
    expect(controlText('time', '07:08')).toBe('07:08:00');
    expect([controlText('date', 'infinity'), controlText('date', null)]).toEqual(['', '']);
  });
});
