// Constants of a plan, such as the literals of rules, that can be written into the text of a statement, so that the database knows them
// when it plans. Only values that need no escaping on any vendor qualify; all others are parameters.

import type { ValueSource } from '../plan/names/value-source.js';
import { coerceValue } from '../schema/types/coerce-value.js';
import { noFacts, type ValueFacts } from '../schema/types/coerced.js';
import type { ColumnType } from '../schema/types/field-type.js';

interface Parameter {
  readonly source: ValueSource;
  readonly type: ColumnType;
  readonly facts?: ValueFacts;
  readonly list: boolean;
  readonly encode: (canonical: unknown) => unknown;
}

const plainText = /^[A-Za-z0-9_ .:-]{0,60}$/;

/** Returns null when the value has to be a parameter. */
export function plainConstant({ source, type, facts, list, encode }: Parameter): string | null {
  if ((source.kind !== 'rule' && source.kind !== 'constant') || list || !isPlain(source.value)) return null;
  const coerced = coerceValue(type, source.value, facts ?? noFacts, 'operand');
  return coerced.ok ? toText(encode(coerced.value)) : null;
}

/** The pattern excludes dynamic values, which begin with a dollar sign and are known only when the statement runs. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'boolean' || Number.isSafeInteger(value) || (typeof value === 'string' && plainText.test(value));

function toText(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value).startsWith('-') ? `(${value})` : String(value);
  return typeof value === 'string' && plainText.test(value) ? `'${value}'` : null;
}
