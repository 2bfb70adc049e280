// What the service knows about a request besides its bytes: one per request. Everything that costs something is made on first use.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/access/view.js';
import { StageClock } from '../../../core/engine/work/stage-clock.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { signalOf } from './client-signal.js';
import type { ReadAfter } from './read-after.js';
import type { RequestTrace, Traces } from './traces.js';

export interface ContextOptions {
  readonly isTimed: boolean;
  readonly sendsTiming: boolean;
  /** null: TRACES is off. */
  readonly traces: Traces | null;
  /** null: one database answers everything. */
  readonly readAfter: ReadAfter | null;
}

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'SEARCH', 'QUERY']);

export class RequestContext {
  readonly id: string;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly origin: string | null;
  /** How often the request was run again on a newer schema. */
  renewals = 0;
  /** null unless TRACES is on. */
  readonly trace: RequestTrace | null;
  /** Measures the stages; null unless SERVER_TIMING or METRICS is on, or the request is traced. */
  readonly clock: StageClock | null;
  /** Whether the time of each stage is sent to administrators. */
  readonly sendsTiming: boolean;
  readonly readAfter: ReadAfter | null;
  /** Set for a GraphQL query, which only reads although its method is POST. */
  isQuery = false;
  /** True if an application that embeds the service named the caller. A token in the request then belongs to the application. */
  isNamed = false;
  /** The revisions that the request has made, if it asks for them; else null. */
  revisions: number[] | null = null;
  readonly #reply: FastifyReply;
  #caller: Caller | null = null;
  #signal: StopSignal | null = null;

  constructor(request: FastifyRequest, reply: FastifyReply, { isTimed, sendsTiming, traces, readAfter }: ContextOptions) {
    this.id = request.id;
    this.ip = request.ip;
    this.userAgent = request.headers['user-agent'] ?? null;
    this.origin = request.headers.origin ?? null;
    this.trace = traces === null ? null : traces.begin(request, reply);
    const listener = this.trace === null ? null : this.trace.listener;
    this.clock = isTimed || listener !== null ? new StageClock(listener) : null;
    this.sendsTiming = sendsTiming;
    this.readAfter = readAfter;
    this.#reply = reply;
  }

  /** Throws before authentication, so that a request whose caller is not known yet never passes for an anonymous one. */
  get caller(): Caller {
    if (this.#caller === null) throw new Error('the caller is not known yet');
    return this.#caller;
  }

  set caller(caller: Caller) {
    this.#caller = caller;
  }

  /** null before authentication. */
  get knownCaller(): Caller | null {
    return this.#caller;
  }

  get isAdmin(): boolean {
    return this.#caller?.accountability.admin === true;
  }

  /** Known from the method, and for GraphQL once the document is compiled. */
  get onlyReads(): boolean {
    return this.isQuery || readMethods.has(this.#reply.request.method);
  }

  /** Aborted when the client disconnects before its answer is complete. */
  get signal(): StopSignal {
    this.#signal ??= signalOf(this.#reply.request.headers, this.#reply.raw);
    return this.#signal;
  }
}

/** The address by which the client reached the service. */
export const addressOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}
