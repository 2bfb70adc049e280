// The filter of a collection: each readable field with the operators of its type and its functions, and relations as nested filters.

import { type GraphQLInputFieldConfigMap, GraphQLInputObjectType, GraphQLList } from 'graphql';
import { visibleFields } from '../../../../core/access/view.js';
import type { Collection, Field } from '../../../../core/schema/schema.js';
import { functionsOf } from '../../../../core/schema/types/functions.js';
import { derivedName, fieldName } from '../names/graphql-names.js';
import type { Drawing } from './drawing.js';
import { functionsInput, operatorsInput } from './filter-operators.js';
import { means } from './meanings.js';
import { visibleRelation } from './visible-relations.js';

export const drawFilter = (drawing: Drawing, collection: Collection, name: string): GraphQLInputObjectType =>
  new GraphQLInputObjectType({ name, fields: () => drawConditions(drawing, collection) });

/** The filter of a list: conditions without `_some` or `_none` mean `_some`. */
export const drawQuantifier = (drawing: Drawing, collection: Collection, name: string): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name,
    fields: () => ({
      ...drawConditions(drawing, collection),
      _some: { type: drawing.filter(collection.name) },
      _none: { type: drawing.filter(collection.name) },
    }),
  });

function drawConditions(drawing: Drawing, collection: Collection): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {};
  for (const field of visibleFields(drawing.view, collection, 'read')) {
    Object.assign(fields, drawField(drawing, collection, field));
  }
  const group = { type: new GraphQLList(drawing.filter(collection.name)) };
  return { ...fields, _and: group, _or: group };
}

function drawField(drawing: Drawing, collection: Collection, field: Field): GraphQLInputFieldConfigMap {
  const relation = visibleRelation(drawing, field);
  const name = fieldName(collection, field);
  const related = (keys: readonly string[]) => means({ kind: 'related', field: field.name, scope: null, keys });
  switch (relation?.kind) {
    case 'one':
      return { [name]: { type: drawing.filter(relation.related.name), ...related(relation.keys) } };
    case 'many':
      return { [name]: { type: drawing.quantifier(relation.related.name), ...related([]) }, ...drawFunctions(collection, field) };
    case 'any':
      return Object.fromEntries(relation.related.map((target) => drawTarget(drawing, collection, field, target)));
    case undefined:
      if (field.kind !== 'column') return {};
      return {
        [name]: { type: operatorsInput(field), ...means({ kind: 'conditions', field: field.name }) },
        ...drawFunctions(collection, field),
      };
  }
}

/** `item__pages` stands for `item:pages` of REST. */
function drawTarget(
  drawing: Drawing,
  collection: Collection,
  field: Field,
  target: Collection,
): readonly [string, GraphQLInputFieldConfigMap[string]] {
  const name = derivedName(collection, `${fieldName(collection, field)}__${drawing.nameOf(target.name)}`);
  return [name, { type: drawing.filter(target.name), ...means({ kind: 'related', field: field.name, scope: target.name, keys: [] }) }];
}

function drawFunctions(collection: Collection, field: Field): GraphQLInputFieldConfigMap {
  if (functionsOf(field).length === 0) return {};
  const name = derivedName(collection, `${fieldName(collection, field)}_func`);
  return { [name]: { type: functionsInput(field.type), ...means({ kind: 'functions', field: field.name }) } };
}
