// Moments as people of a language write them, to the last digit. Forms, cells and filters print and read them here, and give them to the
// calendars of the browser, which know three digits of a second at most. Pure, imports no framework.

import { plainText } from '../schema/templates.js';
import type { Reading } from '../schema/typed.js';
import type { Language } from '../text/use-text.js';

const moments = new Set(['date', 'time', 'dateTime', 'timestamp']);
export const isMomentType = (type: string): boolean => moments.has(type);

type Tagged = Pick<Language, 'tag'>;

interface Writing {
  /** The order of year, month and day. */
  readonly order: readonly string[];
  readonly sign: string;
  /** Whether the day has two halves of twelve hours, named AM and PM. */
  readonly hasHalves: boolean;
}

const known = new Map<string, Writing>();

function writingOf({ tag }: Tagged): Writing {
  const found = known.get(tag);
  if (found !== undefined) return found;
  const format = new Intl.DateTimeFormat(tag, {
    ...{ calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: 'numeric' },
  });
  const parts = format.formatToParts(Date.UTC(2033, 10, 22, 15));
  const writing = {
    order: parts.map(({ type }) => type).filter((type) => type === 'year' || type === 'month' || type === 'day'),
    sign: parts.flatMap(({ type, value }) => (type === 'literal' ? (/[./-]/.exec(value) ?? []) : []))[0] ?? '-',
    hasHalves: parts.some(({ type, value }) => type === 'dayPeriod' && /^[ap]m$/i.test(value)),
  };
  known.set(tag, writing);
  return writing;
}

/** A moment in parts. A timestamp is taken apart in the zone of the person; the other types have none. */
interface Parts {
  readonly day: readonly [year: string, month: string, day: string] | null;
  /** `fraction`: the digits behind the second. */
  readonly time: { readonly hour: string; readonly minute: string; readonly second: string; readonly fraction: string } | null;
}

const day = String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)`;
const time = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d+))?)?`;
const shapes: Readonly<Record<string, RegExp>> = {
  date: new RegExp(`^${day}$`),
  time: new RegExp(`^${time}$`),
  dateTime: new RegExp(`^${day}[T ]${time}$`),
};

/** Null for what is none that people write: infinity, years before 1, zones of their own. */
function partsOf(type: string, value: unknown): Parts | null {
  const text = type === 'timestamp' ? localText(plainText(value)) : plainText(value);
  const found = shapes[type === 'timestamp' ? 'dateTime' : type]?.exec(text)?.groups;
  if (found === undefined) return null;
  const { year = '', month = '', day: dayOfMonth = '', hour, minute = '00', second = '00', fraction = '' } = found;
  return {
    day: year === '' ? null : [year, month, dayOfMonth],
    time: hour === undefined ? null : { hour, minute, second, fraction: fraction.replace(/0+$/, '') },
  };
}

/** With every digit of the second that the value has. What is no moment stays as it is. */
function localText(value: string): string {
  const moment = new Date(value);
  if (value === '' || Number.isNaN(moment.getTime())) return value;
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, -5);
  return local + (/:\d\d(\.\d+)/.exec(value)?.[1] ?? '');
}

/** What `readMoment` reads back. */
export function printMoment(type: string, value: unknown, language: Tagged): string {
  const parts = partsOf(type, value);
  if (parts === null) return plainText(value);
  const { order, sign, hasHalves } = writingOf(language);
  const [year = '', month = '', dayOfMonth = ''] = parts.day ?? [];
  const named: Readonly<Record<string, string>> = { year, month, day: dayOfMonth };
  const date = parts.day === null ? [] : [order.map((name) => named[name]).join(sign)];
  return [...date, ...(parts.time === null ? [] : [printTime(parts.time, hasHalves)])].join(' ');
}

function printTime({ hour, minute, second, fraction }: NonNullable<Parts['time']>, hasHalves: boolean): string {
  const rest = fraction === '' ? (second === '00' ? '' : `:${second}`) : `:${second}.${fraction}`;
  if (!hasHalves) return `${hour}:${minute}${rest}`;
  return `${Number(hour) % 12 || 12}:${minute}${rest} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}

/** What databases have besides, for them to judge: infinity, years with a sign or more than four digits. */
const beyond = /^([-+]?infinity|[-+]\d{4,}-\d\d-\d\d.*|\d{5,}-\d\d-\d\d.*|\d+-\d\d-\d\d.* BC)$/i;

/** ISO 8601, or day, month and year in the order of the language; with or without a time. A text that is none is kept as it was typed. */
export function readMoment(type: string, typed: string, language: Tagged): Reading {
  const text = typed.trim();
  if (text === '') return { value: null, fault: null };
  if (beyond.test(text)) return { value: text, fault: null };
  const value = type === 'time' ? readTime(text) : readDay(type, text, language);
  return value === null ? { value: typed, fault: 'moment' } : { value, fault: null };
}

function readDay(type: string, text: string, language: Tagged): string | null {
  const match = /^(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?(?:(?:T|,?\s+)(.+))?$/i.exec(text);
  if (match === null) return null;
  const [, first = '', sign = '', second = '', third = '', behind] = match;
  const date = dateOf(first, second, third, sign === '-' && first.length === 4 ? [] : writingOf(language).order);
  if (date === null) return null;
  const at = behind === undefined ? '00:00:00' : readTime(behind);
  if (at === null) return null;
  if (type === 'date') return /^00:00:00(\.0+)?$/.test(at) ? date : null;
  if (type !== 'timestamp') return `${date}T${at}`;
  return Number.isNaN(new Date(`${date}T${at}`).getTime()) ? null : exactMoment(`${date}T${at}`);
}

/** `YYYY-MM-DD`; null where the year is not written in four digits, or there is no such day. */
function dateOf(first: string, middle: string, last: string, order: readonly string[]): string | null {
  const isYearFirst = first.length === 4;
  if (isYearFirst === (last.length === 4)) return null;
  const isMonthFirst = isYearFirst || order.indexOf('month') < order.indexOf('day');
  const [one, other] = isYearFirst ? [middle, last] : [first, middle];
  const [month, dayOfMonth] = isMonthFirst ? [one, other] : [other, one];
  const date = new Date(0);
  date.setUTCFullYear(Number(isYearFirst ? first : last), Number(month) - 1, Number(dayOfMonth));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(dayOfMonth)) return null;
  return `${isYearFirst ? first : last}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
}

/** With seconds, every digit behind them, and the zone that it names. */
function readTime(text: string): string | null {
  const match = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:\s*([ap])\.?m\.?)?(Z|\s?[+-]\d\d(?::?\d\d)?)?$/i.exec(text.trim());
  if (match === null) return null;
  const [, hours = '', minute = '', second = '00', fraction, half, zone = ''] = match;
  const isHalved = half !== undefined;
  if (Number(hours) > (isHalved ? 12 : 23) || (isHalved && Number(hours) === 0) || Number(minute) > 59 || Number(second) > 59) return null;
  const hour = isHalved ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return `${String(hour).padStart(2, '0')}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}${zone.trim()}`;
}

/** In UTC, with every digit of the second that the text has. */
function exactMoment(text: string): string {
  const digits = /:\d\d\.(\d{4,})/.exec(text)?.[1];
  const utc = new Date(text).toISOString();
  return digits === undefined ? utc : utc.replace(/\.\d{3}Z$/, `.${digits}Z`);
}

/** The control of the browser that offers moments of a type. */
export const controlOf = (type: string): 'date' | 'time' | 'datetime-local' =>
  type === 'date' || type === 'time' ? type : 'datetime-local';

/** What such a control begins with; empty for what it cannot hold. */
export function controlText(type: string, value: unknown): string {
  const parts = partsOf(type, value);
  if (parts === null) return '';
  const { hour = '', minute = '', second = '', fraction = '' } = parts.time ?? {};
  const at = parts.time === null ? [] : [`${hour}:${minute}:${second}${fraction === '' ? '' : `.${fraction.slice(0, 3)}`}`];
  return [...(parts.day === null ? [] : [parts.day.join('-')]), ...at].join('T');
}
