// Root fields of the system endpoint that are not items of a collection: what they are called, what they take and answer, who has them,
// and what they do.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFieldConfigArgumentMap, GraphQLOutputType } from 'graphql';
import type { Caller } from '../../../core/access/view.js';
import type { Work } from '../../../core/engine/work/work.js';
import type { ParsedQuery } from '../../../core/query/query.js';
import type { Drawing } from '../schema/types/drawing.js';

type OperationArguments = Readonly<Record<string, unknown>>;

export interface OperationCall {
  readonly args: OperationArguments;
  readonly caller: Caller;
  /** Outside of any transaction. */
  readonly work: Work;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Derived from the header; differs per root field. */
  readonly idempotencyKey: string | null;
  /** What the field selects of items; null where its type describes no items. */
  readonly selected: ParsedQuery | null;
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
  /** Runs once per Idempotency-Key and stores its answer; not for operations that issue or consume a secret. */
  readonly once?: boolean;
  /** `run` answers the items as they were selected. */
  readonly selects?: boolean;
  /** The argument `data` is an item, with the names and forms that GraphQL has for its fields. */
  readonly takesItem?: boolean;
  run(call: OperationCall): unknown;
}
