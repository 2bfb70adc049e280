// Validation rules: those of the fields (`meta.validation`) and those of every permission that takes part. A rule about a value that
// was not sent is not asked; each condition that fails is an entry of its own.

import { failedConditions, failedValidation } from '../access/failed-conditions.js';
import { makeLookup } from '../access/match-lookup.js';
import type { Rule } from '../access/permission.js';
import { grantOf } from '../access/view.js';
import type { Collection } from '../schema/schema.js';
import type { WriteContext } from './write-context.js';
import type { Payload } from './write-payload.js';
import { writingFacts } from './writing-facts.js';

interface Validated {
  readonly collection: Collection;
  readonly action: 'create' | 'update';
  readonly path: readonly string[];
  /** As sent, with the presets under it; without the values that do not even fit their type. */
  readonly item: Payload;
}

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
  const literals = rule.literals.map((literal) => context.resolve(literal));
  const lookup = makeLookup(context.caller.view.schema, collection);
  for (const failed of failedConditions(rule.filter, literals, item, lookup)) {
    context.failures.add(failedValidation({ ...failed, path: [...path, ...failed.path] }, message));
  }
}
