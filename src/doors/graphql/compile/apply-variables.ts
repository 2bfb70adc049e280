// A compiled operation with the variables of one run: the tasks of its root fields. What graphql-js would decide field by field and item
// by item while it executes is decided here, before anything runs.

import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getVariableValues,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { unreachable } from '../../../core/errors/service-error.js';
import { emptyParsedQuery, type ParsedQuery } from '../../../core/query/query.js';
import { versionOf } from '../../../core/query/version-key.js';
import { graphqlValidation } from '../document/prepare-document.js';
import { isItemType, rootMeaning } from '../schema/types/meanings.js';
import { collectFields, type FieldNodes } from './collect-fields.js';
import { compileAggregate } from './compile-aggregate.js';
import { readArguments } from './compile-arguments.js';
import { type CompileContext, startParsing, type Variables } from './compile-context.js';
import { compileEvents } from './compile-events.js';
import type { CompiledOperation } from './compile-operation.js';
import { compileProjection } from './compile-projection.js';
import { compileQuery } from './compile-query.js';
import { compileWrite, payloadsOf } from './compile-write.js';
import type { OperationAnswer, RootField, RootTask } from './root-task.js';

type Field = GraphQLField<unknown, unknown>;

const MAX_ERRORS = 20;

export interface RunnableOperation {
  readonly definition: OperationDefinitionNode;
  /** In the order of the answer. */
  readonly fields: readonly RootField[];
}

/** `given`: the variables as the client sent them. Throws when they do not fit; what is wrong with one field fails that field alone. */
export function applyVariables(compiled: CompiledOperation, given: Variables): RunnableOperation {
  const { schema, fragments, limits, known, definition, rootType } = compiled;
  const context: CompileContext = { schema, fragments, limits, known, variables: coerceVariables(schema, definition, given) };
  const definitions = rootType.getFields();
  const fields: RootField[] = [];
  for (const [key, nodes] of collectFields(context, rootType, [definition.selectionSet])) {
    const field = definitions[nodes[0].name.value];
    const isNonNull = field === undefined || isNonNullType(field.type);
    const task = field === undefined ? metaTask(compiled, nodes, given) : itsTask(context, field, nodes);
    fields.push({ key, node: nodes[0], isNonNull, task });
  }
  return { definition, fields };
}

function coerceVariables(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode, given: Variables): Variables {
  if (variableDefinitions.length === 0) return {};
  const { errors, coerced } = getVariableValues(schema, variableDefinitions, given, { maxErrors: MAX_ERRORS, hideSuggestions: true });
  if (errors !== undefined) throw graphqlValidation(errors);
  return coerced;
}

/** `__typename` of the root, or a question about the schema, which graphql-js answers from a document of this field alone. */
function metaTask({ schema, fragments, definition, rootType }: CompiledOperation, nodes: FieldNodes, variables: Variables): RootTask {
  if (nodes[0].name.value === '__typename') return { kind: 'constant', text: JSON.stringify(rootType.name) };
  const only = { ...definition, selectionSet: { kind: Kind.SELECTION_SET, selections: [...nodes] } } as const;
  return { kind: 'introspection', schema, document: { kind: Kind.DOCUMENT, definitions: [only, ...fragments.values()] }, variables };
}

function itsTask(context: CompileContext, field: Field, nodes: FieldNodes): RootTask {
  try {
    return compileTask(context, field, nodes);
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function compileTask(context: CompileContext, field: Field, nodes: FieldNodes): RootTask {
  const meaning = rootMeaning(field);
  const values = readArguments(context, field, nodes[0]);
  switch (meaning.kind) {
    case 'items':
      return { kind: 'items', collection: meaning.collection, parsed: compileQuery(context, field, nodes, values) };
    case 'singleton':
    case 'item': {
      const { kind, collection } = meaning;
      const parsed = compileQuery(context, field, nodes, values);
      const version = typeof values['version'] === 'string' ? versionOf(values['version']) : null;
      return kind === 'item' ? { kind, collection, id: values['id'], parsed, version } : { kind, collection, parsed, version };
    }
    case 'aggregated': {
      const parsing = startParsing(context);
      const { query, shape } = compileAggregate(context, parsing, field, nodes, values);
      const parsed: ParsedQuery = { ...emptyParsedQuery, query, literals: parsing.literals };
      return { kind: 'aggregated', collection: meaning.collection, parsed, shape };
    }
    case 'version': {
      const projection = compileProjection(context, field.type, nodes);
      return {
        kind: 'version',
        collection: meaning.collection,
        id: values['id'],
        version: versionOf(String(values['version'])),
        projection,
      };
    }
    case 'operation': {
      const args = meaning.takesItem ? { ...values, data: payloadsOf(field, values)[0] } : values;
      return { kind: 'operation', name: meaning.name, args, answer: compileAnswer(context, field, nodes) };
    }
    case 'events':
      return compileEvents(context, field, nodes, meaning.collection, values);
    case 'nothing':
      return { kind: 'constant', text: 'null' };
    case 'create-one':
    case 'create-many':
    case 'update-one':
    case 'update-many':
    case 'update-batch':
    case 'update-singleton':
    case 'delete-one':
    case 'delete-many':
      return compileWrite(context, field, nodes, meaning, values);
    default:
      return unreachable(meaning);
  }
}

/** A type drawn from a collection means that the operation returns keys of its items. */
function compileAnswer(context: CompileContext, field: Field, nodes: FieldNodes): OperationAnswer {
  if (!isItemType(getNamedType(field.type))) return { kind: 'value', projection: compileProjection(context, field.type, nodes) };
  const parsed = compileQuery(context, field, nodes, {});
  return { kind: isListType(getNullableType(field.type)) ? 'items' : 'item', parsed };
}
