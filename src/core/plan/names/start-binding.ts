// Starts the binding of a request or of a rule. Filters contain the rules of the collections they pass, and rules are filters; this file
// ties the knot by passing `bindRule` into the context.
//
// Literals stay out of plans: a slot of the request is bound to `{kind: 'slot'}` and looked up when the statement runs. The literals of
// rules belong to the plan (`{kind: 'rule'}`), since the plan's cache key contains the caller's grants.

import type { Rule } from '../../access/permission.js';
import { type SchemaView, serviceCaller } from '../../access/view.js';
import { ServiceError } from '../../errors/service-error.js';
import type { QueryLimits } from '../../query/query.js';
import type { Collection, Schema } from '../../schema/schema.js';
import type { BindContext } from './bind-context.js';
import { bindFilter } from './bind-filter.js';
import type { BoundFilter } from './bound-filter.js';
import type { ValueSource } from './value-source.js';

export function startBinding(view: SchemaView, limits: QueryLimits, literals: readonly unknown[]): BindContext {
  return {
    view,
    limits,
    value: (slot) => ({ kind: 'slot', slot }),
    constant: (slot) => ({ kind: 'constant', value: literals[slot] }),
    inRule: false,
    bindRule: (collection, rule) => bindRule(view.schema, limits, collection, rule),
    budget: { nodes: 0, hops: 0, cacheable: true },
  };
}

/** A stored rule may name fields that no longer exist. It then matches nothing instead of failing the request. */
function bindRule(schema: Schema, limits: QueryLimits, collection: Collection, rule: Rule): BoundFilter | null {
  const literal = (slot: number): ValueSource => ({ kind: 'rule', value: rule.literals[slot] });
  const context: BindContext = {
    view: serviceCaller(schema).view,
    limits,
    value: literal,
    constant: literal,
    inRule: true,
    bindRule: () => null,
    budget: { nodes: 0, hops: 0, cacheable: true },
  };
  try {
    return bindFilter(context, collection, rule.filter, 0);
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'nothing' };
    throw error;
  }
}
