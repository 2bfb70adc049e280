// What running an operation works with.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { Work } from '../../../core/engine/work/work.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import type { VersionReader } from '../../../service/history/versions/version-reader.js';
import type { Idempotency } from '../../../service/utilities/idempotency.js';
import type { RunnableOperation } from '../compile/apply-variables.js';
import type { Operation } from '../operations/operation.js';

export interface RunDeps {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly idempotency: Idempotency;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Reads items as one of their versions has them. */
  readonly versions: VersionReader;
}

export interface RunContext {
  readonly deps: RunDeps;
  /** Of the caller of the operation, outside of any transaction. */
  readonly work: Work;
  readonly operation: RunnableOperation;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Calls that several root fields of a query have in common, by operation and arguments. */
  readonly shared: Map<string, Promise<unknown>>;
}
