// SQLite's answers: items are json_object calls, so `Json` fragments are its arguments. Derived tables carry plain columns only, because
// the JSON subtype does not survive them.

import { invalidQuery } from '../../core/errors/service-error.js';
import { carriedValue, derivedPage, whereClause } from '../../core/sql/page-to-sql.js';
import { join, param, type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { ItemShape, Json, PageSql, Syntax, Typed } from '../../core/sql/syntax.js';
import { aggregateSql } from './aggregate.js';
import { groupingSql } from './grouping.js';
import { encodeMark, encodeValue, isTextDecimal, listType, markForm } from './parameters.js';
import { wireForm } from './wire-form.js';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): Sql => trusted(`'${text.replaceAll("'", "''")}'`);

type Pairs = readonly (readonly [string, Json])[];

const object = (pairs: Pairs): Json =>
  sql`json_object(${join(
    pairs.map(([key, value]) => sql`${literal(key)}, ${value}`),
    ', ',
  )})`;
const item = (shape: ItemShape): Json => (shape.kind === 'value' ? shape.value : object(shape.pairs));

/** What has no order needs no table of its own. */
const plainPage = ({ from, where, limit, offset }: PageSql): Sql =>
  sql`${from}${whereClause(where)}${sqliteSyntax.limitOffset(limit, offset)}`;

/** A LIMIT keeps the page's order through the layers around it, also when there is none to speak of. */
const page = (list: PageSql): Sql => derivedPage(sqliteSyntax, list.limit === null && list.offset === null ? { ...list, limit: -1 } : list);

const isText = (x: Typed): boolean =>
  x.type === 'string' || x.type === 'text' || x.type === 'csv' || x.type === 'hash' || x.type === 'uuid';

function jsonPath(path: readonly (string | number)[]): Sql {
  return literal(`$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step}"`)).join('')}`);
}

const dateFormats = { year: '%Y', month: '%m', week: '%V', day: '%d', weekday: '%w', hour: '%H', minute: '%M', second: '%S' } as const;

const globEscape = (text: string): string => text.replaceAll(/[*?[]/g, '[$&]');

/**
 * One in 61 items asks, which costs a sixth of asking for each (30 ns instead of 180); a prime, so that keys in steps do not evade it. What a
 * view joins repeats the same values for as long as an inner loop takes, and texts cannot be counted: there, chance decides.
 */
function guardScan(columns: readonly Typed[], isKey: boolean): Sql | null {
  const [first] = columns;
  if (first === undefined) return null;
  const asks = sql`alive(${join(
    columns.map((column) => column.sql),
    ', ',
  )})`;
  return isKey && (first.type === 'integer' || first.type === 'bigInteger')
    ? sql`(${first.sql} % 61 OR ${asks})`
    : sql`(random() % 61 OR ${asks})`;
}

export const sqliteSyntax: Syntax = {
  placeholder: () => '?',
  /** The worker puts them in place. */
  late: { inText: false, keep: () => null, write: (_late, placeholder) => placeholder, bound: (late) => late },
  identifier: (name) => trusted(quote(name)),
  table: ({ name }) => trusted(quote(name)),

  param: (source, type, column, options) => {
    const list = options?.list ?? false;
    const value = param({ source, type, list, lenient: options?.lenient ?? false, cast: '', encode: encodeValue(type, column, list) });
    return isTextDecimal(type, column) && !list ? sql`CAST(${value} AS REAL)` : value;
  },

  comparable: (x) => {
    if (x.type === 'dateTime' || x.type === 'timestamp') return sql`strftime('%Y-%m-%d %H:%M:%f', ${x.sql})`;
    return sqliteSyntax.orderable(x);
  },
  orderable: (x) => (isTextDecimal(x.type, x.column) ? sql`CAST(${x.sql} AS REAL)` : x.sql),
  inList: (x, source) => {
    const values = sqliteSyntax.param(source, x.type, x.column, { list: true });
    return sql`${sqliteSyntax.comparable(x)} IN (SELECT ${listType(x.type, x.column)} FROM json_each(${values}))`;
  },
  listIsNotEmpty: (source) => sql`json_array_length(${sqliteSyntax.param(source, 'text', null, { list: true })}) > 0`,
  isEmpty: (x) => (isText(x) ? sql`(${x.sql} IS NULL OR ${x.sql} = '')` : sql`(${x.sql} IS NULL)`),
  matches: (x, how, folds, source) => {
    // Moments are searched as they are answered.
    const text = x.type === 'timestamp' ? wireForm(x, null) : x.sql;
    const subject = folds ? sql`ulower(${text})` : text;
    const bound = (encode: (text: string) => string): Sql =>
      param({
        source,
        type: 'text',
        list: false,
        lenient: false,
        cast: '',
        encode: (value) => encode(folds ? String(value).toLowerCase() : String(value)),
      });
    if (how === 'contains') return sql`instr(${subject}, ${bound((text) => text)}) > 0`;
    return sql`${subject} GLOB ${bound((text) => (how === 'starts' ? `${globEscape(text)}*` : `*${globEscape(text)}`))}`;
  },
  geometry: (_, operator) => {
    throw invalidQuery(`"${operator}" is not available: SQLite has no geometry functions.`);
  },
  equalsText: (x, text) => sql`${x} = ${literal(text)}`,
  datePart: (part, x) => sql`CAST(strftime(${literal(dateFormats[part])}, ${x.sql}) AS INTEGER)`,
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
  jsonCase: (branches, otherwise) => {
    if (branches.length === 0) return otherwise;
    return sql`CASE ${join(
      branches.map((branch) => sql`WHEN ${branch.when} THEN ${branch.json}`),
      ' ',
    )} ELSE ${otherwise} END`;
  },

  aggregate: aggregateSql,

  inlineObject: object,
  text: item,
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
  looksOut: true,
  asksListsFirst: true,
  nulls: 'first',
  markParam: (index, x) =>
    param({ source: { kind: 'mark', index }, type: 'text', list: false, lenient: false, cast: '', encode: encodeMark(x.type) }),
  explain: (text) => `EXPLAIN QUERY PLAN ${text}`,
  offset: (source) => sqliteSyntax.param(source, 'bigInteger', null),
  scanGuard: guardScan,
  limitOffset: (limit, offset) => {
    if (limit === null && offset === null) return trusted('');
    const bound = trusted(` LIMIT ${limit ?? -1}`);
    return offset === null ? bound : sql`${bound} OFFSET ${offset}`;
  },
};
