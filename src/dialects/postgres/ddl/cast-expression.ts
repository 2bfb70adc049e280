// The expression that converts a column to another type: PostgreSQL's cast if it has one, otherwise a cast through text.

import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { plainType } from '../types/column-types.js';
import { quoteName } from '../types/quote.js';

/** PostgreSQL has casts between the types of a family. */
const families: Readonly<Partial<Record<ColumnType, string>>> = {
  string: 'text',
  text: 'text',
  integer: 'number',
  bigInteger: 'number',
  float: 'number',
  decimal: 'number',
  date: 'moment',
  dateTime: 'moment',
  timestamp: 'moment',
  json: 'json',
  boolean: 'boolean',
  time: 'time',
};

const familyOf = (dataType: string): string | undefined => families[plainType(dataType) ?? 'unknown'];

/**
 * `from` and `to` are types without a length: an explicit cast to varchar(3) truncates values without an error, whereas assigning a longer text to
 * the column fails, as it should.
 */
export function castExpression(column: string, from: string, to: string): string {
  const value = quoteName(column);
  const [source, target] = [familyOf(from), familyOf(to)];
  if (source === 'boolean' && target === 'number') return `${value}::integer::${to}`;
  if (source === 'number' && target === 'boolean') return `${value} <> 0`;
  const direct = source === target || source === 'text' || target === 'text' || (source === 'moment' && target === 'time');
  return direct && source !== undefined ? `${value}::${to}` : `${value}::text::${to}`;
}
