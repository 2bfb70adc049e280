// Values of metadata, which may have any type, in the form the model has them: texts, choices, and titles in the language of the person. Pure.

import type { Choice } from './model.js';

/** `published_on` → `Published On`, as people expect of a label. Names that are no identifiers were written for people, or to deceive them. */
export function titleOf(name: string): string {
  if (!/^[\p{L}\p{N}\s_.-]+$/u.test(name)) return name;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
  return words
    .map((word) => (abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word[0]?.toUpperCase() + word.slice(1)))
    .join(' ');
}

const abbreviations = new Set([
  'id',
  'url',
  'uri',
  'ip',
  'api',
  'html',
  'css',
  'seo',
  'isbn',
  'sku',
  'vat',
  'uuid',
  'json',
  'xml',
  'pdf',
  'faq',
]);

export function translated(meta: Readonly<Record<string, unknown>> | null, language: string): string | null {
  const entries = listOf(meta?.['translations']).map(objectOf);
  const entry =
    entries.find((each) => each['language'] === language) ??
    entries.find((each) => String(each['language']).slice(0, 2) === language.slice(0, 2));
  return textOf(entry?.['translation']);
}

/** The values that the type of a column allows are data, and shown as they are stored. */
export function enumChoicesOf(value: unknown): readonly Choice[] | null {
  const list = listOf(value).map(String);
  return list.length === 0 ? null : list.map((each) => ({ value: each, text: each }));
}

/** Choices of metadata. One that is a key without a text is titled like the name of a field. */
export function choicesOf(value: unknown): readonly Choice[] | null {
  const list = listOf(value);
  if (list.length === 0) return null;
  return list.map((entry) => {
    if (typeof entry !== 'object' || entry === null) return { value: String(entry), text: titleOf(String(entry)) };
    const { value: choice, text, children } = entry as Readonly<Record<string, unknown>>;
    const below = choicesOf(children);
    return { value: String(choice), text: String(text ?? choice), ...(below === null ? {} : { children: below }) };
  });
}

/** Answers join them by commas; options of a repeater may list them. */
export const flagsOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? value.split(',').filter((flag) => flag !== '') : listOf(value).map(String);

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
