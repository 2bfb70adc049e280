// SQL that the syntaxes of several vendors have in common. A dialect imports what suits it; core itself calls only the ports.

import type { ValueSource } from '../plan/names/value-source.js';
import type { AggregateFunction } from '../query/query.js';
import type { RawColumn } from '../schema/raw.js';
import { operandFacts } from '../schema/types/coerced.js';
import type { ColumnType } from '../schema/types/field-type.js';
import { empty, join, type Param, param, type Sql, sql, trusted } from './sql.js';
import type { Json, Syntax, Typed } from './syntax.js';
import type { UpdateEach, UpdateSame } from './write-syntax.js';

type Encode = Param['encode'];

/** One value, which must fit `type`. */
export const valueParam = (source: ValueSource, type: ColumnType, cast: string, encode: Encode): Sql =>
  param({ source, type, list: false, lenient: false, cast, encode });

/** A value or a list of values to compare with `column`. */
export function operandParam(
  source: ValueSource,
  type: ColumnType,
  column: RawColumn | null,
  options: { readonly list?: boolean; readonly lenient?: boolean } | undefined,
  { cast, encode }: Pick<Param, 'cast' | 'encode'>,
): Sql {
  const operand = column === null ? {} : { facts: operandFacts(column), field: column.name };
  return param({ source, type, ...operand, list: options?.list ?? false, lenient: options?.lenient ?? false, cast, encode });
}

/** `CASE WHEN … THEN … ELSE … END`; without branches, `otherwise` alone. */
export function caseSql(branches: readonly { readonly when: Sql; readonly json: Json }[], otherwise: Json): Json {
  if (branches.length === 0) return otherwise;
  const parts = branches.map((branch) => sql`WHEN ${branch.when} THEN ${branch.json}`);
  return sql`CASE ${join(parts, ' ')} ELSE ${otherwise} END`;
}

type AggregateSql = ReturnType<Syntax['aggregate']>;

export interface AggregateForms {
  /** `count(what)`. */
  count(what: Sql): AggregateSql;
  /** `x` after DISTINCT. */
  distinct(x: Typed): Sql;
  extreme(fn: 'min' | 'max', x: Typed): AggregateSql;
  total(fn: 'sum' | 'avg', isDistinct: boolean, x: Typed): AggregateSql;
}

/** The `aggregate` of a vendor's syntax, from the three kinds of aggregates. */
export const aggregateBy =
  ({ count, distinct, extreme, total }: AggregateForms): Syntax['aggregate'] =>
  (fn: AggregateFunction, x: Typed | null) => {
    switch (fn) {
      case 'count':
      case 'countAll':
      case 'countDistinct':
        return count(x === null ? trusted('*') : fn === 'countDistinct' ? sql`DISTINCT ${distinct(x)}` : x.sql);
      case 'min':
      case 'max':
        return extreme(fn, requireField(x));
      case 'sum':
      case 'sumDistinct':
        return total('sum', fn === 'sumDistinct', requireField(x));
      case 'avg':
      case 'avgDistinct':
        return total('avg', fn === 'avgDistinct', requireField(x));
    }
  };

function requireField(x: Typed | null): Typed {
  if (x === null) throw new Error('this aggregate needs a field');
  return x;
}

/** `updateSame` in the form of the standard. `prefix` precedes each column, for vendors that require it in a join; `joined` follows the table. */
export function updateTable(
  { table, alias, values, where }: UpdateSame,
  { identifier }: Pick<Syntax, 'identifier'>,
  { prefix = '', joined = empty }: { readonly prefix?: string; readonly joined?: Sql } = {},
): Sql {
  const set = values.map(([column, value]) => sql`${trusted(prefix)}${identifier(column)} = ${value}`);
  return sql`UPDATE ${table} AS ${trusted(alias)}${joined} SET ${join(set, ', ')} WHERE ${where}`;
}

/** `updateEach` joins the table with its rows as a derived table `v`, whose columns are `k0, k1, …` for the keys and `c0, c1, …` for the values. */
export const valueNames = ({ keys, columns }: UpdateEach): readonly string[] => [
  ...keys.map((_, index) => `k${index}`),
  ...columns.map((_, index) => `c${index}`),
];

/** The rows as the list after VALUES. */
export const valueRows = ({ rows }: UpdateEach): Sql =>
  join(
    rows.map((cells) => sql`(${join(cells, ', ')})`),
    ', ',
  );

/** The condition of the join. */
export const matchKeys = ({ alias, keys }: UpdateEach, { identifier }: Pick<Syntax, 'identifier'>): Sql =>
  join(
    keys.map((name, index) => sql`${trusted(alias)}.${identifier(name)} = v.${trusted(`k${index}`)}`),
    ' AND ',
  );

/** The assignments after SET. `prefix` precedes each column: MySQL requires the alias there, the others refuse it. */
export const setColumns = ({ columns }: UpdateEach, { identifier }: Pick<Syntax, 'identifier'>, prefix = ''): Sql =>
  join(
    columns.map((name, index) => sql`${trusted(prefix)}${identifier(name)} = v.${trusted(`c${index}`)}`),
    ', ',
  );
