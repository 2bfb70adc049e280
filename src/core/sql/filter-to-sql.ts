// Writes a bound filter as a condition. Each relation is one EXISTS with all its conditions inside: no joins, hence no duplicates, and
// counts stay correct.
//
// A new comparison needs its SQL in `compareToSql` and its meaning in memory in core/access/match-condition.ts; core/query/README.md lists
// all steps of adding an operator.

import { unreachable } from '../errors/service-error.js';
import type { BoundFilter } from '../plan/names/bound-filter.js';
import type { ValueSource } from '../plan/names/value-source.js';
import { type OperatorName, operators } from '../query/operators.js';
import { andFilter, columnTyped, linkColumns, linkToSql, scalarToSql } from './scalar-to-sql.js';
import { andGuard, guardScan } from './scan-guard.js';
import { columnSql, makeScope, type Scope, type StatementBuilder, tableAs } from './scope.js';
import { balanced, type Sql, sql, trusted } from './sql.js';
import type { Typed } from './syntax.js';

type Compare = Extract<BoundFilter, { kind: 'compare' }>;
type Exists = Extract<BoundFilter, { kind: 'exists' }>;
type ExistsAny = Extract<BoundFilter, { kind: 'exists-any' }>;

export function filterToSql(builder: StatementBuilder, scope: Scope, filter: BoundFilter): Sql {
  switch (filter.kind) {
    case 'and':
      return balanced(allToSql(builder, scope, filter.filters), ' AND ', '1=1');
    case 'or':
      return balanced(
        filter.filters.map((part) => filterToSql(builder, scope, part)),
        ' OR ',
        '1=0',
      );
    case 'nothing':
      return trusted('1=0');
    case 'compare':
      return compareToSql(builder, scalarToSql(builder, scope, filter.value), filter);
    case 'exists':
      return existsToSql(builder, scope, filter);
    case 'exists-any':
      return existsAnyToSql(builder, scope, filter);
    default:
      return unreachable(filter);
  }
}

/** For planners that probe lists before single related items, writes the single ones as a list of keys, which is computed once. */
function allToSql(builder: StatementBuilder, scope: Scope, filters: readonly BoundFilter[]): readonly Sql[] {
  const listed = builder.syntax.probesListsFirst && filters.some((part) => part.kind === 'exists' && part.relation.kind !== 'm2o');
  return filters.map((part) => (listed && isPlainToOne(part) ? memberToSql(builder, scope, part) : filterToSql(builder, scope, part)));
}

/** A positive many-to-one over one column; several columns cannot be written as IN with a list. */
export const isPlainToOne = (filter: BoundFilter): filter is Exists =>
  filter.kind === 'exists' &&
  filter.relation.kind === 'm2o' &&
  filter.relation.pairs.length === 1 &&
  !filter.negated &&
  filter.rule === null &&
  filter.filter !== null;

export function memberToSql(builder: StatementBuilder, scope: Scope, filter: Exists): Sql {
  const inner = makeScope(builder.nextAlias());
  const [{ column, target }] = filter.relation.pairs;
  const far = columnSql(builder, inner, target);
  const source = tableAs(builder, filter.related, inner.alias);
  const guard = andGuard(guardScan(builder, inner.alias, { collection: filter.related, link: null, filter: filter.filter }));
  return sql`${columnSql(builder, scope, column)} IN (SELECT ${far} FROM ${source} WHERE ${far} IS NOT NULL${guard}${andFilter(builder, inner, filter.filter)})`;
}

function existsToSql(builder: StatementBuilder, scope: Scope, filter: Exists): Sql {
  const inner = makeScope(builder.nextAlias());
  const link = linkToSql(builder, inner, scope, filter.relation);
  const guard = guardScan(builder, inner.alias, { collection: filter.related, link: linkColumns(filter.relation), filter: filter.filter });
  const exists = sql`EXISTS (SELECT 1 FROM ${tableAs(builder, filter.related, inner.alias)} WHERE ${link}${andGuard(guard)}${andFilter(builder, inner, filter.filter)})`;
  return guarded(builder, scope, filter.negated ? sql`NOT ${exists}` : exists, filter.rule);
}

function existsAnyToSql(builder: StatementBuilder, scope: Scope, filter: ExistsAny): Sql {
  const inner = makeScope(builder.nextAlias());
  const { syntax } = builder;
  const match = anyMatch(builder, scope, inner, filter);
  const named = syntax.equalsText(columnSql(builder, scope, filter.relation.collectionField), filter.related.name);
  const exists = sql`(${named} AND EXISTS (SELECT 1 FROM ${tableAs(builder, filter.related, inner.alias)} WHERE ${match}${andFilter(builder, inner, filter.filter)}))`;
  return guarded(builder, scope, filter.negated ? sql`NOT ${exists}` : exists, filter.rule);
}

/** `inner.id = <the stored text as a key>` */
export function anyMatch(builder: StatementBuilder, scope: Scope, inner: Scope, target: Pick<ExistsAny, 'relation' | 'related'>): Sql {
  const key = target.related.fields.get(target.related.primaryKey[0] ?? '');
  if (key?.kind !== 'column') return trusted('1=0');
  const item: Typed = { sql: columnSql(builder, scope, target.relation.field), type: 'string', column: null };
  const far = columnTyped(builder, inner, key);
  return sql`${far.sql} = ${builder.syntax.anyKey(item, far)}`;
}

const guarded = (builder: StatementBuilder, scope: Scope, condition: Sql, rule: BoundFilter | null): Sql =>
  rule === null ? condition : sql`(${filterToSql(builder, scope, rule)} AND ${condition})`;

const comparisons: Readonly<Record<string, string>> = { _eq: '=', _neq: '<>', _lt: '<', _lte: '<=', _gt: '>', _gte: '>=' };

export function compareToSql(
  builder: StatementBuilder,
  x: Typed,
  filter: Pick<Compare, 'operator' | 'operand' | 'strict' | 'lenient'>,
): Sql {
  const { syntax } = builder;
  const { operator, operand } = filter;
  switch (operator) {
    case '_null':
      return sql`${x.sql} IS NULL`;
    case '_nnull':
      return sql`${x.sql} IS NOT NULL`;
    case '_empty':
      return syntax.isEmpty(x);
    case '_nempty':
      return sql`NOT ${syntax.isEmpty(x)}`;
  }
  if (operand === null) throw new Error(`operator ${operator} without its operand`);
  const isLookUp = operator === '_eq' || operator === '_in';
  const indexed = isLookUp ? (syntax.lookUp?.(x, operand, operator === '_in') ?? null) : null;
  if (indexed !== null) return indexed;
  const comparison = comparisons[operator];
  if (comparison !== undefined)
    return sql`${syntax.comparable(x)} ${trusted(comparison)} ${syntax.param(operand, x.type, x.column, { lenient: filter.lenient })}`;
  const { match, folds, negates } = operators[operator];
  if (match !== null) {
    const matches = syntax.matches(x, match, folds, operand);
    return negates === null ? matches : sql`NOT (${matches})`;
  }
  return listToSql(builder, x, operator, operand, filter.strict);
}

function listToSql(builder: StatementBuilder, x: Typed, operator: OperatorName, operand: ValueSource, strict: boolean): Sql {
  const { syntax } = builder;
  switch (operator) {
    case '_in':
      return syntax.inList(x, operand);
    case '_nin': {
      const out = sql`NOT (${syntax.inList(x, operand)})`;
      // In a rule, a list that is empty after substitution matches nothing, negated or not.
      return strict ? sql`(${out} AND ${syntax.listIsNotEmpty(operand)})` : out;
    }
    case '_between':
    case '_nbetween': {
      const [low, high] = [0, 1].map((index) => syntax.param({ kind: 'element', of: operand, index }, x.type, x.column));
      if (low === undefined || high === undefined) throw new Error('a pair has two bounds');
      const between = sql`${syntax.comparable(x)} BETWEEN ${low} AND ${high}`;
      return operator === '_between' ? between : sql`NOT (${between})`;
    }
    default:
      if (operators[operator].group === 'spatial') return syntax.geometry(x, operator, operand);
      throw new Error(`operator ${operator} has no SQL`);
  }
}
