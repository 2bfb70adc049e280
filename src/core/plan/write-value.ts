// One value of a payload for one field: its canonical form, or the entry that says why it does not fit.

import type { ErrorCode } from '../errors/codes.js';
import type { ErrorEntry } from '../errors/service-error.js';
import type { Canonical, Misfit } from '../schema/coerced.js';
import type { ColumnField } from '../schema/schema.js';
import { coerceValue } from '../schema/values.js';

export type CoercedField = { readonly ok: true; readonly value: Canonical } | { readonly ok: false; readonly entry: ErrorEntry };

const codes: Readonly<Record<Misfit, ErrorCode>> = {
  type: 'INVALID_PAYLOAD',
  text: 'INVALID_PAYLOAD',
  range: 'VALUE_OUT_OF_RANGE',
  length: 'VALUE_TOO_LONG',
};

export function coerceField(field: ColumnField, value: unknown, path: readonly string[] = []): CoercedField {
  const result = coerceValue(field.type, value, field.column);
  if (result.ok) return result;
  const reason = `The value of "${field.name}" in "${field.collection}" ${result.message}.`;
  const code = codes[result.reason];
  const message = code === 'INVALID_PAYLOAD' ? `Invalid payload. ${reason}` : reason;
  return { ok: false, entry: { code, message, extensions: { reason, collection: field.collection, field: field.name, path } } };
}
