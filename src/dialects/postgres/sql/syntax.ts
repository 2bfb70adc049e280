// The Syntax port of PostgreSQL. An item is a row of a subselect that row_to_json turns into JSON, so a `Json` fragment is a typed value.

import { invalidQuery } from '../../../core/errors/service-error.js';
import type { ValueSource } from '../../../core/plan/names/value-source.js';
import { groupsSource } from '../../../core/sql/read/groups-to-sql.js';
import { carriedValue, derivedPage, orderClause, outerOrder, whereClause } from '../../../core/sql/read/page-to-sql.js';
import { caseSql, operandParam, valueParam } from '../../../core/sql/shared-syntax.js';
import { join, type Sql, sql, tableReference, trusted } from '../../../core/sql/sql.js';
import type { ItemShape, Json, PageSql, Syntax, Typed } from '../../../core/sql/syntax.js';
import { quoteName, quoteTable } from '../types/quote.js';
import { exactType, hasOwnText, isAddress, isDomain, isEnum, postgisType } from '../types/vendor-facts.js';
import { aggregateSql } from './aggregate.js';
import { castOf, encodeValue, escapeLike, isOrdered, markCast } from './parameters.js';
import { postgresPending } from './pending-keys.js';
import { readPlan } from './read-plan.js';
import {
  comparedAs,
  containsPart,
  encodeStructure,
  isAmong,
  isEmptyStructure,
  isStructured,
  type StructuredColumn,
  structureCast,
} from './structures.js';
import { wireForm } from './wire-form.js';

const literal = (text: string): Sql => trusted(`'${text.replaceAll("'", "''")}'`);

type Pairs = readonly (readonly [string, Json])[];

const select = (pairs: Pairs): Sql =>
  join(
    pairs.map(([key, value]) => sql`${value} AS ${trusted(quoteName(key))}`),
    ', ',
  );

const isText = (x: Typed): boolean => x.type === 'string' || x.type === 'text' || x.type === 'csv' || x.type === 'hash';
const isPlainText = (x: Typed): boolean => isText(x) && !isEnum(x.column) && !hasOwnText(x.column);
/** Text to search in; a timestamp is searched in its wire form. */
const asText = (x: Typed): Sql => (isPlainText(x) ? x.sql : x.type === 'timestamp' ? wireForm(x, null) : sql`${x.sql}::text`);

/** With an offset, the page is a derived table, so that nothing is computed for the items that are skipped. */
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

/**
 * `#>` treats the step `0` as an index of an array and as a key of an object. For a step that looks like a number, require the container that the
 * path means.
 */
function atPlace(x: Typed, path: readonly (string | number)[], value: Sql): Sql {
  const conditions = path.flatMap((step, index) => {
    if (typeof step === 'string' && !/^\d+$/.test(step)) return [];
    const kind = typeof step === 'number' ? "'array'" : "'object'";
    return [sql`json_typeof(${x.sql}::json #> ${jsonPath(path.slice(0, index))}) = ${trusted(kind)}`];
  });
  return conditions.length === 0 ? value : sql`CASE WHEN ${join(conditions, ' AND ')} THEN ${value} END`;
}

/** An object without a limit on its size, at the cost of a subquery: a function call takes at most 100 arguments. */
const inlineRow = (pairs: Pairs): Sql =>
  pairs.length === 0 ? trusted("'{}'") : sql`(SELECT row_to_json(o.*) FROM (SELECT ${select(pairs)}) o)`;

/** The operand of `_contains` on an array or hstore. */
const structuredPart = (column: StructuredColumn, source: ValueSource): Sql =>
  operandParam(source, 'unknown', column, {}, { cast: `::${exactType(column)}`, encode: encodeStructure(column.structure) });

const dateFields: Readonly<Record<string, string>> = { weekday: 'dow' };

export const postgresSyntax: Syntax = {
  placeholder: (index) => `$${index}`,
  pending: postgresPending,
  identifier: (name) => trusted(quoteName(name)),
  table: (table) => tableReference(quoteTable(table), table.name),

  param: (from, type, column, options) => {
    const list = options?.list ?? false;
    const structured = type === 'unknown' && isStructured(column) ? column : null;
    return operandParam(from, type, column, options, {
      cast: structured === null ? castOf(type, column, list) : list ? '::text[]' : structureCast(structured),
      encode: structured === null ? encodeValue(type, column) : encodeStructure(structured.structure),
    });
  },

  comparable: (x) => {
    if (isEnum(x.column)) return sql`${x.sql}::text`;
    if (x.type !== 'unknown') return x.sql;
    if (isStructured(x.column)) return comparedAs(x);
    // The text of an address has its mask even where its output has none.
    return isAddress(x.column) ? sql`abbrev(${x.sql})` : sql`${x.sql}::text`;
  },
  orderable: (x) => {
    if (!isOrdered(x.type, x.column)) return sql`${x.sql}::text`;
    // A domain over an enum has no comparison operators; the enum has.
    return x.column !== null && isEnum(x.column) && isDomain(x.column) ? sql`${x.sql}::${trusted(exactType(x.column))}` : x.sql;
  },
  // An unknown type may have no equality operator to group by, but it has an order.
  groupable: (x) => {
    if (x.type !== 'unknown') return x.sql;
    return isStructured(x.column) && isOrdered(x.type, x.column) ? comparedAs(x) : postgresSyntax.orderable(x);
  },
  lookUp: (x, from, list) => {
    if (x.column === null || !isEnum(x.column)) return null;
    const type = trusted(exactType(x.column));
    const wanted = postgresSyntax.param(from, x.type, x.column, { list });
    const label = sql`SELECT v FROM unnest(enum_range(NULL::${type})) AS v WHERE v::text =`;
    const value = isDomain(x.column) ? sql`${x.sql}::${type}` : x.sql;
    return list ? sql`${value} = ANY(ARRAY(${label} ANY(${wanted})))` : sql`${value} = (${label} ${wanted})`;
  },
  inList: (x, from) => {
    const values = postgresSyntax.param(from, x.type, x.column, { list: true });
    if (x.type === 'unknown' && isStructured(x.column)) return isAmong(x, x.column, values);
    return sql`${postgresSyntax.comparable(x)} = ANY(${values})`;
  },
  listIsNotEmpty: (from) => sql`cardinality(${postgresSyntax.param(from, 'text', null, { list: true })}) > 0`,
  isEmpty: (x) => {
    if (x.type === 'unknown' && isStructured(x.column)) return sql`(${x.sql} IS NULL OR ${isEmptyStructure(x, x.column)})`;
    return isText(x) ? sql`(${x.sql} IS NULL OR ${isEnum(x.column) ? sql`${x.sql}::text` : x.sql} = '')` : sql`(${x.sql} IS NULL)`;
  },
  matches: (x, how, folds, from) => {
    if (x.type === 'unknown' && isStructured(x.column)) return containsPart(x, x.column, structuredPart(x.column, from));
    const pattern = valueParam(from, 'text', '::text', (value) => {
      const text = escapeLike(String(value));
      return `${how === 'starts' ? '' : '%'}${text}${how === 'ends' ? '' : '%'}`;
    });
    // ILIKE folds both sides as the column's collation does: which letters that are depends on it, and a text has to match itself in any.
    return folds ? sql`${asText(x)} ILIKE ${pattern}` : sql`${asText(x)} LIKE ${pattern}`;
  },
  geometry: (x, operator, from) => {
    const [prefix = '', name] = postgisType(x.column) ?? [];
    const shape = sql`${trusted(prefix)}ST_GeomFromGeoJSON(${postgresSyntax.param(from, 'geometry', null)})${trusted(name === 'geography' ? `::${prefix}geography` : '')}`;
    const test = operator.endsWith('_bbox') ? sql`(${x.sql} && ${shape})` : sql`${trusted(prefix)}ST_Intersects(${x.sql}, ${shape})`;
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
  // The branches may have different types, and a CASE has one.
  jsonCase: (branches, otherwise) => {
    if (branches.length === 0) return otherwise;
    return caseSql(
      branches.map(({ when, json }) => ({ when, json: sql`to_json(${json})` })),
      sql`to_json(${otherwise})`,
    );
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
  // Unlike md5(), this is available where the server keeps to FIPS.
  digest: (text) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,
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
  allowsLateral: true,
  probesListsFirst: false,
  nulls: 'last',
  markParam: (index, x) => valueParam({ kind: 'mark', index }, 'text', markCast(x), encodeValue('text', null)),
  explain: (text) => `EXPLAIN (FORMAT JSON) ${text}`,
  readPlan,
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
