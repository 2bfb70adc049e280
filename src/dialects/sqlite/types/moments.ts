// Dates and timestamps ("moments") in files that other programs wrote. SQLite has no type for them, so a column holds text in one of several
// forms, or numbers of seconds, milliseconds or days. A value is read by the form it has; a new value is written in the form that the column
// already uses, so that the other program can still read it. Introspection determines that form (catalogue/sample-forms.ts).

import type { ColumnType } from '../../../core/schema/types/field-type.js';

export type Unit = 'seconds' | 'milliseconds' | 'days';

interface TextForm {
  readonly kind: 'text';
  readonly separator: ' ' | 'T';
  /** The number of fractional digits of a second. */
  readonly digits: number;
  /** Whether a fraction of zero is written as well. */
  readonly always: boolean;
  readonly suffix: '' | 'Z' | '+00:00';
  /** Whether midnight is written without a time. */
  readonly dateOnly: boolean;
}

/** `mixed`: the column has values in several forms; new values get this one. */
export type MomentForm = (TextForm | { readonly kind: 'number'; readonly unit: Unit }) & { readonly mixed: boolean };

/** The forms that the service uses in columns it creates. */
const ownForm: Readonly<Partial<Record<ColumnType, TextForm>>> = {
  date: { kind: 'text', separator: ' ', digits: 0, always: false, suffix: '', dateOnly: true },
  dateTime: { kind: 'text', separator: ' ', digits: 3, always: true, suffix: '', dateOnly: false },
  timestamp: { kind: 'text', separator: ' ', digits: 3, always: true, suffix: '', dateOnly: false },
};

export const isMoment = (type: ColumnType): boolean => type === 'date' || type === 'dateTime' || type === 'timestamp';

const momentText = /^(\d{4})-(\d\d)-(\d\d)(?:([ Tt])(\d\d:\d\d)(:\d\d)?(?:\.(\d{1,9}))?\s?([Zz]|[+-]\d\d:?\d\d)?)?$/;

const dayMs = 86_400_000;
const julianOfEpoch = 2_440_587.5;
/** A number from here on counts milliseconds: read as seconds, it would be after the year 5000. */
const leastMilliseconds = 1e11;
/** Julian day numbers of the years 1 to 9999. */
const julianDays = { least: 1_721_425.5, most: 5_373_484.5 } as const;

type Stored = string | number | bigint | null | Uint8Array;

/** The form of a column, by samples of its values: null for the service's own form and for no samples, 'text' if none is a moment. */
export function findForm(type: ColumnType, values: readonly unknown[]): MomentForm | 'text' | null {
  const known = values.filter((value) => value !== null && value !== '');
  const forms = known.map((value) => formOf(value));
  const [first] = forms.filter((form) => form !== null);
  if (known.length === 0) return null;
  if (first === undefined) return 'text';
  const mixed = forms.some((form) => form === null || form.kind !== first.kind);
  const form = first.kind === 'text' ? joinTexts(forms) : { kind: 'number' as const, unit: unitOf(known) };
  const own = ownForm[type];
  return !mixed && own !== undefined && isSameForm(form, own) ? null : { ...form, mixed };
}

const isSameForm = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

type Seen = { readonly kind: 'number' } | { readonly kind: 'text'; readonly match: RegExpExecArray };

function formOf(value: unknown): Seen | null {
  if (typeof value === 'number') return { kind: 'number' };
  const match = momentText.exec(String(value));
  return match === null ? null : { kind: 'text', match };
}

function joinTexts(forms: readonly (Seen | null)[]): TextForm {
  const matches = forms.flatMap((form) => (form?.kind === 'text' ? [form.match] : []));
  const timed = matches.filter((match) => match[5] !== undefined);
  const lengths = timed.map((match) => match[7]?.length ?? 0);
  const zone = timed.find((match) => match[8] !== undefined)?.[8];
  const digits = Math.max(0, ...lengths);
  return {
    kind: 'text',
    separator: timed[0]?.[4]?.toUpperCase() === 'T' ? 'T' : ' ',
    digits,
    always: digits > 0 && lengths.every((length) => length === digits),
    suffix: zone === undefined ? '' : zone.toUpperCase() === 'Z' ? 'Z' : '+00:00',
    dateOnly: timed.length === 0,
  };
}

function unitOf(values: readonly unknown[]): Unit {
  const numbers = values.filter((value) => typeof value === 'number');
  if (
    numbers.every((value) => !Number.isInteger(value) || isJulian(value)) &&
    numbers.some((value) => !Number.isInteger(value) && isJulian(value))
  )
    return 'days';
  return numbers.some((value) => Math.abs(value) >= leastMilliseconds) || areWholeDays(numbers) ? 'milliseconds' : 'seconds';
}

/** Days around 1970 as milliseconds are small numbers; as seconds, they would all lie a thousand days apart. */
const areWholeDays = (numbers: readonly number[]): boolean =>
  numbers.every((value) => value % dayMs === 0) && numbers.some((value) => value !== 0);

const isJulian = (value: number): boolean => value >= julianDays.least && value <= julianDays.most;

/** The number of fractional digits of a second that values of this form keep. */
export function digitsOf(form: MomentForm | null): number {
  if (form === null) return 3;
  if (form.kind === 'text') return Math.min(Math.max(form.digits, 3), 6);
  return form.unit === 'seconds' ? 0 : 3;
}

/**
 * The text by which moments of all forms are compared: `2024-02-29 13:45:10.000`. Text that is not a moment is returned unchanged. Registered as
 * the SQL function `moment_key`.
 */
export function momentKey(value: Stored, unit: Unit | null): string | null {
  if (value === null) return null;
  if (typeof value === 'number' || typeof value === 'bigint') return numberKey(Number(value), unit);
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
  const match = momentText.exec(text);
  return match === null ? text : textKey(match, text);
}

function numberKey(value: number, unit: Unit | null): string | null {
  const found = unit ?? guessUnit(value);
  const ms =
    found === 'days' ? Math.round((value - julianOfEpoch) * dayMs) : found === 'seconds' ? Math.round(value * 1000) : Math.round(value);
  const moment = new Date(ms);
  return Number.isNaN(moment.getTime()) ? String(value) : moment.toISOString().replace('T', ' ').replace('Z', '');
}

const guessUnit = (value: number): Unit => {
  if (Math.abs(value) >= leastMilliseconds) return 'milliseconds';
  return !Number.isInteger(value) && isJulian(value) ? 'days' : 'seconds';
};

function textKey([, year, month, day, , clock = '00:00', seconds = ':00', fraction = '', zone]: RegExpExecArray, text: string): string {
  const whole = `${year}-${month}-${day}T${clock}${seconds}`;
  const rest = fraction.slice(0, 3).padEnd(3, '0') + fraction.slice(3).replace(/0+$/, '');
  if (zone === undefined || /^(?:z|[+-]00:?00)$/i.test(zone)) return `${whole.replace('T', ' ')}.${rest}`;
  const moment = new Date(`${whole}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2').replace('::', ':')}`);
  return Number.isNaN(moment.getTime()) ? text : `${moment.toISOString().slice(0, 19).replace('T', ' ')}.${rest}`;
}

/** The wire form of a moment in any stored form. Registered as the SQL function `moment_form`. */
export function momentForm(value: Stored, unit: Unit | null, type: ColumnType): string | null {
  const key = momentKey(value, unit);
  if (key === null || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,}$/.test(key)) return key;
  if (type === 'date') return key.slice(0, 10);
  if (type === 'timestamp') return `${key.replace(' ', 'T')}Z`;
  return key.replace(' ', 'T').replace(/\.?0+$/, '');
}

/** Converts the canonical text of a date or timestamp to the form of the column. */
export function storeMoment(canonical: string, form: MomentForm): string | number | bigint {
  const date = canonical.slice(0, 10);
  const time = canonical.length > 10 ? canonical.slice(11, 19) : '00:00:00';
  const fraction = canonical.slice(20).replace('Z', '');
  if (form.kind === 'number') return storeNumber(Date.parse(`${date}T${time}Z`) + Number(fraction.slice(0, 3).padEnd(3, '0')), form.unit);
  if (form.dateOnly && time === '00:00:00' && /^0*$/.test(fraction)) return date;
  const isWhole = /^0*$/.test(fraction);
  const digits =
    isWhole && !form.always ? '' : fraction.padEnd(form.digits, '0').slice(0, Math.max(form.digits, fraction.replace(/0+$/, '').length));
  return `${date}${form.separator}${time}${digits === '' ? '' : `.${digits}`}${form.suffix}`;
}

function storeNumber(ms: number, unit: Unit): number | bigint {
  if (unit === 'days') return ms / dayMs + julianOfEpoch;
  return BigInt(unit === 'seconds' ? Math.floor(ms / 1000) : ms);
}
