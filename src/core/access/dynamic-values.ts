// Values that stand for something of the request: `$NOW`, `$CURRENT_USER`, `$CURRENT_ROLE` and their kin. They are literals like any
// other in the tree and become real ones here, once per request.

import { invalidQuery } from '../errors/service-error.js';
import type { Accountability, CallerValues } from './accountability.js';
import { adjustNow } from './now-expression.js';

export interface DynamicContext {
  readonly accountability: Accountability;
  /** By the text that asks for them: `$CURRENT_USER.email`. */
  readonly values: CallerValues;
  readonly now: Date;
}

/** What an empty list becomes: SQL's `IN (NULL)` and `NOT IN (NULL)` both match nothing, and so must a rule whose list came out empty. */
const nothing: readonly null[] = [null];

/** The literals with dynamic values in place of their names; the same array when there are none. */
export function resolveDynamicValues(literals: readonly unknown[], context: DynamicContext): readonly unknown[] {
  if (!literals.some(isDynamic)) return literals;
  return literals.map((literal) => (Array.isArray(literal) ? resolveList(literal, context) : resolveDynamicValue(literal, context)));
}

/** One value, of a filter or a preset. */
export function resolveDynamicValue(value: unknown, context: DynamicContext): unknown {
  return typeof value === 'string' && value.startsWith('$') ? resolveText(value, context) : value;
}

/** Which `$CURRENT_USER.path` and `$CURRENT_ROLE.path` have to be in the caller's values before resolving. */
export function neededCallerPaths(literals: readonly unknown[]): readonly string[] {
  const needed = new Set<string>();
  for (const literal of literals.flat()) {
    if (typeof literal === 'string' && isCallerPath(literal)) needed.add(literal);
  }
  return [...needed];
}

const isCallerPath = (text: string): boolean => text.startsWith('$CURRENT_USER.') || text.startsWith('$CURRENT_ROLE.');

function isDynamic(literal: unknown): boolean {
  if (typeof literal === 'string') return literal.startsWith('$');
  return Array.isArray(literal) && literal.some((entry) => typeof entry === 'string' && entry.startsWith('$'));
}

/** Lists in lists are laid flat, and what is not there is left out. */
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

/** Text that only begins with a dollar sign is text. */
function resolveForm(text: string, values: CallerValues, now: Date): unknown {
  if (text.startsWith('$NOW(') && text.endsWith(')')) return adjustNow(now, text.slice(5, -1));
  if (!isCallerPath(text)) return text;
  if (!callerPath.test(text)) throw invalidQuery(`"${text.slice(0, 100)}" is not a path such as "$CURRENT_USER.email".`);
  return values.get(text) ?? null;
}

const callerPath = /^\$CURRENT_(?:USER|ROLE)(?:\.[^.\s()]{1,63}){1,10}$/;
