// A row of GraphQL's table: an operation and the root field of the system endpoint that runs it. Its arguments are the members of the
// input, its type is the output; callers who may not run the operation have no such field.

import { GraphQLBoolean, type GraphQLFieldConfigArgumentMap, GraphQLList, GraphQLNonNull, type GraphQLOutputType } from 'graphql';
import type { Caller } from '../../../core/access/view.js';
import { CompiledQuery } from '../../../service/operations/carried-values.js';
import { isOpen } from '../../../service/operations/open-rule.js';
import type { Operation } from '../../../service/operations/operation.js';
import { givenInput } from '../../../service/operations/run-operation.js';
import type { Members } from '../../../service/operations/shape.js';
import { type ServeDeps, serveOperation } from '../../http/answer/serve-operation.js';
import type { Drawing } from '../schema/types/drawing.js';
import { answerType, drawArguments } from './draw-shapes.js';
import type { OperationCall, Operation as RootOperation } from './operation.js';

export interface OperationField {
  readonly operation: Operation;
  readonly kind: 'query' | 'mutation';
  readonly field: string;
  /** Where the type is not drawn from the output. */
  readonly type?: GraphQLOutputType | ((caller: Caller) => GraphQLOutputType);
  /** The output is an item, or a list of items, of this collection; the selection is the `query` of the input. */
  readonly selects?: {
    readonly collection: string;
    readonly list: boolean;
    /** The operation writes the items: callers who may not read them have the field nevertheless, and get `true`. */
    readonly written?: true;
  };
  /** The member `data` changes an item of this collection, and is drawn with its fields. */
  readonly updates?: string;
  /** Members that only HTTP has. */
  readonly without?: readonly string[];
}

export function drawField(deps: ServeDeps, row: OperationField): RootOperation {
  const { operation, kind, field: name, selects, updates } = row;
  return {
    kind,
    name,
    description: operation.summary,
    type: (caller, drawing) => typeOf(row, caller, drawing),
    args: (drawing) => argumentsOf(row, drawing),
    isOffered: (caller, drawing) =>
      operation.open.every((rule) => isOpen({ ...caller, registration: true }, rule)) &&
      (selects === undefined || selects.written === true || drawing.find(selects.collection, 'read') !== null) &&
      (updates === undefined || drawing.find(updates, 'update') !== null),
    ...(selects === undefined ? {} : { selects: true }),
    ...(updates === undefined ? {} : { takesItem: true }),
    run: (call) => runField(deps, row, call),
  };
}

function typeOf({ operation, type, selects }: OperationField, caller: Caller, drawing: Drawing): GraphQLOutputType {
  if (selects !== undefined) {
    if (selects.written === true && drawing.find(selects.collection, 'read') === null) return GraphQLBoolean;
    const item = drawing.object(selects.collection);
    return selects.list ? new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(item))) : item;
  }
  if (type === undefined) return answerType(operation.output, drawing.view.schema);
  return typeof type === 'function' ? type(caller) : type;
}

function argumentsOf(row: OperationField, drawing: Drawing): GraphQLFieldConfigArgumentMap {
  const drawn = drawArguments(membersOf(row), drawing.view.schema);
  return row.updates === undefined ? drawn : { ...drawn, data: { type: new GraphQLNonNull(drawing.input('update', row.updates)) } };
}

/** The members of the input that are arguments of the field. */
export function membersOf({ operation, selects, without = [] }: OperationField): Members {
  const left = new Set(selects === undefined ? without : ['query', ...without]);
  return Object.fromEntries(Object.entries(operation.input).filter(([member]) => !left.has(member)));
}

async function runField(deps: ServeDeps, { operation, selects }: OperationField, call: OperationCall): Promise<unknown> {
  const { args, work, request, reply, idempotencyKey, selected } = call;
  const input = selected === null ? args : { ...args, query: new CompiledQuery(selected) };
  const { value } = await serveOperation(deps, request, reply, { operation, work, idempotencyKey, source: givenInput(input) });
  const isUnread = selects?.written === true && selected === null;
  return isUnread || operation.output.facts.kind === 'nothing' ? true : value;
}
