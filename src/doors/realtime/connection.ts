// One open connection of either WebSocket protocol: its identity over time, its subscriptions, its limits and its end. The form of messages
// is left to the protocol.

import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { WebSocket } from 'ws';
import type { SchemaStore } from '../../core/engine/store/schema-store.js';
import { type ServiceError, serviceError } from '../../core/errors/service-error.js';
import type { Groups } from '../../service/events/groups.js';
import { Subscription, type SubscriptionOptions } from '../../service/events/subscription.js';
import { boundFirstBytes } from './first-bytes.js';
import type { Credentials, Identity } from './identity.js';
import type { Place } from './open-connections.js';
import { PacedSender } from './paced-sender.js';
import type { SendTurns } from './send-turns.js';

interface ConnectionLimits {
  /** The number of subscriptions of one connection. */
  readonly subscriptions: number;
  /** The number of characters that may wait for a slow client. */
  readonly waiting: number;
  /** Time to authenticate, at the beginning and after a token has expired. */
  readonly authTimeoutMs: number;
}

export interface ConnectionDeps {
  readonly groups: Groups;
  readonly store: SchemaStore;
  readonly limits: ConnectionLimits;
  readonly sends: SendTurns;
  readonly log: FastifyBaseLogger;
}

/** A handshake that was accepted. */
export interface AcceptedSocket {
  readonly socket: WebSocket;
  /** What the socket reads from. */
  readonly stream: Duplex;
  readonly identity: Identity;
  /** Freed when the socket has closed. */
  readonly place: Place;
}

/** What a protocol does when the identity changes. */
export interface IdentityEvents {
  /** The token has expired or the session has ended. The caller is the public now, and subscriptions are paused until a new authentication. */
  readonly onExpired: () => void;
  /** The client has not authenticated in time. Returns whether the connection continues as the public. */
  readonly onTimeout: () => boolean;
}

/** `later`: the client reads too slowly, its user has too many connections, or the database is away. All are temporary, so the client may reconnect. */
export const closeCodes = { goingAway: 1001, policy: 1008, tooLarge: 1009, later: 1013 } as const;

const maxTimerMs = 2 ** 31 - 1;
const retryMs = 1_000;
/** Long enough for a slow client to reach the closing frame. */
const closeGraceMs = 10_000;
/** What a flooding client still sends is not read, its answer to the closing frame included. */
const floodGraceMs = 500;
/** Messages, and characters of messages, that wait while an earlier one is handled; beyond that the socket is not read. */
const maxQueued = 64;
const maxQueuedSize = 1_000_000;
/** The number of bytes a close frame has for its reason. With a longer one `ws` throws and the socket stays open. */
const maxReason = 123;

export class Connection {
  readonly identity: Identity;
  readonly subscriptions = new Map<string | symbol, Subscription>();
  readonly #deps: ConnectionDeps;
  readonly #place: Place;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #sender: PacedSender;
  readonly #events: IdentityEvents;
  readonly #unsubscribe: () => void;
  #chain: Promise<void> = Promise.resolve();
  /** Apart from the messages: a client that does not read must not delay the end of its rights. */
  #identityChain: Promise<void> = Promise.resolve();
  #queued = 0;
  #queuedSize = 0;
  #stop: AbortController | null = null;
  #expiry: NodeJS.Timeout | null = null;
  #deadline: NodeJS.Timeout | null = null;
  #isRenewing = false;
  #mustRenew = false;
  #liftBound: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: ConnectionDeps, { socket, stream, identity, place }: AcceptedSocket, events: IdentityEvents) {
    this.#deps = deps;
    this.#place = place;
    this.#socket = socket;
    this.#stream = stream;
    this.identity = identity;
    this.#events = events;
    this.#sender = new PacedSender(socket, {
      turns: deps.sends,
      maxWaiting: deps.limits.waiting,
      onOverflow: () => this.end(closeCodes.later, 'The client reads too slowly.'),
      onWaiting: (size) => place.wait(size, () => this.#cut()),
    });
    this.#unsubscribe = deps.store.subscribe(() => this.renew());
    const count = (): void => {
      if (!this.#isClosed && !place.takesMessage()) this.#endFlood();
    };
    socket.on('message', count).on('ping', count).on('pong', count);
    socket.on('close', () => this.#release());
    socket.on('error', () => undefined);
    this.watchExpiry();
    // Rights may have changed since the handshake was authenticated.
    this.renew();
  }

  /** Bounds what the client may send until it is `proven`. */
  boundFirstBytes(): void {
    this.#liftBound = boundFirstBytes(this.#stream, () => this.end(closeCodes.tooLarge, 'Authenticate first.'));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The user whom it counts for; the public counts by address. */
  get owner(): string {
    return this.#place.owner;
  }

  /** Aborted when the connection has ended: nobody waits for what is read then. Made on first use, since most connections only listen. */
  get signal(): AbortSignal {
    this.#stop ??= new AbortController();
    if (this.#isClosed) this.#stop.abort();
    return this.#stop.signal;
  }

  send(message: unknown): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(text: string): void {
    if (!this.#isClosed) this.#sender.send(text);
  }

  /** Handles messages one after the other; a client that sends faster waits. */
  inTurn(size: number, act: () => Promise<void>): void {
    this.#queued += 1;
    this.#queuedSize += size;
    if (this.#isBehind) this.#socket.pause();
    this.#chain = this.#chain
      .then(async () => {
        await this.#sender.drained();
        // Messages that arrive after a change of rights are handled with the new rights.
        await this.#identityChain;
        if (!this.#isClosed) await act();
      })
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'a realtime message failed'))
      .finally(() => {
        this.#queued -= 1;
        this.#queuedSize -= size;
        if (!this.#isBehind && this.#socket.isPaused) this.#socket.resume();
      });
  }

  /**
   * Whether the client's answers to pings cannot arrive because its earlier messages are still being handled. A client that has taken
   * nothing for this time delays them itself.
   */
  isCatchingUp(withinMs: number): boolean {
    return this.#socket.isPaused && this.#sender.isTaken(withinMs);
  }

  get #isBehind(): boolean {
    return this.#queued >= maxQueued || this.#queuedSize >= maxQueuedSize;
  }

  #apart(act: () => Promise<void>): void {
    this.#identityChain = this.#identityChain
      .then(async () => {
        if (!this.#isClosed) await act();
      })
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'the caller of a realtime connection could not be renewed');
        this.end(closeCodes.policy);
      });
  }

  /** Closes the connection after everything that was sent so far. */
  async close(code?: number, reason?: string): Promise<void> {
    await this.#sender.finish();
    this.end(code, reason);
  }

  /** Closes the connection; what still waits is dropped. */
  end(code?: number, reason?: string): void {
    this.#release();
    if (code === undefined) this.#socket.close();
    else this.#socket.close(code, shorten(reason));
    // A client that does not read does not answer the closing frame either.
    setTimeout(() => this.#socket.terminate(), closeGraceMs).unref();
  }

  /** What is on its way through the socket goes, too. */
  #cut(): void {
    this.#release();
    this.#socket.terminate();
  }

  #endFlood(): void {
    this.end(closeCodes.policy, 'The client sends too many messages.');
    this.#socket.pause();
    setTimeout(() => this.#socket.terminate(), floodGraceMs).unref();
  }

  #release(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sender.stop();
    this.#stop?.abort();
    this.#liftBound();
    this.#unsubscribe();
    for (const timer of [this.#expiry, this.#deadline]) if (timer !== null) clearTimeout(timer);
    for (const name of [...this.subscriptions.keys()]) this.remove(name);
  }

  /** Adds a subscription that is not started yet, in place of one of the same name. */
  add(name: string | symbol, options: SubscriptionOptions): Subscription {
    this.remove(name);
    // If the client disconnected while its message was read, nothing would ever stop the subscription.
    if (this.#isClosed) throw serviceError('SERVICE_UNAVAILABLE', 'The connection is closed.', { service: 'realtime' });
    if (this.subscriptions.size >= this.#deps.limits.subscriptions)
      throw serviceError('REQUESTS_EXCEEDED', `A connection can have at most ${this.#deps.limits.subscriptions} subscriptions.`, {
        limit: this.#deps.limits.subscriptions,
      });
    this.#place.addSubscription();
    const subscription = new Subscription(this.#deps.groups, () => this.#place.owner, options);
    this.subscriptions.set(name, subscription);
    return subscription;
  }

  remove(name: string | symbol): void {
    const subscription = this.subscriptions.get(name);
    if (subscription === undefined) return;
    subscription.stop();
    this.subscriptions.delete(name);
    this.#place.removeSubscription();
  }

  /** Authenticates again; resolves to the refresh token, if the credentials gave one. A failure leaves the public. */
  async prove(credentials: Credentials): Promise<string | null> {
    try {
      return await this.identity.prove(credentials);
    } catch (error) {
      await this.#forget();
      throw error;
    }
  }

  /** Without the rights of the public, which an outage may hide, the connection would keep those of its former caller. */
  async #forget(): Promise<void> {
    try {
      await this.identity.forget();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'a realtime connection is closed, as the rights of the public could not be looked up');
      this.end(closeCodes.later, 'The service is not available.');
    }
  }

  /** Call it after a successful authentication. Returns why the connection is refused to this user; null: it is not. */
  changeOwner(): ServiceError | null {
    return this.#place.changeOwner();
  }

  /** After a successful authentication. */
  async proven(): Promise<void> {
    this.#liftBound();
    this.#clearDeadline();
    this.watchExpiry();
    await this.#renewSubscriptions();
  }

  watchExpiry(): void {
    if (this.#expiry !== null) clearTimeout(this.#expiry);
    const { endsAt } = this.identity;
    if (endsAt === Number.POSITIVE_INFINITY || this.#isClosed) return;
    const check = async (): Promise<void> => {
      if (this.identity.endsAt <= Date.now()) await this.#expire();
      else this.watchExpiry();
    };
    this.#expiry = setTimeout(() => this.#apart(check), Math.min(maxTimerMs, endsAt - Date.now())).unref();
  }

  /** Starts the time in which the client has to authenticate. */
  startDeadline(): void {
    this.#clearDeadline();
    this.#deadline = setTimeout(() => this.#timeOut(), this.#deps.limits.authTimeoutMs).unref();
  }

  #clearDeadline(): void {
    if (this.#deadline !== null) clearTimeout(this.#deadline);
    this.#deadline = null;
  }

  #timeOut(): void {
    this.#deadline = null;
    if (this.#events.onTimeout()) void this.#renewSubscriptions();
  }

  /** Call it when rights, sessions or the structure have changed. */
  renew(): void {
    this.#mustRenew = true;
    for (const subscription of this.subscriptions.values()) subscription.hold();
    if (this.#isRenewing || this.#isClosed) return;
    this.#isRenewing = true;
    this.#apart(async () => {
      this.#isRenewing = false;
      if (this.#mustRenew) await this.#lookUpAgain();
    });
  }

  async #lookUpAgain(): Promise<void> {
    try {
      // Not before its turn: where rights change more often than turns come, every lookup would be outdated.
      const isValid = await this.identity.renew(() => {
        this.#mustRenew = false;
      });
      // Rights have changed again during the lookup, and the next one has started.
      if (isValid && this.#mustRenew) return;
      if (!isValid) await this.#expire();
      else if (this.#deadline === null) await this.#renewSubscriptions();
    } catch (error) {
      // Whether the caller still has its rights is unknown, so subscriptions are paused until a lookup succeeds.
      this.#pause();
      this.#deps.log.warn({ err: error }, 'the caller of a realtime connection could not be looked up');
      setTimeout(() => this.renew(), retryMs).unref();
    }
  }

  #pause(): void {
    for (const subscription of this.subscriptions.values()) subscription.pause();
  }

  async #expire(): Promise<void> {
    this.#pause();
    await this.#forget();
    if (this.#isClosed) return;
    this.startDeadline();
    this.#events.onExpired();
  }

  async #renewSubscriptions(): Promise<void> {
    const { caller } = this.identity;
    await Promise.all([...this.subscriptions.values()].map((subscription) => subscription.renew(caller)));
  }
}

/** Cuts the reason to whole characters that fit into a close frame. */
function shorten(reason = ''): Buffer {
  const room = Buffer.alloc(maxReason);
  return room.subarray(0, room.write(reason));
}
