// The object types of a collection: what the caller may read of its items, with relations as nested types and functions as objects, and
// an item as one of its versions has it.

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
import { fieldRules, visibleFields } from '../../../../core/access/view.js';
import type { Collection, ColumnField, Field } from '../../../../core/schema/schema.js';
import { functionsOf } from '../../../../core/schema/types/functions.js';
import { derivedName, fieldName } from '../names/graphql-names.js';
import { castOf, isKey, scalarOf } from './column-scalar.js';
import type { Drawing } from './drawing.js';
import { sharedFunctions } from './function-types.js';
import { listArguments } from './list-arguments.js';
import { means } from './meanings.js';
import { jsonScalar } from './scalars.js';
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
    const config = drawField(drawing, collection, field);
    if (config === null) continue;
    const name = fieldName(collection, field);
    fields[name] = { description: field.note, ...config };
    if (functionsOf(field).length > 0) fields[derivedName(collection, `${name}_func`)] = drawFunctions(drawing, collection, field);
  }
  return fields;
}

/** null: a relation without a column, to a collection that the caller may not read. */
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
  if (field.kind === 'relation' || field.kind === 'reference') return null;
  if (field.kind === 'presentation') return { type: GraphQLString, ...means({ kind: 'value', field: field.name }) };
  return { type: valueType(drawing, collection, field), ...means({ kind: 'value', field: field.name, ...castOf(collection, field) }) };
}

function valueType(drawing: Drawing, collection: Collection, field: ColumnField): GraphQLOutputType {
  const scalar = isKey(collection, field) ? GraphQLID : (drawing.choices(collection.name, field.name) ?? scalarOf(field));
  return isNeverNull(drawing, collection, field) ? new GraphQLNonNull(scalar) : scalar;
}

/** A singleton can be read before it is first written, and a field that only some policies grant is null where they do not apply. */
function isNeverNull(drawing: Drawing, collection: Collection, field: ColumnField): boolean {
  if (collection.singleton || fieldRules(drawing.view, collection.name, field.name, 'read') !== 'all') return false;
  return isKey(collection, field) || (!field.column.nullable && field.column.default === null && !field.column.generated);
}

function drawFunctions(drawing: Drawing, collection: Collection, field: Field): FieldConfig {
  const type = sharedFunctions(field.type) ?? drawing.jsonFunctions(collection.name, field.name);
  return { type, ...means({ kind: 'functions', field: field.name }) };
}

/** Relations of a version are the raw changes: the items they point at may not exist yet. */
export const drawVersion = (drawing: Drawing, collection: Collection, name: string): GraphQLObjectType =>
  new GraphQLObjectType({ name, extensions: { collection: collection.name }, fields: () => drawVersionFields(drawing, collection) });

function drawVersionFields(drawing: Drawing, collection: Collection): Fields {
  const fields = visibleFields(drawing.view, collection, 'read');
  return Object.fromEntries(fields.map((field) => [fieldName(collection, field), drawVersionField(collection, field)]));
}

function drawVersionField(collection: Collection, field: Field): FieldConfig {
  const isRaw = field.kind !== 'column' || field.relation !== null;
  if (isRaw) return { type: jsonScalar, ...means({ kind: 'value', field: field.name }) };
  const type = isKey(collection, field) ? GraphQLID : scalarOf(field);
  return { type, ...means({ kind: 'value', field: field.name, ...castOf(collection, field) }) };
}
