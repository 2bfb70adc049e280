// Whether the values of a form satisfy a filter, as the service would decide it. Conditions and validation rules of fields are such filters.
// What cannot be decided here (an unknown operator, a relation whose items are not loaded) matches nothing.

import type { Collection, Schema } from './model.js';

type Values = Readonly<Record<string, unknown>>;

export interface MatchContext {
  readonly schema: Schema;
  /** The key of the person who edits, for `$CURRENT_USER`. */
  readonly user: string;
  readonly now: Date;
}

export function matches(context: MatchContext, collection: Collection, filter: unknown, values: Values): boolean {
  if (!isObject(filter)) return false;
  return Object.entries(filter).every(([name, operand]) => {
    if (name === '_and') return listOf(operand).every((each) => matches(context, collection, each, values));
    if (name === '_or') return listOf(operand).some((each) => matches(context, collection, each, values));
    return matchesField(context, collection, name, operand, values);
  });
}

function matchesField(context: MatchContext, collection: Collection, name: string, operand: unknown, values: Values): boolean {
  const field = collection.fieldsByName.get(name);
  const standard = field?.column?.standard;
  const value = name in values ? values[name] : standard?.kind === 'value' ? standard.value : null;
  const related = field?.relation?.kind === 'm2o' ? context.schema.get(field.relation.related) : undefined;
  if (!isObject(operand)) return compare('_eq', keyOf(value, related), resolve(context, operand));
  return Object.entries(operand).every(([key, expected]) => {
    if (key.startsWith('_')) return compare(key, keyOf(value, related), resolve(context, expected));
    return related !== undefined && isObject(value) && matchesField(context, related, key, expected, value);
  });
}

const keyOf = (value: unknown, related: Collection | undefined): unknown =>
  isObject(value) && related !== undefined && related.key !== null ? (value[related.key] ?? null) : value;

function resolve({ user, now }: MatchContext, operand: unknown): unknown {
  if (Array.isArray(operand)) return operand.map((each) => (each === '$CURRENT_USER' ? user : each));
  if (operand === '$CURRENT_USER') return user;
  return operand === '$NOW' ? now.toISOString() : operand;
}

type Test = (value: unknown, operand: unknown) => boolean;

const tests: Readonly<Record<string, Test>> = {
  _eq: isSame,
  _in: (value, operand) => listOf(operand).some((each) => isSame(value, each)),
  _null: (value, operand) => ((value ?? null) === null) === isOn(operand),
  _empty: (value, operand) => isEmpty(value) === isOn(operand),
  _lt: (value, operand) => order(value, operand) < 0,
  _lte: (value, operand) => order(value, operand) <= 0,
  _gt: (value, operand) => order(value, operand) > 0,
  _gte: (value, operand) => order(value, operand) >= 0,
  _between: (value, operand) => order(value, listOf(operand)[0]) >= 0 && order(value, listOf(operand)[1]) <= 0,
  _contains: (value, operand) => holds(value, operand),
  _icontains: (value, operand) => holds(lower(value), lower(operand)),
  _starts_with: (value, operand) => textOf(value).startsWith(textOf(operand)),
  _istarts_with: (value, operand) => lower(value).startsWith(lower(operand)),
  _ends_with: (value, operand) => textOf(value).endsWith(textOf(operand)),
  _iends_with: (value, operand) => lower(value).endsWith(lower(operand)),
  _regex: (value, operand) => patternOf(operand)?.test(textOf(value)) ?? false,
};

const negations: Readonly<Record<string, string>> = {
  _neq: '_eq',
  _nin: '_in',
  _nnull: '_null',
  _nempty: '_empty',
  _nbetween: '_between',
  _ncontains: '_contains',
  _nicontains: '_icontains',
  _nstarts_with: '_starts_with',
  _nistarts_with: '_istarts_with',
  _nends_with: '_ends_with',
  _niends_with: '_iends_with',
};

function compare(operator: string, value: unknown, operand: unknown): boolean {
  const negated = negations[operator];
  if (negated !== undefined) return tests[negated]?.(value, operand) === false;
  return tests[operator]?.(value, operand) ?? false;
}

/** Forms hold numbers as numbers or text, depending on the type; rules store either. */
function isSame(value: unknown, operand: unknown): boolean {
  if ((value ?? null) === null || (operand ?? null) === null) return (value ?? null) === (operand ?? null);
  return textOf(value) === textOf(operand);
}

/** NaN, which no comparison accepts, when either side has no value. */
function order(value: unknown, operand: unknown): number {
  if (isEmpty(value) || isEmpty(operand)) return Number.NaN;
  const [one, other] = [Number(value), Number(operand)];
  if (!Number.isNaN(one) && !Number.isNaN(other)) return one - other;
  const [left, right] = [textOf(value), textOf(operand)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const holds = (value: unknown, operand: unknown): boolean =>
  Array.isArray(value) ? value.some((each) => isSame(each, operand)) : textOf(value).includes(textOf(operand));
const isOn = (operand: unknown): boolean => operand !== false && operand !== 'false';
const lower = (value: unknown): string => textOf(value).toLowerCase();
const textOf = (value: unknown): string => ((value ?? null) === null ? '' : String(value));
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function patternOf(operand: unknown): RegExp | null {
  try {
    return new RegExp(textOf(operand).replace(/^\/(.*)\/$/, '$1'), 'u');
  } catch {
    return null;
  }
}
