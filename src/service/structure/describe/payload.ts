// Checked access to the JSON that an administrator sends: each function returns the value in the expected type or throws INVALID_PAYLOAD
// with a message that names the key to correct.

import { invalidPayload } from '../../../core/errors/service-error.js';
import { isPlainObject } from '../../../core/util/plain-object.js';

export type Payload = Readonly<Record<string, unknown>>;

export function asObject(value: unknown, what: string): Payload {
  if (!isPlainObject(value)) throw invalidPayload(`${what} must be an object.`);
  return value;
}

/** null where the key is absent or null. */
export const asOptionalObject = (value: unknown, what: string): Payload | null =>
  value === undefined || value === null ? null : asObject(value, what);

export function asArray(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidPayload(`${what} must be an array.`);
  return value;
}

export function asText(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw invalidPayload(`${what} is required and must be text.`);
  return value;
}

export function refuseUnknown(payload: Payload, known: readonly string[], what: string): void {
  const unknown = Object.keys(payload).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalidPayload(`"${unknown}" is not known in ${what}.`);
}

/** The keys that differ from `present`. Clients send whole objects back, so an equal value does not count as a change. */
export const withoutSame = (payload: Payload, present: Payload): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([key, value]) => !(Object.hasOwn(present, key) && isSame(value, present[key]))));

/** Deep equality of JSON values; the order of keys does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, index) => isSame(entry, other[index]));
  }
  if (!isPlainObject(one) || !isPlainObject(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}
