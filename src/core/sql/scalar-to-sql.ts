// Writes one value of an item as an expression. If a rule restricts the field to some items, the value is null on all others, in answers
// and in conditions alike: a filter must not reveal what the answer hides.

import { unreachable } from '../errors/service-error.js';
import { type BoundFilter, type Scalar, scalarType } from '../plan/names/bound-filter.js';
import type { RawColumn } from '../schema/raw.js';
import type { ManyToOne, OneToMany } from '../schema/schema.js';
import { columnSql, makeScope, type Scope, type StatementBuilder, tableAs } from './scope.js';
import { empty, join, type Sql, sql } from './sql.js';
import type { Typed } from './syntax.js';

export function scalarToSql(builder: StatementBuilder, scope: Scope, scalar: Scalar): Typed {
  const plain = plainScalar(builder, scope, scalar);
  if (scalar.rule === null) return plain;
  return { ...plain, sql: sql`CASE WHEN ${builder.condition(scope, scalar.rule)} THEN ${plain.sql} END` };
}

/** The value without its rule, for answers that put the rule around the JSON expression. */
export function plainScalar(builder: StatementBuilder, scope: Scope, scalar: Scalar): Typed {
  const type = scalarType(scalar);
  const { syntax } = builder;
  switch (scalar.kind) {
    case 'column':
      return columnTyped(builder, scope, scalar.field);
    case 'date-part':
      return { sql: syntax.datePart(scalar.part, columnTyped(builder, scope, scalar.field)), type, column: null };
    case 'json-length':
      return { sql: syntax.jsonLength(columnTyped(builder, scope, scalar.field)), type, column: null };
    case 'json-path':
      return { sql: syntax.jsonText(columnTyped(builder, scope, scalar.field), scalar.path, scalar.numeric), type, column: null };
    case 'related-count': {
      const inner = makeScope(builder.nextAlias());
      const where = sql`${linkToSql(builder, inner, scope, scalar.relation)}${andFilter(builder, inner, scalar.filter)}`;
      return { sql: sql`(SELECT count(*) FROM ${tableAs(builder, scalar.related, inner.alias)} WHERE ${where})`, type, column: null };
    }
    case 'through': {
      const inner = makeScope(builder.nextAlias());
      const value = scalarToSql(builder, inner, scalar.value);
      const where = sql`${linkToSql(builder, inner, scope, scalar.relation)}${andFilter(builder, inner, scalar.filter)}`;
      return { ...value, sql: sql`(SELECT ${value.sql} FROM ${tableAs(builder, scalar.related, inner.alias)} WHERE ${where})` };
    }
    case 'extreme':
      return builder.extreme(scope, scalar);
    default:
      return unreachable(scalar);
  }
}

export function columnTyped(
  builder: StatementBuilder,
  scope: Scope,
  field: { readonly name: string; readonly type: string; readonly column: RawColumn },
): Typed {
  return { sql: columnSql(builder, scope, field.name), type: field.type as Typed['type'], column: field.column };
}

/** The condition that the item at `inner` is related to the item at `outer`, which owns the relation. */
export function linkToSql(builder: StatementBuilder, inner: Scope, outer: Scope, { kind, pairs }: ManyToOne | OneToMany): Sql {
  const terms = pairs.map(({ column, target }) => {
    const [far, near] = kind === 'm2o' ? [target, column] : [column, target];
    return sql`${columnSql(builder, inner, far)} = ${columnSql(builder, outer, near)}`;
  });
  return join(terms, ' AND ');
}

/** The columns by which the related items are found. */
export const linkColumns = ({ kind, pairs }: ManyToOne | OneToMany): readonly string[] =>
  pairs.map(({ column, target }) => (kind === 'm2o' ? target : column));

export const andFilter = (builder: StatementBuilder, scope: Scope, filter: BoundFilter | null): Sql =>
  filter === null ? empty : sql` AND ${builder.condition(scope, filter)}`;
