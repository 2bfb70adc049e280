// One column of the catalogue becomes a RawColumn. The catalogue has a default as SQL text: a plain literal becomes a value, the clock gets
// one name (CURRENT_TIMESTAMP), and any other expression stays SQL.

import type { RawColumn, RawDefault, RawIndex } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { readType } from '../types/column-types.js';
import { readValueFacts } from '../types/vendor-facts.js';
import type { ColumnFacts } from './catalogue.js';

export function readColumn(facts: ColumnFacts, indexes: readonly RawIndex[], primaryKey: readonly string[]): RawColumn {
  const [
    ,
    name,
    sqlType,
    dataType,
    typmod,
    category,
    notNull,
    defaultText,
    identity,
    generated,
    comment,
    sequence,
    enumValues,
    ordered,
    exact,
    element,
  ] = facts;
  const { type, maxLength, precision, scale } = readType(dataType, sqlType, typmod, category === 'E');
  const isGenerated = generated !== '';
  const counter = identity === '' ? null : { kind: 'counter' as const, value: `nextval('${sequence}'::regclass)` };
  const value = isGenerated ? null : (counter ?? readDefault(defaultText, type));
  return {
    name,
    dataType,
    type,
    default: value,
    maxLength,
    precision,
    scale,
    generated: isGenerated,
    generationExpression: isGenerated ? defaultText : null,
    nullable: !notNull,
    unique: indexes.some((index) => index.unique && !index.partial && index.columns.length === 1 && index.columns[0] === name),
    indexed: indexes.some((index) => index.columns[0] === name),
    primaryKey: primaryKey.includes(name),
    ...readValueFacts(type, dataType, typmod, enumValues, element),
    autoIncrement: value?.kind === 'counter',
    comment,
    collation: null,
    vendor: {
      sqlType,
      category,
      ...(identity === '' ? {} : { identity }),
      ...(sequence === null ? {} : { sequence }),
      exact,
      ...(element === null ? {} : { elementCategory: element[1] }),
      ...(ordered ? {} : { ordered }),
      ...(enumValues === null ? {} : { enumValues }),
    },
  };
}

/** The patterns of default expressions, as pg_get_expr writes them: a literal is often followed by a cast. */
const castTail = String.raw`(?:::[^'()]+(?:\([\d, ]+\))?[^'()]*)?`;
const quoted = new RegExp(`^'((?:[^']|'')*)'${castTail}$`);
const number = new RegExp(String.raw`^\(?(-?\d+(?:\.\d+)?)\)?${castTail}$`);
const nothing = new RegExp(`^NULL${castTail}$`);
const clock = /^(?:now\(\)|CURRENT_TIMESTAMP(?:\(\d\))?|LOCALTIMESTAMP(?:\(\d\))?|transaction_timestamp\(\))$/;

function readDefault(text: string | null, type: ColumnType): RawDefault | null {
  if (text === null || nothing.test(text)) return null;
  if (text.startsWith('nextval(')) return { kind: 'counter', value: text };
  if (clock.test(text)) return { kind: 'expression', value: 'CURRENT_TIMESTAMP' };
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' };
  const literal = quoted.exec(text)?.[1]?.replaceAll("''", "'") ?? number.exec(text)?.[1];
  return literal === undefined ? { kind: 'expression', value: text } : { kind: 'literal', value: readLiteral(literal, type) };
}

/** Decimals and big integers stay text: a JavaScript number would round them. */
function readLiteral(literal: string, type: ColumnType): string | number {
  return type === 'integer' || type === 'float' ? Number(literal) : literal;
}
