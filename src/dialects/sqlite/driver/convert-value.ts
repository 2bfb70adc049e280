// Converts a stored value when the type of its column changes. SQLite would keep any value; the service refuses one that does not fit the new
// type, as the other vendors do. Registered as the SQL function `convert_value`.

import { errorCode } from './error-codes.js';

type Stored = string | number | bigint | null | Uint8Array;

/** `from` and `to` are types of the service. `limit`: the maximal length of a string, 0 for none. */
export function convertValue(value: Stored, from: string, to: string, limit: number): Stored {
  if (value === null || value instanceof Uint8Array) return value;
  const convert = converters[to];
  return convert === undefined ? value : convert(value, from, limit);
}

type Converter = (value: string | number | bigint, from: string, limit: number) => Stored;

const integerRange = { integer: 2n ** 31n, bigInteger: 2n ** 63n };

const toText: Converter = (value, from, limit) => {
  const text = from === 'boolean' ? String(Number(value) !== 0) : String(value);
  if (limit > 0 && [...text].length > limit) throw refusal(errorCode.tooLong, `"${text.slice(0, 40)}" is longer than ${limit} characters`);
  return text;
};

const toInteger =
  (type: 'integer' | 'bigInteger'): Converter =>
  (value) => {
    const whole = typeof value === 'bigint' ? value : roundToWhole(value);
    if (whole === null) throw misfit(value, type);
    if (whole >= integerRange[type] || whole < -integerRange[type])
      throw refusal(errorCode.outOfRange, `${whole} is out of range for ${type}`);
    return whole;
  };

function roundToWhole(value: string | number): bigint | null {
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.sign(value) * Math.round(Math.abs(value))) : null;
  const [, sign, whole, fraction = ''] = /^\s*([+-]?)(\d+)(?:\.(\d*))?\s*$/.exec(value) ?? [];
  if (whole === undefined) return null;
  const rounded = BigInt(whole) + (fraction >= '5' ? 1n : 0n);
  return sign === '-' ? -rounded : rounded;
}

const toFloat: Converter = (value) => {
  const number = Number(value);
  if (String(value).trim() === '' || !Number.isFinite(number)) throw misfit(value, 'float');
  return number;
};

const toDecimal: Converter = (value) => {
  const text = typeof value === 'number' && /e/i.test(String(value)) ? value.toFixed(20).replace(/\.?0+$/, '') : String(value).trim();
  if (!/^[+-]?\d+(\.\d+)?$/.test(text)) throw misfit(value, 'decimal');
  return text;
};

const toBoolean: Converter = (value) => {
  if (typeof value !== 'string') return Number(value) === 0 ? 0n : 1n;
  if (/^(1|true|t|yes)$/i.test(value)) return 1n;
  if (/^(0|false|f|no)$/i.test(value)) return 0n;
  throw misfit(value, 'boolean');
};

const matching =
  (type: string, pattern: RegExp): Converter =>
  (value) => {
    const [text] = pattern.exec(String(value)) ?? [];
    if (text === undefined) throw misfit(value, type);
    return text;
  };

const toMoment =
  (type: string): Converter =>
  (value) => {
    const text = String(value);
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text} 00:00:00.000`;
    if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)) throw misfit(value, type);
    return text;
  };

const toJson: Converter = (value) => {
  try {
    JSON.parse(String(value));
  } catch {
    throw misfit(value, 'json');
  }
  return String(value);
};

const converters: Readonly<Record<string, Converter>> = {
  string: toText,
  text: toText,
  csv: toText,
  hash: toText,
  integer: toInteger('integer'),
  bigInteger: toInteger('bigInteger'),
  float: toFloat,
  decimal: toDecimal,
  boolean: toBoolean,
  date: matching('date', /^\d{4}-\d\d-\d\d/),
  time: matching('time', /\d\d:\d\d(:\d\d)?/),
  dateTime: toMoment('dateTime'),
  timestamp: toMoment('timestamp'),
  uuid: matching('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  json: toJson,
};

const misfit = (value: unknown, type: string): Error => refusal(errorCode.convert, `"${String(value).slice(0, 40)}" is no ${type}`);
const refusal = (code: string, message: string): Error => Object.assign(new Error(message), { code });
