// A root field that writes: which items, what data, and what is answered.

import type { GraphQLField } from 'graphql';
import { invalidPayload } from '../../../core/errors/service-error.js';
import type { RootMeaning, WriteKind } from '../schema/types/meanings.js';
import type { FieldNodes } from './collect-fields.js';
import type { ArgumentValues } from './compile-arguments.js';
import type { CompileContext } from './compile-context.js';
import { compilePayload } from './compile-payload.js';
import { compileProjection } from './compile-projection.js';
import { compileQuery } from './compile-query.js';
import type { WriteAnswer, WriteTask } from './root-task.js';

type Field = GraphQLField<unknown, unknown>;
type WriteMeaning = Extract<RootMeaning, { readonly kind: WriteKind }>;

export function compileWrite(
  context: CompileContext,
  field: Field,
  nodes: FieldNodes,
  meaning: WriteMeaning,
  values: ArgumentValues,
): WriteTask {
  const { kind, collection } = meaning;
  const [keys, payloads] = [keysOf(values), payloadsOf(field, values)];
  return { kind: 'write', write: kind, collection, keys, payloads, answer: compileAnswer(context, field, nodes, meaning, values) };
}

function compileAnswer(
  context: CompileContext,
  field: Field,
  nodes: FieldNodes,
  { kind, reads }: WriteMeaning,
  values: ArgumentValues,
): WriteAnswer {
  if (kind === 'delete-one' || kind === 'delete-many') return { kind: 'keys', projection: compileProjection(context, field.type, nodes) };
  return reads ? { kind: 'items', parsed: compileQuery(context, field, nodes, values) } : { kind: 'done' };
}

function keysOf({ id, ids }: ArgumentValues): readonly unknown[] {
  if (Array.isArray(ids)) return ids;
  return id === undefined ? [] : [id];
}

/** The items in the argument `data`, in the form REST has them. */
export function payloadsOf(field: Field, { data }: ArgumentValues): readonly unknown[] {
  const type = field.args.find((argument) => argument.name === 'data')?.type;
  if (type === undefined) return [];
  if (data === undefined || data === null) throw invalidPayload('"data" is missing.');
  const payload = compilePayload(data, type);
  return Array.isArray(payload) ? payload : [payload];
}
