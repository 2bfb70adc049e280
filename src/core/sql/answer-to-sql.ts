// What an INSERT answers of the item it makes: the shape of a read, written over the new row instead of over a page. Only what the row itself
// and other tables tell can be answered so; a statement does not see its own row in the tables it reads.

import type { BoundFilter, BoundRead, Output, Scalar, Shape } from '../plan/bound.js';
import type { Collection } from '../schema/schema.js';
import { filterToSql } from './filter-to-sql.js';
import { shapeToSql } from './read-to-sql.js';
import { makeScope } from './scope.js';
import { type Sql, sql } from './sql.js';
import { startWriting } from './start-writing.js';
import type { Syntax } from './syntax.js';
import { tableOf } from './written.js';

/** The item's text, or null where the caller's rules hide it. null instead of SQL: the item has to be read. */
export function answerToSql(syntax: Syntax, { shape, page, marked }: BoundRead): Sql | null {
  const { collection, filter } = page;
  const { name } = tableOf(collection);
  if (marked || looksLikeAlias(name) || !tellsAlone(shape, collection) || (filter !== null && !isPlain(filter))) return null;
  const writer = startWriting(syntax);
  const scope = makeScope(syntax.identifier(name).parts.join(''));
  const text = syntax.text(shapeToSql(writer, scope, shape));
  return filter === null ? text : sql`CASE WHEN ${filterToSql(writer, scope, filter)} THEN ${text} END`;
}

/** The new row goes by the name of its table, which must not be one that a subquery has for itself. */
const looksLikeAlias = (name: string): boolean => /^t\d+$/i.test(name);

const tellsAlone = (shape: Shape, root: Collection): boolean =>
  shape.kind === 'value' ? outputTellsAlone(shape.value, root) : shape.fields.every(({ output }) => outputTellsAlone(output, root));

function outputTellsAlone(output: Output, root: Collection): boolean {
  switch (output.kind) {
    case 'nothing':
    case 'constant':
      return true;
    case 'scalar':
      return isOwn(output.scalar);
    case 'concealed':
    case 'json-value':
      return output.rule === null || isPlain(output.rule);
    case 'object':
      return output.fields.every((field) => outputTellsAlone(field.output, root));
    case 'to-one':
      return (
        output.related.name !== root.name &&
        [output.rule, output.filter].every((rule) => rule === null || isPlain(rule)) &&
        tellsAlone(output.shape, root)
      );
    case 'to-many':
    case 'to-any':
    case 'groups':
      return false;
  }
}

const isOwn = (scalar: Scalar): boolean =>
  scalar.kind !== 'related-count' && scalar.kind !== 'through' && (scalar.rule === null || isPlain(scalar.rule));

/** Conditions on the item's own values. */
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
