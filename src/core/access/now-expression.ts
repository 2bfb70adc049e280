// `$NOW` with an adjustment: `$NOW(-1 day)`, `$NOW(+10 years)`, `$NOW(3)` (days). Months and years are added in UTC, and the day is capped
// to the length of the month.

import { invalidQuery } from '../errors/service-error.js';
import { daysIn } from '../schema/types/coerce-time.js';

/** The runs of spaces are bounded because two unbounded runs next to each other would match in quadratic time. */
const adjustment = /^([+-]?)\s{0,9}(\d{1,9}(?:\.\d{1,3})?)\s{0,9}([a-z]{0,20})$/i;

const milliseconds = { ms: 1, second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
const calendarMonths = { month: 1, year: 12 } as const;

const units: Readonly<Record<string, keyof typeof milliseconds | keyof typeof calendarMonths>> = {
  '': 'day',
  ms: 'ms',
  msec: 'ms',
  millisecond: 'ms',
  s: 'second',
  sec: 'second',
  second: 'second',
  m: 'minute',
  min: 'minute',
  minute: 'minute',
  h: 'hour',
  hr: 'hour',
  hour: 'hour',
  d: 'day',
  day: 'day',
  w: 'week',
  week: 'week',
  mo: 'month',
  mon: 'month',
  month: 'month',
  y: 'year',
  yr: 'year',
  year: 'year',
};

/** Returns ISO text in UTC. `text` is the part between the brackets. */
export function adjustNow(now: Date, text: string): string {
  const match = adjustment.exec(text.trim());
  const unit = match ? findUnit((match[3] ?? '').toLowerCase()) : undefined;
  if (!match || unit === undefined) throw invalidQuery(`"$NOW(${text.slice(0, 40)})" is not an adjustment such as "$NOW(-1 day)".`);
  const amount = Number(match[2]) * (match[1] === '-' ? -1 : 1);
  return formatMoment(
    unit === 'month' || unit === 'year'
      ? addMonths(now, amount * calendarMonths[unit])
      : new Date(now.getTime() + amount * milliseconds[unit]),
  );
}

function findUnit(name: string): (typeof units)[string] | undefined {
  if (Object.hasOwn(units, name)) return units[name];
  const singular = name.endsWith('s') ? name.slice(0, -1) : name;
  return Object.hasOwn(units, singular) ? units[singular] : undefined;
}

function addMonths(from: Date, months: number): Date {
  if (!Number.isInteger(months)) throw invalidQuery('Months and years have to be whole.');
  const total = from.getUTCFullYear() * 12 + from.getUTCMonth() + months;
  const year = Math.floor(total / 12);
  const month = total - year * 12;
  const moved = new Date(from);
  moved.setUTCFullYear(year, month, Math.min(from.getUTCDate(), daysIn(year, month + 1)));
  return moved;
}

function formatMoment(moment: Date): string {
  const year = moment.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw invalidQuery('"$NOW(…)" leaves the years 1 to 9999.');
  return moment.toISOString();
}
