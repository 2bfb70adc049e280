// The caller's rules as bound filters: which items of a collection he may act on, and on which of them a field.

import type { Action } from '../access/permission.js';
import { fieldRules, type RowRules, rowRules } from '../access/view.js';
import type { Collection } from '../schema/schema.js';
import type { BindContext } from './bind-context.js';
import type { BoundFilter } from './bound.js';

/** null: every item. */
export function bindRowRules(context: BindContext, collection: Collection, action: Action): BoundFilter | null {
  if (context.inRule) return null;
  return bindRules(context, collection, rowRules(context.view, collection.name, action));
}

/** null: on every item the caller may act on. */
export function bindFieldRules(context: BindContext, collection: Collection, field: string, action: Action): BoundFilter | null {
  if (context.inRule) return null;
  return bindRules(context, collection, fieldRules(context.view, collection.name, field, action));
}

function bindRules(context: BindContext, collection: Collection, rules: RowRules): BoundFilter | null {
  if (rules === 'all') return null;
  const filters: BoundFilter[] = [];
  for (const rule of rules) {
    const filter = context.bindRule(collection, rule);
    if (filter === null) return null;
    filters.push(filter);
  }
  return filters.length === 0 ? { kind: 'nothing' } : { kind: 'or', filters };
}
