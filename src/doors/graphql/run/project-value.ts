// What a selection takes from a value that is at hand: for answers that are not items.

import { type GraphQLOutputType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import { collectFields, type FieldNodes, selectionsOf } from '../compile/collect-fields.js';
import type { CompileContext } from '../compile/compile-context.js';

export function projectValue(context: CompileContext, type: GraphQLOutputType, nodes: FieldNodes, value: unknown): unknown {
  if (isNonNullType(type)) return projectValue(context, type.ofType, nodes, value);
  if (value === null || value === undefined) return null;
  if (isListType(type)) return Array.isArray(value) ? value.map((entry) => projectValue(context, type.ofType, nodes, entry)) : null;
  if (isLeafType(type)) return type.serialize(value);
  if (!isObjectType(type) || typeof value !== 'object') throw new Error(`the type ${type.name} cannot be answered from a value`);
  const definitions = type.getFields();
  const entries = [...collectFields(context, type, selectionsOf(nodes))].map(([key, below]): readonly [string, unknown] => {
    const field = definitions[below[0].name.value];
    if (field === undefined) return [key, type.name];
    return [key, projectValue(context, field.type, below, (value as Readonly<Record<string, unknown>>)[field.name])];
  });
  return Object.fromEntries(entries);
}
