// The form of a field as what the API stores, and what differs from what is stored. Pure.

import type { Field } from '../schema/model.js';
import { plainText } from '../schema/templates.js';

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
  };
}

/** The metadata's side. Choices that stay keep their texts. */
export function metaOf(form: FormData, field: Field | null): Values {
  const read = (name: string): string | null => String(form.get(name) ?? '').trim() || null;
  const present = storedChoices(field);
  const listed = String(form.get('choices') ?? '')
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const isSame = listed.join('\n') === present.map(({ value }) => value).join('\n');
  const choices = listed.map((value) => present.find((each) => each.value === value) ?? { text: value, value });
  return {
    interface: read('interface') ?? (listed.length > 0 && !isSame ? 'select-dropdown' : null),
    width: read('width') ?? 'full',
    note: read('note'),
    required: form.get('required') !== null,
    readonly: form.get('readonly') !== null,
    hidden: form.get('hidden') !== null,
    ...(isSame ? {} : { options: { ...field?.options, choices } }),
  };
}

/** Those that metadata names; what a CHECK of the database allows is no choice of the form. */
export const storedChoices = (field: Field | null): readonly { readonly value: string; readonly text: string }[] =>
  Array.isArray(field?.options['choices']) ? (field.choices ?? []) : [];

/** An absent value is null, false or the whole width. */
export function changesOf(wanted: Values, stored: Values | null): Values {
  const absent = (name: string, value: unknown): unknown => (typeof value === 'boolean' ? false : name === 'width' ? 'full' : null);
  const changed = Object.entries(wanted).filter(([name, value]) => plainText(value) !== plainText(stored?.[name] ?? absent(name, value)));
  return Object.fromEntries(changed);
}
