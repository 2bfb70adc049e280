// Adds the door for assistants. What answers it is loaded with the first request, so that a service without assistants starts faster.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceError } from '../core/errors/service-error.js';
import { explainError } from '../doors/http/answer/answer-error.js';
import { addMcpRoutes, type McpAnswers } from '../doors/mcp/mcp-routes.js';
import { explainDatabaseError, isStale } from './explain-database-error.js';
import type { ComposeMcpDeps } from './mcp.js';

const explain = (error: unknown, request: FastifyRequest): ServiceError => explainError(error, request, explainDatabaseError);

export function addMcp(app: FastifyInstance, deps: Pick<ComposeMcpDeps, 'secret' | 'serve' | 'work' | 'endpoints'>): void {
  // Keeps the promise rather than its result, so that concurrent requests load once.
  let loading: Promise<McpAnswers> | null = null;
  const load = (): Promise<McpAnswers> => {
    loading ??= import('./mcp.js').then(({ composeMcp }) => composeMcp({ ...deps, isOutdated: isStale, explain }));
    return loading;
  };
  // That anybody may read what needs no cookie does not mean that any page may act for its visitor.
  const allowedOrigins = new Set([...deps.serve.allowedOrigins].filter((origin) => origin !== '*'));
  addMcpRoutes(app, { load, allowedOrigins, isOutdated: isStale, explain });
}
