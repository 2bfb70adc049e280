// Collects the fields of a selection by their key in the answer: expands fragments, applies @skip and @include, merges repeated fields.

import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { CompileContext } from './compile-context.js';

/** The nodes merged into one field; validation ensures that all have the same name and arguments. */
export type FieldNodes = readonly [FieldNode, ...FieldNode[]];

export type CollectedFields = ReadonlyMap<string, FieldNodes>;

type Collecting = Map<string, [FieldNode, ...FieldNode[]]>;

export function collectFields(context: CompileContext, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): CollectedFields {
  const fields: Collecting = new Map();
  const visited = new Set<string>();
  for (const set of sets) collect(context, type, set, fields, visited);
  return fields;
}

/** The selections of all nodes of a field. */
export const selectionsOf = (nodes: FieldNodes): readonly SelectionSetNode[] => nodes.flatMap((node) => node.selectionSet ?? []);

function collect(context: CompileContext, type: GraphQLObjectType, set: SelectionSetNode, into: Collecting, visited: Set<string>): void {
  for (const selection of set.selections) {
    if (!isIncluded(context, selection)) continue;
    if (selection.kind === Kind.FIELD) add(into, selection);
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (fits(context, type, selection.typeCondition?.name.value)) collect(context, type, selection.selectionSet, into, visited);
    } else if (!visited.has(selection.name.value)) {
      visited.add(selection.name.value);
      const fragment = context.fragments.get(selection.name.value);
      if (fragment !== undefined && fits(context, type, fragment.typeCondition.name.value))
        collect(context, type, fragment.selectionSet, into, visited);
    }
  }
}

function add(into: Collecting, node: FieldNode): void {
  const key = node.alias?.value ?? node.name.value;
  const present = into.get(key);
  if (present === undefined) into.set(key, [node]);
  else present.push(node);
}

function isIncluded({ variables }: CompileContext, node: SelectionNode): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
}

function fits({ schema }: CompileContext, type: GraphQLObjectType, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true;
  const wanted = schema.getType(condition);
  return isAbstractType(wanted) && schema.isSubType(wanted, type);
}
