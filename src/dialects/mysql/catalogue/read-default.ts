// The default of a column, from its SQL text: a plain literal becomes a value, the clock gets one name (CURRENT_TIMESTAMP), and any other
// expression stays SQL.

import type { RawDefault } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { unquoteLiteral } from '../types/quote.js';

const now = /^(?:current_timestamp|now)(?:\(\d*\))?$/i;
const nowOfType: Readonly<Partial<Record<ColumnType, RegExp>>> = {
  date: /^(?:curdate|current_date)(?:\(\))?$/i,
  time: /^(?:curtime|current_time)(?:\(\d*\))?$/i,
};

/** `text`: `ColumnFacts.defaultSql`. */
export function readDefault(text: string | null, type: ColumnType): RawDefault | null {
  if (text === null || text.toUpperCase() === 'NULL') return null;
  const quoted = unquoteLiteral(text);
  if (quoted !== null) return { kind: 'literal', value: typed(quoted, type) };
  if (/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return { kind: 'literal', value: typed(text, type) };
  const bits = /^b'([01]+)'$/i.exec(text)?.[1];
  if (bits !== undefined) return { kind: 'literal', value: type === 'boolean' ? bits !== '0' : String(Number.parseInt(bits, 2)) };
  if (now.test(text) || nowOfType[type]?.test(text) === true) return { kind: 'expression', value: 'CURRENT_TIMESTAMP' };
  return { kind: 'expression', value: text };
}

function typed(text: string, type: ColumnType): string | number | boolean {
  if (type === 'boolean') return Number(text) !== 0;
  // bigInteger and decimal stay text: a JavaScript number would round them.
  return type === 'integer' || type === 'float' ? Number(text) : text;
}
