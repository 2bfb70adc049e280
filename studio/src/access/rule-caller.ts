// Tests rules about the current user on behalf of another person, because the administrator who writes a rule is not the one it applies to.
// Pure.

import type { ApiFilter } from '../list/filter/filter-tree.js';
import type { Person } from './access-data.js';

/** The rule with `$CURRENT_USER` replaced by a person. Other dynamic values are left to the service. */
export function withCaller(rule: ApiFilter, person: Person | null): ApiFilter {
  return person === null ? rule : (replace(rule, person.id) as ApiFilter);
}

function replace(value: unknown, user: string): unknown {
  if (value === '$CURRENT_USER') return user;
  if (Array.isArray(value)) return value.map((each) => replace(each, user));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replace(each, user)]));
}

export const mentionsCaller = (rule: ApiFilter): boolean => JSON.stringify(rule).includes('"$CURRENT_USER"');
