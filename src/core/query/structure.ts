// Reading structured input: what counts as an object, JSON text in place of an object, and the names no map may hold.

import { invalidQuery } from '../errors/service-error.js';
import { describeExcess, findExcess, queryBounds } from './json-nesting.js';

export type Structure = Readonly<Record<string, unknown>>;

export function isStructure(value: unknown): value is Structure {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A map with names from outside as keys: no prototype, so no name means more than itself. */
export const makeMap = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;

/** The object itself, or the object its JSON text holds; null when absent or blank. */
export function readStructure(value: unknown, parameter: string): Structure | null {
  const read = typeof value === 'string' ? parseJsonText(value, parameter) : value;
  if (read === undefined || read === null) return null;
  if (!isStructure(read)) throw invalidQuery(`"${parameter}" has to be an object.`);
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
