// Begins the binding of a request or of a rule: the one place where filters and the rules inside them meet.

import type { Rule } from '../access/permission.js';
import { type SchemaView, serviceCaller } from '../access/view.js';
import { ServiceError } from '../errors/service-error.js';
import type { QueryLimits } from '../query/query.js';
import type { Collection, Schema } from '../schema/schema.js';
import type { BindContext } from './bind-context.js';
import { bindFilter } from './bind-filter.js';
import type { BoundFilter } from './bound.js';
import type { ValueSource } from './value-source.js';

export function startBinding(view: SchemaView, limits: QueryLimits, literals: readonly unknown[]): BindContext {
  return {
    view,
    limits,
    value: (slot) => ({ kind: 'slot', slot }),
    constant: (slot) => ({ kind: 'constant', value: literals[slot] }),
    inRule: false,
    bindRule: (collection, rule) => bindRule(view.schema, limits, collection, rule),
    budget: { nodes: 0, cacheable: true },
  };
}

/** A stored rule may name what is gone or was never right: then it matches nothing, it does not break the request. */
function bindRule(schema: Schema, limits: QueryLimits, collection: Collection, rule: Rule): BoundFilter | null {
  const constant = (slot: number): ValueSource => ({ kind: 'constant', value: rule.literals[slot] });
  const context: BindContext = {
    view: serviceCaller(schema).view,
    limits,
    value: constant,
    constant,
    inRule: true,
    bindRule: () => null,
    budget: { nodes: 0, cacheable: true },
  };
  try {
    return bindFilter(context, collection, rule.filter, 0);
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'nothing' };
    throw error;
  }
}
