// A bound read as one statement: the page inside, the shape around it, relations as correlated scalar subqueries.

import { unreachable } from '../errors/service-error.js';
import type { AnyTarget, BoundGroups, BoundRead, Output, Shape } from '../plan/bound.js';
import { anyMatch, filterToSql } from './filter-to-sql.js';
import { groupsToSql, nestedGroupsToSql } from './groups-to-sql.js';
import { pageToSql } from './page-to-sql.js';
import { andFilter, columnTyped, keyOf, plainScalar } from './scalar-to-sql.js';
import { columnSql, makeScope, type Scope, tableAs, type Writer } from './scope.js';
import { type Rendered, render, type Sql, sql } from './sql.js';
import { startWriting } from './start-writing.js';
import type { ItemShape, Json, Syntax } from './syntax.js';

/** Lists up to this long may come as one text, where the vendor gains by it; longer ones item by item. */
const JOINED_LIMIT = 1000;

export interface ReadStatement extends Rendered {
  /** Every row holds one text: of one item, or of several joined by commas. */
  readonly joined: boolean;
}

export function readToSql(syntax: Syntax, read: BoundRead, streamed = false): ReadStatement {
  const joined = !streamed && !read.marked && isJoined(read.page.limit);
  return { ...render(readSql(syntax, read, joined), syntax.placeholder), joined };
}

const isJoined = (limit: number | null): boolean => limit !== null && limit > 1 && limit <= JOINED_LIMIT;

export function readSql(syntax: Syntax, read: BoundRead, joined: boolean): Sql {
  const writer = startWriting(syntax);
  const scope = makeScope(writer.nextAlias());
  const shape = shapeToSql(writer, scope, read.shape);
  const page = pageToSql(writer, read.page, scope, null);
  return read.marked ? syntax.markedRoot(shape, page) : syntax.root(shape, page, joined);
}

export function groupsStatement(syntax: Syntax, groups: BoundGroups): Rendered {
  return render(groupsToSql(startWriting(syntax), groups), syntax.placeholder);
}

export function shapeToSql(writer: Writer, scope: Scope, shape: Shape): ItemShape {
  if (shape.kind === 'value') return { kind: 'value', value: outputToJson(writer, scope, shape.value) };
  return { kind: 'object', pairs: shape.fields.map((field) => [field.as, outputToJson(writer, scope, field.output)] as const) };
}

/** The rule stands around the wire form, relations included: where it fails nothing of them is computed. */
function outputToJson(writer: Writer, scope: Scope, output: Output): Json {
  const json = plainOutput(writer, scope, output);
  const rule = output.kind === 'scalar' ? output.scalar.rule : 'rule' in output ? output.rule : null;
  return rule === null ? json : writer.syntax.jsonWhen(filterToSql(writer, scope, rule), json);
}

function plainOutput(writer: Writer, scope: Scope, output: Output): Json {
  const { syntax } = writer;
  switch (output.kind) {
    case 'scalar':
      return syntax.json(plainScalar(writer, scope, output.scalar), output.cast);
    case 'json-value':
      return syntax.jsonValue(columnTyped(writer, scope, output.field), output.path);
    case 'concealed':
      return syntax.jsonWhen(sql`${columnSql(writer, scope, output.field.name)} IS NOT NULL`, syntax.jsonConstant('**********'));
    case 'nothing':
      return syntax.jsonNull();
    case 'constant':
      return syntax.jsonConstant(output.text);
    case 'object':
      return syntax.inlineObject(output.fields.map((field) => [field.as, outputToJson(writer, scope, field.output)] as const));
    case 'to-one':
      return toOne(writer, scope, output);
    case 'to-many':
      return toMany(writer, scope, output);
    case 'to-any':
      return toAny(writer, scope, output);
    case 'groups':
      return nestedGroups(writer, scope, output);
    default:
      return unreachable(output);
  }
}

function toOne(writer: Writer, scope: Scope, output: Extract<Output, { kind: 'to-one' }>): Json {
  const inner = makeScope(writer.nextAlias());
  const shape = shapeToSql(writer, inner, output.shape);
  const match = sql`${columnSql(writer, inner, output.relation.relatedField)} = ${columnSql(writer, scope, output.relation.field)}`;
  return writer.syntax.one(
    shape,
    sql`${tableAs(writer, output.related, inner.alias)} WHERE ${match}${andFilter(writer, inner, output.filter)}`,
  );
}

function toMany(writer: Writer, scope: Scope, output: Extract<Output, { kind: 'to-many' }>): Json {
  const inner = makeScope(writer.nextAlias());
  const shape = shapeToSql(writer, inner, output.shape);
  const field = output.relation.relatedField;
  const condition = sql`${columnSql(writer, makeScope(inner.alias), field)} = ${keyOf(writer, scope, output.relation)}`;
  return writer.syntax.many(shape, pageToSql(writer, output.page, inner, { field, condition }));
}

function toAny(writer: Writer, scope: Scope, output: Extract<Output, { kind: 'to-any' }>): Json {
  const { syntax } = writer;
  const collection = columnSql(writer, scope, output.relation.collectionField);
  const bare = syntax.json({ sql: columnSql(writer, scope, output.relation.field), type: 'string', column: null }, null);
  const branches = output.targets.map((target) => ({
    when: syntax.equalsText(collection, target.related.name),
    json: anyTarget(writer, scope, output, target),
  }));
  // What the caller may not read at all answers null, as a hidden item does.
  return syntax.jsonCase(
    branches.map((branch) => ({ when: branch.when, json: branch.json ?? bare })),
    syntax.jsonNull(),
  );
}

function anyTarget(writer: Writer, scope: Scope, output: Extract<Output, { kind: 'to-any' }>, target: AnyTarget): Json | null {
  if (target.shape === null) return null;
  const inner = makeScope(writer.nextAlias());
  const shape = shapeToSql(writer, inner, target.shape);
  const match = anyMatch(writer, scope, inner, { relation: output.relation, related: target.related });
  return writer.syntax.one(
    shape,
    sql`${tableAs(writer, target.related, inner.alias)} WHERE ${match}${andFilter(writer, inner, target.filter)}`,
  );
}

function nestedGroups(writer: Writer, scope: Scope, output: Extract<Output, { kind: 'groups' }>): Json {
  const { relation, groups } = output;
  return nestedGroupsToSql(writer, groups, { field: relation.relatedField, key: keyOf(writer, scope, relation) });
}
