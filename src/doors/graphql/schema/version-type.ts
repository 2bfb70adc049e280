// An item as one of its versions would have it: relations are the raw changes, since what they point at may not exist yet.

import { type GraphQLFieldConfigMap, GraphQLID, GraphQLObjectType } from 'graphql';
import { visibleFields } from '../../../core/access/view.js';
import type { Collection, Field } from '../../../core/schema/schema.js';
import { castOf, isKey, scalarOf } from './column-scalar.js';
import type { Drawing } from './drawing.js';
import { isName } from './graphql-names.js';
import { means } from './meanings.js';
import { jsonScalar } from './scalars.js';

export const drawVersion = (drawing: Drawing, collection: Collection, name: string): GraphQLObjectType =>
  new GraphQLObjectType({ name, extensions: { collection: collection.name }, fields: () => drawFields(drawing, collection) });

function drawFields(drawing: Drawing, collection: Collection): GraphQLFieldConfigMap<unknown, unknown> {
  const fields = visibleFields(drawing.view, collection, 'read').filter((field) => isName(field.name));
  return Object.fromEntries(fields.map((field) => [field.name, drawField(collection, field)]));
}

function drawField(collection: Collection, field: Field): GraphQLFieldConfigMap<unknown, unknown>[string] {
  const isRaw = field.kind !== 'column' || field.relation !== null;
  if (isRaw) return { type: jsonScalar, ...means({ kind: 'value', field: field.name }) };
  const type = isKey(collection, field) ? GraphQLID : scalarOf(field);
  return { type, ...means({ kind: 'value', field: field.name, ...castOf(collection, field) }) };
}
