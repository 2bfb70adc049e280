// The kinds of values that metadata columns accept. A rule is a predicate; `parseValues` applies one per key and names the key it refuses.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { MetaRow } from '../../../core/schema/meta-row.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Payload } from './payload.js';

export type ValueRule = (value: unknown) => boolean;

const unstorable = /[\0\p{Cs}]/u;

export const text =
  (maxLength: number | null): ValueRule =>
  (value) =>
    value === null || (typeof value === 'string' && !unstorable.test(value) && (maxLength === null || [...value].length <= maxLength));

export const boolean: ValueRule = (value) => typeof value === 'boolean';
export const number: ValueRule = (value) => value === null || (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31);
export const object: ValueRule = (value) => value === null || isPlainObject(value);
export const list: ValueRule = (value) => value === null || Array.isArray(value);

export const oneOf =
  (words: readonly string[]): ValueRule =>
  (value) =>
    value === null || (typeof value === 'string' && words.includes(value));

export const textList: ValueRule = (value) => value === null || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'));

export function parseValues(payload: Payload, rules: Readonly<Record<string, ValueRule>>, what: string): MetaRow {
  for (const [key, value] of Object.entries(payload)) {
    if (rules[key]?.(value) !== true) throw invalidPayload(`${what}.${key} has a value of the wrong kind.`);
  }
  return payload;
}
