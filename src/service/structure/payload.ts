// Reading what an administrator sent: objects with known keys and values of known kinds; anything else says what to fix.

import { invalidPayload } from '../../core/errors/service-error.js';

export type Payload = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Payload => typeof value === 'object' && value !== null && !Array.isArray(value);

export function asObject(value: unknown, what: string): Payload {
  if (!isObject(value)) throw invalidPayload(`${what} must be an object.`);
  return value;
}

/** Absent and null alike. */
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

/** Clients send whole objects back: what is equal to the present value is no change. */
export const withoutSame = (payload: Payload, present: Payload): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([key, value]) => !(Object.hasOwn(present, key) && isSame(value, present[key]))));

/** Equal as JSON, whatever the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, index) => isSame(entry, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}
