// Binds a read: the page of items, and the shape of each. Selections become outputs. A wildcard expands to what the caller may see and
// leaves out relations into collections that the caller may not read at all.

import { findRelated, mayFollowAny, mayReadKey } from '../../access/follow.js';
import { findCollection, lookUpField, visibleFields } from '../../access/view.js';
import { forbiddenField, invalidQuery, unreachable } from '../../errors/service-error.js';
import { parseJsonPath } from '../../query/json-path.js';
import { emptyQuery, type Query, type Selection } from '../../query/query.js';
import type { Collection, ColumnField, Field, ReferenceField, RelationField } from '../../schema/schema.js';
import { type BindContext, checkDepth, spend } from '../names/bind-context.js';
import { bindAnyHop, bindAnyRule, bindHop } from '../names/bind-hop.js';
import { bindFieldRules, bindRowRules, bindRulesOfSome } from '../names/bind-rules.js';
import { bindScalar } from '../names/bind-scalar.js';
import { allOf, type BoundFilter } from '../names/bound-filter.js';
import { wholeSelections } from '../names/punctuated-names.js';
import { bindGroups } from './bind-groups.js';
import { bindConditionsOfOne, bindPage } from './bind-page.js';
import { bindWindow, type Window } from './bind-window.js';
import { type AnyTarget, asBoundRead, type BoundRead, type Cast, type Output, type Shape, type ShapeField } from './bound-read.js';
import { checkDeep } from './check-deep.js';

type FieldSelection = Extract<Selection, { kind: 'field' }>;

/** The position of a selection: its collection and depth, the query with the arguments of nested lists, and the way back. */
interface Place {
  readonly collection: Collection;
  readonly depth: number;
  readonly query: Query;
  /** With `backlink=false`: the field of this collection that leads back to the parent, which wildcards do not expand. */
  readonly back: string | null;
}

const everything: readonly Selection[] = [{ kind: 'wildcard', children: [] }];

export interface ReadOptions {
  /** A further condition: the requested keys. */
  readonly also: BoundFilter | null;
  /** Set when the list is paged by cursor. */
  readonly window: Window | null;
  /** At most one item, so the order is left out. */
  readonly single: boolean;
}

/**
 * Binds in this order: the row rules of the collection, the page under them (filter, search, order, limit), then the shape, level by level.
 * Each level ends with the entries of `deep` that none of its outputs used. Every name is looked up in the caller's view first.
 */
export function bindRead(context: BindContext, collection: Collection, query: Query, { also, window, single }: ReadOptions): BoundRead {
  const visible = bindRowRules(context, collection, 'read');
  const list = bindPage(context, collection, query, { depth: 0, visible, also, sortField: null });
  const page = single ? { ...list, order: [] } : list;
  const shape = bindShape(context, { collection, depth: 0, query, back: null }, query.fields);
  const marked = window !== null;
  return asBoundRead({ page: marked ? bindWindow(page, window) : page, shape, marked, cacheable: context.budget.cacheable });
}

function bindShape(context: BindContext, place: Place, selections: readonly Selection[]): Shape {
  const outputs = new Map<string, Output>();
  for (const selection of selections.length === 0 ? everything : wholeSelections(place.collection, selections)) {
    for (const { as, output } of bindSelection(context, place, selection)) {
      // A selection by name overrides the wildcard: `*,author.name` answers the object.
      if (selection.kind !== 'wildcard' || !outputs.has(as)) outputs.set(as, output);
    }
  }
  checkDeep(context, place, (name) => outputs.get(name) ?? null);
  for (const selection of selections) if (selection.kind === 'rest') outputs.set(selection.as, bindRest(context, place, outputs));
  return { kind: 'object', fields: [...outputs].map(([as, output]) => ({ as, output })) };
}

/** The columns that the caller may read and that none of the other outputs answers as they are. Not counted, since it was not asked for. */
function bindRest(context: BindContext, { collection }: Place, outputs: ReadonlyMap<string, Output>): Output {
  const answered = new Set([...outputs.values()].flatMap(answeredColumn));
  const columns = visibleFields(context.view, collection, 'read').filter((field) => field.kind === 'column');
  const rest = columns.filter(({ name }) => !answered.has(name));
  if (rest.length === 0) return { kind: 'constant', text: '' };
  return { kind: 'digest', fields: rest.map((field) => ({ as: field.name, output: bindColumn(context, collection, field, null) })) };
}

function answeredColumn(output: Output): readonly string[] {
  if (output.kind === 'concealed') return [output.field.name];
  const isWhole = output.kind === 'scalar' && output.scalar.kind === 'column' && output.cast !== 'number';
  return isWhole ? [output.scalar.field.name] : [];
}

function bindSelection(context: BindContext, place: Place, selection: Selection): readonly ShapeField[] {
  switch (selection.kind) {
    case 'wildcard':
      return expandWildcard(context, place, selection.children);
    case 'typename':
      return [{ as: selection.as, output: { kind: 'constant', text: selection.name ?? place.collection.name } }];
    case 'object':
      return [
        {
          as: selection.as,
          output: { kind: 'object', fields: selection.children.flatMap((child) => bindSelection(context, place, child)) },
        },
      ];
    case 'rest':
      // Takes its place among the fields; `bindShape` fills it when the others are known.
      return [{ as: selection.as, output: { kind: 'nothing' } }];
    case 'nothing':
      return [];
    case 'field':
      return [{ as: selection.as, output: bindField(context, place, selection) }];
    default:
      return unreachable(selection);
  }
}

function expandWildcard(context: BindContext, place: Place, children: readonly Selection[]): readonly ShapeField[] {
  const fields: ShapeField[] = [];
  for (const field of visibleFields(context.view, place.collection, 'read')) {
    if (!isAnswered(context, field, children.length > 0)) continue;
    const expands = children.length > 0 && field.name !== place.back && mayExpand(context, place.collection, field);
    const selection: FieldSelection = {
      kind: 'field',
      field: { name: field.name, fn: null, args: [], scope: null },
      as: field.name,
      children: expands ? children : [],
      scopes: {},
    };
    fields.push({ as: field.name, output: bindField(context, place, selection) });
  }
  return fields;
}

/** A column whose relation cannot be followed is answered as a plain value. */
function mayExpand(context: BindContext, collection: Collection, field: Field): boolean {
  if (field.kind === 'column' && field.relation?.kind === 'm2a') return mayFollowAny(context.view, collection, field);
  return findRelated(context.view, field) !== null;
}

/** A wildcard leaves out lists that the caller may not follow, keys that the caller may not read, and aliases without data. */
function isAnswered(context: BindContext, field: Field, opens: boolean): boolean {
  if (field.kind === 'column' || field.kind === 'presentation') return field.kind === 'column';
  const related = findRelated(context.view, field);
  // The columns of such a foreign key are answered already, so the reference is added only if it is expanded.
  if (field.kind === 'reference') return related !== null && opens;
  return related !== null && (opens || mayReadKey(context.view, related));
}

function bindField(context: BindContext, place: Place, selection: FieldSelection): Output {
  spend(context);
  const { collection } = place;
  const groups = bindNestedGroups(context, place, selection);
  if (groups) return groups;
  const field = lookUpField(context.view, collection, selection.field.name, 'read');
  const isNested = selection.children.length > 0 || Object.keys(selection.scopes).length > 0;
  if (selection.field.fn !== null) return bindFunctionOutput(context, place, selection, field);
  switch (field.kind) {
    case 'presentation':
      if (isNested) throw forbiddenField(selection.field.name, collection.name);
      return { kind: 'nothing' };
    case 'relation':
      return bindToMany(context, place, selection, field);
    case 'reference':
      return bindToOne(context, place, selection, field);
    case 'column':
      if (!isNested) return bindColumn(context, collection, field, selection.cast ?? null);
      if (field.relation?.kind === 'm2o') return bindToOne(context, place, selection, field);
      if (field.relation?.kind === 'm2a') return bindToAny(context, place, selection, field);
      throw forbiddenField(childName(selection), collection.name);
    default:
      return unreachable(field);
  }
}

function childName(selection: FieldSelection): string {
  const child = selection.children[0];
  return child?.kind === 'field' ? `${selection.field.name}.${child.field.name}` : `${selection.field.name}.*`;
}

function bindColumn(context: BindContext, collection: Collection, field: ColumnField, cast: Cast): Output {
  const rule = bindFieldRules(context, collection, field.name, 'read');
  if (field.concealed) return { kind: 'concealed', field, rule };
  return { kind: 'scalar', scalar: { kind: 'column', field, rule }, cast };
}

function bindFunctionOutput(context: BindContext, place: Place, selection: FieldSelection, field: Field): Output {
  if (selection.children.length > 0) throw forbiddenField(childName(selection), place.collection.name);
  const scalar = bindScalar(context, place.collection, selection.field, place.depth);
  if (scalar.kind === 'json-path' && field.kind === 'column') {
    return { kind: 'json-value', field, path: parseJsonPath(selection.field.args[0] ?? ''), rule: scalar.rule };
  }
  return { kind: 'scalar', scalar, cast: null };
}

function bindToOne(context: BindContext, place: Place, selection: FieldSelection, field: ColumnField | ReferenceField): Output {
  if (field.relation?.kind !== 'm2o') throw forbiddenField(field.name, place.collection.name);
  const depth = place.depth + 1;
  checkDepth(context, depth);
  const { related, visible, rule } = bindHop(context, place.collection, field);
  const query = inherit(place.query.deep[selection.as] ?? emptyQuery, place.query);
  const inner: Place = { collection: related, depth, query, back: backOf(place, related, field) };
  const opens = selection.children.length > 0;
  const conditions = bindConditionsOfOne(context, related, query, depth);
  const shape = opens ? bindShape(context, inner, selection.children) : bindKeys(context, related, selection.cast ?? null);
  // An item of which the caller may see nothing that is answered is null, as one is that the caller may not see at all.
  const some = bindRulesOfSome(context, related, answeredFields(shape), 'read');
  return { kind: 'to-one', relation: field.relation, related, filter: allOf([visible, conditions, some]), shape, rule };
}

/** The names of the fields that a shape answers; none if one of its outputs is no plain field. */
function answeredFields(shape: Shape): readonly string[] {
  const outputs = shape.kind === 'value' ? [shape.value] : shape.fields.map(({ output }) => output);
  const names = outputs.filter(({ kind }) => kind !== 'constant').map(fieldOf);
  return names.every((name) => name !== null) ? names : [];
}

function fieldOf(output: Output): string | null {
  if (output.kind === 'scalar') return output.scalar.kind === 'column' ? output.scalar.field.name : null;
  if (output.kind === 'concealed' || output.kind === 'json-value') return output.field.name;
  return output.kind === 'to-one' || output.kind === 'to-many' ? output.relation.field : null;
}

function bindToMany(context: BindContext, place: Place, selection: FieldSelection, field: RelationField): Output {
  const depth = place.depth + 1;
  checkDepth(context, depth);
  const { relation } = field;
  const { related, visible, rule } = bindHop(context, place.collection, field);
  const query = inherit(place.query.deep[selection.as] ?? emptyQuery, place.query);
  // Not every vendor accepts a parameter in the LIMIT of a nested list, so the plan contains the number and cannot be cached.
  if (query.offset !== null) context.budget.cacheable = false;
  const page = bindPage(context, related, query, { depth, visible, also: null, sortField: relation.sortField });
  const inner: Place = { collection: related, depth, query, back: query.backlink ? null : relation.relatedField };
  const opens = selection.children.length > 0;
  return {
    kind: 'to-many',
    relation,
    page,
    shape: opens ? bindShape(context, inner, selection.children) : bindKeys(context, related, selection.cast ?? null),
    rule,
  };
}

/** A relation without nested selections answers the keys of its items; composite keys as objects. */
function bindKeys(context: BindContext, related: Collection, cast: Cast): Shape {
  if (related.primaryKey.length === 0) throw invalidQuery(`Collection "${related.name}" has no key to answer: name some of its fields.`);
  const fields = related.primaryKey.map((name): ShapeField => ({ as: name, output: bindKeyPart(context, related, name, cast) }));
  const [only] = fields;
  return only !== undefined && fields.length === 1 ? { kind: 'value', value: only.output } : { kind: 'object', fields };
}

function bindKeyPart(context: BindContext, related: Collection, name: string, cast: Cast): Output {
  const field = lookUpField(context.view, related, name, 'read');
  if (field.kind !== 'column') throw forbiddenField(name, related.name);
  return bindColumn(context, related, field, cast);
}

function bindToAny(context: BindContext, place: Place, selection: FieldSelection, field: ColumnField): Output {
  const { relation } = field;
  if (relation?.kind !== 'm2a' || !mayFollowAny(context.view, place.collection, field))
    throw forbiddenField(field.name, place.collection.name);
  checkDepth(context, place.depth + 1);
  for (const scope of Object.keys(selection.scopes)) bindAnyHop(context, place.collection, field, scope);
  const targets = relation.allowed.flatMap((name): readonly AnyTarget[] => {
    const related = findCollection(context.view, name, 'read');
    return related ? [bindTarget(context, place, selection, related)] : [];
  });
  return { kind: 'to-any', relation, targets, rule: bindAnyRule(context, place.collection, relation) };
}

function bindTarget(context: BindContext, place: Place, selection: FieldSelection, related: Collection): AnyTarget {
  const depth = place.depth + 1;
  const { deep } = place.query;
  const { nameOf } = context.view.schema;
  const own = Object.keys(deep).find((key) => {
    const [as, scope] = key.split(':', 2);
    return as === selection.as && scope !== undefined && nameOf(scope) === related.name;
  });
  const query = inherit((own === undefined ? undefined : deep[own]) ?? deep[selection.as] ?? emptyQuery, place.query);
  const filter = allOf([bindRowRules(context, related, 'read'), bindConditionsOfOne(context, related, query, depth)]);
  const scoped = Object.entries(selection.scopes).flatMap(([scope, below]) => (nameOf(scope) === related.name ? below : []));
  const selections = [...selection.children, ...scoped];
  if (selections.length === 0) return { related, filter, shape: null };
  return { related, filter, shape: bindShape(context, { collection: related, depth, query, back: null }, selections) };
}

/** `books_aggregated`: groups and totals over a relation, defined by its entry in `deep`. */
function bindNestedGroups(context: BindContext, place: Place, selection: FieldSelection): Output | null {
  const name = selection.field.name;
  if (!name.endsWith('_aggregated') || place.collection.fields.has(name)) return null;
  const field = lookUpField(context.view, place.collection, name.slice(0, -'_aggregated'.length), 'read');
  const query = place.query.deep[selection.as];
  if (field.kind !== 'relation' || selection.children.length > 0) throw forbiddenField(name, place.collection.name);
  if (!query || query.aggregate.length === 0) throw invalidQuery(`"${name}" needs deep.${selection.as}._aggregate.`);
  if (query.offset !== null) context.budget.cacheable = false;
  const depth = place.depth + 1;
  checkDepth(context, depth);
  const { related, visible, rule } = bindHop(context, place.collection, field);
  return { kind: 'groups', relation: field.relation, groups: bindGroups(context, related, query, { depth, visible, also: null }), rule };
}

const inherit = (query: Query, parent: Query): Query =>
  query.backlink === parent.backlink ? query : { ...query, backlink: parent.backlink };

/** The alias on the one side that leads back over the many-to-one just followed. */
function backOf(place: Place, related: Collection, field: Field): string | null {
  if (place.query.backlink) return null;
  for (const candidate of related.fields.values()) {
    if (
      candidate.kind === 'relation' &&
      candidate.relation.related === place.collection.name &&
      candidate.relation.relatedField === field.name
    )
      return candidate.name;
  }
  return null;
}
