// The least or greatest value at the end of a path through lists, for sorting: one scalar subquery that joins every relation of the path.
// It takes the first of the sorted values instead of an aggregate, because some types have no minimum on some vendors.

import type { BoundHop, Scalar } from '../plan/names/bound-filter.js';
import { anyMatch } from './filter-to-sql.js';
import { andFilter, linkColumns, linkToSql, scalarToSql } from './scalar-to-sql.js';
import { guardScan } from './scan-guard.js';
import { columnSql, makeScope, type Scope, type StatementBuilder, tableAs } from './scope.js';
import { empty, join, type Sql, sql, trusted } from './sql.js';
import type { Typed } from './syntax.js';

export function extremeToSql(builder: StatementBuilder, scope: Scope, { pick, hops, value }: Extract<Scalar, { kind: 'extreme' }>): Typed {
  const tables: Sql[] = [];
  const conditions: Sql[] = [];
  let from = scope;
  for (const [index, hop] of hops.entries()) {
    const to = makeScope(builder.nextAlias());
    const link = hopCondition(builder, from, to, hop);
    // The rule of the first hop belongs to the value and encloses the whole expression (scalarToSql).
    const leaves = index === 0 ? empty : andFilter(builder, from, hop.rule);
    const arrives = andFilter(builder, to, hop.filter);
    const table = tableAs(builder, hop.related, to.alias);
    const condition = sql`${link}${leaves}${arrives}`;
    if (index === 0) {
      const guard = guardScan(builder, to.alias, { collection: hop.related, link: linkFields(hop), filter: hop.filter });
      conditions.push(...(guard === null ? [] : [guard]), condition);
      tables.push(table);
    } else tables.push(sql`JOIN ${table} ON ${condition}`);
    from = to;
  }
  const last = scalarToSql(builder, from, value);
  const order = builder.syntax.orderable(last);
  conditions.push(sql`${last.sql} IS NOT NULL`);
  const direction = trusted(pick === 'greatest' ? ' DESC' : '');
  return {
    ...last,
    sql: sql`(SELECT ${last.sql} FROM ${join(tables, ' ')} WHERE ${join(conditions, ' AND ')} ORDER BY ${order}${direction}${builder.syntax.limitOffset(1, null)})`,
  };
}

function hopCondition(builder: StatementBuilder, from: Scope, to: Scope, { relation, related }: BoundHop): Sql {
  switch (relation.kind) {
    case 'o2m':
    case 'm2o':
      return linkToSql(builder, to, from, relation);
    case 'm2a': {
      const named = builder.syntax.equalsText(columnSql(builder, from, relation.collectionField), related.name);
      return sql`${named} AND ${anyMatch(builder, from, to, { relation, related })}`;
    }
  }
}

const linkFields = ({ relation, related }: BoundHop): readonly string[] =>
  relation.kind === 'm2a' ? related.primaryKey : linkColumns(relation);
