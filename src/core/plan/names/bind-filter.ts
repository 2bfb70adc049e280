// Binds filters: looks names up in the view, checks operators against types, and adds the rules of every collection on the way. Unknown and
// hidden names fail with the same error.

import { findField, lookUpField } from '../../access/view.js';
import { forbiddenField, invalidQuery, unreachable } from '../../errors/service-error.js';
import { isFollow } from '../../query/field-ref.js';
import { parseJsonPath } from '../../query/json-path.js';
import { type OperatorName, operators } from '../../query/operators.js';
import type { FieldRef, Filter } from '../../query/query.js';
import type { Collection, Field, ReferenceField } from '../../schema/schema.js';
import { fitsOperator, jsonOperators } from '../../schema/types/operator-types.js';
import { type BindContext, checkDepth, spend, spendHop } from './bind-context.js';
import { bindFollow, bindScopedHop } from './bind-hop.js';
import { bindScalar, refuseConcealed } from './bind-scalar.js';
import { allOf, type BoundFilter, type Scalar, scalarType } from './bound-filter.js';
import { wholeName } from './punctuated-names.js';
import type { ValueSource } from './value-source.js';

/** Returns null when the filter matches everything. */
export function bindFilter(context: BindContext, collection: Collection, filter: Filter, depth: number): BoundFilter | null {
  spend(context);
  switch (filter.kind) {
    case 'and':
    case 'or':
      return bindLogic(context, collection, filter.kind, filter.filters, depth);
    case 'compare':
      return bindCompare(context, collection, filter, depth);
    case 'json':
      return bindJson(context, collection, filter, depth);
    case 'related':
      return bindRelated(context, collection, filter.field, filter.quantifier, filter.filter, depth);
    default:
      return unreachable(filter);
  }
}

function bindLogic(
  context: BindContext,
  collection: Collection,
  kind: 'and' | 'or',
  filters: readonly Filter[],
  depth: number,
): BoundFilter | null {
  const parts = filters.map((part) => bindFilter(context, collection, part, depth));
  if (kind === 'and') return allOf(parts);
  // An empty `_or` matches everything in a request and nothing in a rule.
  if (parts.length === 0) return context.inRule ? { kind: 'nothing' } : null;
  const present = parts.filter((part): part is BoundFilter => part !== null);
  return present.length < parts.length ? null : { kind: 'or', filters: present };
}

function bindCompare(
  context: BindContext,
  collection: Collection,
  { field: written, operator, slot, structured }: Extract<Filter, { kind: 'compare' }>,
  depth: number,
): BoundFilter {
  const ref = wholeName(collection, written);
  if (isFollow(ref)) return bindPresence(context, collection, ref, operator, depth);
  const field = lookUp(context, collection, ref.name);
  if (field.kind === 'relation' && ref.fn === null) return bindPresence(context, collection, ref, operator, depth);
  if (field.kind === 'reference') return bindPointing(context, collection, field, operator);
  if (field.kind === 'presentation')
    throw invalidQuery(`Field "${ref.name}" in collection "${collection.name}" holds no value of its own.`);
  const value = bindScalar(context, collection, ref, depth);
  const column = value.kind === 'column' ? value.field : null;
  if (!fitsOperator(operator, scalarType(value), column?.concealed ?? false, column?.column ?? null)) {
    throw invalidQuery(`Operator "${operator}" cannot be used on field "${ref.name}" of type ${ref.fn === null ? field.type : 'integer'}.`);
  }
  if (structured === true && !takesStructure(value))
    throw invalidQuery(`Operator "${operator}" on field "${ref.name}" takes one value, not a list or an object.`);
  return compare(value, operator, slot === null ? null : context.value(slot), context.inRule);
}

/** A dotted path in place of a name is a mistake with a helpful message. The message does not depend on whether the field exists. */
function lookUp(context: BindContext, collection: Collection, name: string): Field {
  if (name.includes('.') && findField(context.view, collection, name, 'read') === null)
    throw invalidQuery(`Write "${name.slice(0, 100)}" as nested objects.`);
  return lookUpField(context.view, collection, name, 'read');
}

/** Comma-separated lists, geometries and vendor structures accept a list or an object as one value. */
function takesStructure(value: Scalar): boolean {
  const type = scalarType(value);
  return type === 'csv' || type.startsWith('geometry') || (value.kind === 'column' && value.field.column.structure !== undefined);
}

/** `strict` and `lenient`: see BoundFilter. */
export function compare(value: Scalar, operator: OperatorName, operand: ValueSource | null, strict = false, lenient = false): BoundFilter {
  return { kind: 'compare', value, operator, operand, strict, lenient };
}

function refuseComparing(name: string, operator: OperatorName): void {
  if (operator !== '_null' && operator !== '_nnull')
    throw invalidQuery(`Operator "${operator}" cannot be used on the relation "${name}": name one of its fields.`);
}

/** Whether a foreign key of several columns points at an item: it does not if one of its columns is null. */
function bindPointing(
  context: BindContext,
  collection: Collection,
  { name, relation }: ReferenceField,
  operator: OperatorName,
): BoundFilter {
  refuseComparing(name, operator);
  const filters = relation.pairs.map(({ column }) =>
    compare(bindScalar(context, collection, { name: column, fn: null, args: [], scope: null }, 0), operator, null, context.inRule),
  );
  return { kind: operator === '_null' ? 'or' : 'and', filters };
}

/** `{reviews: {_null: true}}`: whether there is any related item. */
function bindPresence(context: BindContext, collection: Collection, ref: FieldRef, operator: OperatorName, depth: number): BoundFilter {
  refuseComparing(ref.name, operator);
  return bindRelated(context, collection, ref, operator === '_null' ? 'none' : 'some', { kind: 'and', filters: [] }, depth);
}

function bindJson(context: BindContext, collection: Collection, filter: Extract<Filter, { kind: 'json' }>, depth: number): BoundFilter {
  const column = refuseConcealed(bindScalar(context, collection, filter.field, depth), collection);
  if (column.kind !== 'column' || column.field.type !== 'json')
    throw invalidQuery(`"_json" can only be used on JSON fields, "${filter.field.name}" is none.`);
  const numeric = operators[filter.operator].group === 'order';
  const value: Scalar = { kind: 'json-path', field: column.field, path: parseJsonPath(filter.path), numeric, rule: column.rule };
  if (!jsonOperators.has(filter.operator)) throw invalidQuery(`Operator "${filter.operator}" cannot be used inside "_json".`);
  return compare(value, filter.operator, filter.slot === null ? null : context.value(filter.slot), context.inRule);
}

function bindRelated(
  context: BindContext,
  collection: Collection,
  written: FieldRef,
  quantifier: 'some' | 'none',
  filter: Filter,
  depth: number,
): BoundFilter {
  checkDepth(context, depth + 1);
  spendHop(context);
  const ref = wholeName(collection, written);
  if (isFollow(ref)) {
    const { relation, related, visible, rule } = bindFollow(context, collection, ref);
    const inside = allOf([visible, bindFilter(context, related, filter, depth + 1)]);
    return { kind: 'exists', relation, related, filter: inside, negated: quantifier === 'none', rule };
  }
  const field = lookUp(context, collection, ref.name);
  const relation = field.kind === 'presentation' ? null : field.relation;
  if (relation === null || ref.fn !== null) throw forbiddenField(ref.name, collection.name);
  const { related, visible, rule } = bindScopedHop(context, collection, field, ref.scope);
  const inner = allOf([visible, bindFilter(context, related, filter, depth + 1)]);
  const negated = quantifier === 'none';
  if (relation.kind === 'm2a') return { kind: 'exists-any', relation, related, filter: inner, negated, rule };
  if (relation.kind === 'm2o' && !negated) {
    const direct = onOwnColumn(inner, relation.pairs[0].target, collection, field, rule);
    if (direct) return direct;
  }
  return { kind: 'exists', relation, related, filter: inner, negated, rule };
}

/** `{author: {id: {_eq: 5}}}` compares the foreign key itself, without a subquery, if the database guarantees that the author exists. */
function onOwnColumn(
  inner: BoundFilter | null,
  relatedField: string,
  collection: Collection,
  field: Field,
  rule: BoundFilter | null,
): BoundFilter | null {
  if (
    inner?.kind !== 'compare' ||
    inner.value.kind !== 'column' ||
    inner.value.rule !== null ||
    inner.operator === '_null' ||
    inner.operator === '_empty'
  )
    return null;
  if (inner.value.field.name !== relatedField || field.kind !== 'column' || !isEnforced(collection, field.name)) return null;
  return { ...inner, value: { kind: 'column', field, rule } };
}

const isEnforced = (collection: Collection, column: string): boolean =>
  collection.table?.foreignKeys.some((key) => key.columns.length === 1 && key.columns[0] === column) ?? false;
