// What writing needs to know of a collection beyond its fields, found once per collection: thousands of items ask for it.

import type { Rule } from '../access/permission.js';
import { ServiceError } from '../errors/service-error.js';
import { parseRule } from '../query/parse-rule.js';
import type { QueryLimits } from '../query/query.js';
import { Names } from '../schema/named-values.js';
import type { Collection, ColumnField, Field } from '../schema/schema.js';

export interface WritingFacts {
  /** Where the names of rows begin. */
  readonly names: Names;
  /** Columns with special flags. */
  readonly special: readonly ColumnField[];
  /** Columns that must have a value. */
  readonly required: readonly ColumnField[];
  /** Columns with a foreign key of their own alone: the database itself refuses what is not there. */
  readonly enforced: ReadonlySet<string>;
  /** Validation rules by field. */
  readonly rules: ReadonlyMap<string, { readonly rule: Rule; readonly message: string | null }>;
}

/** A few payloads of a few shapes each; of a collection with many fields, one at least. */
const mostNames = 1000;

const known = new WeakMap<Collection, WritingFacts>();

export function writingFacts(collection: Collection, limits: QueryLimits): WritingFacts {
  const present = known.get(collection);
  if (present !== undefined) return present;
  const columns = [...collection.fields.values()].filter((field) => field.kind === 'column');
  const facts: WritingFacts = {
    names: Names.root(mostNames),
    special: columns.filter((field) => field.special.size > 0),
    required: columns.filter((field) => !field.column.nullable && !field.column.generated),
    enforced: new Set((collection.table?.foreignKeys ?? []).flatMap(({ columns }) => (columns.length === 1 ? columns : []))),
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
