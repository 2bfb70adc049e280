// Root fields that write: which items, what data, and what is read of them afterwards.

import type { GraphQLField, GraphQLInputType } from 'graphql';
import { invalidPayload } from '../../../core/errors/service-error.js';
import type { WriteKind } from '../schema/meanings.js';
import type { FieldNodes } from './collect-fields.js';
import { type ArgumentValues, readArguments } from './compile-arguments.js';
import type { CompileContext } from './compile-context.js';
import { compilePayload } from './compile-payload.js';
import { compileQuery } from './compile-read.js';
import type { RootTask } from './root-field.js';

type Field = GraphQLField<unknown, unknown>;

interface WriteMeaning {
  readonly kind: WriteKind;
  readonly collection: string;
  readonly reads: boolean;
}

export function compileWrite(context: CompileContext, field: Field, nodes: FieldNodes, meaning: WriteMeaning): RootTask {
  const values = readArguments(context, field, nodes[0]);
  const { kind, collection, reads } = meaning;
  return {
    kind: 'write',
    write: { kind, collection, keys: keysOf(values), payloads: payloadsOf(field, values) },
    parsed: reads ? compileQuery(context, field, nodes, values) : null,
    nodes,
    field,
  };
}

function keysOf({ id, ids }: ArgumentValues): readonly unknown[] {
  if (Array.isArray(ids)) return ids;
  return id === undefined ? [] : [id];
}

function payloadsOf(field: Field, { data }: ArgumentValues): readonly unknown[] {
  const type = field.args.find((argument) => argument.name === 'data')?.type;
  if (type === undefined) return [];
  if (data === undefined || data === null) throw invalidPayload('"data" is missing.');
  return asList(compilePayload(data, type satisfies GraphQLInputType));
}

const asList = (payload: unknown): readonly unknown[] => (Array.isArray(payload) ? payload : [payload]);
