// The `schema` object of a field's payload (specification 2.4): which properties of a column a client may set, and with which values.

import { invalidPayload } from '../../../../core/errors/service-error.js';
import { isClock } from '../../describe/column-default.js';
import { type Payload, refuseUnknown, withoutSame } from '../../describe/payload.js';
import { checkExpression } from './check-sql-text.js';

/** Holds only the properties that the payload sets. */
export interface ColumnOptions {
  readonly default?: unknown;
  readonly defaultExpression?: string | null;
  readonly maxLength?: number | null;
  /** An alias of `max_length` that some clients send; ignored for types without a length. */
  readonly length?: number | null;
  readonly precision?: number | null;
  readonly scale?: number | null;
  readonly nullable?: boolean;
  readonly unique?: boolean;
  readonly indexed?: boolean;
  readonly primaryKey?: boolean;
  /** The place among the parts of a composite primary key, counted from 1. */
  readonly primaryKeyPosition?: number | null;
  readonly autoIncrement?: boolean;
  readonly comment?: string | null;
  readonly generationExpression?: string | null;
  readonly foreignTable?: string | null;
  readonly foreignColumn?: string | null;
}

type Reader = (key: string, value: unknown) => ColumnOptions;

const readers: Readonly<Record<string, Reader>> = {
  default_value: (_key, value) => ({ default: value }),
  default_expression: (key, value) => ({ defaultExpression: expression(key, value) }),
  length: (key, value) => ({ length: wholeNumber(key, value, 1, 16_383) }),
  max_length: (key, value) => ({ maxLength: wholeNumber(key, value, 1, 16_383) }),
  numeric_precision: (key, value) => ({ precision: wholeNumber(key, value, 1, 65) }),
  numeric_scale: (key, value) => ({ scale: wholeNumber(key, value, 0, 30) }),
  is_nullable: (key, value) => ({ nullable: flag(key, value) }),
  is_unique: (key, value) => ({ unique: flag(key, value) }),
  is_indexed: (key, value) => ({ indexed: flag(key, value) }),
  is_primary_key: (key, value) => ({ primaryKey: flag(key, value) }),
  primary_key_position: (key, value) => ({ primaryKeyPosition: wholeNumber(key, value, 1, 32) }),
  has_auto_increment: (key, value) => ({ autoIncrement: flag(key, value) }),
  comment: (key, value) => ({ comment: optionalText(key, value) }),
  generation_expression: (key, value) => ({ generationExpression: expression(key, value) }),
  foreign_key_table: (key, value) => ({ foreignTable: optionalText(key, value) }),
  foreign_key_column: (key, value) => ({ foreignColumn: optionalText(key, value) }),
};

const known = ['name', 'table', 'data_type', 'is_generated', 'choices', 'default_is_expression', ...Object.keys(readers)];

/** `present` is the field's current `schema`; for a new field, the properties that its name and table determine. */
export function parseColumnOptions(payload: Payload, present: Payload): ColumnOptions {
  refuseUnknown(payload, known, 'schema');
  checkGenerated(payload, present);
  const asked = withoutSame(payload, present);
  const options: ColumnOptions = Object.assign({}, ...Object.entries(asked).map(([key, value]) => readOption(key, value)));
  const { default_value: text } = asked;
  if (payload.default_is_expression !== true || typeof text !== 'string' || isClock(text)) return options;
  return { ...options, default: null, defaultExpression: expression('default_value', text) };
}

function readOption(key: string, value: unknown): ColumnOptions {
  const reader = readers[key];
  if (reader !== undefined) return reader(key, value);
  if (key === 'is_generated' || key === 'default_is_expression') return {};
  throw invalidPayload(`schema.${key} cannot be chosen or changed.`);
}

function checkGenerated(payload: Payload, present: Payload): void {
  const { is_generated: generated = present.is_generated, generation_expression: text = present.generation_expression } = payload;
  if (generated !== undefined && typeof generated !== 'boolean') throw invalidPayload('schema.is_generated must be true or false.');
  if ((generated === true) !== (typeof text === 'string')) {
    throw invalidPayload('schema.is_generated and schema.generation_expression belong together.');
  }
}

function flag(key: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalidPayload(`schema.${key} must be true or false.`);
  return value;
}

function optionalText(key: string, value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string' || /[\0\p{Cs}]/u.test(value)) throw invalidPayload(`schema.${key} must be text or null.`);
  return value === '' ? null : value;
}

const expression = (key: string, value: unknown): string | null => {
  const text = optionalText(key, value);
  return text === null ? null : checkExpression(text);
};

/** Accepts digits as text, because clients send lengths so. */
function wholeNumber(key: string, value: unknown, min: number, max: number): number | null {
  if (value === null) return null;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
    throw invalidPayload(`schema.${key} must be a whole number from ${min} to ${max}, or null.`);
  }
  return number;
}
