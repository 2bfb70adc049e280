// The query of a root field that answers items: the one REST would have parsed from a URL. What names no variable is compiled once per
// document (`knowQuery`); each run adds the rest (`compileQuery`).

import { type FieldNode, type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import type { ParseContext } from '../../../core/query/parse/parse-context.js';
import { emptyParsedQuery, type ParsedQuery } from '../../../core/query/query.js';
import { isItemType, rootMeaning } from '../schema/types/meanings.js';
import { type FieldNodes, selectionsOf } from './collect-fields.js';
import { type ArgumentValues, compileArguments, readArguments } from './compile-arguments.js';
import { type CompileContext, type KnownQuery, startParsing } from './compile-context.js';
import { compileSelection } from './compile-selection.js';
import { argumentsHaveVariables, selectionHasVariables } from './find-variables.js';

type Field = GraphQLField<unknown, unknown>;

/** What the field asks of its items, under the list arguments in `values`. */
export function compileQuery(context: CompileContext, field: Field, nodes: FieldNodes, values: ArgumentValues): ParsedQuery {
  // Which nodes are merged into one field may depend on variables, so only a single node is known beforehand.
  const known = nodes.length === 1 ? context.known.get(nodes[0]) : undefined;
  if (known?.kind === 'query') return known.parsed;
  const parsing = known === undefined ? startParsing(context) : resumeParsing(context, known);
  const selection = known?.selection ?? compileSelection(context, parsing, itemType(field), selectionsOf(nodes));
  const query = { ...compileArguments(field, values, parsing, 0, { selected: selection.fields }), ...selection };
  return { ...emptyParsedQuery, query, literals: parsing.literals };
}

/**
 * What is known of the field's query without its variables; null where that is nothing. A query that cannot be compiled is not known
 * either: each run compiles it again and fails with its own error.
 */
export function knowQuery(context: CompileContext, field: Field, node: FieldNode): KnownQuery | null {
  if (!answersItems(field) || selectionHasVariables(node, context.fragments)) return null;
  // An operation's arguments are its own: they do not choose among the items it answers.
  const takesArguments = rootMeaning(field).kind !== 'operation';
  try {
    const parsing = startParsing(context);
    const selection = compileSelection(context, parsing, itemType(field), selectionsOf([node]));
    const known: KnownQuery = { kind: 'selection', selection, literals: parsing.literals, nodes: parsing.nodes };
    if (takesArguments && argumentsHaveVariables(node)) return known;
    const values = takesArguments ? readArguments(context, field, node) : {};
    return { kind: 'query', parsed: compileQuery({ ...context, known: new Map([[node, known]]) }, field, [node], values) };
  } catch {
    return null;
  }
}

const resumeParsing = (context: CompileContext, { literals, nodes }: Extract<KnownQuery, { kind: 'selection' }>): ParseContext => ({
  ...startParsing(context),
  literals: [...literals],
  nodes,
});

function answersItems(field: Field): boolean {
  const meaning = rootMeaning(field);
  switch (meaning.kind) {
    case 'items':
    case 'item':
    case 'singleton':
      return true;
    case 'operation':
      return isItemType(getNamedType(field.type));
    case 'aggregated':
    case 'version':
    case 'events':
    case 'nothing':
      return false;
    default:
      return meaning.reads;
  }
}

function itemType(field: Field): GraphQLObjectType {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) throw new Error(`the field ${field.name} answers no items`);
  return type;
}
