// Checks the values of one item: required columns and validation rules. Every failure is one entry of FAILED_VALIDATION.

import { failedConditions, failedValidation } from '../../access/failed-conditions.js';
import { makeLookup } from '../../access/match-lookup.js';
import type { Rule } from '../../access/permission.js';
import { grantOf } from '../../access/view.js';
import type { ErrorEntry } from '../../errors/service-error.js';
import type { Collection, ColumnField } from '../../schema/schema.js';
import { hasBeforeTrigger } from '../../schema/triggers.js';
import type { WriteValue } from './bound-write.js';
import type { Payload } from './payload.js';
import type { WriteContext } from './write-context.js';
import { failedValue } from './write-value.js';
import { writingFacts } from './writing-facts.js';

interface Checked {
  readonly collection: Collection;
  readonly action: 'create' | 'update';
  readonly path: readonly string[];
  readonly parentValues: ReadonlyMap<string, unknown>;
}

/** Reports missing values of required columns before the database would refuse them. */
export function checkRequired(context: WriteContext, input: Checked, values: ReadonlyMap<string, WriteValue>): void {
  // A trigger may fill the column, so the decision is left to the database.
  if (hasBeforeTrigger(input.collection, input.action === 'create' ? 'insert' : 'update')) return;
  for (const field of writingFacts(input.collection, context.limits).required) {
    if (input.parentValues.has(field.name)) continue;
    const entry = checkField(field, input, values);
    if (entry !== null) context.failures.add(entry);
  }
}

function checkField(field: ColumnField, input: Checked, values: ReadonlyMap<string, WriteValue>): ErrorEntry | null {
  if (!values.has(field.name)) {
    const missing = input.action === 'create' && field.column.default === null && !field.column.autoIncrement;
    return missing ? failedValue(field, 'required', input.path, 'Value is required.') : null;
  }
  return values.get(field.name) === null ? failedValue(field, 'nnull', input.path, "Value can't be null.") : null;
}

interface Validated {
  readonly collection: Collection;
  readonly action: 'create' | 'update';
  readonly path: readonly string[];
  /** The payload with presets below it, without values that do not fit their type. */
  readonly item: Payload;
}

/**
 * Checks the rules of the fields (`meta.validation`) and those of every permission that applies. Conditions on values that were not sent are
 * skipped.
 */
export function checkValidation(context: WriteContext, input: Validated): void {
  for (const [name, { rule, message }] of writingFacts(input.collection, context.limits).rules) {
    if (Object.hasOwn(input.item, name)) report(context, input, rule, message);
  }
  const grant = grantOf(context.caller.view, input.collection.name, input.action);
  for (const permission of grant === null || grant === 'all' ? [] : grant) {
    if (permission.validation !== null) report(context, input, permission.validation, null);
  }
}

function report(context: WriteContext, { collection, item, path }: Validated, rule: Rule, message: string | null): void {
  const literals = { stored: rule.literals, resolved: rule.literals.map((literal) => context.resolve(literal)) };
  const lookup = makeLookup(context.caller.view.schema, collection);
  for (const failed of failedConditions(rule.filter, literals, item, lookup)) {
    // A condition on a related item is about another collection, which its path leads to.
    const owner = failed.path.length === 0 ? collection.name : null;
    context.failures.add(failedValidation({ ...failed, path: [...path, ...failed.path] }, message, owner));
  }
}
