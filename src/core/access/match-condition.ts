// One condition on one value, in three-valued logic: null is SQL's unknown and no match.

import { isOperator, type OperatorName, operators } from '../query/operators.js';
import { type Canonical, noFacts } from '../schema/coerced.js';
import type { FieldType } from '../schema/field-type.js';
import { operandType } from '../schema/operator-types.js';
import { coerceValue } from '../schema/values.js';
import { matchesRegex } from './match-regex.js';
import { compareCanonical } from './match-values.js';

export type Truth = boolean | null;

const not = (truth: Truth): Truth => (truth === null ? null : !truth);

/** `value` is what stands in the item, `operand` the resolved literal. Shapes of geometries are not compared in memory: unknown. */
export function matchCondition(operator: OperatorName, type: FieldType, value: unknown, operand: unknown): Truth {
  const { negates } = operators[operator];
  if (negates !== null && isOperator(negates)) return not(matchCondition(negates, type, value, operand));
  if (operator === '_null') return isAbsent(type, value);
  if (operator === '_empty') return isAbsent(type, value) || value === '';
  const canonical = readCanonical(type, value);
  if (canonical === null || type === 'alias') return null;
  const { operand: shape, folds } = operators[operator];
  if (shape === 'list') return isAmong(type, canonical, operand);
  if (shape === 'pair') return liesBetween(type, canonical, operand);
  const other = readCanonical(operandType(operator, type), operand);
  if (shape !== 'scalar' || other === null) return null;
  return compareBy(operator, type, folds ? fold(canonical) : canonical, folds ? fold(other) : other);
}

/** A to-many relation without items counts as null. */
function isAbsent(type: FieldType, value: unknown): boolean {
  return value === null || value === undefined || (type === 'alias' && Array.isArray(value) && value.length === 0);
}

function readCanonical(type: FieldType, value: unknown): Canonical {
  if (value === undefined) return null;
  const coerced = coerceValue(type, value, noFacts, 'operand');
  return coerced.ok ? coerced.value : null;
}

const fold = (value: NonNullable<Canonical>): string => String(value).toLowerCase();

function isAmong(type: Exclude<FieldType, 'alias'>, value: NonNullable<Canonical>, operand: unknown): Truth {
  if (!Array.isArray(operand)) return null;
  const others = operand.map((entry) => readCanonical(type, entry));
  if (others.some((other) => other !== null && compareCanonical(type, value, other) === 0)) return true;
  return others.includes(null) ? null : false;
}

function liesBetween(type: Exclude<FieldType, 'alias'>, value: NonNullable<Canonical>, operand: unknown): Truth {
  const [low, high] = Array.isArray(operand) ? operand.map((entry) => readCanonical(type, entry)) : [];
  if (low === null || low === undefined || high === null || high === undefined) return null;
  return compareCanonical(type, value, low) >= 0 && compareCanonical(type, value, high) <= 0;
}

function compareBy(
  operator: OperatorName,
  type: Exclude<FieldType, 'alias'>,
  value: NonNullable<Canonical>,
  other: NonNullable<Canonical>,
): Truth {
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
    default:
      return searchBy(operator, String(value), String(other));
  }
}

function searchBy(operator: OperatorName, text: string, part: string): Truth {
  switch (operator) {
    case '_contains':
    case '_icontains':
      return text.includes(part);
    case '_starts_with':
    case '_istarts_with':
      return text.startsWith(part);
    case '_ends_with':
    case '_iends_with':
      return text.endsWith(part);
    case '_regex':
      return matchesRegex(part, text);
    default:
      return null;
  }
}
