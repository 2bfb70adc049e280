// Text that was typed or pasted as a value of its field. What does not fit stays as it was typed and is marked: it is for the
// person to mend, and for the service to refuse.

import type { Field } from '../schema/model.js';
import { isTyped, type Reading } from '../schema/typed.js';
import type { Language } from '../text/use-text.js';
import { isMomentType, readMoment } from './moments.js';
import { readJson } from './read-json.js';
import { isNumberType, printNumber, readNumber, trimDecimal } from './read-number.js';

const fits = (value: unknown): Reading => ({ value, fault: null });

export function readValue(field: Field, typed: string, language: Language): Reading {
  const text = typed.trim();
  if (text === '') return fits(emptyValue(field));
  const choice = field.choices?.find(({ value, text: label }) => value === text || label.toLowerCase() === text.toLowerCase());
  if (choice !== undefined) return fits(choiceValue(field, choice.value));
  switch (field.type) {
    case 'integer':
    case 'float':
    case 'decimal':
    case 'bigInteger':
      return numberReading(field.type, text, language);
    case 'boolean':
      return readBoolean(text, language);
    case 'json':
      return readJson(text);
    case 'csv':
      return fits(text.split(',').map((entry) => entry.trim()));
    default:
      if (isMomentType(field.type)) return readMoment(field.type, text, language);
      return field.type === 'string' || field.type === 'text' ? readText(field, typed) : fits(text);
  }
}

/** Of an empty cell. Text columns that take no null are empty text. */
export function emptyValue({ type, column }: Field): unknown {
  return column?.nullable === false && (type === 'string' || type === 'text') ? '' : null;
}

/** Choices are text in metadata; the column may hold numbers. */
export const choiceValue = ({ type }: Field, chosen: string): unknown =>
  (type === 'integer' || type === 'float') && Number.isFinite(Number(chosen)) ? Number(chosen) : chosen;

export function numberReading(type: string, text: string, language: Pick<Language, 'number'>): Reading {
  const value = readNumber(type, text, language);
  return value === null ? { value: text, fault: 'number' } : fits(value);
}

/** A text that is longer than its column is not cut. */
export function readText(field: Field, text: string): Reading {
  const longest = field.column?.maxLength ?? null;
  if (text === '') return fits(emptyValue(field));
  return longest !== null && text.length > longest && [...text].length > longest ? { value: text, fault: 'length' } : fits(text);
}

const trueWords = new Set(['true', '1', 'yes', 'x', 'on', '✓']);
const falseWords = new Set(['false', '0', 'no', 'off']);

function readBoolean(text: string, { text: messages }: Language): Reading {
  const word = text.toLowerCase();
  if (trueWords.has(word) || word === messages.yes.toLowerCase()) return fits(true);
  if (falseWords.has(word) || word === messages.no.toLowerCase()) return fits(false);
  return { value: text, fault: 'boolean' };
}

/** A value as text that `readValue` reads back: what an editor begins with and a copy takes. */
export function printValue(field: Field, value: unknown, language: Pick<Language, 'number'>): string {
  if (value === null || value === undefined) return '';
  if (isTyped(value)) return value.text;
  const scale = field.type === 'decimal' ? (field.column?.scale ?? null) : null;
  if (isNumberType(field.type)) return printNumber(scale === null ? value : trimDecimal(value, scale), language);
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
