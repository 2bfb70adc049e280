// What binding works with: the view names are looked up in, where literals come from, and how much the request may still ask.

import type { Rule } from '../access/permission.js';
import type { SchemaView } from '../access/view.js';
import { invalidQuery } from '../errors/service-error.js';
import type { QueryLimits, Slot } from '../query/query.js';
import type { Collection } from '../schema/schema.js';
import type { BoundFilter } from './bound.js';
import type { ValueSource } from './value-source.js';

export interface BindContext {
  readonly view: SchemaView;
  readonly limits: QueryLimits;
  readonly value: (slot: Slot) => ValueSource;
  /** The literal itself, for the rare number that must stand in the statement's text; such a plan is not kept. */
  readonly constant: (slot: Slot) => ValueSource;
  /** Rules of policies are bound with the whole schema and never add the caller's own rules. */
  readonly inRule: boolean;
  /** A rule of a policy as a bound filter (null: everything). Given from outside: rules are filters, and filters hold rules. */
  readonly bindRule: (collection: Collection, rule: Rule) => BoundFilter | null;
  readonly budget: Budget;
}

/** How much of a request is bound already; a wildcard may stand for much. */
interface Budget {
  nodes: number;
  cacheable: boolean;
}

export function spend(context: BindContext): void {
  context.budget.nodes += 1;
  if (context.budget.nodes > context.limits.maxNodes)
    throw invalidQuery(`It asks for more than ${context.limits.maxNodes} fields and conditions.`);
}

export function checkDepth(context: BindContext, depth: number): void {
  if (depth > context.limits.depth) throw invalidQuery(`Relations may be followed at most ${context.limits.depth} levels deep.`);
}
