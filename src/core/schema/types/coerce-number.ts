// Numbers and booleans. Exact: a value that cannot be stored as sent is refused, never rounded.

import { type Coerced, type CoerceMode, fits, misfit, type ValueFacts } from './coerced.js';
import { exactDigits, fitsDecimal, parseDecimal, significantDigits } from './decimal.js';

/** Always fits 32 bits. */
const shortWholeText = /^-?\d{1,9}$/;
const wholeText = /^[+-]?\d+$/;
/** No two parts of the pattern can match the same run of digits, so matching is linear for texts of any length. */
const numberText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const maxWholeDigits = 40;

const bits = (size: bigint): { min: bigint; max: bigint } => ({ min: -(2n ** (size - 1n)), max: 2n ** (size - 1n) - 1n });
const smallRange = bits(16n);
const integerRange = bits(32n);
const bigRange = bits(64n);

export function coerceInteger(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const range = facts.range ?? (facts.precision === 16 ? smallRange : integerRange);
  // Fast path: nearly every number of a payload fits 32 bits and needs no bigint.
  if (range === integerRange && typeof value === 'number' && (value | 0) === value) return fits(value | 0);
  if (range === integerRange && typeof value === 'string' && shortWholeText.test(value)) return fits(Number(value) | 0);
  const whole = readWhole(value, range, mode);
  if (typeof whole !== 'bigint') return whole;
  const number = Number(whole);
  return fits(Number.isSafeInteger(number) ? number : whole);
}

export function coerceBigInteger(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const whole = readWhole(value, facts.range ?? bigRange, mode);
  return typeof whole === 'bigint' ? fits(whole) : whole;
}

function readWhole(value: unknown, range: { readonly min: bigint; readonly max: bigint }, mode: CoerceMode): bigint | Coerced {
  const whole = wholeOf(value, mode);
  if (typeof whole === 'bigint' && (whole < range.min || whole > range.max))
    return misfit('range', 'range', { min: String(range.min), max: String(range.max) });
  return whole;
}

function wholeOf(value: unknown, mode: CoerceMode): bigint | Coerced {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return wholeOfNumber(value);
  const text = numericText(value, mode);
  if (text === null || !wholeText.test(text)) return misfit('type', 'whole_number');
  if (text.length > maxWholeDigits) return misfit('range', 'too_many_digits');
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
}

function wholeOfNumber(value: number): bigint | Coerced {
  if (!Number.isInteger(value)) return misfit('type', 'whole_number');
  if (!Number.isSafeInteger(value)) return misfit('range', 'inexact_number');
  return BigInt(value);
}

export function coerceFloat(value: unknown, mode: CoerceMode): Coerced {
  const text = numericText(value, mode);
  if (typeof value !== 'number' && typeof value !== 'bigint' && (text === null || !numberText.test(text))) return misfit('type', 'number');
  const number = Number(text ?? value);
  if (Number.isNaN(number)) return misfit('type', 'number');
  if (!Number.isFinite(number)) return misfit('range', 'out_of_range');
  return fits(number === 0 ? 0 : number);
}

export function coerceDecimal(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : numericText(value, mode);
  if (text === null || !numberText.test(text)) return misfit('type', 'decimal_number');
  const decimal = parseDecimal(text);
  if (decimal === null) return misfit('range', 'too_many_digits');
  if (typeof value === 'number' && significantDigits(decimal) > exactDigits) {
    return misfit('range', 'inexact_decimal', { digits: exactDigits });
  }
  if (mode === 'write' && facts.approximate === true && significantDigits(decimal) > exactDigits)
    return misfit('range', 'unkept_digits', { digits: exactDigits });
  if (mode === 'write' && facts.approximate !== true && !fitsDecimal(decimal, facts.precision, facts.scale)) {
    return misfit('range', 'digits', { precision: facts.precision, scale: facts.scale });
  }
  return fits(mode === 'write' && facts.keepsScale === true ? keepZeros(decimal, text) : decimal);
}

/** A column without a declared scale keeps the scale of each value. */
function keepZeros(decimal: string, text: string): string {
  const given = text.indexOf('.') + 1;
  if (given === 0 || /e/i.test(text)) return decimal;
  const own = decimal.indexOf('.') + 1;
  const missing = text.length - given - (own === 0 ? 0 : decimal.length - own);
  return `${decimal}${own === 0 && missing > 0 ? '.' : ''}${'0'.repeat(missing)}`;
}

export function coerceBoolean(value: unknown): Coerced {
  if (value === true || value === 1 || value === 'true' || value === '1') return fits(true);
  if (value === false || value === 0 || value === 'false' || value === '0') return fits(false);
  return misfit('type', 'true_or_false');
}

/** Comma-separated operands may have spaces after the commas. */
function numericText(value: unknown, mode: CoerceMode): string | null {
  if (typeof value !== 'string') return null;
  return mode === 'operand' ? value.trim() : value;
}
