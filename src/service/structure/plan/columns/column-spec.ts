// The specification of a column for DDL: the defaults of the contract or the existing column, overridden by the options of the payload.

import { refusal } from '../../../../core/errors/refusals.js';
import { invalidPayload } from '../../../../core/errors/service-error.js';
import type { RawColumn } from '../../../../core/schema/raw.js';
import type { ColumnType } from '../../../../core/schema/types/field-type.js';
import type { ColumnSpec, DefaultSpec } from '../../../../core/vendor/ddl.js';
import { describeDefault, parseDefault, restateDefault } from '../../describe/column-default.js';
import type { ColumnOptions } from './column-options.js';

export function newColumnSpec(name: string, type: ColumnType, options: ColumnOptions): ColumnSpec {
  const primaryKey = options.primaryKey ?? options.autoIncrement ?? false;
  const size = sizeOf(name, type, options, { maxLength: null, precision: null, scale: null });
  return checkSpec({
    name,
    type,
    ...size,
    nullable: options.nullable ?? !primaryKey,
    default: newDefault(name, type, options, size),
    // A key is unique and indexed by itself.
    unique: (options.unique ?? false) && !primaryKey,
    indexed: (options.indexed ?? false) && !primaryKey,
    primaryKey,
    autoIncrement: options.autoIncrement ?? false,
    comment: options.comment ?? null,
    generationExpression: options.generationExpression ?? null,
  });
}

/** The specification of an existing column. */
export const presentSpec = (column: RawColumn): ColumnSpec => ({
  name: column.name,
  type: column.type,
  nullable: column.nullable,
  default: restateDefault(column.default),
  maxLength: column.maxLength,
  precision: column.precision,
  scale: column.scale,
  unique: column.unique && !column.primaryKey,
  indexed: column.indexed && !column.primaryKey,
  primaryKey: column.primaryKey,
  autoIncrement: column.autoIncrement,
  comment: column.comment,
  generationExpression: column.generationExpression,
});

/** The specification after a change; `type` is null if the type does not change. */
export function changedSpec(column: RawColumn, type: ColumnType | null, options: ColumnOptions): ColumnSpec {
  if (options.primaryKeyPosition !== undefined) throw invalidPayload('schema.primary_key_position cannot be changed.');
  const present = presentSpec(column);
  const wanted = type ?? present.type;
  const kept = type === null ? present : { maxLength: null, precision: null, scale: null };
  const size = type === null && !hasSize(options) ? present : sizeOf(column.name, wanted, options, kept);
  const { maxLength, precision, scale } = size;
  return checkSpec({
    ...present,
    type: wanted,
    maxLength,
    precision,
    scale,
    nullable: options.nullable ?? present.nullable,
    default: changedDefault(column, wanted, type !== null, options, { maxLength, precision, scale }),
    unique: options.unique ?? present.unique,
    indexed: options.indexed ?? present.indexed,
    primaryKey: options.primaryKey ?? present.primaryKey,
    autoIncrement: options.autoIncrement ?? present.autoIncrement,
    comment: options.comment === undefined ? present.comment : options.comment,
    generationExpression: options.generationExpression === undefined ? present.generationExpression : options.generationExpression,
  });
}

interface Size {
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
}

const hasSize = (options: ColumnOptions): boolean =>
  options.maxLength !== undefined || options.length !== undefined || options.precision !== undefined || options.scale !== undefined;

const defaultLength = 255;
const defaultPrecision = 10;
const defaultScale = 5;

function sizeOf(name: string, type: ColumnType, options: ColumnOptions, kept: Size): Size {
  const isSized = type === 'string' || type === 'hash' || type === 'binary';
  const maxLength = options.maxLength ?? (isSized ? options.length : null) ?? null;
  const precision = options.precision ?? null;
  const scale = options.scale ?? null;
  if (maxLength !== null && !isSized) {
    throw invalidPayload(`Field "${name}" of type "${type}" has no max_length.`);
  }
  // A float has no precision either, but clients send the same payload for float and decimal.
  if ((precision !== null || scale !== null) && type !== 'decimal' && type !== 'float') {
    throw invalidPayload(`Field "${name}" of type "${type}" has no precision and scale.`);
  }
  if (type === 'decimal') return { maxLength: null, ...decimalSize(name, precision ?? kept.precision, scale ?? kept.scale) };
  const length = type === 'string' || type === 'hash' ? (maxLength ?? kept.maxLength ?? defaultLength) : maxLength;
  return { maxLength: length, precision: null, scale: null };
}

function decimalSize(name: string, precision: number | null, scale: number | null): Pick<Size, 'precision' | 'scale'> {
  const digits = precision ?? Math.max(defaultPrecision, scale ?? 0);
  const size = { precision: digits, scale: scale ?? Math.min(defaultScale, digits) };
  if (size.scale > size.precision) throw invalidPayload(refusal('scale_over_precision', { field: name }));
  return size;
}

/** An expression is put in parentheses, which every vendor accepts and some require. */
const newDefault = (name: string, type: ColumnType, { default: value = null, defaultExpression = null }: ColumnOptions, size: Size) =>
  defaultExpression === null ? parseDefault(name, type, value, size) : ({ kind: 'expression', text: `(${defaultExpression})` } as const);

/** Keeps the default when the type changes; throws INVALID_PAYLOAD if the default is no value of the new type. */
function changedDefault(column: RawColumn, type: ColumnType, retyped: boolean, options: ColumnOptions, size: Size): DefaultSpec | null {
  if (options.default !== undefined || options.defaultExpression !== undefined) return newDefault(column.name, type, options, size);
  const present = restateDefault(column.default);
  if (!retyped || present?.kind !== 'literal') return present;
  return parseDefault(column.name, type, describeDefault(column.type, column.default), size);
}

function checkSpec(spec: ColumnSpec): ColumnSpec {
  const fail = (reason: string): never => {
    throw invalidPayload(`Field "${spec.name}" ${reason}.`);
  };
  if (spec.primaryKey && spec.nullable) fail('is the primary key and cannot be nullable');
  if (spec.autoIncrement && !(spec.primaryKey && (spec.type === 'integer' || spec.type === 'bigInteger'))) {
    fail('cannot auto-increment: only a primary key of type integer or bigInteger can');
  }
  if (spec.autoIncrement && spec.default !== null) fail('auto-increments and cannot have a default value');
  if (spec.generationExpression !== null && (spec.default !== null || spec.primaryKey)) {
    fail('is generated and can be neither a primary key nor have a default value');
  }
  return spec;
}
