// Reads a value of the document by its input type. Validation has passed and no input has defaults, so only the fields present in the
// document are visited, however many the type has.

import { GraphQLError, type GraphQLInputType, isInputObjectType, isListType, isNonNullType, Kind, type ValueNode } from 'graphql';
import type { Variables } from './compile-context.js';

/** undefined for a variable that was not given. */
export function readValue(node: ValueNode, type: GraphQLInputType, variables: Variables): unknown {
  if (isNonNullType(type)) return readNonNull(node, type.ofType, variables);
  if (node.kind === Kind.VARIABLE) return variables[node.name.value];
  if (node.kind === Kind.NULL) return null;
  if (isListType(type)) return readList(node, type.ofType, variables);
  if (!isInputObjectType(type))
    return type.parseLiteral(node, node.kind === Kind.LIST || node.kind === Kind.OBJECT ? { ...variables } : null);
  const fields = type.getFields();
  const entries: [string, unknown][] = [];
  for (const { name, value } of node.kind === Kind.OBJECT ? node.fields : []) {
    const field = fields[name.value];
    const read = field === undefined ? undefined : readValue(value, field.type, variables);
    if (read !== undefined) entries.push([name.value, read]);
  }
  return Object.fromEntries(entries);
}

/** Validation allows a nullable variable with a default in this place, but the value itself must not be null. */
function readNonNull(node: ValueNode, type: GraphQLInputType, variables: Variables): unknown {
  const value = readValue(node, type, variables);
  if (value === null || value === undefined)
    throw new GraphQLError(`A value of type "${String(type)}!" must not be null.`, { nodes: node });
  return value;
}

/** A single value counts as a list of one. */
function readList(node: ValueNode, type: GraphQLInputType, variables: Variables): readonly unknown[] {
  const nodes = node.kind === Kind.LIST ? node.values : [node];
  return nodes.map((entry) => readValue(entry, type, variables) ?? null);
}
