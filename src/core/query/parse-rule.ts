// Filters that are stored and not asked: permission rules and validation rules, each with literals of its own.

import { makeContext } from './parse-context.js';
import { parseFilter } from './parse-filter.js';
import type { Filter, QueryLimits } from './query.js';

export interface ParsedRule {
  readonly filter: Filter;
  readonly literals: readonly unknown[];
}

/** null: no condition. */
export function parseRule(input: unknown, use: 'rule' | 'validation', limits: QueryLimits): ParsedRule | null {
  const context = makeContext(limits, use);
  const filter = parseFilter(input, context);
  return filter === null ? null : { filter, literals: context.literals };
}
