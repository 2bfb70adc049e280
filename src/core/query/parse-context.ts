// What every part of the parser shares: the literals lifted out of the tree so far, and the bounds that keep any input cheap.

import { invalidQuery } from '../errors/service-error.js';
import type { QueryLimits, Slot } from './query.js';

/**
 * Where a filter comes from. An empty `_or` matches nothing in a permission rule and everything elsewhere; an empty text as an operand is
 * refused in requests; `_regex` and `_submitted` exist only in validation rules.
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

export function addLiteral(context: ParseContext, value: unknown): Slot {
  return context.literals.push(value) - 1;
}

export function countNode(context: ParseContext): void {
  context.nodes += 1;
  if (context.nodes > context.limits.maxNodes) throw tooManyParts(context);
}

export const tooManyParts = ({ limits }: ParseContext) => invalidQuery(`The query has more than ${limits.maxNodes} parts.`);

/** Each value is cheap, and there may be a great many of them. */
export function countValues(context: ParseContext, count: number): void {
  context.values += count;
  if (context.values > context.limits.maxValues) throw tooManyValues(context.limits);
}

export const tooManyValues = ({ maxValues }: QueryLimits) => invalidQuery(`The query has more than ${maxValues} values: send it in parts.`);

/** `hops`: how many relations lie between the root and here. */
export function checkHops(context: ParseContext, hops: number): void {
  if (hops > context.limits.depth) throw invalidQuery(`At most ${context.limits.depth} levels of relations can be followed.`);
}

/** `level`: nested objects and lists, whatever they mean; keeps recursion far from the end of the stack. */
export function checkNesting(context: ParseContext, level: number): void {
  if (level > context.limits.depth * 4) throw invalidQuery('The query is nested too deeply.');
}
