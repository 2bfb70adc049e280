// JSON as text. Pure, imports no framework.

import type { Reading } from '../schema/typed.js';

/** No text at all is null. Whole numbers that a double would round are refused: they are to be written as text. */
export function readJson(text: string): Reading {
  if (text.trim() === '') return { value: null, fault: null };
  try {
    const value: unknown = JSON.parse(text, withoutSign);
    return numbersIn(text).every(isKept) ? { value, fault: null } : { value: text, fault: 'digits' };
  } catch {
    return { value: text, fault: 'json' };
  }
}

/** Zero has no sign once it is JSON again. */
const withoutSign = (_key: string, value: unknown): unknown => (value === 0 ? 0 : value);

export const printJson = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value, null, 2));

const numbersIn = (text: string): readonly string[] =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"|(-?\d[\d.eE+-]*)/g)].flatMap(([, number]) => (number === undefined ? [] : [number]));

function isKept(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  return !/^-?\d+$/.test(number) || BigInt(number) === wholeOf(String(value));
}

/** A printed number, also one that is printed as a power of ten. */
function wholeOf(printed: string): bigint {
  const [, sign = '', first = '', rest = '', power = ''] = /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(printed) ?? [];
  return BigInt(first === '' ? printed : `${sign}${first}${rest.padEnd(Number(power), '0')}`);
}
