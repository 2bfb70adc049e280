// Column defaults: reads the SQL text that the catalogue has, and writes it for DDL. Both directions are here because what the service
// writes must read back as the same default.

import { unreachable } from '../../../core/errors/service-error.js';
import type { RawDefault } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import type { ColumnSpec } from '../../../core/vendor/ddl.js';
import { quoteText } from '../types/quote.js';
import { truthWords } from '../types/truths.js';
import { readTokens } from './sql-tokens.js';

/** Timestamps are stored with milliseconds; CURRENT_TIMESTAMP has seconds only. */
const nowWithMilliseconds = "strftime('%Y-%m-%d %H:%M:%f','now')";

export function readDefault(text: string | null, type: ColumnType): RawDefault | null {
  if (text === null) return null;
  const plain = stripBrackets(text.trim());
  if (/^null$/i.test(plain)) return null;
  if (plain.replace(/\s+/g, '') === nowWithMilliseconds.replace(/\s+/g, '')) return { kind: 'expression', value: 'CURRENT_TIMESTAMP' };
  if (/^current_(timestamp|date|time)$/i.test(plain)) return { kind: 'expression', value: plain.toUpperCase() };
  if (/^(true|false)$/i.test(plain)) return { kind: 'literal', value: /^true$/i.test(plain) };
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return { kind: 'literal', value: readNumber(plain, type) };
  const [only, more] = readTokens(plain);
  const isText = more === undefined && only !== undefined && (only.kind === 'string' || (only.kind === 'name' && plain.startsWith('"')));
  return isText ? { kind: 'literal', value: readText(only.value, type) } : { kind: 'expression', value: plain };
}

function stripBrackets(text: string): string {
  const inner = /^\(([^()]*)\)$/s.exec(text)?.[1];
  return inner === undefined ? text : inner.trim();
}

function readNumber(text: string, type: ColumnType): number | string | boolean {
  if (type === 'boolean') return Number(text) !== 0;
  const isExact = type === 'decimal' || (/^[+-]?\d+$/.test(text) && !Number.isSafeInteger(Number(text)));
  return isExact ? text.replace(/^\+/, '') : Number(text);
}

/** Other tools put numbers and booleans between quotes. */
function readText(text: string, type: ColumnType): number | string | boolean {
  if ((type === 'integer' || type === 'float') && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean') return readTruth(text);
  return text;
}

function readTruth(text: string): string | boolean {
  const word = text.toLowerCase();
  if (word === '1' || truthWords.yes.some((yes) => yes === word)) return true;
  return word === '0' || truthWords.no.some((no) => no === word) ? false : text;
}

/** The SQL to put after DEFAULT. */
export function writeDefault(spec: ColumnSpec): string | null {
  if (spec.default === null) return null;
  switch (spec.default.kind) {
    case 'now':
      return writeNow(spec.type);
    case 'literal':
      return writeLiteral(spec.default.value, spec.type);
    case 'expression':
      return isNow(spec.default.text) ? writeNow(spec.type) : `(${spec.default.text})`;
    default:
      return unreachable(spec.default);
  }
}

const isNow = (text: string): boolean => /^(current_timestamp|now)(\(\))?$/i.test(text.trim());

function writeNow(type: ColumnType): string {
  if (type === 'date') return 'CURRENT_DATE';
  if (type === 'time') return 'CURRENT_TIME';
  return `(${nowWithMilliseconds})`;
}

function writeLiteral(value: string | number | boolean, type: ColumnType): string {
  if (typeof value === 'boolean') return type === 'boolean' ? String(value) : quoteText(String(value));
  if (typeof value === 'number') return isNumeric(type) ? String(value) : quoteText(String(value));
  return type === 'bigInteger' && /^-?\d+$/.test(value) ? value : quoteText(value);
}

const isNumeric = (type: ColumnType): boolean => type === 'integer' || type === 'bigInteger' || type === 'float' || type === 'boolean';
