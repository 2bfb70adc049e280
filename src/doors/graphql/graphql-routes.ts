// The routes /graphql and /graphql/system, after the specification GraphQL over HTTP: POST for everything, GET for queries. The code that
// answers, graphql-js included, is loaded with the first request, so that a service without GraphQL clients starts faster.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../core/access/view.js';
import { methodNotAllowed } from '../http/answer/method-not-allowed.js';
import { sendPage } from '../http/answer/page.js';
import type { Endpoint } from './compile/schema-cache.js';
import { addGraphiqlFiles, graphiqlPolicy, isPageRequest, readGraphiqlPage } from './graphiql-page.js';
import type { PreparedEvents } from './prepare-events.js';

type Answer = (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

export interface GraphqlAnswers {
  readonly answer: Answer;
  /** A subscription operation, for a WebSocket; null for other operations. */
  prepareEvents(caller: Caller, payload: unknown): PreparedEvents | null;
  /** The caller's schema in the schema language. */
  printSchema(caller: Caller, endpoint: Endpoint): string;
}

/** `load` is called for every request, and loads once. */
export function addGraphqlRoutes(app: FastifyInstance, load: () => Promise<GraphqlAnswers>): void {
  const answer: Answer = async (endpoint, request, reply) => (await load()).answer(endpoint, request, reply);
  addEndpoint(app, answer, '/graphql', 'items');
  addEndpoint(app, answer, '/graphql/system', 'system');
  addGraphiqlFiles(app);
}

function addEndpoint(app: FastifyInstance, answer: Answer, url: string, endpoint: Endpoint): void {
  app.route({
    method: ['GET', 'POST'],
    url,
    onRequest: (request, reply, done) => {
      if (isPageRequest(request)) sendPage(request, reply, readGraphiqlPage(), graphiqlPolicy);
      else done();
    },
    handler: (request, reply) => answer(endpoint, request, reply),
  });
  app.route({
    method: ['PUT', 'PATCH', 'DELETE', 'SEARCH', 'QUERY'],
    url,
    config: { refused: true },
    handler: (request, reply) => {
      throw methodNotAllowed(request, reply, 'GET, POST');
    },
  });
}
