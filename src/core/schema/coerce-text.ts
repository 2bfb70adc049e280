// Text: what every vendor can store and give back unchanged, within the column's length.

import { type Coerced, type CoerceMode, fits, misfit, type ValueFacts } from './coerced.js';

/** Objects and lists become JSON text when written, as the clients expect of string columns. */
export function coerceText(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const text = textOf(value, mode);
  if (text === null) return misfit('type', 'has to be text');
  return checkText(text, mode === 'write' ? facts.maxLength : null);
}

export function checkText(text: string, maxLength: number | null): Coerced {
  if (!isStorable(text)) return misfit('text', 'holds a NUL or half a surrogate pair');
  if (maxLength !== null && text.length > maxLength && countCharacters(text) > maxLength) {
    return misfit('length', `is longer than ${maxLength} characters`);
  }
  return fits(text);
}

/** Most texts have one byte a character, and cannot hold half a pair: the language's own look knows that. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function textOf(value: unknown, mode: CoerceMode): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return mode === 'write' && typeof value === 'object' ? writeJson(value) : null;
  }
}

/** null when it cannot be written: nested beyond the stack. */
export function writeJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
