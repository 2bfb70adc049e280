// The caller's rules as guards of a write: which existing items he may change in these fields, remove, or link to.

import { findField } from '../access/view.js';
import type { Collection } from '../schema/schema.js';
import { bindFieldRules, bindRowRules } from './bind-rules.js';
import { allOf, type BoundFilter } from './bound.js';
import { startBinding } from './start-binding.js';
import type { WriteContext } from './write-context.js';

const nothing: BoundFilter = { kind: 'nothing' };

/** Every field must be granted by a rule that holds for the item itself, not by the union over all items. */
export function updateGuard(context: WriteContext, collection: Collection, fields: Iterable<string>): BoundFilter | null {
  const binding = startBinding(context.caller.view, context.limits, []);
  const rules = [bindRowRules(binding, collection, 'update')];
  for (const name of fields) {
    if (collection.primaryKey.includes(name)) continue;
    if (findField(context.caller.view, collection, name, 'update') === null) return nothing;
    rules.push(bindFieldRules(binding, collection, name, 'update'));
  }
  return allOf(rules);
}

export const ruleGuard = (context: WriteContext, collection: Collection, action: 'read' | 'update' | 'delete'): BoundFilter | null =>
  bindRowRules(startBinding(context.caller.view, context.limits, []), collection, action);
