// Root fields of the system endpoint that are not items of a collection: what they are called, what they take and answer, who has them,
// and what they do.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFieldConfigArgumentMap, GraphQLOutputType } from 'graphql';
import type { Caller } from '../../../core/access/view.js';
import type { Work } from '../../../core/engine/work.js';
import type { Drawing } from '../schema/drawing.js';

type OperationArguments = Readonly<Record<string, unknown>>;

export interface OperationCall {
  readonly args: OperationArguments;
  readonly caller: Caller;
  /** Outside of any transaction. */
  readonly work: Work;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly description?: string;
  /** Some answers have more for some callers. */
  readonly type: GraphQLOutputType | ((caller: Caller, drawing: Drawing) => GraphQLOutputType);
  readonly args?: GraphQLFieldConfigArgumentMap | ((drawing: Drawing) => GraphQLFieldConfigArgumentMap);
  /** Without it everybody has the field. */
  readonly isOffered?: (caller: Caller, drawing: Drawing) => boolean;
  /** What `run` answers are keys of this collection; the selection says what is read of the items. */
  readonly reads?: string;
  /** Under an idempotency key it happens once, and its answer is kept: never for what hands out or spends a secret. */
  readonly once?: boolean;
  run(call: OperationCall): unknown;
}

export const isAdministrator = ({ accountability }: Caller): boolean => accountability.admin;
export const isKnown = ({ accountability }: Caller): boolean => accountability.user !== null;
