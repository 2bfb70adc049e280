// The Syntax port of SQLite. An item is a call of json_object, so a `Json` fragment is one of its arguments. Derived tables carry plain
// columns only, because a JSON value loses its subtype there and would be quoted as text.

import { invalidQuery } from '../../../core/errors/service-error.js';
import { carriedValue, derivedPage, whereClause } from '../../../core/sql/read/page-to-sql.js';
import { caseSql, operandParam, valueParam } from '../../../core/sql/shared-syntax.js';
import { join, type Sql, sql, tableReference, trusted } from '../../../core/sql/sql.js';
import type { ItemShape, Json, PageSql, Syntax, Typed } from '../../../core/sql/syntax.js';
import { quoteName } from '../types/quote.js';
import { aggregateSql, groupingSql } from './aggregate.js';
import { daySql, momentSql, orderable } from './moment-sql.js';
import { encodeMark, encodeValue, isTextDecimal, listType, markForm } from './parameters.js';
import { readPlan } from './read-plan.js';
import { wireForm } from './wire-form.js';

const literal = (text: string): Sql => trusted(`'${text.replaceAll("'", "''")}'`);

type Pairs = readonly (readonly [string, Json])[];

/** A function of SQLite takes at most a thousand arguments. */
const mostPairs = 500;

const call = (pairs: Pairs): Json =>
  sql`json_object(${join(
    pairs.map(([key, value]) => sql`${literal(key)}, ${value}`),
    ', ',
  )})`;

/** A table that hundreds of others point at has more fields than one call takes: the texts of several calls are joined without their braces. */
function object(pairs: Pairs): Json {
  if (pairs.length <= mostPairs) return call(pairs);
  const calls = Array.from({ length: Math.ceil(pairs.length / mostPairs) }, (_, index) =>
    call(pairs.slice(index * mostPairs, (index + 1) * mostPairs)),
  );
  // LIMIT keeps SQLite from merging the inner query into the outer one, which would run it once for each mention of `j`.
  const inner = calls.map((part) => sql`(SELECT substr(j, 2, length(j) - 2) FROM (SELECT ${part} AS j LIMIT 1))`);
  return sql`json('{' || ${join(inner, " || ',' || ")} || '}')`;
}
const item = (shape: ItemShape): Json => (shape.kind === 'value' ? shape.value : object(shape.pairs));

/** A page without an order needs no derived table. */
const plainPage = ({ from, where, limit, offset }: PageSql): Sql =>
  sql`${from}${whereClause(where)}${sqliteSyntax.limitOffset(limit, offset)}`;

/** A LIMIT, even `LIMIT -1`, makes SQLite keep the order of a derived table in the query around it. */
const page = (list: PageSql): Sql => derivedPage(sqliteSyntax, list.limit === null && list.offset === null ? { ...list, limit: -1 } : list);

const isText = (x: Typed): boolean =>
  x.type === 'string' || x.type === 'text' || x.type === 'csv' || x.type === 'hash' || x.type === 'uuid';

function jsonPath(path: readonly (string | number)[]): Sql {
  return literal(`$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step}"`)).join('')}`);
}

const dateFormats = { year: '%Y', month: '%m', week: '%V', day: '%d', weekday: '%w', hour: '%H', minute: '%M', second: '%S' } as const;

const globEscape = (text: string): string => text.replaceAll(/[*?[]/g, '[$&]');

/**
 * Calls alive() for one row in 61, which costs a sixth of calling it for each (30 ns instead of 180). 61 is a prime, so that keys with a regular
 * step do not all miss it. Keys that are text, and the columns of a view, which repeat during an inner loop, are sampled at random instead.
 */
function guardScan(columns: readonly Typed[], isKey: boolean): Sql | null {
  const [first] = columns;
  if (first === undefined) return null;
  const call = sql`alive(${join(
    columns.map((column) => column.sql),
    ', ',
  )})`;
  return isKey && (first.type === 'integer' || first.type === 'bigInteger')
    ? sql`(${first.sql} % 61 OR ${call})`
    : sql`(random() % 61 OR ${call})`;
}

export const sqliteSyntax: Syntax = {
  placeholder: () => '?',
  /** A pending key is a placeholder like any other; the worker fills in its value. */
  pending: { inText: false, keep: () => null, write: (_pending, placeholder) => placeholder, bound: (pending) => pending },
  identifier: (name) => trusted(quoteName(name)),
  table: ({ name }) => tableReference(quoteName(name), name),

  param: (source, type, column, options) => {
    const list = options?.list ?? false;
    const value = operandParam(source, type, column, options, { cast: '', encode: encodeValue(type, column, list) });
    return isTextDecimal(type, column) && !list ? sql`CAST(${value} AS REAL)` : value;
  },

  comparable: (x) => {
    if (x.type === 'dateTime' || x.type === 'timestamp') return momentSql(x);
    return x.type === 'date' ? daySql(x) : orderable(x);
  },
  orderable,
  // Exact decimals would lose digits as numbers.
  groupable: (x) => (x.type === 'decimal' ? x.sql : orderable(x)),
  inList: (x, source) => {
    const values = sqliteSyntax.param(source, x.type, x.column, { list: true });
    return sql`${sqliteSyntax.comparable(x)} IN (SELECT ${listType(x.type, x.column)} FROM json_each(${values}))`;
  },
  listIsNotEmpty: (source) => sql`json_array_length(${sqliteSyntax.param(source, 'text', null, { list: true })}) > 0`,
  isEmpty: (x) => (isText(x) ? sql`(${x.sql} IS NULL OR ${x.sql} = '')` : sql`(${x.sql} IS NULL)`),
  matches: (x, how, folds, source) => {
    // A timestamp is searched in its wire form.
    const text = x.type === 'timestamp' ? wireForm(x, null) : x.sql;
    const subject = folds ? sql`ulower(${text})` : text;
    const bound = (encode: (text: string) => string): Sql =>
      valueParam(source, 'text', '', (value) => encode(folds ? String(value).toLowerCase() : String(value)));
    if (how === 'contains') return sql`instr(${subject}, ${bound((text) => text)}) > 0`;
    return sql`${subject} GLOB ${bound((text) => (how === 'starts' ? `${globEscape(text)}*` : `*${globEscape(text)}`))}`;
  },
  geometry: ({ column }, operator) => {
    throw invalidQuery(`"${operator}" is not available on field "${column?.name}": SQLite has no geometry functions.`);
  },
  equalsText: (x, text) => sql`${x} = ${literal(text)}`,
  datePart: (part, x) =>
    sql`CAST(strftime(${literal(dateFormats[part])}, ${x.type === 'time' ? x.sql : sqliteSyntax.comparable(x)}) AS INTEGER)`,
  jsonLength: (x) => sql`CASE WHEN json_valid(${x.sql}) AND json_type(${x.sql}) = 'array' THEN json_array_length(${x.sql}) END`,
  jsonText: (x, path, numeric) => {
    const value = sql`json_extract(${x.sql}, ${jsonPath(path)})`;
    const kind = sql`CASE WHEN json_valid(${x.sql}) THEN json_type(${x.sql}, ${jsonPath(path)}) END`;
    if (numeric) return sql`CASE WHEN ${kind} IN ('integer', 'real') THEN CAST(${value} AS REAL) END`;
    return sql`CASE ${kind} WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(CASE WHEN json_valid(${x.sql}) THEN ${value} END AS TEXT) END`;
  },
  jsonValue: (x, path) => sql`CASE WHEN json_valid(${x.sql}) THEN ${x.sql} -> ${jsonPath(path)} END`,
  anyKey: (stored, key) => {
    if (key.type !== 'integer' && key.type !== 'bigInteger') return sql`CAST(${stored.sql} AS TEXT)`;
    const whole = sql`CAST(${stored.sql} AS INTEGER)`;
    return sql`CASE WHEN CAST(${whole} AS TEXT) = ${stored.sql} THEN ${whole} END`;
  },

  json: wireForm,
  jsonNull: () => trusted('NULL'),
  jsonConstant: literal,
  jsonWhen: (condition, json) => sql`CASE WHEN ${condition} THEN ${json} END`,
  jsonCase: caseSql,

  aggregate: aggregateSql,

  inlineObject: object,
  text: item,
  digest: (text) => sql`digest(${text})`,
  one: (shape, source) => sql`(SELECT ${item(shape)} FROM ${source})`,
  many: (shape, list) => sql`(SELECT json_group_array(${item(shape)}) FROM ${page(list)})`,
  root: (shape, list, joined) => {
    if (joined) return sql`SELECT group_concat(${item(shape)}) FROM ${page(list)}`;
    return sql`SELECT ${item(shape)} FROM ${list.order.length === 0 ? plainPage(list) : page(list)}`;
  },
  markedRoot: (shape, list) => {
    const marks = list.order.map((term) => markForm(carriedValue(sqliteSyntax, list, term), term.type));
    return sql`SELECT ${item(shape)}, json_array(${join(marks, ', ')}) FROM ${page(list)}`;
  },
  groups: (groups) => sql`SELECT ${object(groups.pairs)} FROM ${groupingSql(sqliteSyntax, groups)}`,
  nestedGroups: (groups) =>
    sql`(SELECT json_group_array(json(j)) FROM (SELECT ${object(groups.pairs)} AS j FROM ${groupingSql(sqliteSyntax, groups)}))`,
  allowsLateral: true,
  probesListsFirst: true,
  nulls: 'first',
  markParam: (index, x) => valueParam({ kind: 'mark', index }, 'text', '', encodeMark(x)),
  explain: (text) => `EXPLAIN QUERY PLAN ${text}`,
  readPlan,
  offset: (source) => sqliteSyntax.param(source, 'bigInteger', null),
  scanGuard: guardScan,
  limitOffset: (limit, offset) => {
    if (limit === null && offset === null) return trusted('');
    const bound = trusted(` LIMIT ${limit ?? -1}`);
    return offset === null ? bound : sql`${bound} OFFSET ${offset}`;
  },
};
