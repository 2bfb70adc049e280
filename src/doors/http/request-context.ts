// What the doors know about a request besides its bytes. Made once per request; everything that costs is made on first use.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../core/access/view.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { ClientSignal } from './client-signal.js';
import { Timings } from './timings.js';

export class RequestContext {
  readonly id: string;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly origin: string | null;
  /** How often the request was tried again on a newer structure. */
  renewals = 0;
  readonly #reply: FastifyReply;
  #caller: Caller | null = null;
  #timings: Timings | null = null;
  #signal: StopSignal | null = null;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.id = request.id;
    this.ip = request.ip;
    this.userAgent = request.headers['user-agent'] ?? null;
    this.origin = request.headers.origin ?? null;
    this.#reply = reply;
  }

  /** Who asks. Reading it before authentication is a bug of ours, never an anonymous caller. */
  get caller(): Caller {
    if (this.#caller === null) throw new Error('the caller is not known yet');
    return this.#caller;
  }

  set caller(caller: Caller) {
    this.#caller = caller;
  }

  get isAdmin(): boolean {
    return this.#caller?.accountability.admin === true;
  }

  get timings(): Timings {
    this.#timings ??= new Timings();
    return this.#timings;
  }

  /** Null when no stage was measured. */
  get serverTiming(): string | null {
    return this.#timings?.toHeader() || null;
  }

  /** Aborted when the client goes away before its answer is complete. */
  get signal(): StopSignal {
    this.#signal ??= new ClientSignal(this.#reply.raw);
    return this.#signal;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}
