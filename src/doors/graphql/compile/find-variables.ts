// Finds the parts of a document that name variables. All other parts are compiled once and cached with the document.

import { type ASTNode, BREAK, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode, visit } from 'graphql';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export const selectionHasVariables = ({ selectionSet }: FieldNode, fragments: Fragments): boolean =>
  selectionSet !== undefined && hasVariables(selectionSet, fragments, new Set());

export const argumentsHaveVariables = ({ arguments: given = [] }: FieldNode): boolean => given.some((argument) => namesVariable(argument));

function hasVariables(set: SelectionSetNode, fragments: Fragments, seen: Set<string>): boolean {
  if (namesVariable(set)) return true;
  return spreadsOf(set).some((name) => {
    const fragment = seen.has(name) ? undefined : fragments.get(name);
    seen.add(name);
    return fragment !== undefined && hasVariables(fragment.selectionSet, fragments, seen);
  });
}

function namesVariable(node: ASTNode): boolean {
  let found = false;
  visit(node, {
    Variable: () => {
      found = true;
      return BREAK;
    },
  });
  return found;
}

function spreadsOf(set: SelectionSetNode): readonly string[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection.name.value];
    return selection.selectionSet === undefined ? [] : spreadsOf(selection.selectionSet);
  });
}
