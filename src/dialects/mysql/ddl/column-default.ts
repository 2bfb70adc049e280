// Writes column defaults for DDL: from a spec, or again from the catalogue's SQL.

import { unreachable } from '../../../core/errors/service-error.js';
import type { ColumnSpec, DefaultSpec } from '../../../core/vendor/ddl.js';
import { quoteText, unquoteLiteral } from '../types/quote.js';

const now = /^(?:current_timestamp|now)(?:\(\d*\))?$/i;

export function writeDefault(spec: ColumnSpec, sqlType: string): string | null {
  if (spec.default === null || spec.generationExpression !== null || spec.autoIncrement) return null;
  switch (spec.default.kind) {
    case 'literal':
      return writeLiteral(spec.default, spec, sqlType);
    case 'now':
      return writeNow(sqlType);
    case 'expression':
      return now.test(spec.default.text) ? writeNow(sqlType) : restateDefault(spec.default.text, sqlType);
    default:
      return unreachable(spec.default);
  }
}

function writeLiteral({ value }: Extract<DefaultSpec, { kind: 'literal' }>, spec: ColumnSpec, sqlType: string): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (spec.type === 'boolean') return /^(?:true|1)$/i.test(value) ? '1' : '0';
  return writeText(value, sqlType);
}

/** MySQL accepts a default for long types only as an expression, and MariaDB accepts it so, too. */
const writeText = (value: string, sqlType: string): string => (/text|blob|json/.test(sqlType) ? `(${quoteText(value)})` : quoteText(value));

/** The precision of the clock must equal that of the column. */
function writeNow(sqlType: string): string {
  const [, type, digits] = /^(\w+)(?:\((\d)\))?/.exec(sqlType) ?? [];
  const fraction = digits === undefined ? '' : `(${digits})`;
  if (type === 'datetime' || type === 'timestamp') return `CURRENT_TIMESTAMP${fraction}`;
  if (type === 'date') return '(CURRENT_DATE)';
  return type === 'time' ? `(CURRENT_TIME${fraction})` : '(CURRENT_TIMESTAMP)';
}

/** Writes a default from the catalogue so that it means the same in every sql_mode. */
export function restateDefault(text: string, sqlType: string): string {
  const literal = unquoteLiteral(text);
  if (literal !== null) return writeText(literal, sqlType);
  return /^-?[\d.]+(?:e[+-]?\d+)?$|^b'[01]+'$/i.test(text) || now.test(text) ? text : `(${text})`;
}
