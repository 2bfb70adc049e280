// Dates and times. Only real days of the years 1 to 9999 and real times of day; a date never shifts by a zone; without a zone a
// timestamp is UTC. Fractions are kept to the millisecond.

import { type Coerced, type CoerceMode, fits, misfit } from './coerced.js';

interface Moment {
  readonly date: string;
  /** `HH:MM:SS` */
  readonly time: string;
  /** Milliseconds, in three digits. */
  readonly fraction: string;
  /** Minutes east of UTC; null: no zone given. */
  readonly zone: number | null;
}

const momentText = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;
const timeText = /^(\d\d):(\d\d)(?::(\d\d))?(?:\.(\d{1,9}))?$/;

export function coerceDate(value: unknown): Coerced {
  const moment = readMoment(value);
  return moment === null ? misfit('type', 'has to be a date such as 2024-02-29') : fits(moment.date);
}

/** An operand may be a whole moment (`$NOW`): its time of day counts. */
export function coerceTime(value: unknown, mode: CoerceMode): Coerced {
  const moment = mode === 'operand' ? readMoment(value) : null;
  const time = moment === null ? readTime(value) : withFraction(moment.time, moment.fraction);
  return time === null ? misfit('type', 'has to be a time such as 13:45:10') : fits(time);
}

export function coerceDateTime(value: unknown): Coerced {
  const iso = readInstant(value);
  return iso === null ? misfit('type', 'has to be a date and time such as 2024-02-29T13:45:10') : fits(iso.slice(0, -1));
}

export function coerceTimestamp(value: unknown): Coerced {
  const iso = readInstant(value);
  return iso === null ? misfit('type', 'has to be a moment such as 2024-02-29T13:45:10Z') : fits(iso);
}

/** As ISO text in UTC with milliseconds. */
function readInstant(value: unknown): string | null {
  const moment = readMoment(value);
  if (moment === null) return null;
  const iso = `${moment.date}T${moment.time}.${moment.fraction}Z`;
  if (moment.zone === null || moment.zone === 0) return iso;
  const shifted = new Date(Date.parse(iso) - moment.zone * 60_000).toISOString();
  return shifted.length === iso.length && !shifted.startsWith('0000') ? shifted : null;
}

function readMoment(value: unknown): Moment | null {
  const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
  const match = typeof text === 'string' ? momentText.exec(text) : null;
  if (!match) return null;
  const [, year = '', month = '', day = '', clock = '00:00:00', fraction = '', zone] = match;
  const time = checkTime(clock);
  const offset = zone === undefined ? null : readZone(zone);
  if (time === null || offset === 'invalid' || !isDay(Number(year), Number(month), Number(day))) return null;
  return { date: `${year}-${month}-${day}`, time, fraction: milliseconds(fraction), zone: offset };
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

function readTime(value: unknown): string | null {
  const match = typeof value === 'string' ? timeText.exec(value) : null;
  if (!match) return null;
  const [, hour = '', minute = '', second = '00', fraction = ''] = match;
  const time = checkTime(`${hour}:${minute}:${second}`);
  return time === null ? null : withFraction(time, milliseconds(fraction));
}

/** As `HH:MM:SS`; null for no time of day (24:00, leap seconds). */
function checkTime(clock: string): string | null {
  const time = clock.length === 5 ? `${clock}:00` : clock;
  const valid = time.slice(0, 2) < '24' && time.slice(3, 5) < '60' && time.slice(6) < '60';
  return valid ? time : null;
}

const noFraction = '000';
const milliseconds = (digits: string): string => (digits === '' ? noFraction : digits.slice(0, 3).padEnd(3, '0'));
const withFraction = (time: string, fraction: string): string => (fraction === noFraction ? time : `${time}.${fraction}`);
