// Filters: names looked up in the view, operators checked against types, the rules of every collection on the way added.
// Names that are unknown and names that are hidden fail alike.

import { lookUpField } from '../access/view.js';
import { forbiddenField, invalidQuery, unreachable } from '../errors/service-error.js';
import { parseJsonPath } from '../query/json-path.js';
import type { OperatorName } from '../query/operators.js';
import type { FieldRef, Filter } from '../query/query.js';
import { fitsOperator, jsonOperators } from '../schema/operator-types.js';
import type { Collection, Field } from '../schema/schema.js';
import { type BindContext, checkDepth, spend } from './bind-context.js';
import { bindAnyHop, bindHop, type Hop } from './bind-hop.js';
import { bindScalar, refuseConcealed } from './bind-scalar.js';
import { allOf, type BoundFilter, type Scalar, scalarType } from './bound.js';
import type { ValueSource } from './value-source.js';

/** null: matches everything. */
export function bindFilter(context: BindContext, collection: Collection, filter: Filter, depth: number): BoundFilter | null {
  spend(context);
  switch (filter.kind) {
    case 'and':
    case 'or':
      return bindLogic(context, collection, filter.kind, filter.filters, depth);
    case 'compare':
      return bindCompare(context, collection, filter.field, filter.operator, filter.slot, depth);
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
  // An empty _or in a request matches everything, in a rule nothing.
  if (parts.length === 0) return context.inRule ? { kind: 'nothing' } : null;
  const present = parts.filter((part): part is BoundFilter => part !== null);
  return present.length < parts.length ? null : { kind: 'or', filters: present };
}

function bindCompare(
  context: BindContext,
  collection: Collection,
  ref: FieldRef,
  operator: OperatorName,
  slot: number | null,
  depth: number,
): BoundFilter {
  const field = lookUpField(context.view, collection, ref.name, 'read');
  if (field.kind === 'relation' && ref.fn === null) return bindPresence(context, collection, field.name, operator, depth);
  if (field.kind === 'presentation')
    throw invalidQuery(`Field "${ref.name}" in collection "${collection.name}" holds no value of its own.`);
  const value = bindScalar(context, collection, ref, depth);
  if (!fitsOperator(operator, scalarType(value), value.kind === 'column' && value.field.concealed)) {
    throw invalidQuery(`Operator "${operator}" cannot be used on field "${ref.name}" of type ${ref.fn === null ? field.type : 'integer'}.`);
  }
  return compare(value, operator, slot === null ? null : context.value(slot), context.inRule);
}

export function compare(value: Scalar, operator: OperatorName, operand: ValueSource | null, strict = false, lenient = false): BoundFilter {
  return { kind: 'compare', value, operator, operand, strict, lenient };
}

/** `{reviews: {_null: true}}`: whether there is any related item at all. */
function bindPresence(context: BindContext, collection: Collection, name: string, operator: OperatorName, depth: number): BoundFilter {
  if (operator !== '_null' && operator !== '_nnull')
    throw invalidQuery(`Operator "${operator}" cannot be used on the relation "${name}": name one of its fields.`);
  return bindRelated(
    context,
    collection,
    { name, fn: null, args: [], scope: null },
    operator === '_null' ? 'none' : 'some',
    { kind: 'and', filters: [] },
    depth,
  );
}

const numericOperators: ReadonlySet<string> = new Set(['_lt', '_lte', '_gt', '_gte', '_between', '_nbetween']);

function bindJson(context: BindContext, collection: Collection, filter: Extract<Filter, { kind: 'json' }>, depth: number): BoundFilter {
  const column = refuseConcealed(bindScalar(context, collection, filter.field, depth), collection);
  if (column.kind !== 'column' || column.field.type !== 'json')
    throw invalidQuery(`"_json" can only be used on JSON fields, "${filter.field.name}" is none.`);
  const numeric = numericOperators.has(filter.operator);
  const value: Scalar = { kind: 'json-path', field: column.field, path: parseJsonPath(filter.path), numeric, rule: column.rule };
  if (!jsonOperators.has(filter.operator)) throw invalidQuery(`Operator "${filter.operator}" cannot be used inside "_json".`);
  return compare(value, filter.operator, filter.slot === null ? null : context.value(filter.slot), context.inRule);
}

function bindRelated(
  context: BindContext,
  collection: Collection,
  ref: FieldRef,
  quantifier: 'some' | 'none',
  filter: Filter,
  depth: number,
): BoundFilter {
  checkDepth(context, depth + 1);
  const field = lookUpField(context.view, collection, ref.name, 'read');
  const relation = field.kind === 'presentation' ? null : field.relation;
  if (relation === null || ref.fn !== null) throw forbiddenField(ref.name, collection.name);
  const { related, visible, rule } = hopOf(context, collection, field, ref);
  const inner = allOf([visible, bindFilter(context, related, filter, depth + 1)]);
  const negated = quantifier === 'none';
  if (relation.kind === 'm2a') return { kind: 'exists-any', relation, related, filter: inner, negated, rule };
  if (relation.kind === 'm2o' && !negated) {
    const direct = onOwnColumn(inner, relation.relatedField, collection, field, rule);
    if (direct) return direct;
  }
  return { kind: 'exists', relation, related, filter: inner, negated, rule };
}

function hopOf(context: BindContext, collection: Collection, field: Field, { name, scope }: FieldRef): Hop {
  if (field.kind === 'column' && field.relation?.kind === 'm2a') return bindAnyHop(context, collection, field, scope);
  if (scope !== null) throw forbiddenField(`${name}:${scope}`, collection.name);
  return bindHop(context, collection, field);
}

/** `{author: {id: {_eq: 5}}}` is a condition on our own column when the database guarantees that the author exists. */
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
