// The filter of a collection: every readable field with the operators of its type, its functions, relations as filters of their own.

import { type GraphQLInputFieldConfigMap, GraphQLInputObjectType, GraphQLList } from 'graphql';
import { visibleFields } from '../../../core/access/view.js';
import { functionsOf } from '../../../core/schema/functions.js';
import type { Collection, Field } from '../../../core/schema/schema.js';
import type { Drawing } from './drawing.js';
import { functionsInput, operatorsInput } from './filter-operators.js';
import { isName } from './graphql-names.js';
import { means } from './meanings.js';
import { visibleRelation } from './visible-relations.js';

export const drawFilter = (drawing: Drawing, collection: Collection, name: string): GraphQLInputObjectType =>
  new GraphQLInputObjectType({ name, fields: () => drawConditions(drawing, collection) });

/** Over a list: plain conditions mean that some item keeps them. */
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
    if (isName(field.name)) Object.assign(fields, drawField(drawing, collection, field));
  }
  const group = { type: new GraphQLList(drawing.filter(collection.name)) };
  return { ...fields, _and: group, _or: group };
}

function drawField(drawing: Drawing, collection: Collection, field: Field): GraphQLInputFieldConfigMap {
  const relation = visibleRelation(drawing, field);
  const related = (key: string | null) => means({ kind: 'related', field: field.name, key });
  switch (relation?.kind) {
    case 'one':
      return { [field.name]: { type: drawing.filter(relation.related.name), ...related(relation.key) } };
    case 'many':
      return { [field.name]: { type: drawing.quantifier(relation.related.name), ...related(null) }, ...drawFunctions(collection, field) };
    case 'any':
      return Object.fromEntries(relation.related.map((target) => drawTarget(drawing, field, target)));
    case undefined:
      if (field.kind !== 'column') return {};
      return {
        [field.name]: { type: operatorsInput(field), ...means({ kind: 'conditions', field: field.name }) },
        ...drawFunctions(collection, field),
      };
  }
}

/** `item__pages` is what REST writes as `item:pages`. */
function drawTarget(drawing: Drawing, field: Field, target: Collection): readonly [string, GraphQLInputFieldConfigMap[string]] {
  const name = `${field.name}__${drawing.nameOf(target.name)}`;
  return [name, { type: drawing.filter(target.name), ...means({ kind: 'related', field: `${field.name}:${target.name}`, key: null }) }];
}

function drawFunctions(collection: Collection, field: Field): GraphQLInputFieldConfigMap {
  const name = `${field.name}_func`;
  if (functionsOf(field).length === 0 || collection.fields.has(name)) return {};
  return { [name]: { type: functionsInput(field.type), ...means({ kind: 'functions', field: field.name }) } };
}
