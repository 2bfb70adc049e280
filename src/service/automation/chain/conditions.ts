// The filter of a condition over the data of a run: `{"$trigger":{"body":{"n":{"_gt":5}}}}`. Every value that it names has to be there: a
// missing one fulfils nothing, not even `_null`. Numbers and their texts are equal.

import { matchCondition } from '../../../core/access/match-condition.js';
import { adjustNow } from '../../../core/access/now-expression.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { isOperator, type OperatorName, operators } from '../../../core/query/operators.js';
import { isPlainObject } from '../../../core/util/plain-object.js';

/** One value that is not as the condition wants it. */
export interface Unfulfilled {
  readonly field: string;
  /** The operator; null: the value is missing. */
  readonly type: string | null;
}

type Values = Readonly<Record<string, unknown>>;

/** The first values that break the condition; none: it is fulfilled. Its templates have been rendered. */
export function findUnfulfilled(filter: unknown, values: Values, now: Date): readonly Unfulfilled[] {
  if (!isPlainObject(filter)) throw invalidPayload('"filter" has to be an object.');
  return check(filter, values, [], now);
}

function check(filter: Values, value: unknown, path: readonly string[], now: Date): readonly Unfulfilled[] {
  return Object.entries(filter).flatMap(([name, wanted]) => {
    if (name === '_and' || name === '_or') return checkGroup(name, wanted, value, path, now);
    if (name.startsWith('_')) return checkOperator(name, wanted, value, path, now);
    if (!isPlainObject(wanted)) throw invalidPayload(`"filter" has nothing to compare "${[...path, name].join('.')}" with.`);
    const at = [...path, name];
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [{ field: at.join('.'), type: null }];
    return check(wanted, (value as Values)[name], at, now);
  });
}

function checkGroup(name: '_and' | '_or', wanted: unknown, value: unknown, path: readonly string[], now: Date): readonly Unfulfilled[] {
  if (!Array.isArray(wanted) || !wanted.every(isPlainObject)) throw invalidPayload(`"${name}" of "filter" has to be a list of objects.`);
  const broken = wanted.map((filter) => check(filter, value, path, now));
  if (name === '_and') return broken.flat();
  return broken.length === 0 || broken.some((some) => some.length === 0) ? [] : (broken[0] ?? []);
}

function checkOperator(name: string, wanted: unknown, value: unknown, path: readonly string[], now: Date): readonly Unfulfilled[] {
  if (!isOperator(name) || operators[name].group === 'spatial') throw invalidPayload(`"${name}" is no operator of a condition.`);
  return holds(name, value, resolved(wanted, now), now) ? [] : [{ field: path.join('.'), type: name.slice(1) }];
}

function holds(operator: OperatorName, value: unknown, operand: unknown, now: Date): boolean {
  const { negates, operand: shape } = operators[operator];
  if (shape === 'none' && (operand === false || operand === 'false')) return !holds(operator, value, true, now);
  if (operator === '_submitted') return true;
  if (negates !== null && isOperator(negates)) return !holds(negates, value, operand, now) && (value !== null || shape === 'none');
  if (operator === '_null') return value === null;
  if (operator === '_empty') return isEmpty(value);
  if (Array.isArray(value) && operator === '_contains') return value.some((entry) => areEqual(entry, operand));
  if (operator === '_in') return listOf(operand).some((entry) => areEqual(value, entry));
  if (operator === '_eq') return areEqual(value, operand);
  if (operator === '_between') {
    const [from, to, ...more] = listOf(operand);
    if (from === undefined || to === undefined || more.length > 0) throw invalidPayload('"_between" takes two values.');
    return isOrdered('_gte', value, from) && isOrdered('_lte', value, to);
  }
  if (operators[operator].group === 'order') return isOrdered(operator, value, operand);
  return matchCondition(operator, 'string', textOf(value), textOf(operand)) === true;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) ? value.length === 0 : isPlainObject(value) && Object.keys(value).length === 0);

/** A text lists its entries separated by commas, as in the query of a request. */
const listOf = (operand: unknown): readonly unknown[] => {
  if (Array.isArray(operand)) return operand;
  return typeof operand === 'string' ? operand.split(',') : [operand];
};

const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

function areEqual(one: unknown, other: unknown): boolean {
  if (one === null || other === null) return one === other;
  const moments = asMoments(one, other);
  if (moments !== null) return moments[0] === moments[1];
  if (isNumeric(one) && isNumeric(other) && (typeof one === 'number' || typeof other === 'number')) return Number(one) === Number(other);
  return textOf(one) === textOf(other);
}

function isOrdered(operator: OperatorName, value: unknown, operand: unknown): boolean {
  if (value === null || operand === null) return false;
  const moments = asMoments(value, operand);
  if (moments !== null) return matchCondition(operator, 'decimal', moments[0], moments[1]) === true;
  if (isNumeric(value) && isNumeric(operand)) return matchCondition(operator, 'decimal', String(value), String(operand)) === true;
  return matchCondition(operator, 'string', textOf(value), textOf(operand)) === true;
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,30}(?:\.\d{1,30})?$/.test(value));

const moment = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** Two texts that are moments, in milliseconds. A text without a zone is in UTC, as the service stores it. */
function asMoments(one: unknown, other: unknown): readonly [number, number] | null {
  if (typeof one !== 'string' || typeof other !== 'string' || !moment.test(one) || !moment.test(other)) return null;
  const [first, second] = [one, other].map((text) => Date.parse(/[Z+]|-\d\d:?\d\d$/.test(text.slice(10)) ? text : inUtc(text)));
  return first === undefined || second === undefined || Number.isNaN(first) || Number.isNaN(second) ? null : [first, second];
}

const inUtc = (text: string): string => (text.length > 10 ? `${text.replace(' ', 'T')}Z` : text);

/** `$NOW` and its adjustments, wherever they are in the operand. */
function resolved(operand: unknown, now: Date): unknown {
  if (Array.isArray(operand)) return operand.map((entry) => resolved(entry, now));
  if (operand === '$NOW') return now.toISOString();
  const [, adjustment] = typeof operand === 'string' ? (/^\$NOW\((.{1,60})\)$/.exec(operand) ?? []) : [];
  return adjustment === undefined ? operand : adjustNow(now, adjustment);
}
