// Facts about a collection that writes need, computed once per collection because bulks use them for thousands of items.

import type { Rule } from '../../access/permission.js';
import { ServiceError } from '../../errors/service-error.js';
import { parseRule } from '../../query/parse/parse-rule.js';
import type { QueryLimits } from '../../query/query.js';
import type { Collection, ColumnField, Field, ReferenceField } from '../../schema/schema.js';
import { Names } from '../../util/named-values.js';

export interface WritingFacts {
  /** The root of the shared names of rows (named-values.ts). */
  readonly names: Names;
  /** Columns with special flags. */
  readonly special: readonly ColumnField[];
  /** Columns whose values are answered as asterisks. */
  readonly concealed: ReadonlySet<string>;
  /** Columns that must have a value. */
  readonly required: readonly ColumnField[];
  /** Columns with a foreign key of one column: the database itself refuses keys of missing items. */
  readonly enforced: ReadonlySet<string>;
  /** Foreign keys of several columns. */
  readonly references: readonly ReferenceField[];
  /** Validation rules by field. */
  readonly rules: ReadonlyMap<string, { readonly rule: Rule; readonly message: string | null }>;
}

/** Enough for several shapes of payload; a collection with very many fields shares at least one. */
const maxSharedNames = 1000;

const known = new WeakMap<Collection, WritingFacts>();

export function writingFacts(collection: Collection, limits: QueryLimits): WritingFacts {
  const present = known.get(collection);
  if (present !== undefined) return present;
  const columns = [...collection.fields.values()].filter((field) => field.kind === 'column');
  const facts: WritingFacts = {
    names: Names.root(maxSharedNames),
    special: columns.filter((field) => field.special.size > 0),
    concealed: new Set(columns.filter((field) => field.concealed).map(({ name }) => name)),
    required: columns.filter((field) => !field.column.generated && (!field.column.nullable || isOfNamedKey(collection, field.name))),
    enforced: new Set((collection.table?.foreignKeys ?? []).flatMap(({ columns }) => (columns.length === 1 ? columns : []))),
    references: [...collection.fields.values()].filter((field) => field.kind === 'reference'),
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

/** The database would take null for it. */
const isOfNamedKey = ({ table, primaryKey }: Collection, name: string): boolean =>
  table?.namedKey !== undefined && primaryKey.includes(name);

/** A stored rule that cannot be parsed refuses every value of its field: it must not admit what it was meant to reject. */
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
