// Registers REST's table: every route runs its operation and answers what came of it.

import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Work } from '../../../core/engine/work/work.js';
import { answerOf } from '../../../service/describe/openapi/operation-route.js';
import type { InputSource } from '../../../service/operations/run-operation.js';
import { forbidStoring, serveOperation } from '../../http/answer/serve-operation.js';
import { addWebhookParsers, type BodyLimits } from '../../http/body/body-parsers.js';
import { carriesToken } from '../../http/request/authenticate-request.js';
import { prefers } from '../../http/request/preferences.js';
import { answerOperation } from './answer-operation.js';
import { inputOf } from './read-input.js';
import type { InputValues, RestDeps, RestRoute } from './rest-route.js';
import { restTable } from './rest-table.js';

/** `others`: rows that belong to this service alone. */
export async function addOperationRoutes(
  app: FastifyInstance,
  deps: RestDeps,
  limits: BodyLimits,
  others: readonly RestRoute[],
): Promise<void> {
  for (const route of [...restTable, ...others]) if (route.form === undefined) addRoute(app, deps, route);
  await app.register(async (scope) => {
    await scope.register(multipart, { limits: { fileSize: deps.uploadLimit, files: 1 }, throwFileSizeLimit: false });
    for (const route of restTable) if (route.form === 'also') addRoute(scope, deps, route);
  });
  await app.register(async (scope) => {
    addWebhookParsers(scope, limits);
    for (const route of restTable) if (route.form === 'whatever') addRoute(scope, deps, route);
  });
}

export type AnswerRoute = (request: FastifyRequest, reply: FastifyReply, work: Work) => Promise<FastifyReply>;

export function answerBy(deps: RestDeps, route: RestRoute): AnswerRoute {
  const input = inputOf(route);
  const dry = dryRunOf(route);
  return async (request, reply, work) => {
    const row = dry !== null && prefers(request, 'dry-run') ? dry : route;
    const key = request.headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' ? key : null;
    const source = row === route ? input(request, deps) : withValues(input(request, deps), row.fixed);
    const asked = { operation: row.operation, work, idempotencyKey, source };
    return answerOperation(row, request, reply, await serveOperation(deps, request, reply, asked));
  };
}

/** The route as it answers `Prefer: dry-run`. Its input is read in the same way. */
const dryRunOf = ({ dryRun, ...route }: RestRoute): RestRoute | null =>
  dryRun === undefined ? null : { ...route, ...dryRun, answer: { kind: 'data' }, headers: { 'preference-applied': 'dry-run' } };

const withValues = ({ placeOf, read }: InputSource, values: InputValues = {}): InputSource => ({
  placeOf,
  read: async () => ({ ...(await read()), ...values }),
});

/** QUERY is the successor of SEARCH. HEAD of a content is a method of its own, because it opens no file. */
function methodsOf(route: RestRoute): string | string[] {
  if (route.method === 'SEARCH') return ['SEARCH', 'QUERY'];
  return answerOf(route).kind === 'bytes' ? ['GET', 'HEAD'] : route.method;
}

export function addRoute(app: FastifyInstance, deps: RestDeps, route: RestRoute): void {
  const { operation, path, early } = route;
  const answer = answerBy(deps, route);
  app.route({
    method: methodsOf(route),
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    handler: (request, reply) => answer(request, reply, deps.work(request)),
    onRequest: async (request, reply) => {
      // Also for requests that are refused before the operation runs.
      if (operation.secret === true) forbidStoring(reply);
      if (early === 'always' || (early === 'without-token' && !carriesToken(request))) return answer(request, reply, deps.publicWork());
    },
  });
}
