// Column defaults: the catalogue has SQL text; plain literals become plain values, the clock gets one name, the rest stays SQL.

import type { ColumnType } from '../../core/schema/field-type.js';
import type { RawDefault } from '../../core/schema/raw.js';

const castTail = String.raw`(?:::[^'()]+(?:\([\d, ]+\))?[^'()]*)?`;
const quoted = new RegExp(`^'((?:[^']|'')*)'${castTail}$`);
const number = new RegExp(String.raw`^\(?(-?\d+(?:\.\d+)?)\)?${castTail}$`);
const nothing = new RegExp(`^NULL${castTail}$`);
const clock = /^(?:now\(\)|CURRENT_TIMESTAMP(?:\(\d\))?|LOCALTIMESTAMP(?:\(\d\))?|transaction_timestamp\(\))$/;

export function readDefault(text: string | null, type: ColumnType): RawDefault | null {
  if (text === null || nothing.test(text)) return null;
  if (text.startsWith('nextval(')) return { kind: 'counter', value: text };
  if (clock.test(text)) return { kind: 'expression', value: 'CURRENT_TIMESTAMP' };
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' };
  const literal = quoted.exec(text)?.[1]?.replaceAll("''", "'") ?? number.exec(text)?.[1];
  return literal === undefined ? { kind: 'expression', value: text } : { kind: 'literal', value: readLiteral(literal, type) };
}

/** Decimals and big integers stay text: a JS number would round them. */
function readLiteral(literal: string, type: ColumnType): string | number {
  return type === 'integer' || type === 'float' ? Number(literal) : literal;
}
