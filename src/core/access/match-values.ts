// Comparing two canonical values of one type, as a database would: exact numbers, texts by their characters, moments by time.

import type { Canonical } from '../schema/coerced.js';
import { compareDecimals } from '../schema/decimal.js';
import type { ColumnType } from '../schema/field-type.js';

/** Negative, zero or positive. Canonical texts of dates and times have one width, so their order is the order of time. */
export function compareCanonical(type: ColumnType, left: NonNullable<Canonical>, right: NonNullable<Canonical>): number {
  if (type === 'decimal') return compareDecimals(String(left), String(right));
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (type === 'time') return compareTexts(padTime(String(left)), padTime(String(right)));
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
const padTime = (time: string): string => (time.length === 8 ? `${time}.000` : time);
