// Dynamic values: `$NOW`, `$CURRENT_USER`, `$CURRENT_ROLE` and the like. In the tree they are literals like any other and are replaced
// here, once per request, so plans and cached rules stay independent of the caller.

import { invalidQuery } from '../errors/service-error.js';
import type { Accountability, CallerValues } from './accountability.js';
import { adjustNow } from './now-expression.js';

export interface DynamicContext {
  readonly accountability: Accountability;
  /** By the text of the path: `$CURRENT_USER.email`. */
  readonly values: CallerValues;
  readonly now: Date;
}

/** Stands for an empty list: SQL's `IN (NULL)` and `NOT IN (NULL)` both match nothing, and so must a rule whose list came out empty. */
const nothing: readonly null[] = [null];

/** Replaces dynamic values by what they stand for. Returns the same array when there are none. */
export function resolveDynamicValues(literals: readonly unknown[], context: DynamicContext): readonly unknown[] {
  if (!literals.some(isDynamic)) return literals;
  return literals.map((literal) => (Array.isArray(literal) ? resolveList(literal, context) : resolveDynamicValue(literal, context)));
}

/** Resolves one value of a filter or a preset. */
export function resolveDynamicValue(value: unknown, context: DynamicContext): unknown {
  return typeof value === 'string' && value.startsWith('$') ? resolveText(value, context) : value;
}

/** The `$CURRENT_USER.path` and `$CURRENT_ROLE.path` values that have to be fetched before the literals can be resolved. */
export function neededCallerPaths(literals: readonly unknown[]): readonly string[] {
  const needed = new Set<string>();
  for (const literal of literals.flat()) {
    if (typeof literal === 'string' && isCallerPath(literal)) needed.add(literal);
  }
  return [...needed];
}

const isCallerPath = (text: string): boolean => text.startsWith('$CURRENT_USER.') || text.startsWith('$CURRENT_ROLE.');

/** Whether a literal, or an entry of a list, may be a dynamic value. */
export function isDynamic(literal: unknown): boolean {
  if (typeof literal === 'string') return literal.startsWith('$');
  return Array.isArray(literal) && literal.some((entry) => typeof entry === 'string' && entry.startsWith('$'));
}

/** Flattens nested lists and drops missing values. */
function resolveList(list: readonly unknown[], context: DynamicContext): readonly unknown[] {
  const resolved = list.flatMap((entry) => resolveDynamicValue(entry, context)).filter((entry) => entry !== null && entry !== undefined);
  return resolved.length === 0 ? nothing : resolved;
}

function resolveText(text: string, { accountability, values, now }: DynamicContext): unknown {
  switch (text) {
    case '$NOW':
      return now.toISOString();
    case '$CURRENT_USER':
      return accountability.user;
    case '$CURRENT_ROLE':
      return accountability.role;
    case '$CURRENT_ROLES':
      return accountability.roles;
    case '$CURRENT_POLICIES':
      return accountability.policies;
    default:
      return resolveForm(text, values, now);
  }
}

/** Text that begins with a dollar sign but is no dynamic value stays text. */
function resolveForm(text: string, values: CallerValues, now: Date): unknown {
  if (text.startsWith('$NOW(') && text.endsWith(')')) return adjustNow(now, text.slice(5, -1));
  if (!isCallerPath(text)) return text;
  if (!callerPath.test(text)) throw invalidQuery(`"${text.slice(0, 100)}" is not a path such as "$CURRENT_USER.email".`);
  return values.get(text) ?? null;
}

const callerPath = /^\$CURRENT_(?:USER|ROLE)(?:\.[^.\s()]{1,63}){1,10}$/;
