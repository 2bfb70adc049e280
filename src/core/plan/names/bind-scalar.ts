// Binds names of single values: a column, a function of a column, the count of a relation, or any of these through relations.

import { lookUpField } from '../../access/view.js';
import { forbiddenField, invalidQuery, type ServiceError } from '../../errors/service-error.js';
import { parseJsonPath } from '../../query/json-path.js';
import type { FieldRef, Path, SortTerm } from '../../query/query.js';
import type { Collection, Field } from '../../schema/schema.js';
import { findFunction } from '../../schema/types/functions.js';
import { type BindContext, checkDepth, spend, spendHop } from './bind-context.js';
import { bindHop, bindScopedHop, isToOne } from './bind-hop.js';
import { bindFieldRules } from './bind-rules.js';
import type { BoundHop, Scalar } from './bound-filter.js';
import { wholePath } from './punctuated-names.js';

/** The value may be concealed: callers refuse it (`refuseConcealed`) or restrict the operators (`fitsOperator`). */
export function bindScalar(context: BindContext, collection: Collection, ref: FieldRef, depth: number): Scalar {
  spend(context);
  const field = lookUpField(context.view, collection, ref.name, 'read');
  if (ref.scope !== null) throw forbiddenField(`${ref.name}:${ref.scope}`, collection.name);
  if (ref.fn !== null) return bindFunction(context, collection, field, ref, depth);
  if (field.kind !== 'column') throw invalidQuery(`Field "${ref.name}" in collection "${collection.name}" holds no value of its own.`);
  return { kind: 'column', field, rule: bindFieldRules(context, collection, field.name, 'read') };
}

export function bindPath(context: BindContext, collection: Collection, path: Path, depth: number): Scalar {
  return bindSteps(context, collection, path, depth, null);
}

/** For sorting, where a path may lead through lists: ascending order uses the least of their values, descending order the greatest. */
export function bindSortPath(context: BindContext, collection: Collection, { path, descending }: SortTerm, depth: number): Scalar {
  return bindSteps(context, collection, path, depth, descending ? 'greatest' : 'least');
}

type ExtremePick = Extract<Scalar, { kind: 'extreme' }>['pick'];

function bindSteps(context: BindContext, collection: Collection, path: Path, depth: number, pick: ExtremePick | null): Scalar {
  const [step, ...rest] = wholePath(collection, path);
  if (step === undefined) throw invalidQuery('A path is empty.');
  if (rest.length === 0) return refuseConcealed(bindScalar(context, collection, step, depth), collection);
  checkDepth(context, depth + 1);
  const field = lookUpField(context.view, collection, step.name, 'read');
  if (isToOne(field) && step.fn === null && step.scope === null) {
    spendHop(context);
    const { related, visible, rule } = bindHop(context, collection, field);
    const value = bindSteps(context, related, rest, depth + 1, pick);
    return { kind: 'through', relation: field.relation, related, filter: visible, value, rule };
  }
  if (pick === null) throw refuseList(collection, field, step);
  return bindExtreme(context, collection, path, depth, pick);
}

function refuseList(collection: Collection, field: Field, step: FieldRef): ServiceError {
  if (field.kind !== 'relation') return forbiddenField(step.name, collection.name);
  return invalidQuery(`"${step.name}" in collection "${collection.name}" is a list: only many-to-one relations can be followed here.`);
}

/** Every relation of the path becomes a join of one subquery, whichever its kind. */
function bindExtreme(context: BindContext, root: Collection, path: Path, depth: number, pick: ExtremePick): Scalar {
  const hops: BoundHop[] = [];
  let collection = root;
  for (const [index, step] of path.slice(0, -1).entries()) {
    spendHop(context);
    checkDepth(context, depth + index + 1);
    const hop = bindListHop(context, collection, step);
    hops.push(hop);
    collection = hop.related;
  }
  const last = path.slice(-1);
  const value = bindSteps(context, collection, last, depth + hops.length, null);
  return { kind: 'extreme', pick, hops, value, rule: hops[0]?.rule ?? null };
}

function bindListHop(context: BindContext, collection: Collection, step: FieldRef): BoundHop {
  const field = lookUpField(context.view, collection, step.name, 'read');
  if (field.kind === 'presentation' || field.relation === null || step.fn !== null) throw forbiddenField(step.name, collection.name);
  const { related, visible, rule } = bindScopedHop(context, collection, field, step.scope);
  return { relation: field.relation, related, filter: visible, rule };
}

export function refuseConcealed(scalar: Scalar, collection: Collection): Scalar {
  if (scalar.kind === 'column' && scalar.field.concealed) {
    throw invalidQuery(
      `Field "${scalar.field.name}" in collection "${collection.name}" is concealed: it can only be checked for being null or empty.`,
    );
  }
  return scalar;
}

function bindFunction(context: BindContext, collection: Collection, field: Field, ref: FieldRef, depth: number): Scalar {
  const fn = findFunction(ref, field);
  if (fn === null) throw invalidQuery(`Function "${ref.fn}" cannot be used on field "${ref.name}" of type ${field.type}.`);
  const rule = bindFieldRules(context, collection, field.name, 'read');
  if (field.kind === 'relation') {
    checkDepth(context, depth + 1);
    spendHop(context);
    const { related, visible } = bindHop(context, collection, field);
    return { kind: 'related-count', relation: field.relation, related, filter: visible, rule };
  }
  if (field.kind !== 'column') throw forbiddenField(ref.name, collection.name);
  if (fn === 'count') return { kind: 'json-length', field, rule };
  if (fn === 'json') return { kind: 'json-path', field, path: parseJsonPath(ref.args[0] ?? ''), numeric: false, rule };
  return { kind: 'date-part', part: fn, field, rule };
}
