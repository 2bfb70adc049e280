// Root fields that read items of a collection: the same query REST would have parsed from a URL.

import { type FieldNode, type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import type { ParseContext } from '../../../core/query/parse-context.js';
import { emptyParsedQuery, type ParsedQuery } from '../../../core/query/query.js';
import { type FieldNodes, selectionsOf } from './collect-fields.js';
import { type ArgumentValues, compileArguments, readArguments } from './compile-arguments.js';
import { type CompileContext, type Constant, startParsing } from './compile-context.js';
import { compileSelection } from './compile-selection.js';
import { argumentsHaveVariables, selectionHasVariables } from './find-variables.js';
import type { RootTask } from './root-field.js';

type Field = GraphQLField<unknown, unknown>;

export function compileRead(
  context: CompileContext,
  field: Field,
  nodes: FieldNodes,
  kind: 'items' | 'singleton' | 'item',
  collection: string,
): RootTask {
  const values = readArguments(context, field, nodes[0]);
  const parsed = compileQuery(context, field, nodes, values);
  const version = typeof values['version'] === 'string' ? values['version'] : null;
  if (kind === 'items') return { kind, collection, parsed };
  return kind === 'item' ? { kind, collection, id: values['id'], parsed, version } : { kind, collection, parsed, version };
}

/** What a root field selects of its items, under the list arguments it has. Parts without variables are compiled once per document. */
export function compileQuery(context: CompileContext, field: Field, nodes: FieldNodes, values: ArgumentValues): ParsedQuery {
  const [node, ...more] = nodes;
  // Which fields are merged may depend on variables.
  const known = more.length > 0 ? undefined : context.constants.get(node);
  if (known?.kind === 'query') return known.parsed;
  const parsing = known?.kind === 'selection' ? resume(context, known) : startParsing(context);
  const selection =
    known?.kind === 'selection' ? known.selection : compileSelection(context, parsing, itemType(field), selectionsOf(nodes));
  const [literals, size] = [[...parsing.literals], parsing.nodes];
  const query = { ...compileArguments(field, values, parsing, 0), ...selection };
  const parsed: ParsedQuery = { ...emptyParsedQuery, query, literals: parsing.literals };
  if (known === undefined && more.length === 0) {
    context.constants.set(node, constantOf(context, node, parsed, { kind: 'selection', selection, literals, nodes: size }));
  }
  return parsed;
}

function constantOf(context: CompileContext, node: FieldNode, parsed: ParsedQuery, selection: Constant): Constant {
  if (selectionHasVariables(node, context.fragments)) return { kind: 'nothing' };
  return argumentsHaveVariables(node) ? selection : { kind: 'query', parsed };
}

const resume = (context: CompileContext, { literals, nodes }: Extract<Constant, { kind: 'selection' }>): ParseContext => ({
  ...startParsing(context),
  literals: [...literals],
  nodes,
});

function itemType(field: Field): GraphQLObjectType {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) throw new Error(`the field ${field.name} answers no items`);
  return type;
}
