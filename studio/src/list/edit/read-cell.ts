// Text that was typed or pasted into a cell as a value of its field. What does not fit stays as it was typed and is marked: it is for the
// person to mend, and for the service to refuse.

import type { Field } from '../../schema/model.js';
import type { Language } from '../../text/use-text.js';

export type CellFault = 'number' | 'boolean' | 'moment' | 'json';

export interface CellReading {
  readonly value: unknown;
  /** Why the text is no value of the field. */
  readonly fault: CellFault | null;
}

const fits = (value: unknown): CellReading => ({ value, fault: null });

export function readCell(field: Field, typed: string, language: Language): CellReading {
  const text = typed.trim();
  if (text === '') return fits(emptyValue(field));
  const choice = field.choices?.find(({ value, text: label }) => value === text || label.toLowerCase() === text.toLowerCase());
  if (choice !== undefined) return fits(field.type === 'integer' || field.type === 'float' ? Number(choice.value) : choice.value);
  switch (field.type) {
    case 'integer':
    case 'float':
    case 'decimal':
    case 'bigInteger':
      return readNumber(field.type, text, language);
    case 'boolean':
      return readBoolean(text, language);
    case 'date':
    case 'dateTime':
    case 'timestamp':
      return readMoment(field.type, text, language);
    case 'json':
      return readJson(text);
    case 'csv':
      return fits(text.split(',').map((entry) => entry.trim()));
    default:
      return fits(field.type === 'string' || field.type === 'text' ? typed : text);
  }
}

/** Of an empty cell. Text columns that take no null are empty text. */
export function emptyValue({ type, column }: Field): unknown {
  return column?.nullable === false && (type === 'string' || type === 'text') ? '' : null;
}

/** Numbers that a double cannot hold stay text, so that nothing is rounded. */
function readNumber(type: string, text: string, language: Language): CellReading {
  const plain = plainNumber(text, language);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return { value: text, fault: 'number' };
  if (type === 'decimal' || type === 'bigInteger') return fits(plain);
  const value = Number(plain);
  return type === 'integer' && !Number.isInteger(value) ? { value: text, fault: 'number' } : fits(value);
}

/** Without the separators that people of this language write into numbers. */
function plainNumber(text: string, { number }: Language): string {
  const parts = number.formatToParts(12345.6);
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const group = parts.find(({ type }) => type === 'group')?.value ?? ',';
  const bare = text.replaceAll(/[\s\u00a0\u202f'’]/g, '');
  const grouped = new RegExp(`^[+-]?\\d{1,3}(${escaped(group)}\\d{3})+(${escaped(decimal)}\\d+)?$`);
  const ungrouped = grouped.test(bare) ? bare.replaceAll(group, '') : bare;
  return decimal === '.' ? ungrouped : ungrouped.replace(decimal, '.');
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const trueWords = new Set(['true', '1', 'yes', 'x', 'on', '✓']);
const falseWords = new Set(['false', '0', 'no', 'off']);

function readBoolean(text: string, { text: messages }: Language): CellReading {
  const word = text.toLowerCase();
  if (trueWords.has(word) || word === messages.yes.toLowerCase()) return fits(true);
  if (falseWords.has(word) || word === messages.no.toLowerCase()) return fits(false);
  return { value: text, fault: 'boolean' };
}

/** ISO 8601, or day, month and year in the order of the language, with or without a time. */
function readMoment(type: string, text: string, { date }: Language): CellReading {
  const iso = /^\d{4}-\d\d-\d\d/.test(text) ? text : isoOf(text, date);
  const moment = iso === null ? null : new Date(type === 'date' ? `${iso.slice(0, 10)}T00:00:00Z` : iso.replace(' ', 'T'));
  if (iso === null || moment === null || Number.isNaN(moment.getTime())) return { value: text, fault: 'moment' };
  if (type === 'date') return fits(iso.slice(0, 10));
  return fits(type === 'timestamp' ? moment.toISOString() : iso.replace(' ', 'T'));
}

function isoOf(text: string, format: Intl.DateTimeFormat): string | null {
  const match = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:,?[ T]+(\d{1,2}):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (match === null) return null;
  const [, first = '', second = '', year = '', hour = '0', minute = '00', seconds = '00'] = match;
  const order = format.formatToParts(new Date(0)).map((part) => part.type);
  const [month, day] = order.indexOf('month') < order.indexOf('day') ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour.padStart(2, '0')}:${minute}:${seconds}`;
}

function readJson(text: string): CellReading {
  try {
    return fits(JSON.parse(text));
  } catch {
    return { value: text, fault: 'json' };
  }
}

/** A value as text that `readCell` reads back: what an editor begins with and a copy takes. */
export function writeCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
