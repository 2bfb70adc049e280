// The caller's rules as bound filters: on which items of a collection the caller may act, and on which of them use a field.
//
// A filter that comes out of here becomes part of the statement: row rules are conditions of every page, hop and write guard, and field
// rules make the value null on items they do not cover (core/sql/scalar-to-sql.ts). Nothing is filtered after the database has answered.

import type { Action, Rule } from '../../access/permission.js';
import { fieldRules, findCollection, type RowRules, rowRules } from '../../access/view.js';
import type { Collection } from '../../schema/schema.js';
import type { Subject } from '../../schema/system-definition.js';
import type { BindContext } from './bind-context.js';
import { allOf, type BoundFilter } from './bound-filter.js';

/** Returns null when the caller may act on every item. */
export function bindRowRules(context: BindContext, collection: Collection, action: Action): BoundFilter | null {
  if (context.inRule) return null;
  const rules = bindRules(context, collection, rowRules(context.view, collection.name, action));
  return collection.about === null ? rules : allOf([rules, bindSubject(context, collection, collection.about)]);
}

/** Types of keys whose text can be compared with a key on every vendor. */
const subjectKeys: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'uuid', 'string', 'text']);

/**
 * Items about a subject are visible if the caller may read the subject: any item of a collection without rules, else the items that its
 * rules show.
 */
function bindSubject(context: BindContext, collection: Collection, about: Subject): BoundFilter | null {
  const { view } = context;
  if (view.grants.admin) return null;
  const relation = { kind: 'm2a', collection: collection.name, field: about.item, collectionField: about.collection, allowed: [] } as const;
  const whole: string[] = [];
  const filters: BoundFilter[] = [];
  for (const name of view.grants.byCollection.keys()) {
    const related = findCollection(view, name, 'read');
    // A collection that is itself about something cannot be a subject: the conditions would refer to each other without end.
    if (related === null || related.about !== null) continue;
    const filter = bindRowRules(context, related, 'read');
    if (filter === null) whole.push(name);
    else if (hasPlainKey(related)) filters.push({ kind: 'exists-any', relation, related, filter, negated: false, rule: null });
  }
  const field = collection.fields.get(about.collection);
  if (whole.length > 0 && field?.kind === 'column') {
    const value = { kind: 'column', field, rule: null } as const;
    filters.push({ kind: 'compare', value, operator: '_in', operand: { kind: 'constant', value: whole }, strict: false, lenient: false });
  }
  return filters.length === 0 ? { kind: 'nothing' } : { kind: 'or', filters };
}

function hasPlainKey({ primaryKey, fields }: Collection): boolean {
  const [name, ...more] = primaryKey;
  const key = fields.get(name ?? '');
  return more.length === 0 && key?.kind === 'column' && subjectKeys.has(key.type);
}

/** Returns null when the field may be used on every item that the row rules allow. */
export function bindFieldRules(context: BindContext, collection: Collection, field: string, action: Action): BoundFilter | null {
  if (context.inRule) return null;
  const found = collection.fields.get(field);
  if (found?.kind === 'reference')
    return allOf(found.relation.pairs.map(({ column }) => bindFieldRules(context, collection, column, action)));
  return bindRules(context, collection, fieldRules(context.view, collection.name, field, action));
}

/** The items on which the caller may use at least one of the fields; null when these are all that the row rules allow. */
export function bindRulesOfSome(
  context: BindContext,
  collection: Collection,
  fields: readonly string[],
  action: Action,
): BoundFilter | null {
  if (context.inRule || fields.length === 0) return null;
  const some = new Set<Rule>();
  for (const name of fields) {
    const rules = collection.fields.get(name)?.kind === 'reference' ? 'all' : fieldRules(context.view, collection.name, name, action);
    if (rules === 'all') return null;
    for (const rule of rules) some.add(rule);
  }
  const rows = rowRules(context.view, collection.name, action);
  return rows !== 'all' && rows.every((rule) => some.has(rule)) ? null : bindRules(context, collection, [...some]);
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
