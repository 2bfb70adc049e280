// Explains why an item fails a validation rule: the conditions that do not hold, as entries of FAILED_VALIDATION. A
// condition on a field that was not sent is not checked, except `_submitted`, which tests exactly that.

import { type ErrorEntry, unreachable } from '../errors/service-error.js';
import { type OperatorName, operators } from '../query/operators.js';
import type { Filter } from '../query/query.js';
import { evaluate, type Item, type MatchScope, relatedScopes } from './match-filter.js';
import type { MatchLookup } from './match-lookup.js';

export interface FailedCondition {
  readonly field: string;
  /** The relations that lead to the field. */
  readonly path: readonly string[];
  readonly operator: OperatorName;
  /** The operand as stored in the rule: a dynamic value is reported by its name. */
  readonly operand: unknown;
}

/** The literals of a rule: `resolved` ones are compared, `stored` ones are reported. */
interface RuleLiterals {
  readonly stored: readonly unknown[];
  readonly resolved: readonly unknown[];
}

interface RuleScope extends MatchScope {
  readonly stored: readonly unknown[];
}

export function failedConditions(filter: Filter, literals: RuleLiterals, item: Item, lookup: MatchLookup): readonly FailedCondition[] {
  return findFailures(filter, { literals: literals.resolved, stored: literals.stored, lookup, item, path: [] });
}

function findFailures(filter: Filter, scope: RuleScope): readonly FailedCondition[] {
  switch (filter.kind) {
    case 'and':
      return filter.filters.flatMap((part) => findFailures(part, scope));
    case 'or': {
      const each = filter.filters.map((part) => findFailures(part, scope));
      return each.some((failures) => failures.length === 0) ? [] : each.flat();
    }
    case 'compare':
    case 'json':
      return isUnchecked(filter, scope) || evaluate(filter, scope) === true ? [] : [describe(filter, scope)];
    case 'related':
      return findRelatedFailures(filter, scope);
    default:
      return unreachable(filter);
  }
}

function isUnchecked(filter: Extract<Filter, { kind: 'compare' | 'json' }>, scope: MatchScope): boolean {
  return filter.operator !== '_submitted' && !Object.hasOwn(scope.item, filter.field.name);
}

/** If none of several related items satisfies the filter, reports the failures of the first. */
function findRelatedFailures(filter: Extract<Filter, { kind: 'related' }>, scope: RuleScope): readonly FailedCondition[] {
  if (!Object.hasOwn(scope.item, filter.field.name)) return [];
  const related = relatedScopes(filter.field, scope);
  if (filter.quantifier === 'none') return evaluate(filter, scope) === true ? [] : [describeRelation(filter.field.name, '_null', scope)];
  const each = related.map((place) => findFailures(filter.filter, { ...place, stored: scope.stored }));
  if (each.some((failures) => failures.length === 0)) return [];
  return each[0] ?? [describeRelation(filter.field.name, '_nnull', scope)];
}

function describe(filter: Extract<Filter, { kind: 'compare' | 'json' }>, scope: RuleScope): FailedCondition {
  const operand = filter.slot === null ? null : scope.stored[filter.slot];
  return { field: filter.field.name, path: scope.path.map((step) => step.name), operator: filter.operator, operand };
}

function describeRelation(field: string, operator: OperatorName, scope: MatchScope): FailedCondition {
  return { field, path: scope.path.map((step) => step.name), operator, operand: null };
}

export function failedValidation(
  { field, path, operator, operand }: FailedCondition,
  message: string | null,
  collection: string | null = null,
): ErrorEntry {
  const type = operator === '_submitted' ? 'required' : operator.slice(1);
  return {
    code: 'FAILED_VALIDATION',
    message: message ?? `Validation failed for field "${field}": ${expectation(operator, operand)}.`,
    extensions: { ...(collection === null ? {} : { collection }), field, path, type, ...extras(operator, operand) },
  };
}

function extras(operator: OperatorName, operand: unknown): Readonly<Record<string, unknown>> {
  const { group, operand: shape, negates } = operators[operator];
  if (shape === 'none' || operator === '_regex') return {};
  if (group === 'text') return { substring: operand };
  return negates === null ? { valid: operand } : { invalid: operand };
}

function expectation(operator: OperatorName, operand: unknown): string {
  if (operator === '_submitted') return 'a value is required';
  const rule = operator.slice(1).replaceAll('_', ' ');
  return operators[operator].operand === 'none'
    ? `the rule "${rule}" does not hold`
    : `the rule "${rule}" with ${JSON.stringify(operand)} does not hold`;
}
