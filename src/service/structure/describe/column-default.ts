// Default values of columns in three forms: the value of a payload, the specification that DDL is written from, and the value in an answer.
// A text is always a literal, except the few words for the database's clock.

import { faultOfDefault } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import type { RawDefault } from '../../../core/schema/raw.js';
import { coerceValue } from '../../../core/schema/types/coerce-value.js';
import type { Canonical, ValueFacts } from '../../../core/schema/types/coerced.js';
import type { ColumnType, FieldType } from '../../../core/schema/types/field-type.js';
import type { DefaultSpec } from '../../../core/vendor/ddl.js';

const clockWords = /^(?:now\(\)|now|current_timestamp(?:\(\d?\))?|current_date|current_time)$/i;
const clockTypes: readonly string[] = ['timestamp', 'dateTime', 'date', 'time'] satisfies readonly ColumnType[];

/** Every vendor has words for its clock, so a default of one is no expression of its own. */
export const isClock = (text: string): boolean => clockWords.test(text);

export function parseDefault(field: string, type: ColumnType, value: unknown, facts: ValueFacts): DefaultSpec | null {
  if (value === null) return null;
  if (clockTypes.includes(type) && typeof value === 'string' && clockWords.test(value)) return { kind: 'now' };
  const coerced = coerceValue(type, value, facts);
  if (!coerced.ok) throw invalidPayload(faultOfDefault(field, coerced.fault));
  return { kind: 'literal', value: literalOf(field, type, coerced.value) };
}

function literalOf(field: string, type: ColumnType, value: Canonical): string | number | boolean {
  if (value instanceof Uint8Array || value === null || type.startsWith('geometry')) {
    throw invalidPayload(`Field "${field}" of type "${type}" cannot have a default value.`);
  }
  // All vendors accept this form of a point in time and read it as UTC.
  if ((type === 'timestamp' || type === 'dateTime') && typeof value === 'string') return value.replace('T', ' ').replace('Z', '');
  return typeof value === 'bigint' ? String(value) : value;
}

/** The default of an existing column, for DDL that states the whole column again. */
export function restateDefault(raw: RawDefault | null): DefaultSpec | null {
  if (raw === null || raw.kind === 'counter') return null;
  if (raw.kind === 'literal') return { kind: 'literal', value: raw.value };
  return raw.value === 'CURRENT_TIMESTAMP' ? { kind: 'now' } : { kind: 'expression', text: String(raw.value) };
}

/** The default in an answer: a literal in the wire form of its type, an expression as its text, null for an auto-increment counter. */
export function describeDefault(type: FieldType, raw: RawDefault | null): unknown {
  if (raw === null || raw.kind === 'counter') return null;
  if (raw.kind === 'expression') return raw.value;
  const coerced = coerceValue(type, raw.value);
  if (!coerced.ok || coerced.value instanceof Uint8Array) return raw.value;
  if (type === 'json') return JSON.parse(String(coerced.value));
  return typeof coerced.value === 'bigint' ? String(coerced.value) : coerced.value;
}
