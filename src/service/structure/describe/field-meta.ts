// The `meta` object of a field (specification 2.3), a row of service_fields: which keys and values a payload may hold, and the form in answers.

import { invalidPayload } from '../../../core/errors/service-error.js';
import { listOf, type MetaRow } from '../../../core/schema/meta-row.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import { askedOfMeta } from './described.js';
import { type Payload, refuseUnknown, withoutSame } from './payload.js';
import { boolean, list, number, object, oneOf, parseValues, text, type ValueRule } from './value-rules.js';

const widths = ['half', 'half-left', 'half-right', 'half-space', 'full', 'fill'];

const rules: Readonly<Record<string, ValueRule>> = {
  special: (value) =>
    value === null || typeof value === 'string' || (Array.isArray(value) && value.every((flag) => typeof flag === 'string')),
  interface: text(64),
  options: object,
  display: text(64),
  display_options: (value) => value === null || typeof value === 'string' || isPlainObject(value) || Array.isArray(value),
  readonly: boolean,
  required: boolean,
  hidden: boolean,
  sort: number,
  width: oneOf(widths),
  translations: list,
  note: text(null),
  conditions: list,
  group: text(64),
  validation: object,
  validation_message: text(null),
  searchable: boolean,
};

const readOnly = ['collection', 'field'];

/** The columns to write: the keys of `payload` that differ from `present`, checked. */
export function parseFieldMeta(payload: Payload, present: Payload): MetaRow {
  const wanted = askedOfMeta(payload);
  refuseUnknown(wanted, [...readOnly, ...Object.keys(rules)], 'meta');
  const special = wanted.special === undefined ? {} : { special: joinFlags(wanted.special) };
  const asked = withoutSame({ ...wanted, ...special }, present);
  const fixed = readOnly.find((key) => Object.hasOwn(asked, key));
  if (fixed !== undefined) throw invalidPayload(`meta.${fixed} cannot be chosen or changed.`);
  return parseValues(asked, rules, 'meta');
}

/** `special` in the form of answers: flags joined by commas, or null. A value of another kind is returned unchanged, for the rules to refuse. */
const joinFlags = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value === '' ? null : value;
  return value.every((flag) => typeof flag === 'string') ? value.join(',') || null : value;
};

/** The flags of `special` without duplicates, whether it is a list or a text joined by commas. */
export const splitFlags = (special: unknown): readonly string[] => [...new Set(listOf({ special }, 'special'))];

export function describeFieldMeta(row: MetaRow): Payload {
  const { id = null, collection, field, special, required, ...rest } = row;
  return { id, collection, field, special: splitFlags(special).join(',') || null, required: required === true, ...rest };
}
