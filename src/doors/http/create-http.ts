// The HTTP frame: everything that is true of any request, and no route. The order of its checks is the contract's: body, token, route,
// permission.

import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify';
import { answerError, routeNotFound, type TranslateError } from './answer-error.js';
import { addAnswerHeaders } from './answer-headers.js';
import { addBodyParsers, type BodyLimits } from './body-parsers.js';
import { answerClientError } from './client-error.js';
import type { Gate } from './gate.js';
import { type LogLevel, loggerOptions } from './logger.js';
import { answerOptions } from './options-routes.js';
import { RequestContext } from './request-context.js';
import { type Renew, tryAgain } from './try-again.js';

/** Resolves when the request may go on; throws a ServiceError to refuse it. */
type RequestCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;

export interface HttpOptions extends BodyLimits {
  readonly logLevel: LogLevel;
  /** Whose X-Forwarded-* headers are believed: nobody's, a number of hops, or a comma list of addresses. */
  readonly trustProxy: boolean | number | string;
  /** Origins that may call from a browser; empty: none. `*`: any, without credentials. */
  readonly corsOrigins: readonly string[];
  /** The socket to answer on; without it the frame makes one of its own. */
  readonly gate?: Gate;
  /** Before the body is read: rate limits by address. */
  readonly beforeBody?: RequestCheck;
  /** After the body, before the route, also for routes that do not exist: fills `request.context.caller`. */
  readonly authenticate?: RequestCheck;
  readonly translateError?: TranslateError;
  /** Whether a request that failed so may be tried again. */
  readonly renew?: Renew;
}

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify(fastifyOptions(options));
  // A logger per request costs more than the rest of the frame; our own lines name the request. Said here rather than by a factory of
  // ours, whose product the framework examines for every request.
  app.log.child = () => app.log;
  // QUERY is known to the framework already.
  app.addHttpMethod('SEARCH', { hasBody: true });
  app.decorateRequest('context');
  addBodyParsers(app, options);
  answerOptions(app);
  addHooks(app, options);
  const { renew = async () => false, translateError = () => null } = options;
  app.setErrorHandler((error, request, reply) =>
    tryAgain(error, request, reply, renew).catch((last: unknown) => answerError(last, request, reply, translateError)),
  );
  app.setNotFoundHandler((request) => {
    throw routeNotFound(request.url);
  });
  if (options.corsOrigins.length > 0) await addCors(app, options.corsOrigins);
  return app;
}

const readsItself = (): never => {
  throw new Error('the query of a URL is read by url-query.ts');
};
/** A request's `query`: whoever looks into it is told where to look. */
const unread = new Proxy({}, { get: readsItself, has: readsItself, ownKeys: readsItself });

function fastifyOptions(options: HttpOptions): FastifyServerOptions {
  const { gate } = options;
  return {
    logger: loggerOptions(options.logLevel),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyLimit,
    trustProxy: trustProxy(options.trustProxy),
    genReqId: makeRequestIds(),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    // Our own stages read the query (url-query.ts); a second reading would be for nobody.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8192, querystringParser: () => unread },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply, options.translateError ?? (() => null));
    },
    ...(gate === undefined ? {} : { serverFactory: (handler) => gate.attach(handler) }),
  };
}

const trustProxy = (trusted: boolean | number | string): NonNullable<FastifyServerOptions['trustProxy']> =>
  typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted;

function makeRequestIds(): () => string {
  const prefix = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

function addHooks(app: FastifyInstance, { beforeBody, authenticate, logLevel }: HttpOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.context = new RequestContext(request, reply);
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    addAnswerHeaders(request, reply);
    done();
  });
  if (beforeBody !== undefined) app.addHook('onRequest', async (request, reply) => beforeBody(request, reply));
  if (authenticate !== undefined) app.addHook('preValidation', (request, reply, done) => goOn(() => authenticate(request, reply), done));
  if (logLevel === 'debug' || logLevel === 'trace') app.addHook('onResponse', logRequest);
}

/** Without a turn of the event loop where there is nothing to wait for. */
function goOn(check: () => Promise<void> | undefined, done: (error?: Error) => void): void {
  try {
    const checking = check();
    if (checking === undefined) done();
    else checking.then(() => done(), done);
  } catch (error) {
    done(error as Error);
  }
}

async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { method, url, id, ip } = request;
  request.log.debug({ requestId: id, method, url, ip, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
}

async function addCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  const any = origins.includes('*');
  await app.register(cors, {
    origin: any ? '*' : [...origins],
    credentials: !any,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'SEARCH', 'QUERY'],
    exposedHeaders: ['ETag', 'Server-Timing', 'X-Request-Id', 'Content-Range', 'Retry-After'],
  });
}
