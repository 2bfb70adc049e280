// The HTTP frame: what holds for every request, without any route. Its checks run in the order of the contract: body, token, route,
// permission.

import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify';
import type { Stage } from '../../../core/engine/work/stage-clock.js';
import { routeNotFound } from '../../../core/errors/service-error.js';
import { answerError, type TranslateError } from '../answer/answer-error.js';
import { addAnswerHeaders } from '../answer/answer-headers.js';
import { addBodyParsers, type BodyLimits } from '../body/body-parsers.js';
import { type ReadAfter, readAfterHeader } from '../request/read-after.js';
import { type ContextOptions, RequestContext } from '../request/request-context.js';
import type { Traces } from '../request/traces.js';
import { answerClientError } from './client-error.js';
import type { Gate } from './gate.js';
import { type Renew, tryAgain } from './try-again.js';

type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** Resolves, or returns undefined, when the request may proceed; throws a ServiceError to refuse it. */
type RequestCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;

type ObserveRequest = (
  method: string,
  route: string,
  status: number,
  milliseconds: number,
  stages: ReadonlyMap<Stage, number> | null,
) => void;

export interface HttpOptions extends BodyLimits {
  readonly logLevel: LogLevel;
  /** Whose X-Forwarded-* headers are trusted: true or false for all or none, a number of hops, or addresses separated by commas. */
  readonly trustProxy: boolean | number | string;
  /** Origins that may call from a browser; `*` means any, without credentials. */
  readonly corsOrigins: readonly string[];
  /** The server to answer on; without one the frame creates its own. */
  readonly gate?: Gate;
  /** Runs before the body is read. */
  readonly beforeBody?: RequestCheck;
  /** Runs after the body is read and before the route, also for unknown routes. Sets `request.context.caller`. */
  readonly authenticate?: RequestCheck;
  readonly translateError?: TranslateError;
  /** Whether answers to administrators carry the time of each stage in `Server-Timing`. */
  readonly serverTiming?: boolean;
  /** Called with every answered request: its method, the template of its path, status, milliseconds, and those of its stages. */
  readonly observe?: ObserveRequest;
  /** Spans of requests and their stages. */
  readonly traces?: Traces | null;
  /** Tokens for reading one's own writes, where copies of the database answer reads. */
  readonly readAfter?: ReadAfter | null;
  /** Decides whether a failed request is run again. */
  readonly renew?: Renew;
}

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify(fastifyOptions(options));
  // A logger per request would cost more than the rest of the frame, and log lines name the request anyway. The framework would inspect the
  // result of a logger factory for every request, so the method itself is replaced.
  app.log.child = () => app.log;
  // The framework knows QUERY, its successor, already.
  app.addHttpMethod('SEARCH', { hasBody: true });
  app.decorateRequest('context');
  addBodyParsers(app, options);
  answerOptions(app);
  addHooks(app, options);
  const { renew = async (failure) => ({ again: false, failure }), translateError = () => null } = options;
  app.setErrorHandler((error, request, reply) => {
    request.context.clock?.fail(error);
    return tryAgain(error, request, reply, renew).catch((last: unknown) => answerError(last, request, reply, translateError));
  });
  app.setNotFoundHandler((request) => {
    throw routeNotFound(request.url);
  });
  if (options.corsOrigins.length > 0) await addCors(app, options);
  return app;
}

const refuseQuery = (): never => {
  throw new Error('the query of a URL is read by url-query.ts');
};
/** Takes the place of `request.query`: a route that reads it fails with a hint. */
const unread = new Proxy({}, { get: refuseQuery, has: refuseQuery, ownKeys: refuseQuery });

function fastifyOptions(options: HttpOptions): FastifyServerOptions {
  const { gate } = options;
  return {
    logger: loggerOptions(options.logLevel),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyLimit,
    trustProxy: trustProxy(options.trustProxy),
    genReqId: makeRequestIds(),
    requestIdHeader: false,
    // No route has a schema of the framework's kind. Without these it loads two compilers at the start: a twentieth of its time, and 2 MB.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    forceCloseConnections: 'idle',
    // Routes parse the query themselves (url-query.ts); the framework would parse it a second time.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8192, querystringParser: () => unread },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply, options.translateError ?? (() => null));
    },
    ...(gate === undefined ? {} : { serverFactory: (handler) => gate.attach(handler) }),
  };
}

const secretParameter = /([?&](?:access_token|refresh_token|token|password|otp|key|secret)=)[^&#]*/gi;

export const redactUrl = (url: string): string => (url.includes('?') ? url.replace(secretParameter, '$1[redacted]') : url);

const secretNames = ['authorization', 'cookie', 'password', 'token', 'access_token', 'refresh_token', 'otp', 'secret', 'tfa_secret'];

/** No tokens, passwords or bodies reach the log. Errors are logged with message and stack, without the values that drivers attach to them. */
const loggerOptions = (level: LogLevel): NonNullable<FastifyServerOptions['logger']> => ({
  level,
  redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  serializers: { err: describeError, url: redactUrl },
});

type DescribedError = Record<'type' | 'message' | 'stack', string>;

function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
  const cause = error.cause instanceof Error ? `\ncaused by: ${error.cause.stack ?? error.cause.message}` : '';
  return { type: error.name, message: error.message, stack: `${error.stack ?? ''}${cause}` };
}

const refuseSchemas = (): never => {
  throw new Error('bodies are checked by the operations, not by schemas of routes');
};

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

function addHooks(app: FastifyInstance, options: HttpOptions): void {
  const { beforeBody, authenticate, logLevel, serverTiming = false, observe } = options;
  const { readAfter = null, traces = null } = options;
  const facts: ContextOptions = { isTimed: serverTiming || observe !== undefined, sendsTiming: serverTiming, traces, readAfter };
  app.addHook('onRequest', (request, reply, done) => {
    request.context = new RequestContext(request, reply, facts);
    done();
  });
  if (traces !== null) followTraces(app);
  app.addHook('onSend', (request, reply, _payload, done) => {
    addAnswerHeaders(request, reply);
    done();
  });
  if (beforeBody !== undefined) app.addHook('onRequest', async (request, reply) => beforeBody(request, reply));
  if (authenticate !== undefined)
    app.addHook('preValidation', (request, reply, done) => runCheck(() => authenticate(request, reply), done));
  if (observe !== undefined)
    app.addHook('onResponse', (request, reply, done) => {
      const { url: route = unknownRoute } = request.routeOptions;
      observe(request.method, route, reply.statusCode, reply.elapsedTime, request.context.clock?.end() ?? null);
      done();
    });
  if (logLevel === 'debug' || logLevel === 'trace') app.addHook('onResponse', logRequest);
}

/** Enters the trace again after the body is read, because the stream that reads it may have started outside of the request's context. */
function followTraces(app: FastifyInstance): void {
  const enter = ({ context: { trace } }: FastifyRequest, _reply: FastifyReply, done: () => void): void => trace?.enter(done);
  app.addHook('onRequest', enter);
  app.addHook('preValidation', enter);
}

/** Requests without a route are counted together, because the number of such paths is unlimited. */
const unknownRoute = 'unknown';

/** Saves a turn of the event loop when there is nothing to wait for. */
function runCheck(check: () => Promise<void> | undefined, done: (error?: Error) => void): void {
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

async function addCors(app: FastifyInstance, { corsOrigins: origins, readAfter = null }: HttpOptions): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  const any = origins.includes('*');
  await app.register(cors, {
    origin: any ? '*' : [...origins],
    credentials: !any,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'SEARCH', 'QUERY'],
    exposedHeaders: [
      'ETag',
      'Server-Timing',
      'X-Request-Id',
      'Content-Range',
      'Retry-After',
      ...(readAfter === null ? [] : [readAfterHeader]),
    ],
  });
}

/** The order in which clients expect the methods. */
const methodOrder = ['POST', 'SEARCH', 'QUERY', 'GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'];

/** Every path answers OPTIONS with the methods it has. */
function answerOptions(app: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat().filter((method) => method !== 'OPTIONS');
    if (methods.length === 0 || route.config?.refused === true) return;
    const known = methodsByPath.get(route.url);
    const all = known ?? new Set<string>();
    for (const method of methods) all.add(method);
    if (known !== undefined) return;
    methodsByPath.set(route.url, all);
    app.options(route.url, (_request, reply) => {
      const list = methodOrder.filter((method) => all.has(method)).join(',');
      return reply.header('allow', list).type('text/plain; charset=utf-8').send(list);
    });
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route refuses its methods, so OPTIONS does not list them. */
    refused?: boolean;
  }
}
