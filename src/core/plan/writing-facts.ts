// What writing needs to know of a collection beyond its fields, found once per collection: thousands of items ask for it.

import type { Rule } from '../access/permission.js';
import { ServiceError } from '../errors/service-error.js';
import { parseRule } from '../query/parse-rule.js';
import type { QueryLimits } from '../query/query.js';
import type { Collection, ColumnField, Field } from '../schema/schema.js';

export interface WritingFacts {
  /** Columns with special flags. */
  readonly special: readonly ColumnField[];
  /** Columns that must have a value. */
  readonly required: readonly ColumnField[];
  /** Fields whose values may be items of their own. */
  readonly relational: ReadonlySet<string>;
  /** Validation rules by field. */
  readonly rules: ReadonlyMap<string, { readonly rule: Rule; readonly message: string | null }>;
}

const known = new WeakMap<Collection, WritingFacts>();

export function writingFacts(collection: Collection, limits: QueryLimits): WritingFacts {
  const present = known.get(collection);
  if (present !== undefined) return present;
  const columns = [...collection.fields.values()].filter((field) => field.kind === 'column');
  const facts: WritingFacts = {
    special: columns.filter((field) => field.special.size > 0),
    required: columns.filter((field) => !field.column.nullable && !field.column.generated),
    relational: new Set([...collection.fields.values()].filter(isRelational).map((field) => field.name)),
    rules: new Map(
      [...collection.fields.values()].flatMap((field) => {
        const rule = readRule(field, limits);
        return rule === null ? [] : [[field.name, { rule, message: field.validationMessage }] as const];
      }),
    ),
  };
  known.set(collection, facts);
  return facts;
}

const isRelational = (field: Field): boolean => field.kind === 'relation' || (field.kind === 'column' && field.relation !== null);

/** A stored rule that cannot be read refuses every value of its field: it must not let through what it was meant to stop. */
function readRule(field: Field, limits: QueryLimits): Rule | null {
  if (field.validation === null || field.validation === undefined) return null;
  try {
    return parseRule(field.validation, 'validation', limits);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const itself = { name: field.name, fn: null, args: [], scope: null };
    return { filter: { kind: 'compare', field: itself, operator: '_in', slot: 0 }, literals: [[]] };
  }
}
