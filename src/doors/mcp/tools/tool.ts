// A tool: what it takes, for whom it is there, and one function over the engine and the operations of the service. A tool has no rights and no
// rules of its own.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Action } from '../../../core/access/permission.js';
import { type Caller, lookUpCollection } from '../../../core/access/view.js';
import type { Work } from '../../../core/engine/work/work.js';
import { forbiddenCollection } from '../../../core/errors/service-error.js';
import type { Collection } from '../../../core/schema/schema.js';
import type { PlainObject } from '../../../core/util/plain-object.js';
import { plainValue } from '../../../service/operations/carried-values.js';
import type { Operation } from '../../../service/operations/operation.js';
import { givenInput } from '../../../service/operations/run-operation.js';
import { inPayload, type Members, type ObjectOf, object, type Shape } from '../../../service/operations/shape.js';
import { type ServeDeps, serveOperation } from '../../http/answer/serve-operation.js';
import type { Sign } from './change-plan.js';

export interface ToolDeps {
  readonly serve: ServeDeps;
  /** Signs plans of changes. */
  readonly sign: Sign;
}

/** One call of a tool. The caller of its work is marked, so that the activity says by what something was changed. */
export interface ToolCall {
  readonly deps: ToolDeps;
  readonly work: Work;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `starts`: what a flow does, which may reach outside of the service. */
  readonly effect: 'reads' | 'writes' | 'starts';
  readonly input: Members;
  /** Whether the caller is offered it, and may call it. */
  isOpen(caller: Caller): boolean;
}

interface ToolDefinition<M extends Members> extends ToolFacts {
  readonly input: M;
  /** The JSON text of an object. */
  run(call: ToolCall, input: ObjectOf<M>): Promise<string>;
}

export interface Tool extends ToolFacts {
  run(call: ToolCall, values: PlainObject): Promise<string>;
}

export const tool = <M extends Members>({ run, ...facts }: ToolDefinition<M>): Tool => {
  const input: Shape<ObjectOf<M>> = object(facts.input, { strict: true });
  return { ...facts, run: async (call, values) => run(call, input.parse(values, inPayload(''))) };
};

/** Runs an operation of the service as its other doors do. */
export async function runOperation({ deps, request, reply, work }: ToolCall, operation: Operation, input: PlainObject): Promise<unknown> {
  const asked = { operation, work, idempotencyKey: null, source: givenInput(input) };
  return plainValue((await serveOperation(deps.serve, request, reply, asked)).value);
}

/** One of the user's collections: those of the service are reached by the tools that are about them. Its permissions are not looked at yet. */
export function namedCollection({ view }: Caller, name: string): Collection {
  const collection = view.schema.collections.get(name);
  if (collection?.system !== false) throw forbiddenCollection(name);
  return collection;
}

/** The same if the caller may do this on some of its items. */
export const userCollection = (caller: Caller, name: string, action: Action): Collection =>
  lookUpCollection(caller.view, namedCollection(caller, name).name, action);

/** Whether the caller may write at all, as far as the key says it. */
export const isWriter = ({ accountability: { viewer, accessKey } }: Caller): boolean => viewer === null && accessKey?.write !== false;
