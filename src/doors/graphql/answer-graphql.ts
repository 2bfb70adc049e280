// Answers a GraphQL request: finds the caller's schema, compiles the document or finds it compiled, applies the variables, runs the tasks.
// Loaded with the first GraphQL request, as graphql-js is.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode } from 'graphql';
import { refuseReader } from '../../core/access/accountability.js';
import type { Work } from '../../core/engine/work/work.js';
import type { ServiceError } from '../../core/errors/service-error.js';
import { methodNotAllowed } from '../http/answer/method-not-allowed.js';
import { streamText, writeJsonText } from '../http/answer/send.js';
import { mayTryAgain } from '../http/server/try-again.js';
import type { Endpoint, SchemaCache } from './compile/schema-cache.js';
import { readParameters } from './read-parameters.js';
import { fromGraphql } from './run/field-error.js';
import type { RunContext, RunDeps } from './run/run-context.js';
import { type Explain, runOperation } from './run/run-operation.js';

export interface GraphqlDeps extends RunDeps {
  readonly schemas: SchemaCache;
  /** The request's work, outside of any transaction. */
  work(request: FastifyRequest): Work;
  /** Whether it failed because the structure has changed since the request began. */
  isOutdated(error: unknown): boolean;
  /** The error that clients may see. Logs an unforeseen one and hides its details. */
  explain(error: unknown, request: FastifyRequest): ServiceError;
}

export async function answerGraphql(
  deps: GraphqlDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { clock } = request.context;
  clock?.start('parse');
  const { query, variables, operationName } = readParameters(request);
  const schema = deps.schemas.get(request.context.caller, endpoint);
  const compiled = schema.document(query).operation(operationName);
  if (request.method !== 'POST' && compiled.definition.operation !== OperationTypeNode.QUERY)
    throw methodNotAllowed(request, reply, 'POST');
  if (compiled.definition.operation !== OperationTypeNode.QUERY) refuseReader(request.context.caller.accountability);
  request.context.isQuery = compiled.definition.operation === OperationTypeNode.QUERY;
  const operation = schema.apply(compiled, variables);
  clock?.stop();
  const run: RunContext = { deps, work: deps.work(request), operation, request, reply, shared: new Map() };
  const answered = await runOperation(run, explainIn(deps, request));
  const contentType = mediaType(request);
  if (typeof answered === 'string') return writeJsonText(request, reply, answered, { contentType });
  return streamText(request, reply, answered, contentType);
}

/** An error of an outdated structure leaves the handler instead of becoming an answer, so that the frame runs the request again. */
const explainIn =
  (deps: GraphqlDeps, request: FastifyRequest): Explain =>
  (error, repeatable) => {
    if (repeatable && mayTryAgain(request) && deps.isOutdated(error)) throw error;
    return fromGraphql(error) ?? deps.explain(error, request);
  };

const responseType = 'application/graphql-response+json';

const mediaType = ({ headers }: FastifyRequest): string =>
  `${headers.accept?.includes(responseType) === true ? responseType : 'application/json'}; charset=utf-8`;
