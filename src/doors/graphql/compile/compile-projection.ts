// Which parts of a value a selection asks for. Items come from the database as the text of the answer; a projection is for the other
// answers, which operations, deletions and versions return as values.

import { type GraphQLLeafType, type GraphQLOutputType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';
import { collectFields, type FieldNodes, selectionsOf } from './collect-fields.js';
import type { CompileContext } from './compile-context.js';

export type Projection =
  | { readonly kind: 'leaf'; readonly type: GraphQLLeafType }
  | { readonly kind: 'list'; readonly of: Projection }
  | { readonly kind: 'object'; readonly fields: readonly ProjectedField[] };

type ProjectedField =
  | { readonly kind: 'typename'; readonly as: string; readonly name: string }
  | { readonly kind: 'field'; readonly as: string; readonly name: string; readonly projection: Projection };

export function compileProjection(context: CompileContext, type: GraphQLOutputType, nodes: FieldNodes): Projection {
  if (isNonNullType(type)) return compileProjection(context, type.ofType, nodes);
  if (isListType(type)) return { kind: 'list', of: compileProjection(context, type.ofType, nodes) };
  if (isLeafType(type)) return { kind: 'leaf', type };
  if (!isObjectType(type)) throw new Error(`the type ${type.name} cannot be answered from a value`);
  const definitions = type.getFields();
  const fields = [...collectFields(context, type, selectionsOf(nodes))].map(([as, below]): ProjectedField => {
    const field = definitions[below[0].name.value];
    if (field === undefined) return { kind: 'typename', as, name: type.name };
    return { kind: 'field', as, name: field.name, projection: compileProjection(context, field.type, below) };
  });
  return { kind: 'object', fields };
}
