// /graphql and /graphql/system over HTTP (GraphQL over HTTP): POST for everything, GET for queries, nothing else. What answers is loaded
// with the first request: a service that is never asked GraphQL starts without it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../http/page.js';
import { addGraphiqlFiles, graphiqlPolicy, isPageRequest, readGraphiqlPage } from './graphiql-page.js';
import { methodNotAllowed } from './method-not-allowed.js';
import type { Endpoint } from './schema/schema-cache.js';

type Answer = (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

export interface GraphqlAnswers {
  readonly answer: Answer;
  readonly sendSchema: Answer;
}

export function addGraphqlRoutes(app: FastifyInstance, load: () => Promise<GraphqlAnswers>): void {
  // The promise is kept, not what it gives: requests that come together share one.
  let loading: Promise<GraphqlAnswers> | null = null;
  const through =
    (name: keyof GraphqlAnswers): Answer =>
    async (endpoint, request, reply) => {
      loading ??= load();
      return (await loading)[name](endpoint, request, reply);
    };
  addEndpoint(app, through('answer'), '/graphql', 'items');
  addEndpoint(app, through('answer'), '/graphql/system', 'system');
  addGraphiqlFiles(app);
  addSchemaFile(app, through('sendSchema'), '/server/specs/graphql', 'items');
  addSchemaFile(app, through('sendSchema'), '/server/specs/graphql/items', 'items');
  addSchemaFile(app, through('sendSchema'), '/server/specs/graphql/system', 'system');
}

function addSchemaFile(app: FastifyInstance, send: Answer, url: string, endpoint: Endpoint): void {
  app.get(url, (request, reply) => send(endpoint, request, reply));
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
