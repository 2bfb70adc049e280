// Coerces values of a payload, and makes the error entries for values that are refused.

import type { ErrorCode } from '../../errors/codes.js';
import type { ErrorEntry } from '../../errors/service-error.js';
import type { ColumnField } from '../../schema/schema.js';
import { coerceValue } from '../../schema/types/coerce-value.js';
import type { Canonical, Misfit } from '../../schema/types/coerced.js';

export type CoercedField = { readonly ok: true; readonly value: Canonical } | { readonly ok: false; readonly entry: ErrorEntry };

const codes: Readonly<Record<Misfit, ErrorCode>> = {
  type: 'INVALID_PAYLOAD',
  text: 'INVALID_PAYLOAD',
  range: 'VALUE_OUT_OF_RANGE',
  length: 'VALUE_TOO_LONG',
};

/** The canonical form of a value for a field, or the entry that reports why it does not fit. */
export function coerceField(field: ColumnField, value: unknown, path: readonly string[] = []): CoercedField {
  const result = coerceValue(field.type, value, field.column);
  if (result.ok) return result;
  const reason = `The value of "${field.name}" in "${field.collection}" ${result.fault.sentence}.`;
  const code = codes[result.reason];
  const message = code === 'INVALID_PAYLOAD' ? `Invalid payload. ${reason}` : reason;
  return {
    ok: false,
    entry: { code, message, extensions: { reason, ...result.fault.facts, collection: field.collection, field: field.name, path } },
  };
}

/** An entry of FAILED_VALIDATION: the field, the rule it breaks, and the relations that lead to it from the root of the payload. */
export const failedValue = (
  { collection, name }: Pick<ColumnField, 'collection' | 'name'>,
  type: string,
  path: readonly string[],
  text: string,
): ErrorEntry => ({
  code: 'FAILED_VALIDATION',
  message: `Validation failed for field "${name}". ${text}`,
  extensions: { collection, field: name, type, path },
});
