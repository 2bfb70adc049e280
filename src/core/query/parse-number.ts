// Whole numbers of a query: limit, offset, page. Text is accepted when it is exactly a whole number.

import { invalidQuery } from '../errors/service-error.js';

const whole = /^-?\d{1,10}$/;
const maxWhole = 2_147_483_647;

/** null when absent. */
export function parseWhole(value: unknown, parameter: string, least: number): number | null {
  if (value === undefined || value === null) return null;
  const number = typeof value === 'string' && whole.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < least || number > maxWhole) {
    throw invalidQuery(`"${parameter}" has to be a whole number from ${least} to ${maxWhole}.`);
  }
  return number;
}
