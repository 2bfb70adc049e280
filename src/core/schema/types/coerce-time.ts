// Dates and times. Only real days of the years 1 to 9999 and real times of day are accepted. A date is never shifted by a zone; a timestamp
// without a zone is UTC. Fractions of a second are kept as far as the column keeps them. Canonical texts have at least milliseconds, and
// further digits only when they are not zero, so that the order of the texts is the order of time.

import { type Coerced, type CoerceMode, fits, misfit, type ValueFacts } from './coerced.js';

interface Moment {
  readonly date: string;
  /** `HH:MM:SS` */
  readonly time: string;
  /** The digits of the fraction as sent. */
  readonly fraction: string;
  /** Minutes east of UTC; null: no zone given. */
  readonly zone: number | null;
}

const momentText = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;
const timeText = /^(\d\d):(\d\d)(?::(\d\d))?(?:\.(\d{1,9}))?$/;

export function coerceDate(value: unknown): Coerced {
  const moment = readMoment(value);
  return moment === null ? misfit('type', 'date') : fits(moment.date);
}

/** An operand may be a date and time (`$NOW`), of which the time of day is compared. */
export function coerceTime(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const digits = digitsOf(facts, mode);
  const moment = mode === 'operand' ? readMoment(value) : null;
  const time = moment === null ? readTime(value, digits) : withFraction(moment.time, cutFraction(moment.fraction, digits));
  return time === null ? misfit('type', 'time') : fits(time);
}

export function coerceDateTime(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const iso = readInstant(value, digitsOf(facts, mode));
  return iso === null ? misfit('type', 'date_time') : fits(iso.slice(0, -1));
}

export function coerceTimestamp(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const iso = readInstant(value, digitsOf(facts, mode));
  return iso === null ? misfit('type', 'moment') : fits(iso);
}

/** The most fractional digits that any vendor keeps. */
const maxDigits = 6;

const digitsOf = ({ fraction }: ValueFacts, mode: CoerceMode): number => (mode === 'operand' ? maxDigits : (fraction ?? 3));

/** Returns ISO text in UTC. */
function readInstant(value: unknown, digits: number): string | null {
  const moment = readMoment(value);
  if (moment === null) return null;
  const fraction = cutFraction(moment.fraction, digits);
  if (moment.zone === null || moment.zone === 0) return `${moment.date}T${moment.time}.${fraction}Z`;
  const shifted = new Date(Date.parse(`${moment.date}T${moment.time}Z`) - moment.zone * 60_000).toISOString();
  return shifted.length === isoLength && !shifted.startsWith('0000') ? `${shifted.slice(0, 19)}.${fraction}Z` : null;
}

/** The length of ISO text for the years 0 to 9999; later years are written longer. */
const isoLength = '2024-02-29T13:45:10.000Z'.length;

function readMoment(value: unknown): Moment | null {
  const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
  const match = typeof text === 'string' ? momentText.exec(text) : null;
  if (!match) return null;
  const [, year = '', month = '', day = '', clock = '00:00:00', fraction = '', zone] = match;
  const time = checkTime(clock);
  const offset = zone === undefined ? null : readZone(zone);
  if (time === null || offset === 'invalid' || !isDay(Number(year), Number(month), Number(day))) return null;
  return { date: `${year}-${month}-${day}`, time, fraction, zone: offset };
}

function isDay(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

export function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function readZone(zone: string): number | 'invalid' {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 15 || minutes > 59) return 'invalid';
  return (hours * 60 + minutes) * (zone.startsWith('-') ? -1 : 1);
}

function readTime(value: unknown, digits: number): string | null {
  const match = typeof value === 'string' ? timeText.exec(value) : null;
  if (!match) return null;
  const [, hour = '', minute = '', second = '00', fraction = ''] = match;
  const time = checkTime(`${hour}:${minute}:${second}`);
  return time === null ? null : withFraction(time, cutFraction(fraction, digits));
}

/** Returns `HH:MM:SS`, or null for what is no time of day (24:00, leap seconds). */
function checkTime(clock: string): string | null {
  const time = clock.length === 5 ? `${clock}:00` : clock;
  const valid = time.slice(0, 2) < '24' && time.slice(3, 5) < '60' && time.slice(6) < '60';
  return valid ? time : null;
}

const noFraction = '000';

/** Truncates to `digits`, and pads to at least three. */
function cutFraction(fraction: string, digits: number): string {
  if (fraction === '') return noFraction;
  const milliseconds = fraction.slice(0, Math.min(digits, 3)).padEnd(3, '0');
  return milliseconds + fraction.slice(3, digits).replace(/0+$/, '');
}

const withFraction = (time: string, fraction: string): string => (fraction === noFraction ? time : `${time}.${fraction}`);
