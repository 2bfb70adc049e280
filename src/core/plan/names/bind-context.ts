// The state of binding one request: the view that names are looked up in, the source of literals, and the remaining budget.

import type { Rule } from '../../access/permission.js';
import type { SchemaView } from '../../access/view.js';
import { invalidQuery } from '../../errors/service-error.js';
import type { QueryLimits, Slot } from '../../query/query.js';
import type { Collection } from '../../schema/schema.js';
import type { BoundFilter } from './bound-filter.js';
import type { ValueSource } from './value-source.js';

export interface BindContext {
  readonly view: SchemaView;
  readonly limits: QueryLimits;
  /** How a slot of the tree becomes the source of a parameter: a literal of the request, or of the stored rule being bound. */
  readonly value: (slot: Slot) => ValueSource;
  /** The literal itself, for the rare number that must be part of the statement's text; such a plan is not cached. */
  readonly constant: (slot: Slot) => ValueSource;
  /** True while a rule of a policy is bound: names are looked up in the whole schema, and the caller's rules are not applied again. */
  readonly inRule: boolean;
  /**
   * Binds a rule of a policy (null: it matches everything). Passed in because filters contain rules and rules are filters, see
   * start-binding.ts.
   */
  readonly bindRule: (collection: Collection, rule: Rule) => BoundFilter | null;
  readonly budget: Budget;
}

/** What the request has used so far. Counted here again after parsing, because one wildcard may stand for many fields. */
interface Budget {
  nodes: number;
  hops: number;
  /** False once a literal became part of the plan itself. */
  cacheable: boolean;
}

/** Counts one field or condition. */
export function spend(context: BindContext): void {
  context.budget.nodes += 1;
  if (context.budget.nodes > context.limits.maxNodes)
    throw invalidQuery(`It asks for more than ${context.limits.maxNodes} fields and conditions.`);
}

/** Counts a relation that is followed before the page is cut out: the database may have to follow it for every item of the collection. */
export function spendHop(context: BindContext): void {
  context.budget.hops += 1;
  if (context.budget.hops > context.limits.maxHops)
    throw invalidQuery(`Filters, sorting, groups and counts may follow at most ${context.limits.maxHops} relations together.`);
}

export function checkDepth(context: BindContext, depth: number): void {
  if (depth > context.limits.depth) throw invalidQuery(`Relations may be followed at most ${context.limits.depth} levels deep.`);
}
