// The SQL functions that connection.ts registers: Unicode lower case, digests, exact totals of decimals, dates and timestamps of other programs,
// and the conversion of values for DDL.

import { hash } from 'node:crypto';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { momentForm, momentKey, type Unit } from '../types/moments.js';
import { convertValue } from './convert-value.js';
import { errorCode } from './error-codes.js';

type SqlArgument = string | number | bigint | null | Uint8Array;

export interface ScalarFunction {
  readonly name: string;
  readonly arity: number;
  readonly call: (...values: readonly SqlArgument[]) => SqlArgument;
}

export interface AggregateFunction {
  readonly name: string;
  readonly start: () => ExactTotal;
  readonly step: (total: ExactTotal, value: unknown) => ExactTotal;
  readonly result: (total: ExactTotal) => string | null;
}

/** The sum as digits and scale: 12.50 is 1250 with scale 2. */
interface ExactTotal {
  readonly count: bigint;
  readonly digits: bigint;
  readonly scale: number;
}

const averageScale = 16;

export const scalarFunctions: readonly ScalarFunction[] = [
  {
    name: 'ulower',
    arity: 1,
    call: (value = null) => (value === null || value instanceof Uint8Array ? value : String(value).toLowerCase()),
  },
  { name: 'digest', arity: 1, call: (value = null) => hash('sha1', String(value), 'base64') },
  {
    name: 'convert_value',
    arity: 4,
    call: (value = null, from, to, limit) => convertValue(value, String(from), String(to), Number(limit)),
  },
  { name: 'moment_key', arity: 2, call: (value = null, unit) => momentKey(value, readUnit(unit)) },
  { name: 'moment_form', arity: 3, call: (value = null, unit, type) => momentForm(value, readUnit(unit), String(type) as ColumnType) },
  { name: 'refuse', arity: 1, call: refuse },
];

const readUnit = (unit: SqlArgument | undefined): Unit | null =>
  unit === 'seconds' || unit === 'milliseconds' || unit === 'days' ? unit : null;

function refuse(message: SqlArgument = null): never {
  throw Object.assign(new Error(String(message)), { code: errorCode.refused });
}

const start = (): ExactTotal => ({ count: 0n, digits: 0n, scale: 0 });

export const aggregateFunctions: readonly AggregateFunction[] = [
  { name: 'exact_sum', start, step: addExact, result: (total) => (total.count === 0n ? null : writeDecimal(total.digits, total.scale)) },
  { name: 'exact_avg', start, step: addExact, result: averageOf },
];

function addExact(total: ExactTotal, value: unknown): ExactTotal {
  const addend = value === null ? null : readDecimal(value);
  if (addend === null) return total;
  const scale = Math.max(total.scale, addend.scale);
  const digits = rescale(total.digits, total.scale, scale) + rescale(addend.digits, addend.scale, scale);
  return { count: total.count + 1n, digits, scale };
}

function readDecimal(value: unknown): { readonly digits: bigint; readonly scale: number } | null {
  if (typeof value === 'bigint') return { digits: value, scale: 0 };
  const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?\s*$/.exec(String(value));
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

const rescale = (digits: bigint, from: number, to: number): bigint => (from === to ? digits : digits * 10n ** BigInt(to - from));

/** Rounded half away from zero to at most sixteen decimals. */
function averageOf(total: ExactTotal): string | null {
  if (total.count === 0n) return null;
  const dividend = total.scale > averageScale ? total.digits : rescale(total.digits, total.scale, averageScale);
  const divisor = total.scale > averageScale ? total.count * 10n ** BigInt(total.scale - averageScale) : total.count;
  const half = dividend < 0n ? -divisor / 2n : divisor / 2n;
  return writeDecimal((dividend + half) / divisor, averageScale);
}

/** Without trailing zeros after the point. */
function writeDecimal(digits: bigint, scale: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  const written = fraction === '' ? whole : `${whole}.${fraction}`;
  return written === '0' ? '0' : sign + written;
}
