// An operation as the tasks of its root fields. What graphql-js would do field by field and item by item is decided here, once.

import { type GraphQLField, type GraphQLObjectType, isNonNullType, type OperationDefinitionNode } from 'graphql';
import { unreachable } from '../../../core/errors/service-error.js';
import { emptyParsedQuery, type ParsedQuery } from '../../../core/query/query.js';
import { rootMeaning, type WriteKind } from '../schema/meanings.js';
import { collectFields, type FieldNodes } from './collect-fields.js';
import { compileAggregate } from './compile-aggregate.js';
import { readArguments } from './compile-arguments.js';
import { type CompileContext, startParsing } from './compile-context.js';
import { compileRead } from './compile-read.js';
import { compileWrite } from './compile-write.js';
import type { RootField, RootTask } from './root-field.js';

export function compileOperation(context: CompileContext, operation: OperationDefinitionNode): readonly RootField[] {
  const type = context.schema.getRootType(operation.operation);
  if (!type) throw new Error(`the schema has no type for a ${operation.operation}`);
  const definitions = type.getFields();
  return [...collectFields(context, type, [operation.selectionSet])].map(([key, nodes]): RootField => {
    const [node] = nodes;
    const field = definitions[node.name.value];
    if (field === undefined) return { key, node, isNonNull: true, compile: () => metaTask(type, nodes) };
    return { key, node, isNonNull: isNonNullType(field.type), compile: () => compileTask(context, field, nodes) };
  });
}

const metaTask = (type: GraphQLObjectType, nodes: FieldNodes): RootTask =>
  nodes[0].name.value === '__typename' ? { kind: 'constant', text: JSON.stringify(type.name) } : { kind: 'introspection', nodes };

function compileTask(context: CompileContext, field: GraphQLField<unknown, unknown>, nodes: FieldNodes): RootTask {
  const meaning = rootMeaning(field);
  switch (meaning.kind) {
    case 'items':
    case 'singleton':
    case 'item':
      return compileRead(context, field, nodes, meaning.kind, meaning.collection);
    case 'aggregated': {
      const parsing = startParsing(context);
      const { query, shape } = compileAggregate(context, parsing, field, nodes);
      const parsed: ParsedQuery = { ...emptyParsedQuery, query, literals: parsing.literals };
      return { kind: 'aggregated', collection: meaning.collection, parsed, shape };
    }
    case 'version': {
      const { id, version } = readArguments(context, field, nodes[0]);
      return { kind: 'version', collection: meaning.collection, id, version: String(version), nodes, field };
    }
    case 'operation':
      return { kind: 'operation', name: meaning.name, args: readArguments(context, field, nodes[0]), nodes, field };
    case 'nothing':
      return { kind: 'constant', text: 'null' };
    case 'create-one':
    case 'create-many':
    case 'update-one':
    case 'update-many':
    case 'update-batch':
    case 'update-singleton':
    case 'update-own':
    case 'delete-one':
    case 'delete-many':
      return compileWrite(
        context,
        field,
        nodes,
        meaning as { readonly kind: WriteKind; readonly collection: string; readonly reads: boolean },
      );
    default:
      return unreachable(meaning);
  }
}
