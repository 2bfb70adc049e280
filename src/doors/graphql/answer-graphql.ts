// Answers GraphQL: a document becomes an operation, an operation a run. Loaded with the first request for it, as graphql-js is.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, printSchema } from 'graphql';
import type { Work } from '../../core/engine/work.js';
import type { ServiceError } from '../../core/errors/service-error.js';
import type { QueryLimits } from '../../core/query/query.js';
import { streamText, writeJsonText } from '../http/send.js';
import { mayTryAgain } from '../http/try-again.js';
import { compileOperation } from './compile/compile-operation.js';
import { chooseOperation, coerceVariables } from './document/choose-operation.js';
import { methodNotAllowed } from './method-not-allowed.js';
import { readParameters } from './read-parameters.js';
import { fromGraphql } from './run/field-error.js';
import type { Engines, RunContext } from './run/run-context.js';
import { type Explain, runOperation } from './run/run-operation.js';
import type { Endpoint, SchemaCache } from './schema/schema-cache.js';

export interface GraphqlDoor extends Engines {
  readonly schemas: SchemaCache;
  readonly limits: QueryLimits;
  work(request: FastifyRequest): Work;
  /** Whether it failed because the structure has changed since the request began. */
  isOutdated(error: unknown): boolean;
  /** An unforeseen error is logged and told without any detail. */
  explain(error: unknown, request: FastifyRequest): ServiceError;
}

export async function answerGraphql(
  door: GraphqlDoor,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { query, variables: given, operationName } = readParameters(request);
  const known = door.schemas.get(request.context.caller, endpoint);
  const prepared = known.prepare(query);
  const operation = chooseOperation(prepared, operationName);
  if (request.method !== 'POST' && operation.operation !== OperationTypeNode.QUERY) throw methodNotAllowed(request, reply, 'POST');
  const variables = coerceVariables(known.schema, operation, given);
  const compile = { schema: known.schema, fragments: prepared.fragments, constants: prepared.constants, variables, limits: door.limits };
  const work = door.work(request);
  const run: RunContext = { engines: door, work, compile, prepared, operation, given, request, reply, shared: new Map() };
  const answered = await runOperation(run, compileOperation(compile, operation), explainIn(door, request));
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
  const contentType = mediaType(request);
  if (typeof answered === 'string') return writeJsonText(request, reply, answered, { contentType });
  return streamText(request, reply, answered, contentType);
}

/** What failed on an outdated structure is no answer yet: it leaves the handler, which the frame then runs again. */
const explainIn =
  (door: GraphqlDoor, request: FastifyRequest): Explain =>
  (error, repeatable) => {
    if (repeatable && mayTryAgain(request) && door.isOutdated(error)) throw error;
    return fromGraphql(error) ?? door.explain(error, request);
  };

/** The caller's schema in the schema language, as a file. */
export function sendSchemaFile(door: GraphqlDoor, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { schema } = door.schemas.get(request.context.caller, endpoint);
  reply.header('content-disposition', `attachment; filename="${endpoint}.graphql"`).type('text/plain; charset=utf-8');
  return reply.send(Buffer.from(printSchema(schema)));
}

const responseType = 'application/graphql-response+json';

const mediaType = ({ headers }: FastifyRequest): string =>
  `${headers.accept?.includes(responseType) === true ? responseType : 'application/json'}; charset=utf-8`;
