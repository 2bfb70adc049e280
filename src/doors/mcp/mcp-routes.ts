// The route /mcp, after the transport "Streamable HTTP" of the Model Context Protocol: POST, answered with JSON. No stream is offered, so GET is
// refused, and so is DELETE, since there are no sessions. The code that answers is loaded with the first request.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, type ServiceError } from '../../core/errors/service-error.js';
import { sendError } from '../http/answer/answer-error.js';
import { methodNotAllowed } from '../http/answer/method-not-allowed.js';
import { isForeignPage } from '../http/request/cross-site.js';
import { idIn } from './protocol/read-message.js';
import { asRpcError, RpcError, rpcErrorText } from './protocol/rpc-error.js';

export interface McpAnswers {
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

export interface McpRouteDeps {
  /** Called for every request; loads once. */
  load(): Promise<McpAnswers>;
  /** Pages of these origins may ask, besides those of the service itself. */
  readonly allowedOrigins: ReadonlySet<string>;
  isOutdated(error: unknown): boolean;
  /** The error that clients may see. Logs an unforeseen one and hides its details. */
  explain(error: unknown, request: FastifyRequest): ServiceError;
}

const url = '/mcp';

export function addMcpRoutes(app: FastifyInstance, deps: McpRouteDeps): void {
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // The frame runs the request again on the present structure.
    if (request.context.renewals === 0 && deps.isOutdated(error)) throw error;
    return answerRpcError(deps, error, request, reply);
  };
  app.route({
    method: 'POST',
    url,
    onRequest: (request, _reply, done) => {
      // A page of another site could otherwise reach a service on the machine of its visitor.
      done(isForeignPage(request, deps.allowedOrigins) ? forbidden() : undefined);
    },
    handler: async (request, reply) => (await deps.load()).answer(request, reply),
    errorHandler,
  });
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'SEARCH', 'QUERY'],
    url,
    exposeHeadRoute: false,
    config: { refused: true },
    handler: (request, reply) => {
      throw methodNotAllowed(request, reply, 'POST');
    },
    errorHandler,
  });
}

function answerRpcError(deps: McpRouteDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof RpcError) return sendRpcError(error, request, reply);
  const explained = deps.explain(error, request);
  return sendError(explained, request, reply, rpcErrorText(idIn(request.body), asRpcError(explained)));
}

/** `reply.code` is set anew, because a request that runs again has the status of its first failure. */
const sendRpcError = (error: RpcError, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .code(error.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(rpcErrorText(idIn(request.body), error));
