// A compiled operation: everything about an operation of a document that does not depend on its variables or on who runs it. It is a
// value: `applyVariables` turns it into tasks as often as there are runs, and each run may be for another caller.

import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { CompileSource, KnownQuery } from './compile-context.js';
import { knowQuery } from './compile-query.js';

export interface CompiledOperation extends CompileSource {
  /** No other operation of this process has it. */
  readonly id: number;
  readonly definition: OperationDefinitionNode;
  readonly rootType: GraphQLObjectType;
  /** The queries of its root fields, as far as they are known without the variables. */
  readonly known: ReadonlyMap<FieldNode, KnownQuery>;
}

let compiledSoFar = 0;

export function compileOperation(source: CompileSource, definition: OperationDefinitionNode): CompiledOperation {
  const rootType = source.schema.getRootType(definition.operation);
  if (!rootType) throw new Error(`the schema has no type for a ${definition.operation}`);
  const known = new Map<FieldNode, KnownQuery>();
  const context = { ...source, variables: {}, known };
  const definitions = rootType.getFields();
  for (const node of rootNodes(definition.selectionSet, source.fragments, new Set())) {
    const field = definitions[node.name.value];
    const query = field === undefined ? null : knowQuery(context, field, node);
    if (query !== null) known.set(node, query);
  }
  compiledSoFar += 1;
  return { ...source, id: compiledSoFar, definition, rootType, known };
}

/** The root fields of an operation with fragments opened, including those that a directive may leave out of a run. */
function* rootNodes(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen: Set<string>,
): Generator<FieldNode> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* rootNodes(selection.selectionSet, fragments, seen);
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      if (fragment !== undefined) yield* rootNodes(fragment.selectionSet, fragments, seen);
    }
  }
}
