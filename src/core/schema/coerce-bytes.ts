// Identifiers and bytes.

import { type Coerced, fits, misfit } from './coerced.js';

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const hexText = /^\\x(?:[0-9a-fA-F]{2})*$/;
const base64Text = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function coerceUuid(value: unknown): Coerced {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return uuidText.test(text) ? fits(text) : misfit('type', 'has to be a UUID');
}

/** `\x…` with hexadecimal digits, or base64. */
export function coerceBinary(value: unknown): Coerced {
  if (value instanceof Uint8Array) return fits(value);
  if (typeof value !== 'string') return misfit('type', 'has to be base64 text');
  if (hexText.test(value)) return fits(new Uint8Array(Buffer.from(value.slice(2), 'hex')));
  return base64Text.test(value) ? fits(new Uint8Array(Buffer.from(value, 'base64'))) : misfit('type', 'has to be base64 text');
}
