// State that all parts of the parser share: the literals moved out of the tree so far, and counters that bound the cost of any input.

import { invalidQuery } from '../../errors/service-error.js';
import type { QueryLimits, Slot } from '../query.js';

/**
 * The origin of a filter. An empty `_or` matches nothing in a permission rule and everything elsewhere. An empty text as an operand
 * other than of `_eq` and `_neq` is refused in requests. `_regex` and `_submitted` exist in validation rules only.
 */
export type FilterUse = 'request' | 'rule' | 'validation';

export interface ParseContext {
  readonly limits: QueryLimits;
  readonly use: FilterUse;
  readonly literals: unknown[];
  nodes: number;
  values: number;
}

export const makeContext = (limits: QueryLimits, use: FilterUse = 'request'): ParseContext => ({
  limits,
  use,
  literals: [],
  nodes: 0,
  values: 0,
});

/**
 * Stores a literal outside of the tree and returns its slot. The tree then depends on structure alone, so requests that differ only in
 * values share one plan (see query.ts).
 */
export function addLiteral(context: ParseContext, value: unknown): Slot {
  return context.literals.push(value) - 1;
}

export function countNode(context: ParseContext): void {
  context.nodes += 1;
  if (context.nodes > context.limits.maxNodes) throw tooManyParts(context);
}

export const tooManyParts = ({ limits }: ParseContext) => invalidQuery(`The query has more than ${limits.maxNodes} parts.`);

/** Counted apart from nodes: a value is cheap, so many more of them are allowed. */
export function countValues(context: ParseContext, count: number): void {
  context.values += count;
  if (context.values > context.limits.maxValues) throw tooManyValues(context.limits);
}

export const tooManyValues = ({ maxValues }: QueryLimits) => invalidQuery(`The query has more than ${maxValues} values: send it in parts.`);

/** `hops` is the number of relations between the root and this place. */
export function checkHops(context: ParseContext, hops: number): void {
  if (hops > context.limits.depth) throw invalidQuery(`At most ${context.limits.depth} levels of relations can be followed.`);
}

/** `level` counts nested objects and lists of any meaning; the bound keeps the recursion far from the end of the stack. */
export function checkNesting(context: ParseContext, level: number): void {
  if (level > context.limits.depth * 4) throw invalidQuery('The query is nested too deeply.');
}
