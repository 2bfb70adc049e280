// The caller's rules as guards of a write: conditions, checked by the statements themselves, on the existing items that the caller may
// change in these fields, remove, or link to.

import { findField, rowRules } from '../../access/view.js';
import type { Collection } from '../../schema/schema.js';
import { compare } from '../names/bind-filter.js';
import { bindFieldRules, bindRowRules } from '../names/bind-rules.js';
import { allOf, type BoundFilter } from '../names/bound-filter.js';
import { startBinding } from '../names/start-binding.js';
import type { WriteContext } from './write-context.js';
import { writingFacts } from './writing-facts.js';

const nothing: BoundFilter = { kind: 'nothing' };

/**
 * Each field must be granted by a rule that holds for the item itself. That the union of rules grants it for some other item is not enough.
 */
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

/**
 * For foreign keys of several columns that are written column by column: afterwards each must point at nothing, or at an item that the
 * caller may read. References written as a whole were checked before.
 */
export function linkGuard(context: WriteContext, collection: Collection, named: readonly string[]): BoundFilter | null {
  const { view } = context.caller;
  const guards = writingFacts(collection, context.limits).references.flatMap(({ name, relation }) => {
    const columns = relation.pairs.map(({ column }) => column);
    const related = view.schema.collections.get(relation.related);
    if (related === undefined || named.includes(name) || !columns.some((column) => named.includes(column))) return [];
    if (rowRules(view, related.name, 'read') === 'all') return [];
    const empty = columns.flatMap((column) => {
      const field = collection.fields.get(column);
      return field?.kind === 'column' ? [compare({ kind: 'column', field, rule: null }, '_null', null)] : [];
    });
    const filter = ruleGuard(context, related, 'read');
    return [{ kind: 'or', filters: [...empty, { kind: 'exists', relation, related, filter, negated: false, rule: null }] } as const];
  });
  return allOf(guards);
}

/** The columns that a reference in the payload shares with foreign keys that the payload does not mention. */
export function sharedColumns(context: WriteContext, collection: Collection, named: readonly string[]): readonly string[] {
  const references = writingFacts(collection, context.limits).references.filter(({ name }) => named.includes(name));
  const covered = new Set(references.map(({ relation }) => textOf(relation.pairs.map(({ column }) => column))));
  const others = (collection.table?.foreignKeys ?? []).filter(({ columns }) => !covered.has(textOf(columns)));
  return references
    .flatMap(({ relation }) => relation.pairs.map(({ column }) => column))
    .filter((column) => !named.includes(column) && !collection.primaryKey.includes(column))
    .filter((column) => others.some(({ columns }) => columns.includes(column)));
}

const textOf = (columns: readonly string[]): string => columns.join('\0');

export const ruleGuard = (context: WriteContext, collection: Collection, action: 'read' | 'update' | 'delete'): BoundFilter | null =>
  bindRowRules(startBinding(context.caller.view, context.limits, []), collection, action);
