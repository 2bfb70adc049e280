// Draws one type of a collection by its role; null when the caller may do nothing that needs it.

import type { GraphQLNamedType, GraphQLObjectType } from 'graphql';
import { unreachable } from '../../../../core/errors/service-error.js';
import type { Collection, ColumnField } from '../../../../core/schema/schema.js';
import type { TypeRole } from '../names/claim-names.js';
import {
  countable,
  type DrawValues,
  drawAggregated,
  drawCounts,
  drawExtremes,
  drawTotals,
  orderable,
  summable,
} from './aggregate-types.js';
import type { Drawing } from './drawing.js';
import { drawFilter, drawQuantifier } from './filter-input.js';
import { drawMutated } from './mutated-type.js';
import { drawObject, drawVersion } from './object-type.js';
import { drawChanges, drawInput } from './write-inputs.js';

export function drawRole(drawing: Drawing, role: TypeRole, collection: string, name: string): GraphQLNamedType | null {
  if (role === 'create' || role === 'update') {
    const written = drawing.find(collection, role);
    return written === null ? null : drawInput(drawing, role, written, name);
  }
  if (role === 'changes') {
    const written = drawing.find(collection, 'create') ?? drawing.find(collection, 'update');
    return written === null ? null : drawChanges(drawing, written, name);
  }
  const read = drawing.find(collection, 'read');
  return read === null ? null : drawReading(drawing, role, read, name);
}

type ReadingRole = Exclude<TypeRole, 'create' | 'update' | 'changes'>;

function drawReading(drawing: Drawing, role: ReadingRole, collection: Collection, name: string): GraphQLNamedType | null {
  switch (role) {
    case 'object':
      return drawObject(drawing, collection);
    case 'filter':
      return drawFilter(drawing, collection, name);
    case 'quantifier':
      return drawQuantifier(drawing, collection, name);
    case 'aggregated':
      return drawAggregated(drawing, collection, name);
    case 'counts':
      return drawIfAny(collection, name, countable(drawing, collection), drawCounts);
    case 'totals':
      return drawIfAny(collection, name, summable(drawing, collection), drawTotals);
    case 'extremes':
      return drawIfAny(collection, name, orderable(drawing, collection), drawExtremes);
    case 'version':
      return collection.system ? null : drawVersion(drawing, collection, name);
    case 'mutated':
      return collection.system ? null : drawMutated(drawing, collection, name);
    default:
      return unreachable(role);
  }
}

const drawIfAny = (collection: Collection, name: string, fields: readonly ColumnField[], draw: DrawValues): GraphQLObjectType | null =>
  fields.length === 0 ? null : draw(collection, name, fields);
