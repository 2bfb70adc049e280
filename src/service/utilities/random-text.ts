// The length a random text is asked for.

import { invalidQuery } from '../../core/errors/service-error.js';

const longest = 500;

/** `asked`: as the query string has it. */
export function readLength(asked: string | null): number {
  if (asked === null || asked === '') return 32;
  const length = /^\d{1,3}$/.test(asked) ? Number(asked) : 0;
  if (length < 1 || length > longest) throw invalidQuery(`"length" has to be a whole number from 1 to ${longest}.`);
  return length;
}
