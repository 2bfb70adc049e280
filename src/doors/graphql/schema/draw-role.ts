// One type of a collection by its role; null when this caller has no use for it.

import type { GraphQLNamedType, GraphQLObjectType } from 'graphql';
import { unreachable } from '../../../core/errors/service-error.js';
import type { Collection, ColumnField } from '../../../core/schema/schema.js';
import { countable, drawAggregated, drawCounts, drawExtremes, drawTotals, orderable, summable } from './aggregate-types.js';
import type { TypeRole } from './claim-names.js';
import type { Drawing } from './drawing.js';
import { drawFilter, drawQuantifier } from './filter-input.js';
import { drawMutated } from './mutated-type.js';
import { drawObject } from './object-type.js';
import { drawVersion } from './version-type.js';
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
      return drawIfAny(name, countable(drawing, collection), drawCounts);
    case 'totals':
      return drawIfAny(name, summable(drawing, collection), drawTotals);
    case 'extremes':
      return drawIfAny(name, orderable(drawing, collection), drawExtremes);
    case 'version':
      return collection.system ? null : drawVersion(drawing, collection, name);
    case 'mutated':
      return collection.system ? null : drawMutated(drawing, collection, name);
    default:
      return unreachable(role);
  }
}

type DrawValues = (name: string, fields: readonly ColumnField[]) => GraphQLObjectType;

const drawIfAny = (name: string, fields: readonly ColumnField[], draw: DrawValues): GraphQLObjectType | null =>
  fields.length === 0 ? null : draw(name, fields);
