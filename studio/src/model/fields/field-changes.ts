// The form of a field as what the API stores, and what differs from what is stored. Pure.

import { isEqual } from '../../draft/draft.js';
import { plainText } from '../../schema/templates.js';

export type Values = Readonly<Record<string, unknown>>;

/** The column's side. */
export function columnOf(form: FormData, type: string): Values {
  const length = String(form.get('max_length') ?? '');
  const standard = String(form.get('default_value') ?? '');
  return {
    is_nullable: form.get('is_nullable') !== null,
    is_unique: form.get('is_unique') !== null,
    is_indexed: form.get('is_indexed') !== null,
    default_value: standard === '' ? null : standard,
    ...(type === 'string' && length !== '' ? { max_length: Number(length) } : {}),
    ...(type === 'decimal' ? numbersIn(form, ['numeric_precision', 'numeric_scale']) : {}),
  };
}

const numbersIn = (form: FormData, names: readonly string[]): Values =>
  Object.fromEntries(names.flatMap((name) => (form.get(name) ? [[name, Number(form.get(name))]] : [])));

/** The metadata's side, over what is stored. */
export function metaOf(form: FormData, stored: Values | null): Values {
  const read = (name: string): string | null => String(form.get(name) ?? '').trim() || null;
  const choices = choicesIn(String(form.get('choices') ?? ''), stored);
  const options = objectOf(form.has('options') ? readJson(form, 'options') : otherOptions(stored));
  const wanted = {
    options: choices.length === 0 ? options : { ...options, choices },
    display_options: form.has('display_options') ? readJson(form, 'display_options') : stored?.['display_options'],
    validation: form.has('validation') ? readJson(form, 'validation') : stored?.['validation'],
    translations: form.has('translations') ? readJson(form, 'translations') : stored?.['translations'],
  };
  const changed = Object.entries(wanted).filter(([name, value]) => !isEqual(orNull(value), orNull(stored?.[name])));
  const hadChoices = storedChoices(stored).length > 0;
  return {
    interface: read('interface') ?? (choices.length > 0 && !hadChoices ? 'select-dropdown' : null),
    display: form.has('display') ? read('display') : (stored?.['display'] ?? null),
    width: read('width') ?? 'full',
    note: read('note'),
    validation_message: form.has('validation_message') ? read('validation_message') : (stored?.['validation_message'] ?? null),
    required: form.get('required') !== null,
    readonly: form.get('readonly') !== null,
    hidden: form.get('hidden') !== null,
    ...Object.fromEntries(changed.map(([name, value]) => [name, orNull(value)])),
  };
}

interface StoredChoice {
  readonly value: string;
  readonly text: string;
}

/** Those that metadata names; what a CHECK of the database allows is no choice of the form. */
function storedChoices(stored: Values | null): readonly StoredChoice[] {
  const listed = objectOf(stored?.['options'])['choices'];
  if (!Array.isArray(listed)) return [];
  return listed.map((choice: unknown) => {
    if (typeof choice !== 'object' || choice === null) return { value: String(choice), text: String(choice) };
    const { value, text } = choice as Values;
    return { ...choice, value: String(value), text: String(text ?? value) };
  });
}

/** One choice per line: its value, and behind `=` its text where that is another. */
export const printChoices = (stored: Values | null): string =>
  storedChoices(stored)
    .map(({ value, text }) => (value === text ? value : `${value} = ${text}`))
    .join('\n');

/** Choices that stay keep what they have besides. */
function choicesIn(printed: string, stored: Values | null): readonly unknown[] {
  const present = objectOf(stored?.['options'])['choices'];
  if (printed.trim() === printChoices(stored)) return Array.isArray(present) ? present : [];
  const known = storedChoices(stored);
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [value = '', ...rest] = line.split(' = ').map((each) => each.trim());
    return { ...known.find((each) => each.value === value), text: rest.join(' = ') || value, value };
  });
}

/** The options of the interface besides its choices. */
export function otherOptions(stored: Values | null): Values | null {
  const { choices: _, ...others } = objectOf(stored?.['options']);
  return orNull(others) as Values | null;
}

const readJson = (form: FormData, name: string): unknown => {
  const text = String(form.get(name)).trim();
  return text === '' ? null : JSON.parse(text);
};

const objectOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};

/** What holds nothing is stored as null. */
const orNull = (value: unknown): unknown =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0) ? null : value;

/** An absent value is null, false or the whole width. */
export function changesOf(wanted: Values, stored: Values | null): Values {
  const absent = (name: string, value: unknown): unknown => (typeof value === 'boolean' ? false : name === 'width' ? 'full' : null);
  const changed = Object.entries(wanted).filter(([name, value]) => plainText(value) !== plainText(stored?.[name] ?? absent(name, value)));
  return Object.fromEntries(changed);
}
