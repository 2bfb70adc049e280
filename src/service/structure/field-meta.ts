// The `meta` part of a field (specification 2.3): what may be sent, what a new row holds, how it is answered.

import { invalidPayload } from '../../core/errors/service-error.js';
import { listOf, type MetaRow } from '../../core/schema/meta-row.js';
import { isObject, type Payload, refuseUnknown, withoutSame } from './payload.js';
import { boolean, list, number, object, oneOf, parseValues, text, type ValueRule } from './value-rules.js';

const widths = ['half', 'half-left', 'half-right', 'half-space', 'full', 'fill'];

const rules: Readonly<Record<string, ValueRule>> = {
  special: (value) =>
    value === null || typeof value === 'string' || (Array.isArray(value) && value.every((flag) => typeof flag === 'string')),
  interface: text(64),
  options: object,
  display: text(64),
  display_options: (value) => value === null || typeof value === 'string' || isObject(value) || Array.isArray(value),
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

const readOnly = ['id', 'collection', 'field', 'system'];

export const fieldMetaDefaults: MetaRow = {
  special: null,
  interface: null,
  options: null,
  display: null,
  display_options: null,
  readonly: false,
  required: false,
  hidden: false,
  sort: null,
  width: 'full',
  translations: null,
  note: null,
  conditions: null,
  group: null,
  validation: null,
  validation_message: null,
  searchable: true,
};

/** Columns of a row to be written; only what differs from `present`. */
export function parseFieldMeta(payload: Payload, present: Payload): MetaRow {
  refuseUnknown(payload, [...readOnly, ...Object.keys(rules)], 'meta');
  const special = payload.special === undefined ? {} : { special: joinFlags(payload.special) };
  const asked = withoutSame({ ...payload, ...special }, present);
  const fixed = readOnly.find((key) => Object.hasOwn(asked, key));
  if (fixed !== undefined) throw invalidPayload(`meta.${fixed} cannot be chosen or changed.`);
  return parseValues(asked, rules, 'meta');
}

/** One text, flags joined by commas, or null: as answers have it. */
const joinFlags = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value === '' ? null : value;
  return value.every((flag) => typeof flag === 'string') ? value.join(',') || null : value;
};

/** As the row is stored: a list of flags. */
export const splitFlags = (special: unknown): readonly string[] => [...new Set(listOf({ special }, 'special'))];

export function describeFieldMeta(row: MetaRow): Payload {
  const { id = null, collection, field, special, required, ...rest } = row;
  return { id, collection, field, special: splitFlags(special).join(',') || null, required: required === true, ...rest };
}
