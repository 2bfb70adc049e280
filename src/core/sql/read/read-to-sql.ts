// Writes a bound read as one statement: the page as a derived table (page-to-sql.ts), the shape around it, and relations as correlated
// scalar subqueries, each again a page with a shape. The shape is written first, because writing it collects the columns that the page must
// carry.

import { unreachable } from '../../errors/service-error.js';
import type { BoundFilter } from '../../plan/names/bound-filter.js';
import type { AnyTarget, BoundGroups, BoundRead, Output, Shape } from '../../plan/read/bound-read.js';
import type { Collection } from '../../schema/schema.js';
import { anyMatch, filterToSql } from '../filter-to-sql.js';
import { andFilter, columnTyped, linkColumns, linkToSql, plainScalar } from '../scalar-to-sql.js';
import { guardScan } from '../scan-guard.js';
import { columnSql, makeScope, type Scope, type StatementBuilder, tableAs } from '../scope.js';
import { integer, join, type Rendered, render, type Sql, sql, trusted } from '../sql.js';
import { startStatement } from '../start-statement.js';
import type { ItemShape, Json, Syntax } from '../syntax.js';
import { groupsToSql, nestedGroupsToSql } from './groups-to-sql.js';
import { pageToSql, whereClause } from './page-to-sql.js';

/** Lists up to this length may be returned as one text if the vendor gains by it; longer ones item by item. */
const JOINED_LIMIT = 1000;

/** A statement that knows the collections behind its aliases: the database's plan names the aliases only. */
export interface NamedStatement extends Rendered {
  readonly aliases: ReadonlyMap<string, Collection>;
}

export interface ReadStatement extends NamedStatement {
  /** Each row contains one text: of one item, or of several items joined by commas. */
  readonly joined: boolean;
}

export function readToSql(syntax: Syntax, read: BoundRead, streamed = false): ReadStatement {
  const joined = !streamed && !read.marked && isJoined(read.page.limit);
  const builder = startStatement(syntax);
  return { ...render(readSql(builder, read, joined), syntax.placeholder), aliases: builder.aliases, joined };
}

const isJoined = (limit: number | null): boolean => limit !== null && limit > 1 && limit <= JOINED_LIMIT;

export function readSql(builder: StatementBuilder, read: BoundRead, joined: boolean): Sql {
  const { syntax } = builder;
  const scope = makeScope(builder.nextAlias());
  const shape = shapeToSql(builder, scope, read.shape);
  const page = pageToSql(builder, read.page, scope, null);
  return read.marked ? syntax.markedRoot(shape, page) : syntax.root(shape, page, joined);
}

export function groupsStatement(syntax: Syntax, groups: BoundGroups): NamedStatement {
  const builder = startStatement(syntax);
  return { ...render(groupsToSql(builder, groups), syntax.placeholder), aliases: builder.aliases };
}

export function shapeToSql(builder: StatementBuilder, scope: Scope, shape: Shape): ItemShape {
  if (shape.kind === 'value') return { kind: 'value', value: outputToJson(builder, scope, shape.value) };
  return { kind: 'object', pairs: shape.fields.map((field) => [field.as, outputToJson(builder, scope, field.output)] as const) };
}

/** The rule encloses the JSON expression, relations included: where it does not hold, nothing is computed. */
function outputToJson(builder: StatementBuilder, scope: Scope, output: Output): Json {
  const json = plainOutput(builder, scope, output);
  const rule = output.kind === 'scalar' ? output.scalar.rule : 'rule' in output ? output.rule : null;
  return rule === null ? json : builder.syntax.jsonWhen(filterToSql(builder, scope, rule), json);
}

function plainOutput(builder: StatementBuilder, scope: Scope, output: Output): Json {
  const { syntax } = builder;
  switch (output.kind) {
    case 'scalar':
      return syntax.json(plainScalar(builder, scope, output.scalar), output.cast);
    case 'json-value':
      return syntax.jsonValue(columnTyped(builder, scope, output.field), output.path);
    case 'concealed':
      return syntax.jsonWhen(sql`${columnSql(builder, scope, output.field.name)} IS NOT NULL`, syntax.jsonConstant('**********'));
    case 'nothing':
      return syntax.jsonNull();
    case 'constant':
      return syntax.jsonConstant(output.text);
    case 'digest':
      return syntax.digest(syntax.text(shapeToSql(builder, scope, { kind: 'object', fields: output.fields })));
    case 'object':
      return syntax.inlineObject(output.fields.map((field) => [field.as, outputToJson(builder, scope, field.output)] as const));
    case 'to-one':
      return toOne(builder, scope, output);
    case 'to-many':
      return toMany(builder, scope, output);
    case 'to-any':
      return toAny(builder, scope, output);
    case 'groups':
      return nestedGroups(builder, scope, output);
    default:
      return unreachable(output);
  }
}

function toOne(builder: StatementBuilder, scope: Scope, output: Extract<Output, { kind: 'to-one' }>): Json {
  const inner = makeScope(builder.nextAlias());
  const shape = shapeToSql(builder, inner, output.shape);
  const match = linkToSql(builder, inner, scope, output.relation);
  return builder.syntax.one(
    shape,
    sql`${tableAs(builder, output.related, inner.alias)} WHERE ${match}${andFilter(builder, inner, output.filter)}`,
  );
}

function toMany(builder: StatementBuilder, scope: Scope, output: Extract<Output, { kind: 'to-many' }>): Json {
  const inner = makeScope(builder.nextAlias());
  const shape = shapeToSql(builder, inner, output.shape);
  const condition = linkToSql(builder, makeScope(inner.alias), scope, output.relation);
  return builder.syntax.many(shape, pageToSql(builder, output.page, inner, { fields: linkColumns(output.relation), condition }));
}

function toAny(builder: StatementBuilder, scope: Scope, output: Extract<Output, { kind: 'to-any' }>): Json {
  const { syntax } = builder;
  const collection = columnSql(builder, scope, output.relation.collectionField);
  const bare = syntax.json({ sql: columnSql(builder, scope, output.relation.field), type: 'string', column: null }, null);
  const branches = output.targets.map((target) => ({
    when: syntax.equalsText(collection, target.related.name),
    json: anyTarget(builder, scope, output, target),
  }));
  // Collections that the caller may not read answer null, as hidden items do.
  return syntax.jsonCase(
    branches.map((branch) => ({ when: branch.when, json: branch.json ?? bare })),
    syntax.jsonNull(),
  );
}

function anyTarget(builder: StatementBuilder, scope: Scope, output: Extract<Output, { kind: 'to-any' }>, target: AnyTarget): Json | null {
  if (target.shape === null) return null;
  const inner = makeScope(builder.nextAlias());
  const shape = shapeToSql(builder, inner, target.shape);
  const match = anyMatch(builder, scope, inner, { relation: output.relation, related: target.related });
  return builder.syntax.one(
    shape,
    sql`${tableAs(builder, target.related, inner.alias)} WHERE ${match}${andFilter(builder, inner, target.filter)}`,
  );
}

function nestedGroups(builder: StatementBuilder, scope: Scope, output: Extract<Output, { kind: 'groups' }>): Json {
  return nestedGroupsToSql(builder, scope, output.groups, output.relation);
}

/**
 * The counts of `meta`: one row with a number per filter, in their order (null: every item). A separate statement instead of a window
 * function over the list, which would make the list slower. With `atMost`, the database stops at the first item beyond it.
 */
export function countsToSql(
  syntax: Syntax,
  collection: Collection,
  filters: readonly (BoundFilter | null)[],
  atMost: number | null = null,
): Rendered {
  const builder = startStatement(syntax);
  const counts = filters.map((filter): Sql => {
    const scope = makeScope(builder.nextAlias());
    const guard = guardScan(builder, scope.alias, { collection, link: null, filter });
    const conditions = [guard, filter === null ? null : filterToSql(builder, scope, filter)].filter((condition) => condition !== null);
    const where = conditions.length === 0 ? null : join(conditions, ' AND ');
    const items = sql`${tableAs(builder, collection, scope.alias)}${whereClause(where)}`;
    if (atMost === null) return sql`(SELECT count(*) FROM ${items})`;
    return sql`(SELECT count(*) FROM (SELECT 1 AS one FROM ${items} LIMIT ${integer(atMost + 1)}) ${trusted(builder.nextAlias())})`;
  });
  return render(sql`SELECT ${join(counts, ', ')}`, syntax.placeholder);
}
