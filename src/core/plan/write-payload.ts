// The outermost shape of what clients send: items are objects, lists are lists. Anything else is an INVALID_PAYLOAD that says so.

import { invalidPayload } from '../errors/service-error.js';

export type Payload = Readonly<Record<string, unknown>>;

export const isPayload = (value: unknown): value is Payload => typeof value === 'object' && value !== null && !Array.isArray(value);

export function asPayload(value: unknown, what: string): Payload {
  if (!isPayload(value)) throw invalidPayload(`${what} must be an object.`);
  return value;
}

export function asList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidPayload(`${what} must be a list.`);
  return value;
}
