// Constants of a plan (the literals of rules) that can stand in the text of a statement: the database then knows them when it plans. Only
// what needs no escaping on any vendor goes this way; everything else is a parameter.

import type { ValueSource } from '../plan/value-source.js';
import { noFacts } from '../schema/coerced.js';
import type { ColumnType } from '../schema/field-type.js';
import { coerceValue } from '../schema/values.js';

interface Parameter {
  readonly source: ValueSource;
  readonly type: ColumnType;
  readonly list: boolean;
  readonly encode: (canonical: unknown) => unknown;
}

const plainText = /^[A-Za-z0-9_ .:-]{0,60}$/;

/** null: it has to be a parameter. */
export function plainConstant({ source, type, list, encode }: Parameter): string | null {
  if (source.kind !== 'constant' || list || !isPlain(source.value)) return null;
  const coerced = coerceValue(type, source.value, noFacts, 'operand');
  return coerced.ok ? toText(encode(coerced.value)) : null;
}

/** Dynamic values begin with a dollar sign and are known only when the statement runs. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'boolean' || Number.isSafeInteger(value) || (typeof value === 'string' && plainText.test(value));

function toText(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value).startsWith('-') ? `(${value})` : String(value);
  return typeof value === 'string' && plainText.test(value) ? `'${value}'` : null;
}
