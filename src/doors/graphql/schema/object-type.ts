// The object type of a collection: what the caller may read of its items, relations as nested types, functions as objects.

import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import { fieldRules, visibleFields } from '../../../core/access/view.js';
import { functionsOf } from '../../../core/schema/functions.js';
import type { Collection, ColumnField, Field } from '../../../core/schema/schema.js';
import { castOf, isKey, scalarOf } from './column-scalar.js';
import type { Drawing } from './drawing.js';
import { sharedFunctions } from './function-types.js';
import { isName } from './graphql-names.js';
import { listArguments } from './list-arguments.js';
import { means } from './meanings.js';
import { visibleRelation } from './visible-relations.js';

type Fields = GraphQLFieldConfigMap<unknown, unknown>;
type FieldConfig = GraphQLFieldConfig<unknown, unknown>;

export function drawObject(drawing: Drawing, collection: Collection): GraphQLObjectType {
  return new GraphQLObjectType({
    name: drawing.nameOf(collection.name),
    description: collection.note,
    extensions: { collection: collection.name },
    fields: () => drawFields(drawing, collection),
  });
}

function drawFields(drawing: Drawing, collection: Collection): Fields {
  const fields: Fields = {};
  for (const field of visibleFields(drawing.view, collection, 'read')) {
    if (!isName(field.name)) continue;
    const config = drawField(drawing, collection, field);
    if (config === null) continue;
    fields[field.name] = { description: field.note, ...config };
    const functions = `${field.name}_func`;
    if (functionsOf(field).length > 0 && !collection.fields.has(functions)) fields[functions] = drawFunctions(drawing, collection, field);
  }
  return fields;
}

/** null: a list of what the caller may not read at all. */
function drawField(drawing: Drawing, collection: Collection, field: Field): FieldConfig | null {
  const meaning = { kind: 'relation', field: field.name } as const;
  const relation = visibleRelation(drawing, field);
  switch (relation?.kind) {
    case 'one':
      return { type: drawing.object(relation.related.name), args: listArguments(drawing, relation.related.name), ...means(meaning) };
    case 'many': {
      const type = new GraphQLList(drawing.object(relation.related.name));
      return { type, args: listArguments(drawing, relation.related.name), ...means(meaning) };
    }
    case 'any':
      return { type: drawing.union(collection.name, field.name), ...means({ kind: 'any', field: field.name }) };
    case undefined:
      return drawValue(drawing, collection, field);
  }
}

function drawValue(drawing: Drawing, collection: Collection, field: Field): FieldConfig | null {
  if (field.kind === 'relation') return null;
  if (field.kind === 'presentation') return { type: GraphQLString, ...means({ kind: 'value', field: field.name }) };
  return { type: valueType(drawing, collection, field), ...means({ kind: 'value', field: field.name, ...castOf(collection, field) }) };
}

function valueType(drawing: Drawing, collection: Collection, field: ColumnField): GraphQLOutputType {
  const scalar = isKey(collection, field) ? GraphQLID : scalarOf(field);
  return isAlwaysThere(drawing, collection, field) ? new GraphQLNonNull(scalar) : scalar;
}

/** A singleton can be read before it was ever written, and a field that only some policies grant is null on the items of the others. */
function isAlwaysThere(drawing: Drawing, collection: Collection, field: ColumnField): boolean {
  if (collection.singleton || fieldRules(drawing.view, collection.name, field.name, 'read') !== 'all') return false;
  return isKey(collection, field) || (!field.column.nullable && field.column.default === null && !field.column.generated);
}

function drawFunctions(drawing: Drawing, collection: Collection, field: Field): FieldConfig {
  const type = sharedFunctions(field.type) ?? drawing.jsonFunctions(collection.name, field.name);
  return { type, ...means({ kind: 'functions', field: field.name }) };
}
