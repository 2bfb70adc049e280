// The root field of a subscription: the query of the items that it follows, and the members of its events.

import { GraphQLError, type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { emptyParsedQuery } from '../../../core/query/query.js';
import { graphqlValidation } from '../document/prepare-document.js';
import { collectFields, type FieldNodes, selectionsOf } from './collect-fields.js';
import { type ArgumentValues, compileArguments } from './compile-arguments.js';
import { type CompileContext, type CompiledSelection, startParsing } from './compile-context.js';
import { compileSelection } from './compile-selection.js';
import type { EventMember, EventsTask } from './root-task.js';

type Field = GraphQLField<unknown, unknown>;

/** Without `data` in the selection, events report changes of every field that the caller may read. */
const anything: CompiledSelection = { fields: [{ kind: 'wildcard', children: [] }], deep: {} };

export function compileEvents(
  context: CompileContext,
  field: Field,
  nodes: FieldNodes,
  collection: string,
  values: ArgumentValues,
): EventsTask {
  const type = objectType(field.type);
  const selected = [...collectFields(context, type, selectionsOf(nodes))];
  const items = selected.filter(([, [node]]) => node.name.value === 'data');
  if (items.length > 1) throw graphqlValidation([new GraphQLError('"data" can be selected once.', { nodes: items[1]?.[1] ?? null })]);
  const parsing = startParsing(context);
  const [only] = items;
  const data = type.getFields()['data'];
  const selection =
    only === undefined || data === undefined ? anything : compileSelection(context, parsing, objectType(data.type), selectionsOf(only[1]));
  const query = { ...compileArguments(field, values, parsing, 0, {}), ...selection };
  const { event, keys, since } = values;
  return {
    kind: 'events',
    collection,
    parsed: { ...emptyParsedQuery, query, literals: parsing.literals },
    keys: Array.isArray(keys) ? keys : null,
    event: typeof event === 'string' ? event : null,
    since: typeof since === 'string' ? since : null,
    typename: type.name,
    members: selected.map(([as, [node]]) => ({ as, kind: memberKind(node.name.value) })),
  };
}

function memberKind(name: string): EventMember['kind'] {
  switch (name) {
    case 'key':
    case 'event':
    case 'data':
    case 'cursor':
      return name;
    default:
      return 'typename';
  }
}

function objectType(type: Field['type']): GraphQLObjectType {
  const named = getNamedType(type);
  if (!isObjectType(named)) throw new Error(`${named.name} is no type of events`);
  return named;
}
