// PostgreSQL's answers: items are rows of a subselect turned into JSON by row_to_json, so `Json` fragments are plain typed values.

import { invalidQuery } from '../../core/errors/service-error.js';
import { groupsSource } from '../../core/sql/groups-to-sql.js';
import { carriedValue, derivedPage, orderClause, outerOrder, whereClause } from '../../core/sql/page-to-sql.js';
import { join, param, type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { ItemShape, Json, PageSql, Syntax, Typed } from '../../core/sql/syntax.js';
import { aggregateSql } from './aggregate.js';
import { postgresLate } from './late.js';
import { castOf, encodeValue, escapeLike, hasOrder, markCast } from './parameters.js';
import { wireForm } from './wire-form.js';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): Sql => trusted(`'${text.replaceAll("'", "''")}'`);

type Pairs = readonly (readonly [string, Json])[];

const select = (pairs: Pairs): Sql =>
  join(
    pairs.map(([key, value]) => sql`${value} AS ${trusted(quote(key))}`),
    ', ',
  );

const isText = (x: Typed): boolean => x.type === 'string' || x.type === 'text' || x.type === 'csv' || x.type === 'hash';
/** Moments are searched as they are answered. */
const asText = (x: Typed): Sql => (isText(x) ? x.sql : x.type === 'timestamp' ? wireForm(x, null) : sql`${x.sql}::text`);

/** Without an offset nothing is computed in vain, so one layer is enough; with one, the page comes first. */
function source(page: PageSql): Sql {
  if (page.offset !== null) return sql`${derivedPage(postgresSyntax, page)}${outerOrder(postgresSyntax, page)}`;
  return sql`${page.from}${whereClause(page.where)}${orderClause(page.order)}${postgresSyntax.limitOffset(page.limit, null)}`;
}

function rows(shape: ItemShape, from: Sql): Sql {
  if (shape.kind === 'value') return sql`SELECT to_json(${shape.value}) AS j FROM ${from}`;
  if (shape.pairs.length === 0) return sql`SELECT '{}'::json AS j FROM ${from}`;
  return sql`SELECT row_to_json(r.*) AS j FROM (SELECT ${select(shape.pairs)} FROM ${from}) r`;
}

function jsonPath(path: readonly (string | number)[]): Sql {
  return literal(`{${path.map((step) => `"${String(step).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`);
}

/** `#>` takes a number for a key as well: where a step looks like one, what it steps into must be of its kind. */
function atPlace(x: Typed, path: readonly (string | number)[], value: Sql): Sql {
  const conditions = path.flatMap((step, index) => {
    if (typeof step === 'string' && !/^\d+$/.test(step)) return [];
    const kind = typeof step === 'number' ? "'array'" : "'object'";
    return [sql`json_typeof(${x.sql}::json #> ${jsonPath(path.slice(0, index))}) = ${trusted(kind)}`];
  });
  return conditions.length === 0 ? value : sql`CASE WHEN ${join(conditions, ' AND ')} THEN ${value} END`;
}

/** A row may be as wide as it likes, a function's arguments not; it costs a subquery. */
const inlineRow = (pairs: Pairs): Sql =>
  pairs.length === 0 ? trusted("'{}'") : sql`(SELECT row_to_json(o.*) FROM (SELECT ${select(pairs)}) o)`;

const dateFields: Readonly<Record<string, string>> = { weekday: 'dow' };

export const postgresSyntax: Syntax = {
  placeholder: (index) => `$${index}`,
  late: postgresLate,
  identifier: (name) => trusted(quote(name)),
  table: ({ schema, name }) => trusted(schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`),

  param: (from, type, column, options) => {
    const list = options?.list ?? false;
    return param({
      source: from,
      type,
      list,
      lenient: options?.lenient ?? false,
      cast: castOf(type, column, list),
      encode: encodeValue(type),
    });
  },

  comparable: (x) => (x.type === 'unknown' ? sql`${x.sql}::text` : x.sql),
  orderable: (x) => (hasOrder(x.type, x.column) ? x.sql : sql`${x.sql}::text`),
  inList: (x, from) => sql`${postgresSyntax.comparable(x)} = ANY(${postgresSyntax.param(from, x.type, x.column, { list: true })})`,
  listIsNotEmpty: (from) => sql`cardinality(${postgresSyntax.param(from, 'text', null, { list: true })}) > 0`,
  isEmpty: (x) => (isText(x) ? sql`(${x.sql} IS NULL OR ${x.sql} = '')` : sql`(${x.sql} IS NULL)`),
  matches: (x, how, folds, from) => {
    const pattern = param({
      source: from,
      type: 'text',
      list: false,
      lenient: false,
      cast: '::text',
      encode: (value) => {
        const text = escapeLike(folds ? String(value).toLowerCase() : String(value));
        return `${how === 'starts' ? '' : '%'}${text}${how === 'ends' ? '' : '%'}`;
      },
    });
    return folds ? sql`lower(${asText(x)}) LIKE ${pattern}` : sql`${asText(x)} LIKE ${pattern}`;
  },
  geometry: (x, operator, from) => {
    const shape = sql`ST_GeomFromGeoJSON(${postgresSyntax.param(from, 'text', null)})`;
    const test = operator.endsWith('_bbox') ? sql`(${x.sql} && ${shape})` : sql`ST_Intersects(${x.sql}, ${shape})`;
    return operator.startsWith('_n') ? sql`NOT ${test}` : test;
  },
  equalsText: (x, text) => sql`${x} = ${literal(text)}`,
  datePart: (part, x) => {
    const moment = x.type === 'timestamp' ? sql`(${x.sql} AT TIME ZONE 'UTC')` : x.sql;
    const field = trusted(dateFields[part] ?? part);
    return part === 'second' ? sql`floor(extract(second FROM ${moment}))::int` : sql`extract(${field} FROM ${moment})::int`;
  },
  jsonLength: (x) => sql`CASE WHEN json_typeof(${x.sql}::json) = 'array' THEN json_array_length(${x.sql}::json) END`,
  jsonText: (x, path, numeric) => {
    const text = sql`(${x.sql}::json #>> ${jsonPath(path)})`;
    if (!numeric) return atPlace(x, path, text);
    return atPlace(x, path, sql`CASE WHEN json_typeof(${x.sql}::json #> ${jsonPath(path)}) = 'number' THEN ${text}::float8 END`);
  },
  jsonValue: (x, path) => atPlace(x, path, sql`(${x.sql}::json #> ${jsonPath(path)})`),
  anyKey: (item, key) => {
    if (key.type === 'integer' || key.type === 'bigInteger')
      return sql`CASE WHEN ${item.sql}::text ~ '^-?[0-9]{1,18}$' THEN ${item.sql}::text::bigint END`;
    if (key.type === 'uuid')
      return sql`CASE WHEN ${item.sql}::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${item.sql}::text::uuid END`;
    if (key.type === 'string' || key.type === 'text') return sql`${item.sql}::text`;
    throw invalidQuery(`A many-to-any relation cannot point at keys of type ${key.type}.`);
  },

  json: wireForm,
  jsonNull: () => trusted('NULL::text'),
  jsonConstant: (text) => sql`${literal(text)}::text`,
  jsonWhen: (condition, json) => sql`CASE WHEN ${condition} THEN ${json} END`,
  jsonCase: (branches, otherwise) => {
    if (branches.length === 0) return otherwise;
    const parts = branches.map((branch) => sql`WHEN ${branch.when} THEN to_json(${branch.json})`);
    return sql`CASE ${join(parts, ' ')} ELSE to_json(${otherwise}) END`;
  },

  aggregate: aggregateSql,

  inlineObject: (pairs) => {
    if (pairs.length > 50) return inlineRow(pairs);
    return sql`json_build_object(${join(
      pairs.map(([key, value]) => sql`${literal(key)}::text, ${value}`),
      ', ',
    )})`;
  },
  text: (shape) => sql`${shape.kind === 'value' ? sql`to_json(${shape.value})` : inlineRow(shape.pairs)}::text`,
  one: (shape, from) => sql`(${rows(shape, from)})`,
  many: (shape, page) => {
    if (shape.kind === 'value')
      return sql`coalesce((SELECT json_agg(${shape.value}) FROM ${derivedPage(postgresSyntax, page)}), '[]'::json)`;
    return sql`coalesce((SELECT json_agg(x.*) FROM (SELECT ${select(shape.pairs)} FROM ${source(page)}) x), '[]'::json)`;
  },
  root: (shape, page, joined) => {
    const items = rows(shape, source(page));
    return joined ? sql`SELECT string_agg(i.j::text, ',') FROM (${items}) i` : sql`SELECT i.j::text FROM (${items}) i`;
  },
  markedRoot: (shape, page) => {
    const marks = page.order.map((term) => sql`${page.offset === null ? term.value : carriedValue(postgresSyntax, page, term)}::text`);
    const entry = shape.kind === 'value' ? sql`to_json(${shape.value})` : inlineRow(shape.pairs);
    return sql`SELECT ${entry}::text, json_build_array(${join(marks, ', ')})::text FROM ${source(page)}`;
  },
  groups: (groups) =>
    sql`SELECT row_to_json(r.*)::text FROM (SELECT ${select(groups.pairs)} FROM ${groupsSource(postgresSyntax, groups)}) r`,
  nestedGroups: (groups) =>
    sql`coalesce((SELECT json_agg(r.*) FROM (SELECT ${select(groups.pairs)} FROM ${groupsSource(postgresSyntax, groups)}) r), '[]'::json)`,
  looksOut: true,
  asksListsFirst: false,
  nulls: 'last',
  markParam: (index, x) =>
    param({ source: { kind: 'mark', index }, type: 'text', list: false, lenient: false, cast: markCast(x), encode: encodeValue('text') }),
  explain: (text) => `EXPLAIN (FORMAT JSON) ${text}`,
  offset: (from) => postgresSyntax.param(from, 'bigInteger', null),
  scanGuard: () => null,
  limitOffset: (limit, offset) => {
    const parts = [limit === null ? null : trusted(` LIMIT ${limit}`), offset === null ? null : sql` OFFSET ${offset}`];
    return join(
      parts.filter((part) => part !== null),
      '',
    );
  },
};
