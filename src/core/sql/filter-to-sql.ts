// A bound filter as a condition. One EXISTS per relation with all its conditions inside: no joins, no duplicates, counts stay right.

import { unreachable } from '../errors/service-error.js';
import type { BoundFilter } from '../plan/bound.js';
import type { ValueSource } from '../plan/value-source.js';
import type { OperatorName } from '../query/operators.js';
import { balanced } from './balanced.js';
import { andFilter, columnTyped, keyOf, scalarToSql } from './scalar-to-sql.js';
import { andGuard, guardScan } from './scan-guard.js';
import { columnSql, makeScope, type Scope, tableAs, type Writer } from './scope.js';
import { type Sql, sql, trusted } from './sql.js';
import type { TextMatch, Typed } from './syntax.js';

type Compare = Extract<BoundFilter, { kind: 'compare' }>;
type Exists = Extract<BoundFilter, { kind: 'exists' }>;
type ExistsAny = Extract<BoundFilter, { kind: 'exists-any' }>;

export function filterToSql(writer: Writer, scope: Scope, filter: BoundFilter): Sql {
  switch (filter.kind) {
    case 'and':
      return balanced(allToSql(writer, scope, filter.filters), ' AND ', '1=1');
    case 'or':
      return balanced(
        filter.filters.map((part) => filterToSql(writer, scope, part)),
        ' OR ',
        '1=0',
      );
    case 'nothing':
      return trusted('1=0');
    case 'compare':
      return compareToSql(writer, scalarToSql(writer, scope, filter.value), filter);
    case 'exists':
      return existsToSql(writer, scope, filter);
    case 'exists-any':
      return existsAnyToSql(writer, scope, filter);
    default:
      return unreachable(filter);
  }
}

/** A database that would look through lists first is told the related items beside them as a list of its own, made once. */
function allToSql(writer: Writer, scope: Scope, filters: readonly BoundFilter[]): readonly Sql[] {
  const listed = writer.syntax.asksListsFirst && filters.some((part) => part.kind === 'exists' && part.relation.kind !== 'm2o');
  return filters.map((part) => (listed && isPlainToOne(part) ? memberToSql(writer, scope, part) : filterToSql(writer, scope, part)));
}

export const isPlainToOne = (filter: BoundFilter): filter is Exists =>
  filter.kind === 'exists' && filter.relation.kind === 'm2o' && !filter.negated && filter.rule === null && filter.filter !== null;

export function memberToSql(writer: Writer, scope: Scope, filter: Exists): Sql {
  const inner = makeScope(writer.nextAlias());
  const far = columnSql(writer, inner, filter.relation.relatedField);
  const source = tableAs(writer, filter.related, inner.alias);
  const guard = andGuard(guardScan(writer, inner.alias, { collection: filter.related, link: null, filter: filter.filter }));
  return sql`${columnSql(writer, scope, filter.relation.field)} IN (SELECT ${far} FROM ${source} WHERE ${far} IS NOT NULL${guard}${andFilter(writer, inner, filter.filter)})`;
}

function existsToSql(writer: Writer, scope: Scope, filter: Exists): Sql {
  const inner = makeScope(writer.nextAlias());
  const far = columnSql(writer, inner, filter.relation.relatedField);
  const near = filter.relation.kind === 'm2o' ? columnSql(writer, scope, filter.relation.field) : keyOf(writer, scope, filter.relation);
  const guard = guardScan(writer, inner.alias, { collection: filter.related, link: filter.relation.relatedField, filter: filter.filter });
  const exists = sql`EXISTS (SELECT 1 FROM ${tableAs(writer, filter.related, inner.alias)} WHERE ${far} = ${near}${andGuard(guard)}${andFilter(writer, inner, filter.filter)})`;
  return guarded(writer, scope, filter.negated ? sql`NOT ${exists}` : exists, filter.rule);
}

function existsAnyToSql(writer: Writer, scope: Scope, filter: ExistsAny): Sql {
  const inner = makeScope(writer.nextAlias());
  const { syntax } = writer;
  const match = anyMatch(writer, scope, inner, filter);
  const named = syntax.equalsText(columnSql(writer, scope, filter.relation.collectionField), filter.related.name);
  const exists = sql`(${named} AND EXISTS (SELECT 1 FROM ${tableAs(writer, filter.related, inner.alias)} WHERE ${match}${andFilter(writer, inner, filter.filter)}))`;
  return guarded(writer, scope, filter.negated ? sql`NOT ${exists}` : exists, filter.rule);
}

/** `inner.id = <the stored text as a key>` */
export function anyMatch(writer: Writer, scope: Scope, inner: Scope, target: Pick<ExistsAny, 'relation' | 'related'>): Sql {
  const key = target.related.fields.get(target.related.primaryKey[0] ?? '');
  if (key?.kind !== 'column') return trusted('1=0');
  const item: Typed = { sql: columnSql(writer, scope, target.relation.field), type: 'string', column: null };
  const far = columnTyped(writer, inner, key);
  return sql`${far.sql} = ${writer.syntax.anyKey(item, far)}`;
}

const guarded = (writer: Writer, scope: Scope, condition: Sql, rule: BoundFilter | null): Sql =>
  rule === null ? condition : sql`(${filterToSql(writer, scope, rule)} AND ${condition})`;

const comparisons: Readonly<Record<string, string>> = { _eq: '=', _neq: '<>', _lt: '<', _lte: '<=', _gt: '>', _gte: '>=' };

const textOperators: Readonly<Record<string, readonly [TextMatch, boolean]>> = {
  _contains: ['contains', false],
  _ncontains: ['contains', false],
  _icontains: ['contains', true],
  _starts_with: ['starts', false],
  _nstarts_with: ['starts', false],
  _istarts_with: ['starts', true],
  _nistarts_with: ['starts', true],
  _ends_with: ['ends', false],
  _nends_with: ['ends', false],
  _iends_with: ['ends', true],
  _niends_with: ['ends', true],
};

const negatedText: ReadonlySet<OperatorName> = new Set(['_ncontains', '_nstarts_with', '_nistarts_with', '_nends_with', '_niends_with']);

export function compareToSql(writer: Writer, x: Typed, filter: Pick<Compare, 'operator' | 'operand' | 'strict' | 'lenient'>): Sql {
  const { syntax } = writer;
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
  const comparison = comparisons[operator];
  if (comparison !== undefined)
    return sql`${syntax.comparable(x)} ${trusted(comparison)} ${syntax.param(operand, x.type, x.column, { lenient: filter.lenient })}`;
  const text = textOperators[operator];
  if (text !== undefined) {
    const match = syntax.matches(x, text[0], text[1], operand);
    return negatedText.has(operator) ? sql`NOT (${match})` : match;
  }
  return listToSql(writer, x, operator, operand, filter.strict);
}

function listToSql(writer: Writer, x: Typed, operator: OperatorName, operand: ValueSource, strict: boolean): Sql {
  const { syntax } = writer;
  switch (operator) {
    case '_in':
      return syntax.inList(x, operand);
    case '_nin': {
      const out = sql`NOT (${syntax.inList(x, operand)})`;
      // In a rule a list that is empty after substitution matches nothing, negated or not.
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
      return syntax.geometry(x, operator, operand);
  }
}
