// The filter of a condition as rows: a value of the run, a comparison, and what it is compared with. Pure.

import type { Options } from '../flow-model.js';

export interface ConditionRow {
  readonly path: string;
  readonly operator: string;
  readonly value: string;
}

const unary = ['_null', '_nnull', '_empty', '_nempty'] as const;
export const conditionOperators = [
  '_eq',
  '_neq',
  '_gt',
  '_gte',
  '_lt',
  '_lte',
  '_in',
  '_nin',
  '_contains',
  '_ncontains',
  '_starts_with',
  ...unary,
] as const;

const isUnary = (operator: string): boolean => unary.some((each) => each === operator);
const isObject = (value: unknown): value is Options => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null: it says what rows cannot. */
export function readConditions(filter: unknown): readonly ConditionRow[] | null {
  if (filter === undefined || filter === null || filter === '') return [];
  return isObject(filter) ? readObject(filter, []) : null;
}

function readObject(filter: Options, path: readonly string[]): readonly ConditionRow[] | null {
  const rows: ConditionRow[] = [];
  for (const [name, operand] of Object.entries(filter)) {
    const found = readEntry(name, operand, path);
    if (found === null) return null;
    rows.push(...found);
  }
  return rows;
}

function readEntry(name: string, operand: unknown, path: readonly string[]): readonly ConditionRow[] | null {
  if (name === '_and' && path.length === 0 && Array.isArray(operand)) {
    const parts = operand.map((part) => (isObject(part) ? readObject(part, []) : null));
    return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
  }
  if (!name.startsWith('_')) return isObject(operand) && /^[^.[\]]+$/.test(name) ? readObject(operand, [...path, name]) : null;
  if (path.length === 0 || !conditionOperators.some((each) => each === name)) return null;
  if (isUnary(name)) return operand === true ? [{ path: path.join('.'), operator: name, value: '' }] : null;
  const value = printValue(operand);
  // Only what is stored again as it was.
  return value === null || JSON.stringify(readValue(name, value)) !== JSON.stringify(operand)
    ? null
    : [{ path: path.join('.'), operator: name, value }];
}

function printValue(operand: unknown): string | null {
  if (Array.isArray(operand))
    return operand.every((each) => typeof each !== 'object' && !String(each).includes(',')) ? operand.join(', ') : null;
  return typeof operand === 'object' || operand === undefined ? null : String(operand);
}

const isList = (operator: string): boolean => operator === '_in' || operator === '_nin';

function readValue(operator: string, value: string): unknown {
  if (isList(operator) && !value.includes('{{')) return value.split(',').map((part) => scalar(part.trim()));
  return scalar(value);
}

function scalar(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

export const isFinishedRow = ({ path }: ConditionRow): boolean => /^[^\s.{}]+(?:\.[^\s.{}]+)*$/.test(path);

/** Undefined: there is no condition. */
export function printConditions(rows: readonly ConditionRow[]): Options | undefined {
  const parts = rows.map(({ path, operator, value }) =>
    path
      .replaceAll(/\[(\d{1,9})\]/g, '.$1')
      .split('.')
      .reduceRight<Options>((inner, name) => ({ [name]: inner }), { [operator]: isUnary(operator) ? true : readValue(operator, value) }),
  );
  return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : { _and: parts };
}

export const takesValue = (operator: string): boolean => !isUnary(operator);
