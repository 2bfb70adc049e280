// The literals that a write may have to resolve: those in presets and validation rules of the caller's permissions, found once per set of
// grants, and those in the validation rules of fields, found once per schema.

import { neededCallerPaths } from '../../access/dynamic-values.js';
import type { Grants, Permission } from '../../access/permission.js';
import { grantOf, type SchemaView } from '../../access/view.js';
import { writingFacts } from '../../plan/write/writing-facts.js';
import type { QueryLimits } from '../../query/query.js';
import type { Collection, Schema } from '../../schema/schema.js';

/** Whether the item of a caller has this path, such as `$CURRENT_USER.email`. */
export type IsKnownPath = (schema: Schema, path: string) => boolean;

const grantLiterals = new WeakMap<Grants, readonly unknown[]>();
const fieldPaths = new WeakMap<Schema, ReadonlyMap<string, readonly string[]>>();

/**
 * Which collections a nested payload reaches is known only after binding, so this returns the literals of every collection that the caller
 * may write to.
 */
export function dynamicLiterals(view: SchemaView, limits: QueryLimits, isKnownPath: IsKnownPath): readonly unknown[] {
  const ofGrants = literalsOfGrants(view.grants);
  const ofFields = pathsOfFields(view.schema, limits, isKnownPath);
  if (ofFields.size === 0) return ofGrants;
  return [...ofGrants, ...[...ofFields].flatMap(([name, paths]) => (mayWrite(view, name) ? paths : []))];
}

const mayWrite = (view: SchemaView, collection: string): boolean =>
  grantOf(view, collection, 'create') !== null || grantOf(view, collection, 'update') !== null;

function literalsOfGrants(grants: Grants): readonly unknown[] {
  const present = grantLiterals.get(grants);
  if (present !== undefined) return present;
  const permissions = [...grants.byCollection.values()].flatMap((actions) => [...(actions.create ?? []), ...(actions.update ?? [])]);
  const literals = permissions.flatMap(literalsOf);
  grantLiterals.set(grants, literals);
  return literals;
}

const literalsOf = ({ presets, validation }: Permission): readonly unknown[] => [
  ...Object.values(presets ?? {}),
  ...(validation?.literals ?? []),
];

/**
 * By collection, without collections whose rules name no path. Leaves out unknown paths, which resolve to null: a mistake in the rule of one
 * field must not stop writes to other collections.
 */
function pathsOfFields(schema: Schema, limits: QueryLimits, isKnownPath: IsKnownPath): ReadonlyMap<string, readonly string[]> {
  const present = fieldPaths.get(schema);
  if (present !== undefined) return present;
  const found = new Map<string, readonly string[]>();
  for (const collection of schema.collections.values()) {
    if (!hasRules(collection)) continue;
    const literals = [...writingFacts(collection, limits).rules.values()].flatMap(({ rule }) => rule.literals);
    const paths = neededCallerPaths(literals).filter((path) => isKnownPath(schema, path));
    if (paths.length > 0) found.set(collection.name, paths);
  }
  fieldPaths.set(schema, found);
  return found;
}

function hasRules({ fields }: Collection): boolean {
  for (const { validation } of fields.values()) if (validation !== null && validation !== undefined) return true;
  return false;
}
