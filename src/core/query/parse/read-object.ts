// Reads parameters that are objects, or JSON text in place of an object.

import { invalidQuery } from '../../errors/service-error.js';
import { describeExcess, findExcess, queryBounds } from '../../util/json-nesting.js';
import { isPlainObject, type PlainObject } from '../../util/plain-object.js';

/** Returns the object, or the object in its JSON text; null when the parameter is absent or blank. */
export function readObject(value: unknown, parameter: string): PlainObject | null {
  const read = typeof value === 'string' ? parseJsonText(value, parameter) : value;
  if (read === undefined || read === null) return null;
  if (!isPlainObject(read)) throw invalidQuery(`"${parameter}" has to be an object.`);
  return read;
}

function parseJsonText(text: string, parameter: string): unknown {
  if (text.trim() === '') return null;
  const excess = findExcess(text, queryBounds);
  if (excess !== null) throw invalidQuery(`"${parameter}" ${describeExcess(excess, queryBounds)}.`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidQuery(`"${parameter}" is not valid JSON.`);
  }
}
