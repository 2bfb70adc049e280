// What running an operation works with.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationDefinitionNode } from 'graphql';
import type { Reader } from '../../../core/engine/reader.js';
import type { Work } from '../../../core/engine/work.js';
import type { Writer } from '../../../core/engine/writer.js';
import type { Idempotency } from '../../../service/utilities/idempotency.js';
import type { CompileContext } from '../compile/compile-context.js';
import type { Prepared } from '../document/prepare-document.js';
import type { Variables } from '../document/variables.js';
import type { Operation } from '../operations/operation.js';

export interface Engines {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly idempotency: Idempotency;
  readonly operations: ReadonlyMap<string, Operation>;
  /** An item as one of its versions has it, with every field the caller may read; `segment` is its key as a path carries it. */
  readVersion(work: Work, collection: string, segment: string, version: string): Promise<Readonly<Record<string, unknown>>>;
}

export interface RunContext {
  readonly engines: Engines;
  /** Outside of any transaction. */
  readonly work: Work;
  readonly compile: CompileContext;
  readonly prepared: Prepared;
  readonly operation: OperationDefinitionNode;
  /** As sent, for what graphql-js itself executes. */
  readonly given: Variables;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** What several root fields of a query ask alike is asked once. */
  readonly shared: Map<string, Promise<unknown>>;
}
