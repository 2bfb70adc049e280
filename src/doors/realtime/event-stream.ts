// Any list as server-sent events: a GET with `Accept: text/event-stream` answers the present items and then what changes, for as long as the
// client stays. `Last-Event-ID`, which browsers send by themselves after a cut, resumes.

import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SchemaStore } from '../../core/engine/store/schema-store.js';
import type { ServiceError } from '../../core/errors/service-error.js';
import type { ParsedQuery } from '../../core/query/query.js';
import type { GroupEvent } from '../../service/events/event-log.js';
import type { Joined } from '../../service/events/follower.js';
import type { Groups } from '../../service/events/groups.js';
import { Subscription } from '../../service/events/subscription.js';
import { tokenExpired } from '../../service/secrets/signed-token.js';
import { headersOfData } from '../http/answer/answer-headers.js';
import { clientOf, tokenOf } from '../http/request/authenticate-request.js';
import { Identity, type IdentityDeps } from './identity.js';
import type { OpenConnections, Place } from './open-connections.js';
import type { SocketReads } from './socket-reads.js';

export interface EventStreamDeps {
  readonly groups: Groups;
  readonly store: SchemaStore;
  readonly identity: IdentityDeps;
  readonly connections: OpenConnections;
  /** Bytes that may wait for a slow client. */
  readonly maxWaiting: number;
  /** How often an idle stream shows that it is alive; null: never. */
  readonly heartbeatMs: number | null;
  readonly explain: (error: unknown) => ServiceError;
  readonly reads: SocketReads;
}

export async function answerEvents(
  deps: EventStreamDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  collection: string,
  parsed: ParsedQuery,
): Promise<FastifyReply> {
  // After a disconnect there is no further `close` event, so the place would never be freed.
  if (reply.raw.destroyed) return reply.hijack();
  const identity = new Identity(deps.identity, clientOf(request), tokenOf(request), request.context.caller);
  const place = deps.connections.take(identity);
  reply.raw.once('close', () => place.free());
  deps.reads.watch(request.raw.socket);
  place.addSubscription();
  const stream = new EventStream(deps, reply.raw, identity, place);
  const subscription = new Subscription(deps.groups, () => place.owner, {
    question: { collection, parsed, keys: null },
    onEvent: (event) => stream.send(event),
    onEnd: (error) => stream.fail(error),
  });
  const since = request.headers['last-event-id'];
  // Errors up to here are answered as for any list.
  const joined = await subscription.start(identity.caller, { since: typeof since === 'string' ? since : null, withItems: true });
  const headers = headersOfData(request, reply);
  headers.push('content-type', 'text/event-stream; charset=utf-8', 'x-accel-buffering', 'no');
  reply.hijack().raw.writeHead(200, headers);
  stream.open(subscription, joined, since !== undefined);
  return reply;
}

const maxTimerMs = 2 ** 31 - 1;

class EventStream {
  readonly #deps: EventStreamDeps;
  readonly #raw: ServerResponse;
  readonly #identity: Identity;
  readonly #place: Place;
  #subscription: Subscription | null = null;
  #cleanUp: (() => void)[] = [];
  #isClosed = false;
  #renewing: Promise<void> = Promise.resolve();
  #mustRenew = false;
  /** Whether a lookup waits for the one before it. */
  #willRenew = false;

  constructor(deps: EventStreamDeps, raw: ServerResponse, identity: Identity, place: Place) {
    this.#place = place;
    this.#deps = deps;
    this.#raw = raw;
    this.#identity = identity;
  }

  open(subscription: Subscription, joined: Joined, isReset: boolean): void {
    const { store, heartbeatMs } = this.#deps;
    this.#subscription = subscription;
    this.#raw.once('close', () => this.#close()).on('drain', () => this.#noteWaiting(0));
    this.#cleanUp.push(store.subscribe(() => this.#renew()));
    if (heartbeatMs !== null) this.#every(heartbeatMs, () => this.#write(':\n\n'));
    this.#watchExpiry();
    if (joined.kind === 'resumed') for (const event of joined.events) this.send(event);
    else this.#writeEvent(isReset ? 'reset' : 'init', `[${(joined.items ?? []).map(({ text }) => text).join(',')}]`, joined);
    subscription.open();
    // Rights may have changed since the request was authenticated.
    this.#renew();
    if (this.#raw.destroyed) this.#close();
    this.#place.onEnd(() => this.#end());
  }

  send(event: GroupEvent): void {
    this.#writeEvent(event.kind, event.data, event);
  }

  /** Sends an error as the last event and ends the stream. */
  fail(error: unknown): void {
    const { code, message } = this.#deps.explain(error);
    this.#write(`event: error\ndata: ${JSON.stringify({ code, message })}\n\n`);
    this.#end();
  }

  #writeEvent(event: string, data: string, { meta, cursor }: Pick<GroupEvent, 'meta' | 'cursor'>): void {
    const body = `{"data":${data}${meta === null ? '' : `,"meta":${meta}`}}`;
    // JSON columns may contain line breaks.
    const lines = body.replaceAll('\r', '').replaceAll('\n', '\ndata: ');
    this.#write(`event: ${event}\nid: ${cursor}\ndata: ${lines}\n\n`);
  }

  #write(text: string): void {
    if (this.#isClosed) return;
    this.#raw.write(text);
    // A client that reads too slowly is disconnected; it reconnects with its Last-Event-ID.
    if (this.#raw.writableLength > this.#deps.maxWaiting) this.#raw.destroy();
    else if (this.#raw.writableNeedDrain) this.#noteWaiting(this.#raw.writableLength);
  }

  #noteWaiting(size: number): void {
    this.#place.wait(size, () => this.#raw.destroy());
  }

  #every(ms: number, act: () => void): void {
    const timer = setInterval(act, ms).unref();
    this.#cleanUp.push(() => clearInterval(timer));
  }

  #watchExpiry(): void {
    const { endsAt } = this.#identity;
    if (endsAt === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(
      () => (endsAt <= Date.now() ? this.fail(tokenExpired()) : this.#watchExpiry()),
      Math.min(maxTimerMs, endsAt - Date.now()),
    );
    timer.unref();
    this.#cleanUp.push(() => clearTimeout(timer));
  }

  /** Rights, sessions or the structure have changed. */
  #renew(): void {
    this.#subscription?.hold();
    this.#mustRenew = true;
    if (this.#willRenew) return;
    this.#willRenew = true;
    this.#renewing = this.#renewing
      .then(async () => {
        this.#willRenew = false;
        if (this.#mustRenew && !this.#isClosed) await this.#lookUpAgain();
      })
      .catch((error: unknown) => this.fail(error));
  }

  async #lookUpAgain(): Promise<void> {
    const isValid = await this.#identity.renew(() => {
      this.#mustRenew = false;
    });
    if (!isValid) this.fail(tokenExpired());
    // After a change during the lookup the caller is looked up again.
    else if (!this.#mustRenew) await this.#subscription?.renew(this.#identity.caller);
  }

  #end(): void {
    this.#close();
    this.#raw.end();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#subscription?.stop();
    for (const act of this.#cleanUp.splice(0)) act();
  }
}
