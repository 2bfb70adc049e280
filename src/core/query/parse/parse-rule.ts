// Stored filters: permission rules and validation rules. Each rule owns its literals, because it is bound and cached apart from any
// request.

import type { Filter, QueryLimits } from '../query.js';
import { makeContext } from './parse-context.js';
import { parseFilter } from './parse-filter.js';

export interface ParsedRule {
  readonly filter: Filter;
  readonly literals: readonly unknown[];
}

/** Returns null when the rule has no condition. */
export function parseRule(input: unknown, use: 'rule' | 'validation', limits: QueryLimits): ParsedRule | null {
  const context = makeContext(limits, use);
  const filter = parseFilter(input, context);
  return filter === null ? null : { filter, literals: context.literals };
}
