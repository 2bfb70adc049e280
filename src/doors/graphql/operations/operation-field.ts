// A row of GraphQL's table: an operation and the root field of the system endpoint that runs it. Its arguments are the members of the
// input, its type is the output; callers who may not run the operation have no such field.

import { GraphQLBoolean, GraphQLList, GraphQLNonNull, type GraphQLOutputType } from 'graphql';
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
}

export function drawField(deps: ServeDeps, row: OperationField): RootOperation {
  const { operation, kind, field: name, selects } = row;
  return {
    kind,
    name,
    description: operation.summary,
    type: (caller, drawing) => typeOf(row, caller, drawing),
    args: ({ view }) => drawArguments(selects === undefined ? operation.input : withoutQuery(operation.input), view.schema.nameOf),
    isOffered: (caller, drawing) =>
      operation.open.every((rule) => isOpen({ ...caller, registration: true }, rule)) &&
      (selects === undefined || selects.written === true || drawing.find(selects.collection, 'read') !== null),
    ...(selects === undefined ? {} : { selects: true }),
    run: (call) => runField(deps, row, call),
  };
}

function typeOf({ operation, type, selects }: OperationField, caller: Caller, drawing: Drawing): GraphQLOutputType {
  if (selects !== undefined) {
    if (selects.written === true && drawing.find(selects.collection, 'read') === null) return GraphQLBoolean;
    const item = drawing.object(selects.collection);
    return selects.list ? new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(item))) : item;
  }
  if (type === undefined) return answerType(operation.output, drawing.view.schema.nameOf);
  return typeof type === 'function' ? type(caller) : type;
}

const withoutQuery = ({ query: _query, ...members }: Members): Members => members;

async function runField(deps: ServeDeps, { operation, selects }: OperationField, call: OperationCall): Promise<unknown> {
  const { args, work, request, reply, idempotencyKey, selected } = call;
  const input = selected === null ? args : { ...args, query: new CompiledQuery(selected) };
  const { value } = await serveOperation(deps, request, reply, { operation, work, idempotencyKey, source: givenInput(input) });
  const isUnread = selects?.written === true && selected === null;
  return isUnread || operation.output.facts.kind === 'nothing' ? true : value;
}
