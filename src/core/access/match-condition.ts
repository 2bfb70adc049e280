// One condition on one value in memory, in SQL's three-valued logic: null means unknown and does not match. core/sql/filter-to-sql.ts
// writes the same operators as SQL; test/properties compares the two.

import { unreachable } from '../errors/service-error.js';
import { isOperator, type OperatorName, operators, type TextMatch } from '../query/operators.js';
import { coerceValue } from '../schema/types/coerce-value.js';
import { type Canonical, noFacts, type ValueFacts } from '../schema/types/coerced.js';
import { compareDecimals } from '../schema/types/decimal.js';
import type { ColumnType, FieldType } from '../schema/types/field-type.js';
import { operandType } from '../schema/types/operator-types.js';
import { matchesRegex } from './match-regex.js';

export type Ternary = boolean | null;

const not = (truth: Ternary): Ternary => (truth === null ? null : !truth);

/** `value` comes from the item, `operand` is the resolved literal. Geometries are not compared in memory: the result is unknown. */
export function matchCondition(operator: OperatorName, type: FieldType, value: unknown, operand: unknown): Ternary {
  const { negates } = operators[operator];
  if (negates !== null && isOperator(negates)) return not(matchCondition(negates, type, value, operand));
  if (operator === '_null') return isAbsent(type, value);
  if (operator === '_empty') return isAbsent(type, value) || value === '';
  const canonical = readCanonical(type, value);
  if (canonical === null || type === 'alias') return null;
  const { operand: shape, folds, match } = operators[operator];
  if (shape === 'list') return isAmong(type, canonical, operand);
  if (shape === 'pair') return liesBetween(type, canonical, operand);
  const other = readCanonical(operandType(operator, type), operand);
  if (shape !== 'scalar' || other === null) return null;
  if (match !== null) return folds ? matchText(match, fold(canonical), fold(other)) : matchText(match, String(canonical), String(other));
  return compareBy(operator, type, canonical, other);
}

/** A to-many relation without items counts as null. */
function isAbsent(type: FieldType, value: unknown): boolean {
  return value === null || value === undefined || (type === 'alias' && Array.isArray(value) && value.length === 0);
}

/** The widest integers of any vendor. */
const wholeFacts: ValueFacts = { ...noFacts, range: { min: -(2n ** 64n), max: 2n ** 64n } };

const isWhole = (type: FieldType): boolean => type === 'integer' || type === 'bigInteger';

function readCanonical(type: FieldType, value: unknown): Canonical {
  if (value === undefined) return null;
  const coerced = coerceValue(type, value, isWhole(type) ? wholeFacts : noFacts, 'operand');
  return coerced.ok ? coerced.value : null;
}

const fold = (value: NonNullable<Canonical>): string => String(value).toLowerCase();

function isAmong(type: Exclude<FieldType, 'alias'>, value: NonNullable<Canonical>, operand: unknown): Ternary {
  if (!Array.isArray(operand)) return null;
  const others = operand.map((entry) => readCanonical(type, entry));
  if (others.some((other) => other !== null && compareCanonical(type, value, other) === 0)) return true;
  return others.includes(null) ? null : false;
}

function liesBetween(type: Exclude<FieldType, 'alias'>, value: NonNullable<Canonical>, operand: unknown): Ternary {
  const [low, high] = Array.isArray(operand) ? operand.map((entry) => readCanonical(type, entry)) : [];
  if (low === null || low === undefined || high === null || high === undefined) return null;
  return compareCanonical(type, value, low) >= 0 && compareCanonical(type, value, high) <= 0;
}

function compareBy(
  operator: OperatorName,
  type: Exclude<FieldType, 'alias'>,
  value: NonNullable<Canonical>,
  other: NonNullable<Canonical>,
): Ternary {
  switch (operator) {
    case '_eq':
      return compareCanonical(type, value, other) === 0;
    case '_lt':
      return compareCanonical(type, value, other) < 0;
    case '_lte':
      return compareCanonical(type, value, other) <= 0;
    case '_gt':
      return compareCanonical(type, value, other) > 0;
    case '_gte':
      return compareCanonical(type, value, other) >= 0;
    case '_regex':
      return matchesRegex(String(other), String(value));
    default:
      return null;
  }
}

function matchText(match: TextMatch, text: string, part: string): boolean {
  switch (match) {
    case 'contains':
      return text.includes(part);
    case 'starts':
      return text.startsWith(part);
    case 'ends':
      return text.endsWith(part);
    default:
      return unreachable(match);
  }
}

/**
 * Compares two canonical values of one type as a database would: negative, zero or positive. Canonical dates and times of one type have the
 * same width, so their order as text is the order of time.
 */
function compareCanonical(type: ColumnType, left: NonNullable<Canonical>, right: NonNullable<Canonical>): number {
  if (type === 'decimal') return compareDecimals(String(left), String(right));
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (type === 'time') return compareTexts(padTime(String(left)), padTime(String(right)));
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
const padTime = (time: string): string => (time.length === 8 ? `${time}.000` : time);
