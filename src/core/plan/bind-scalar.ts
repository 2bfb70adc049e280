// Names of single values: a column, a function of a column, the count of a relation, any of these through many-to-one relations.

import { lookUpField } from '../access/view.js';
import { forbiddenField, invalidQuery } from '../errors/service-error.js';
import { parseJsonPath } from '../query/json-path.js';
import type { FieldRef, Path } from '../query/query.js';
import { findFunction } from '../schema/functions.js';
import type { Collection, ColumnField, Field, ManyToOne } from '../schema/schema.js';
import { type BindContext, checkDepth, spend } from './bind-context.js';
import { bindHop } from './bind-hop.js';
import { bindFieldRules } from './bind-rules.js';
import type { Scalar } from './bound.js';

/** A value that may be compared, sorted and grouped by: never one whose content is concealed. */
export function bindScalar(context: BindContext, collection: Collection, ref: FieldRef, depth: number): Scalar {
  spend(context);
  const field = lookUpField(context.view, collection, ref.name, 'read');
  if (ref.scope !== null) throw forbiddenField(`${ref.name}:${ref.scope}`, collection.name);
  if (ref.fn !== null) return bindFunction(context, collection, field, ref, depth);
  if (field.kind !== 'column') throw invalidQuery(`Field "${ref.name}" in collection "${collection.name}" holds no value of its own.`);
  return { kind: 'column', field, rule: bindFieldRules(context, collection, field.name, 'read') };
}

export function bindPath(context: BindContext, collection: Collection, path: Path, depth: number): Scalar {
  const [step, ...rest] = path;
  if (step === undefined) throw invalidQuery('A path is empty.');
  if (rest.length === 0) return refuseConcealed(bindScalar(context, collection, step, depth), collection);
  checkDepth(context, depth + 1);
  const field = lookUpToOne(context, collection, step);
  const { related, visible, rule } = bindHop(context, collection, field);
  const value = bindPath(context, related, rest, depth + 1);
  return { kind: 'through', relation: field.relation, related, filter: visible, value, rule };
}

export function refuseConcealed(scalar: Scalar, collection: Collection): Scalar {
  if (scalar.kind === 'column' && scalar.field.concealed) {
    throw invalidQuery(
      `Field "${scalar.field.name}" in collection "${collection.name}" is concealed: it can only be checked for being null or empty.`,
    );
  }
  return scalar;
}

type ToOneField = ColumnField & { readonly relation: ManyToOne };

function lookUpToOne(context: BindContext, collection: Collection, step: FieldRef): ToOneField {
  const field = lookUpField(context.view, collection, step.name, 'read');
  if (field.kind === 'relation')
    throw invalidQuery(`"${step.name}" in collection "${collection.name}" is a list: only many-to-one relations can be followed here.`);
  if (!isToOne(field) || step.fn !== null || step.scope !== null) throw forbiddenField(step.name, collection.name);
  return field;
}

const isToOne = (field: Field): field is ToOneField => field.kind === 'column' && field.relation?.kind === 'm2o';

function bindFunction(context: BindContext, collection: Collection, field: Field, ref: FieldRef, depth: number): Scalar {
  const fn = findFunction(ref, field);
  if (fn === null) throw invalidQuery(`Function "${ref.fn}" cannot be used on field "${ref.name}" of type ${field.type}.`);
  const rule = bindFieldRules(context, collection, field.name, 'read');
  if (field.kind === 'relation') {
    checkDepth(context, depth + 1);
    const { related, visible } = bindHop(context, collection, field);
    return { kind: 'related-count', relation: field.relation, related, filter: visible, rule };
  }
  if (field.kind !== 'column') throw forbiddenField(ref.name, collection.name);
  if (fn === 'count') return { kind: 'json-length', field, rule };
  if (fn === 'json') return { kind: 'json-path', field, path: parseJsonPath(ref.args[0] ?? ''), numeric: false, rule };
  return { kind: 'date-part', part: fn, field, rule };
}
