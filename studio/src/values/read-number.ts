// Numbers as people of a language write them. Forms, cells, filters and bulk edits read and print them here. Numbers that a double cannot hold
// (bigInteger, decimal) stay text, so that no digit is lost. Pure, imports no framework.

import type { Language } from '../text/use-text.js';

const numberTypes = new Set(['integer', 'bigInteger', 'decimal', 'float']);
export const isNumberType = (type: string): boolean => numberTypes.has(type);

/** Null: this is no number of the type. */
export function readNumber(type: string, text: string, { number }: Pick<Language, 'number'>): number | string | null {
  const plain = plainNumber(text, writingOf(number)) ?? plainNumber(text, writingOf(nativeOf(number)));
  if (plain === null) return null;
  if (type === 'bigInteger') return /^-?\d+$/.test(plain) ? plain : null;
  if (type === 'decimal') return plain;
  // Zero has no sign in JSON.
  const value = Number(plain) + 0;
  if (type === 'integer') return Number.isSafeInteger(value) ? value : null;
  return Number.isFinite(value) ? value : null;
}

/** A number for an input: with the decimal sign of the language, and without separators that somebody would have to keep in order. */
export function printNumber(value: unknown, { number }: Pick<Language, 'number'>): string {
  const text = value === null || value === undefined ? '' : String(value);
  return plainForm.test(text) ? text.replace('.', writingOf(number).decimal) : text;
}

/**
 * A number to be read: with the separators and the digits of the language. `fewest`: digits behind the decimal sign that are there even if they
 * are zero; others that are zero at the end are left out.
 */
export function showNumber(value: unknown, { number }: Pick<Language, 'number'>, fewest = 0): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value));
  if (match === null) return printNumber(value, { number });
  const [, sign = '', whole = '', behind = ''] = match;
  const { decimal, digits } = writingOf(number);
  const fraction = behind.replace(/0+$/, '').padEnd(fewest, '0');
  const shown = number.format(BigInt(whole));
  return `${sign}${shown}${fraction === '' ? '' : decimal + fraction.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit)}`;
}

/** A decimal of a column, as short as it is usually written: with two digits behind the point if the column has them, and all that say something. */
export function trimDecimal(value: unknown, scale: number): string {
  const text = String(value);
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return text;
  const fraction = (match[2] ?? '').replace(/0+$/, '').padEnd(Math.min(2, scale), '0');
  return `${match[1]}${fraction === '' ? '' : `.${fraction}`}`;
}

const plainForm = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

interface Writing {
  readonly decimal: string;
  readonly group: string;
  /** Digits from 0 to 9. */
  readonly digits: readonly string[];
  /** Whether groups behind the first may have two digits, as in 12,34,567. */
  readonly hasPairs: boolean;
}

const natives = new Map<string, Intl.NumberFormat>();

/** What keyboards of the language write, where Studio shows other digits. */
function nativeOf(format: Intl.NumberFormat): Intl.NumberFormat {
  const { baseName } = new Intl.Locale(format.resolvedOptions().locale);
  const native = natives.get(baseName) ?? new Intl.NumberFormat(baseName);
  natives.set(baseName, native);
  return native;
}

const known = new WeakMap<Intl.NumberFormat, Writing>();

function writingOf(format: Intl.NumberFormat): Writing {
  const found = known.get(format);
  if (found !== undefined) return found;
  const parts = format.formatToParts(1_234_567.5);
  const writing = {
    decimal: parts.find(({ type }) => type === 'decimal')?.value ?? '.',
    group: parts.find(({ type }) => type === 'group')?.value ?? ',',
    digits: Array.from({ length: 10 }, (_, digit) => format.format(digit)),
    hasPairs: parts.some(({ type, value }, index) => index > 0 && type === 'integer' && value.length === 2),
  };
  known.set(format, writing);
  return writing;
}

/** With a point and without separators; null for what is no number. */
function plainNumber(typed: string, writing: Writing): string | null {
  const text = latin(typed, writing.digits);
  const group = [writing.group, ' ', '\u00a0', '\u202f', "'", '’'].find((sign) => isGrouped(text, sign, writing));
  const bare = group === undefined ? text : text.replaceAll(group, '');
  const pointed = writing.decimal === '.' ? bare : bare.replace(writing.decimal, '.');
  const match = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i.exec(pointed);
  if (match === null) return null;
  const [, sign = '', whole = '0', fraction = match[4] ?? '', , power] = match;
  return `${sign === '-' ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}${power === undefined ? '' : `e${power}`}`;
}

/** Marks of direction mean nothing, and some languages have a minus sign of their own. */
const latin = (typed: string, digits: readonly string[]): string =>
  typed
    .trim()
    .replaceAll(/[\u200e\u200f\u061c]/g, '')
    .replaceAll('\u2212', '-')
    .replaceAll(/\p{Nd}/gu, (sign) => (digits.includes(sign) ? String(digits.indexOf(sign)) : sign));

function isGrouped(text: string, sign: string, { decimal, hasPairs }: Writing): boolean {
  const one = escaped(sign);
  const groups = hasPairs ? `\\d{1,3}(?:${one}\\d{2,3})*${one}\\d{3}` : `\\d{1,3}(?:${one}\\d{3})+`;
  return new RegExp(`^[+-]?${groups}(?:${escaped(decimal)}\\d*)?$`).test(text);
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
