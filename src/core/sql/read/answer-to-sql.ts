// The answer to a create as part of the INSERT's RETURNING: the shape of a read, written over the new row instead of over a page. This
// works only for values of the row itself and of other tables, because a statement does not see its own row in the tables it reads.

import type { BoundFilter, Scalar } from '../../plan/names/bound-filter.js';
import type { BoundRead, Output, Shape } from '../../plan/read/bound-read.js';
import type { Collection } from '../../schema/schema.js';
import { filterToSql } from '../filter-to-sql.js';
import { makeScope } from '../scope.js';
import { type Sql, sql } from '../sql.js';
import { startStatement } from '../start-statement.js';
import type { Syntax } from '../syntax.js';
import { tableOf } from '../written.js';
import { shapeToSql } from './read-to-sql.js';

/**
 * Returns an expression for the item's JSON text, which is null if the caller's rules hide the item. Returns no SQL (null) if the item has
 * to be read afterwards.
 */
export function answerToSql(syntax: Syntax, { shape, page, marked }: BoundRead): Sql | null {
  const { collection, filter } = page;
  const { name } = tableOf(collection);
  if (marked || looksLikeAlias(name) || !isSelfContained(shape, collection) || (filter !== null && !isPlain(filter))) return null;
  const builder = startStatement(syntax);
  const scope = makeScope(syntax.identifier(name).parts.join(''));
  const text = syntax.text(shapeToSql(builder, scope, shape));
  return filter === null ? text : sql`CASE WHEN ${filterToSql(builder, scope, filter)} THEN ${text} END`;
}

/** The new row is addressed by the name of its table, which must not collide with an alias of a subquery. */
const looksLikeAlias = (name: string): boolean => /^t\d+$/i.test(name);

const isSelfContained = (shape: Shape, root: Collection): boolean =>
  shape.kind === 'value'
    ? isOutputSelfContained(shape.value, root)
    : shape.fields.every(({ output }) => isOutputSelfContained(output, root));

function isOutputSelfContained(output: Output, root: Collection): boolean {
  switch (output.kind) {
    case 'nothing':
    case 'constant':
      return true;
    case 'scalar':
      return isOwn(output.scalar);
    case 'concealed':
    case 'json-value':
      return output.rule === null || isPlain(output.rule);
    case 'digest':
    case 'object':
      return output.fields.every((field) => isOutputSelfContained(field.output, root));
    case 'to-one':
      return (
        output.related.name !== root.name &&
        [output.rule, output.filter].every((rule) => rule === null || isPlain(rule)) &&
        isSelfContained(output.shape, root)
      );
    case 'to-many':
    case 'to-any':
    case 'groups':
      return false;
  }
}

const isOwn = (scalar: Scalar): boolean =>
  scalar.kind !== 'related-count' &&
  scalar.kind !== 'through' &&
  scalar.kind !== 'extreme' &&
  (scalar.rule === null || isPlain(scalar.rule));

/** Whether the filter compares only values of the item itself. */
function isPlain(filter: BoundFilter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.every(isPlain);
    case 'nothing':
      return true;
    case 'compare':
      return isOwn(filter.value);
    case 'exists':
    case 'exists-any':
      return false;
  }
}
