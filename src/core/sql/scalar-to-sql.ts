// One value of an item as an SQL expression. Where a rule limits the field to some items, the value is null on the others, in
// answers and in conditions alike: a filter must not tell what the answer hides.

import { unreachable } from '../errors/service-error.js';
import { type BoundFilter, type Scalar, scalarType } from '../plan/bound.js';
import type { RawColumn } from '../schema/raw.js';
import { columnSql, makeScope, type Scope, tableAs, type Writer } from './scope.js';
import { empty, type Sql, sql } from './sql.js';
import type { Typed } from './syntax.js';

export function scalarToSql(writer: Writer, scope: Scope, scalar: Scalar): Typed {
  const plain = plainScalar(writer, scope, scalar);
  if (scalar.rule === null) return plain;
  return { ...plain, sql: sql`CASE WHEN ${writer.condition(scope, scalar.rule)} THEN ${plain.sql} END` };
}

/** The value itself, for answers that put the rule around its wire form. */
export function plainScalar(writer: Writer, scope: Scope, scalar: Scalar): Typed {
  const type = scalarType(scalar);
  const { syntax } = writer;
  switch (scalar.kind) {
    case 'column':
      return columnTyped(writer, scope, scalar.field);
    case 'date-part':
      return { sql: syntax.datePart(scalar.part, columnTyped(writer, scope, scalar.field)), type, column: null };
    case 'json-length':
      return { sql: syntax.jsonLength(columnTyped(writer, scope, scalar.field)), type, column: null };
    case 'json-path':
      return { sql: syntax.jsonText(columnTyped(writer, scope, scalar.field), scalar.path, scalar.numeric), type, column: null };
    case 'related-count': {
      const inner = makeScope(writer.nextAlias());
      const where = sql`${columnSql(writer, inner, scalar.relation.relatedField)} = ${keyOf(writer, scope, scalar.relation)}${andFilter(writer, inner, scalar.filter)}`;
      return { sql: sql`(SELECT count(*) FROM ${tableAs(writer, scalar.related, inner.alias)} WHERE ${where})`, type, column: null };
    }
    case 'through': {
      const inner = makeScope(writer.nextAlias());
      const value = scalarToSql(writer, inner, scalar.value);
      const where = sql`${columnSql(writer, inner, scalar.relation.relatedField)} = ${columnSql(writer, scope, scalar.relation.field)}${andFilter(writer, inner, scalar.filter)}`;
      return { ...value, sql: sql`(SELECT ${value.sql} FROM ${tableAs(writer, scalar.related, inner.alias)} WHERE ${where})` };
    }
    default:
      return unreachable(scalar);
  }
}

export function columnTyped(
  writer: Writer,
  scope: Scope,
  field: { readonly name: string; readonly type: string; readonly column: RawColumn },
): Typed {
  return { sql: columnSql(writer, scope, field.name), type: field.type as Typed['type'], column: field.column };
}

/** The one side's key that a one-to-many hangs on. */
export function keyOf(writer: Writer, scope: Scope, relation: { readonly key: string }): Sql {
  return columnSql(writer, scope, relation.key);
}

export const andFilter = (writer: Writer, scope: Scope, filter: BoundFilter | null): Sql =>
  filter === null ? empty : sql` AND ${writer.condition(scope, filter)}`;
