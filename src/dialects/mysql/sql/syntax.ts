// The Syntax port of MariaDB and MySQL. JSON is built as text with CONCAT, so a `Json` fragment is a piece of text. It must never be NULL,
// because CONCAT with one NULL argument is NULL.

import { groupsSource } from '../../../core/sql/read/groups-to-sql.js';
import { orderClause, whereClause } from '../../../core/sql/read/page-to-sql.js';
import { caseSql, operandParam, valueParam } from '../../../core/sql/shared-syntax.js';
import { empty, join, type Sql, sql, tableReference, trusted } from '../../../core/sql/sql.js';
import type { ItemShape, Json, Syntax, Typed } from '../../../core/sql/syntax.js';
import { quoteName } from '../types/quote.js';
import type { Server } from '../types/server.js';
import { bitsOfColumn } from '../types/vendor-facts.js';
import { aggregateSql } from './aggregate.js';
import { derivedGroups, derivedList, groupsOfAllParents, limitedList, MAX_ROWS } from './list-forms.js';
import { decimalType, encodeCompared, encodeMark, escapeLike, listColumn, markForm } from './parameters.js';
import { mariadbPending } from './pending-keys.js';
import { readPlan } from './read-plan.js';
import { bitText, momentText, wireForm } from './wire-form.js';

/** A text literal. Backslashes are doubled as well: they are escapes in the sql_mode of every session. */
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

/** The value at a path. `$[0]` of a value that is not an array is that value itself, so each index requires an array. */
function jsonAt(x: Typed, path: readonly (string | number)[]): Sql {
  const value = sql`JSON_EXTRACT(${x.sql}, ${jsonPath(path)})`;
  const lists = path.flatMap((step, index) =>
    typeof step === 'number' ? [sql`JSON_TYPE(JSON_EXTRACT(${x.sql}, ${jsonPath(path.slice(0, index))})) = 'ARRAY'`] : [],
  );
  return lists.length === 0 ? value : sql`IF(${join(lists, ' AND ')}, ${value}, NULL)`;
}

const isText = (x: Typed): boolean =>
  x.type === 'string' || x.type === 'text' || x.type === 'csv' || x.type === 'hash' || x.type === 'uuid';

/** Text in utf8mb4, compared byte by byte. */
const bytewise = (x: Typed, folds: boolean): Sql => {
  const own = x.column?.collation?.startsWith('utf8mb4') ?? false;
  const text = own && isText(x) ? x.sql : sql`CONVERT(${x.type === 'timestamp' ? momentText(x.sql, x.column) : x.sql} USING utf8mb4)`;
  return folds ? sql`LOWER(${text}) COLLATE utf8mb4_bin` : sql`${text} COLLATE utf8mb4_bin`;
};

function geometryTest(left: Sql, right: Sql, operator: Parameters<Syntax['geometry']>[1]): Sql {
  const test = operator.endsWith('_bbox') ? sql`MBRIntersects(${left}, ${right})` : sql`ST_Intersects(${left}, ${right})`;
  return operator.startsWith('_n') ? sql`NOT ${test}` : test;
}

export const mysqlSyntax: Syntax = {
  placeholder: () => '?',
  pending: null,
  identifier: (name) => trusted(quoteName(name)),
  table: ({ name }) => tableReference(quoteName(name), name),

  param: (source, type, column, options) => {
    const list = options?.list ?? false;
    const value = operandParam(source, type, column, options, { cast: '', encode: encodeCompared(type, column, list) });
    if (type.startsWith('geometry') && !list) return sql`ST_GeomFromGeoJSON(${value})`;
    // The server compares a decimal with text as doubles, and with a decimal exactly.
    return type === 'decimal' && !list ? sql`CAST(${value} AS ${decimalType(column)})` : value;
  },

  comparable: (x) => (bitsOfColumn(x.column) === null ? x.sql : bitText(x.sql, x.column)),
  // A BIT column would be returned as bytes.
  orderable: (x) => (bitsOfColumn(x.column) === null ? x.sql : sql`(${x.sql} + 0)`),
  // An unknown type may have no equality operator to group by, but it has an order.
  groupable: (x) => (x.type === 'unknown' ? mysqlSyntax.orderable(x) : x.sql),
  inList: (x, source) => {
    const values = mysqlSyntax.param(source, x.type, x.column, { list: true });
    const value = trusted(x.type === 'binary' ? 'UNHEX(SUBSTR(k.v, 3))' : 'k.v');
    return sql`${mysqlSyntax.comparable(x)} IN (SELECT ${value} FROM JSON_TABLE(${values}, '$[*]' COLUMNS(v ${listColumn(x.type, x.column)} PATH '$')) k)`;
  },
  listIsNotEmpty: (source) => sql`JSON_LENGTH(${mysqlSyntax.param(source, 'text', null, { list: true })}) > 0`,
  isEmpty: (x) => (isText(x) ? sql`(${x.sql} IS NULL OR LENGTH(${x.sql}) = 0)` : sql`(${x.sql} IS NULL)`),
  matches: (x, how, folds, source) => {
    const pattern = valueParam(source, 'text', '', (value) => {
      const escaped = escapeLike(folds ? String(value).toLowerCase() : String(value));
      return `${how === 'starts' ? '' : '%'}${escaped}${how === 'ends' ? '' : '%'}`;
    });
    return sql`${bytewise(x, folds)} LIKE ${pattern} ESCAPE '|'`;
  },
  geometry: (x, operator, source) => {
    return geometryTest(x.sql, mysqlSyntax.param(source, 'geometry', null), operator);
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
  jsonCase: caseSql,

  aggregate: aggregateSql,

  inlineObject: object,
  text: item,
  digest: (text) => sql`CONCAT('"', SHA2(${text}, 256), '"')`,
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
    if (parentKey.length > 0) return groupsOfAllParents(object(groups.pairs), groups, parentKey);
    return sql`CONCAT('[', (SELECT ${object(groups.pairs)} FROM ${groupsSource(mysqlSyntax, groups)}), ']')`;
  },
  allowsLateral: false,
  probesListsFirst: false,
  nulls: 'first',
  markParam: (index, x) => {
    const mark = valueParam({ kind: 'mark', index }, 'text', '', encodeMark(x.type));
    return x.type === 'decimal' ? sql`CAST(${mark} AS ${decimalType(x.column)})` : mark;
  },
  explain: (text) => `EXPLAIN FORMAT=JSON ${text}`,
  readPlan,
  offset: (source) =>
    source.kind === 'constant' ? trusted(String(Number.parseInt(String(source.value), 10))) : mysqlSyntax.param(source, 'bigInteger', null),
  scanGuard: () => null,
  limitOffset: (limit, offset) => {
    if (limit === null && offset === null) return empty;
    const bound = trusted(` LIMIT ${limit ?? MAX_ROWS}`);
    return offset === null ? bound : sql`${bound} OFFSET ${offset}`;
  },
};

/** MySQL compares no shapes of two reference systems, which a column may hold beside each other: all count as plane ones, as elsewhere. */
const plane = (shape: Sql): Sql => sql`ST_SRID(${shape}, 0)`;

/** The syntax with the differences between MariaDB and MySQL. `server` is called when a statement is written. */
export function createSyntax(server: () => Server): Syntax {
  const syntax: Syntax = {
    ...mysqlSyntax,
    get allowsLateral() {
      return !server().mariadb;
    },
    get pending() {
      return server().mariadb ? mariadbPending : null;
    },
    many: (shape, page) => (server().mariadb ? limitedList(item(shape), page) : derivedList(item(shape), syntax, page)),
    comparable: (x) => (x.type.startsWith('geometry') && !server().mariadb ? plane(x.sql) : mysqlSyntax.comparable(x)),
    param: (source, type, column, options) => {
      const bound = mysqlSyntax.param(source, type, column, options);
      return type.startsWith('geometry') && options?.list !== true && !server().mariadb ? plane(bound) : bound;
    },
    geometry: (x, operator, source) => geometryTest(syntax.comparable(x), syntax.param(source, 'geometry', null), operator),
    nestedGroups: (groups, parentKey) => {
      if (server().mariadb || groups.keys.length === 0) return mysqlSyntax.nestedGroups(groups, parentKey);
      return derivedGroups(object(groups.pairs), groups);
    },
  };
  return syntax;
}
