// MariaDB's and MySQL's answers: JSON is written as text with CONCAT, so `Json` fragments are pieces of text that are never NULL (one NULL
// would swallow the whole item).

import { groupsSource } from '../../core/sql/groups-to-sql.js';
import { orderClause, whereClause } from '../../core/sql/page-to-sql.js';
import { empty, join, param, type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { ItemShape, Json, Syntax, Typed } from '../../core/sql/syntax.js';
import { aggregateSql } from './aggregate.js';
import { mariadbLate } from './late.js';
import { derivedGroups, derivedList, groupsOfAllParents, limitedList, MAX_ROWS } from './list-forms.js';
import { decimalType, encodeMark, encodeValue, escapeLike, listColumn, markForm } from './parameters.js';
import type { Server } from './server.js';
import { momentText, wireForm } from './wire-form.js';

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** A constant text: quotes doubled, backslashes too, since the session's sql_mode treats them as escapes. */
const literal = (value: string): Sql => trusted(`'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`);

type Pairs = readonly (readonly [string, Json])[];

function object(pairs: Pairs): Json {
  if (pairs.length === 0) return trusted("'{}'");
  const pieces = pairs.map(([key, value], index) => sql`${literal(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`)}, ${value}`);
  return sql`CONCAT(${join(pieces, ', ')}, '}')`;
}

const item = (shape: ItemShape): Json => (shape.kind === 'value' ? shape.value : object(shape.pairs));

const dateFunctions = { year: 'YEAR', month: 'MONTH', day: 'DAY', hour: 'HOUR', minute: 'MINUTE', second: 'SECOND' } as const;

function jsonPath(path: readonly (string | number)[]): Sql {
  return literal(`$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step}"`)).join('')}`);
}

/** A position in something that is no list would mean the thing itself: each must stand in a list. */
function jsonAt(x: Typed, path: readonly (string | number)[]): Sql {
  const value = sql`JSON_EXTRACT(${x.sql}, ${jsonPath(path)})`;
  const lists = path.flatMap((step, index) =>
    typeof step === 'number' ? [sql`JSON_TYPE(JSON_EXTRACT(${x.sql}, ${jsonPath(path.slice(0, index))})) = 'ARRAY'`] : [],
  );
  return lists.length === 0 ? value : sql`IF(${join(lists, ' AND ')}, ${value}, NULL)`;
}

const isText = (x: Typed): boolean =>
  x.type === 'string' || x.type === 'text' || x.type === 'csv' || x.type === 'hash' || x.type === 'uuid';

/** Text in our own character set, compared byte by byte. */
const bytewise = (x: Typed, folds: boolean): Sql => {
  const own = x.column?.collation?.startsWith('utf8mb4') ?? false;
  const text = own && isText(x) ? x.sql : sql`CONVERT(${x.type === 'timestamp' ? momentText(x.sql) : x.sql} USING utf8mb4)`;
  return folds ? sql`LOWER(${text}) COLLATE utf8mb4_bin` : sql`${text} COLLATE utf8mb4_bin`;
};

export const mysqlSyntax: Syntax = {
  placeholder: () => '?',
  late: null,
  identifier: (name) => trusted(quote(name)),
  table: ({ name }) => trusted(quote(name)),

  param: (source, type, column, options) => {
    const list = options?.list ?? false;
    const value = param({ source, type, list, lenient: options?.lenient ?? false, cast: '', encode: encodeValue(type, list) });
    // A decimal compared with text is compared as a double; with a decimal, digit by digit.
    return type === 'decimal' && !list ? sql`CAST(${value} AS ${decimalType(column)})` : value;
  },

  comparable: (x) => x.sql,
  orderable: (x) => x.sql,
  inList: (x, source) => {
    const values = mysqlSyntax.param(source, x.type, x.column, { list: true });
    return sql`${x.sql} IN (SELECT k.v FROM JSON_TABLE(${values}, '$[*]' COLUMNS(v ${listColumn(x.type, x.column)} PATH '$')) k)`;
  },
  listIsNotEmpty: (source) => sql`JSON_LENGTH(${mysqlSyntax.param(source, 'text', null, { list: true })}) > 0`,
  isEmpty: (x) => (isText(x) ? sql`(${x.sql} IS NULL OR LENGTH(${x.sql}) = 0)` : sql`(${x.sql} IS NULL)`),
  matches: (x, how, folds, source) => {
    const pattern = param({
      source,
      type: 'text',
      list: false,
      lenient: false,
      cast: '',
      encode: (value) => {
        const escaped = escapeLike(folds ? String(value).toLowerCase() : String(value));
        return `${how === 'starts' ? '' : '%'}${escaped}${how === 'ends' ? '' : '%'}`;
      },
    });
    return sql`${bytewise(x, folds)} LIKE ${pattern} ESCAPE '|'`;
  },
  geometry: (x, operator, source) => {
    const shape = sql`ST_GeomFromGeoJSON(${mysqlSyntax.param(source, 'text', null)})`;
    const test = operator.endsWith('_bbox') ? sql`MBRIntersects(${x.sql}, ${shape})` : sql`ST_Intersects(${x.sql}, ${shape})`;
    return operator.startsWith('_n') ? sql`NOT ${test}` : test;
  },
  equalsText: (x, value) => sql`${x} = ${literal(value)}`,
  datePart: (part, x) => {
    if (part === 'week') return sql`WEEK(${x.sql}, 3)`;
    if (part === 'weekday') return sql`(DAYOFWEEK(${x.sql}) - 1)`;
    return sql`${trusted(dateFunctions[part])}(${x.sql})`;
  },
  jsonLength: (x) => sql`CASE WHEN JSON_TYPE(${x.sql}) = 'ARRAY' THEN JSON_LENGTH(${x.sql}) END`,
  jsonText: (x, path, numeric) => {
    const place = jsonAt(x, path);
    const value = sql`JSON_UNQUOTE(${place})`;
    if (!numeric) return sql`CASE WHEN JSON_TYPE(${place}) <> 'NULL' THEN ${value} COLLATE utf8mb4_bin END`;
    return sql`CASE WHEN JSON_TYPE(${place}) IN ('INTEGER', 'DOUBLE', 'DECIMAL') THEN ${value} + 0e0 END`;
  },
  jsonValue: (x, path) => sql`IFNULL(${jsonAt(x, path)}, 'null')`,
  anyKey: (stored, key) => {
    if (key.type === 'integer' || key.type === 'bigInteger')
      return sql`CASE WHEN ${stored.sql} REGEXP '^-?[0-9]{1,18}$' THEN CAST(${stored.sql} AS SIGNED) END`;
    const collation = key.column?.collation;
    return collation ? sql`CONVERT(${stored.sql} USING utf8mb4) COLLATE ${trusted(collation)}` : stored.sql;
  },

  json: wireForm,
  jsonNull: () => trusted("'null'"),
  jsonConstant: (value) => literal(JSON.stringify(value)),
  jsonWhen: (condition, json) => sql`CASE WHEN ${condition} THEN ${json} ELSE 'null' END`,
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
  one: (shape, source) => sql`IFNULL((SELECT ${item(shape)} FROM ${source}), 'null')`,
  many: (shape, page) => limitedList(item(shape), page),
  root: (shape, page) =>
    sql`SELECT ${item(shape)} FROM ${page.from}${whereClause(page.where)}${orderClause(page.order)}${mysqlSyntax.limitOffset(page.limit, page.offset)}`,
  markedRoot: (shape, page) => {
    const marks = page.order.map((term) => markForm(term.value, term.type));
    const rest = sql`${page.from}${whereClause(page.where)}${orderClause(page.order)}${mysqlSyntax.limitOffset(page.limit, page.offset)}`;
    return sql`SELECT ${item(shape)}, CONCAT('[', ${join(marks, ", ',', ")}, ']') FROM ${rest}`;
  },
  groups: (groups) => sql`SELECT ${object(groups.pairs)} FROM ${groupsSource(mysqlSyntax, groups)}`,
  nestedGroups: (groups, parentKey) => {
    if (parentKey !== null && groups.parent !== null) return groupsOfAllParents(object(groups.pairs), groups, groups.parent, parentKey);
    return sql`CONCAT('[', (SELECT ${object(groups.pairs)} FROM ${groupsSource(mysqlSyntax, groups)}), ']')`;
  },
  looksOut: false,
  asksListsFirst: false,
  nulls: 'first',
  markParam: (index, x) => {
    const mark = param({
      source: { kind: 'mark', index },
      type: 'text',
      list: false,
      lenient: false,
      cast: '',
      encode: encodeMark(x.type),
    });
    return x.type === 'decimal' ? sql`CAST(${mark} AS ${decimalType(x.column)})` : mark;
  },
  explain: (text) => `EXPLAIN FORMAT=JSON ${text}`,
  offset: (source) =>
    source.kind === 'constant' ? trusted(String(Number.parseInt(String(source.value), 10))) : mysqlSyntax.param(source, 'bigInteger', null),
  scanGuard: () => null,
  limitOffset: (limit, offset) => {
    if (limit === null && offset === null) return empty;
    const bound = trusted(` LIMIT ${limit ?? MAX_ROWS}`);
    return offset === null ? bound : sql`${bound} OFFSET ${offset}`;
  },
};

/** What differs by the server, which is known once a connection has been made. */
export function createSyntax(server: () => Server): Syntax {
  const syntax: Syntax = {
    ...mysqlSyntax,
    get looksOut() {
      return !server().mariadb;
    },
    get late() {
      return server().mariadb ? mariadbLate : null;
    },
    many: (shape, page) => (server().mariadb ? limitedList(item(shape), page) : derivedList(item(shape), syntax, page)),
    nestedGroups: (groups, parentKey) => {
      if (server().mariadb || groups.keys.length === 0) return mysqlSyntax.nestedGroups(groups, parentKey);
      return derivedGroups(object(groups.pairs), groups);
    },
  };
  return syntax;
}
