// Text, UUIDs and bytes: what every vendor can store and return unchanged, within the length of the column.

import { maxChoices } from '../../errors/refusals.js';
import { Bytes } from './bytes.js';
import { type Coerced, type CoerceMode, fits, misfit, type ValueFacts } from './coerced.js';

/** When written, objects and lists become JSON text, as clients expect of string columns. */
export function coerceText(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const text = textOf(value, mode);
  if (text === null) return misfit('type', 'text');
  if (mode === 'operand') return checkText(text, null);
  if (facts.choices !== undefined && !facts.choices.includes(text))
    return misfit('type', 'one_of', { choices: facts.choices.slice(0, maxChoices) });
  if (facts.form !== undefined && !facts.form.pattern.test(text)) return { ok: false, reason: 'type', fault: facts.form.fault };
  return checkText(text, facts.maxLength);
}

export function checkText(text: string, maxLength: number | null): Coerced {
  if (!isStorable(text)) return misfit('text', 'unstorable_text');
  if (maxLength !== null && text.length > maxLength && countCharacters(text) > maxLength) {
    return misfit('length', 'too_long', { max: maxLength });
  }
  return fits(text);
}

/** The native check is nearly free for the common case of one-byte strings, which cannot contain surrogates. */
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

/** Returns null when the value cannot be written as JSON, for example because it is nested too deeply. */
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

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const hexText = /^\\x(?:[0-9a-fA-F]{2})*$/;
const base64Text = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function coerceUuid(value: unknown): Coerced {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return uuidText.test(text) ? fits(text) : misfit('type', 'uuid');
}

/** Accepts `\x…` with hexadecimal digits, and base64. */
export function coerceBinary(value: unknown): Coerced {
  if (value instanceof Uint8Array) return fits(value instanceof Bytes ? value : new Bytes(value));
  if (typeof value !== 'string') return misfit('type', 'base64');
  if (hexText.test(value)) return fits(Bytes.ofHex(value.slice(2)));
  return base64Text.test(value) ? fits(new Bytes(Buffer.from(value, 'base64'))) : misfit('type', 'base64');
}

/**
 * For columns without a declared type: keeps numbers, reads `\\x…` as bytes and everything else as text, as such a column answers them.
 */
export function coerceLoose(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  if (typeof value === 'number' && Number.isFinite(value)) return fits(value);
  return typeof value === 'string' && hexText.test(value) ? coerceBinary(value) : coerceText(value, facts, mode);
}
