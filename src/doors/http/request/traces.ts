// TRACES: a span of OpenTelemetry for each request, and below it one for each stage of the pipeline. The package `@opentelemetry/api` is loaded with
// the setting only; what collects and exports spans is an SDK that the operator loads into the process. Without one, and for requests that it does not
// sample, nothing is measured.

import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StageListener, StageStretch } from '../../../core/engine/work/stage-clock.js';
import { ServiceError } from '../../../core/errors/service-error.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { textForOperators } from '../../../core/vendor/statement-text.js';

const loadPackage = () => import('@opentelemetry/api');

type Api = Awaited<ReturnType<typeof loadPackage>>;

export interface RequestTrace {
  /** null: the request is not sampled. */
  readonly listener: StageListener | null;
  /** Spans that other packages begin in `next` belong to this request. */
  enter(next: () => void): void;
}

export interface Traces {
  begin(request: FastifyRequest, reply: FastifyReply): RequestTrace;
  /** Whether an SDK that collects spans is registered. */
  isCollecting(): boolean;
}

/** Bounds the spans of one request; thousands would not show more. */
const mostStretches = 500;

/** null: the package is not installed. */
export async function openTraces(version: string): Promise<Traces | null> {
  const api = await load();
  if (api === null) return null;
  // Asked for each time: an SDK may be registered after the service was made.
  const tracer = (): Tracer => api.trace.getTracer('tain', version);
  return {
    begin: (request, reply) => {
      const clock = openClock();
      const parent = parentOf(api, request);
      const facts = { kind: api.SpanKind.SERVER, attributes: attributesOf(request), startTime: clock(performance.now()) };
      const span = tracer().startSpan(nameOf(request), facts, parent);
      const inside = api.trace.setSpan(parent, span);
      const enter = (next: () => void): void => api.context.with(inside, next);
      if (!span.isRecording()) return { listener: null, enter };
      reply.raw.once('close', () => {
        request.context.clock?.end();
        markRequest(api, span, reply);
        span.end(clock(performance.now()));
      });
      return { listener: spansOfStages(api, tracer(), inside, clock), enter };
    },
    isCollecting: () => api.isSpanContextValid(tracer().startSpan('tain', {}, api.ROOT_CONTEXT).spanContext()),
  };
}

async function load(): Promise<Api | null> {
  try {
    return await loadPackage();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** The span that the host, or its instrumentation of HTTP, has begun; else the one that the caller names in its headers. */
function parentOf({ context, propagation, trace }: Api, { headers }: FastifyRequest): Context {
  const active = context.active();
  return trace.getSpan(active) === undefined ? propagation.extract(active, headers) : active;
}

/** Uses the template of the path, because backends group spans by name and the number of paths is unlimited. */
const nameOf = ({ method, routeOptions: { url: route } }: FastifyRequest): string => (route === undefined ? method : `${method} ${route}`);

/** Without the query of the URL, which may hold a token. */
function attributesOf(request: FastifyRequest): Attributes {
  const { method, url, protocol, hostname, ip, id, raw, routeOptions, headers } = request;
  const { url: route } = routeOptions;
  return {
    'http.request.method': method,
    'url.path': url.split('?', 1)[0] ?? '',
    'url.scheme': protocol,
    'server.address': hostname,
    'client.address': ip,
    'network.protocol.version': raw.httpVersion,
    'tain.request_id': id,
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(headers['user-agent'] === undefined ? {} : { 'user_agent.original': headers['user-agent'] }),
  };
}

/** Turns `performance.now()` into milliseconds of the epoch. For one request: in a process that runs for weeks the two clocks drift apart. */
type EpochClock = (moment: number) => number;

const openClock = (): EpochClock => {
  const offset = Date.now() - performance.now();
  return (moment) => offset + moment;
};

function markRequest({ SpanStatusCode }: Api, span: Span, { raw }: FastifyReply): void {
  const { headersSent, writableFinished, statusCode } = raw;
  if (headersSent) span.setAttribute('http.response.status_code', statusCode);
  if (writableFinished && statusCode < 500) return;
  span.setAttribute('error.type', writableFinished ? String(statusCode) : 'cut_off').setStatus({ code: SpanStatusCode.ERROR });
}

function spansOfStages({ SpanStatusCode }: Api, tracer: Tracer, inside: Context, clock: EpochClock): StageListener {
  let left = mostStretches;
  return (stretch) => {
    left -= 1;
    if (left < 0) return;
    const { stage, from, to, failure } = stretch;
    const span = tracer.startSpan(stage, { startTime: clock(from), attributes: attributesOfStage(stretch) }, inside);
    if (failure !== undefined) span.setAttribute('error.type', typeOf(failure.error)).setStatus({ code: SpanStatusCode.ERROR });
    span.end(clock(to));
  };
}

const attributesOfStage = ({ statement }: StageStretch): Attributes =>
  statement === undefined ? {} : { 'db.query.text': textForOperators(statement) };

/** Messages of errors may contain values of requests, so a span gets only the kind of the error. */
const typeOf = (error: unknown): string => {
  if (error instanceof ServiceError) return error.code;
  if (error instanceof DatabaseError) return error.kind;
  return error instanceof Error ? error.name : 'unknown';
};
