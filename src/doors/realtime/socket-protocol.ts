// The WebSocket at /websocket, as the client package speaks it: JSON messages `auth`, `ping`, `items`, `subscribe`,
// `unsubscribe`, and `presence`, which is ours.

import type { WebSocket } from 'ws';
import type { Caller } from '../../core/access/view.js';
import { forbidden, invalidPayload, type ServiceError } from '../../core/errors/service-error.js';
import type { PlainObject } from '../../core/util/plain-object.js';
import { readEmail } from '../../service/auth/email.js';
import { addressKey, type Limiter } from '../../service/auth/limits/limiter.js';
import type { Joined } from '../../service/events/follower.js';
import { Presence } from '../../service/events/presence.js';
import type { PresenceBoard } from '../../service/events/presence-board.js';
import type { PresenceReadings } from '../../service/events/presence-readings.js';
import { type AcceptedSocket, Connection, type ConnectionDeps, closeCodes } from './connection.js';
import { watchHeartbeat } from './heartbeat.js';
import type { Credentials } from './identity.js';
import { runItemsMessage, type SocketItemsDeps } from './socket-items.js';
import { errorMessage, type Message, MessageError, readMessage, type Uid, withUid } from './socket-message.js';
import { readPresence, readPresenceAction, readSubscription, SubscriptionWriter } from './socket-subscription.js';

/** `strict`: a token at the upgrade; `handshake`: the first message authenticates; `public`: any time, or never. */
export type AuthMode = 'public' | 'handshake' | 'strict';

export interface SocketDeps extends ConnectionDeps {
  readonly items: SocketItemsDeps;
  readonly board: PresenceBoard;
  readonly readings: PresenceReadings;
  readonly limiter: Limiter;
  readonly mode: AuthMode;
  /** null: no heartbeat. */
  readonly heartbeatMs: number | null;
  /** Runs `act`, and once more with a caller of the present structure if it fails because the structure has changed. */
  readonly renewing: <T>(caller: Caller, act: (caller: Caller) => Promise<T>) => Promise<T>;
  /** The error that clients may see. Logs an unforeseen one. */
  readonly explain: (error: unknown) => ServiceError;
}

/** Messages up to this length are parsed before they are counted as requests. */
const maxUncounted = 4_096;

export class SocketProtocol {
  readonly #deps: SocketDeps;
  readonly #socket: WebSocket;
  readonly #connection: Connection;
  #isProven: boolean;

  constructor(deps: SocketDeps, accepted: AcceptedSocket) {
    const { socket, identity } = accepted;
    this.#deps = deps;
    this.#socket = socket;
    this.#isProven = deps.mode === 'public' || identity.isKnown;
    this.#connection = new Connection(deps, accepted, {
      onExpired: () => this.#sendError('auth', new MessageError('TOKEN_EXPIRED', 'Token expired.'), null),
      onTimeout: () => this.#timeOut(),
    });
    if (this.#isProven) this.#startHeartbeat();
    else {
      this.#connection.startDeadline();
      this.#connection.boundFirstBytes();
    }
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? '' : String(data);
      this.#connection.inTurn(text.length, () => this.#receive(text));
    });
  }

  get connection(): Connection {
    return this.#connection;
  }

  async #receive(text: string): Promise<void> {
    // A large message is parsed only if it is within the limit, and is then refused without its uid.
    const isLarge = text.length > maxUncounted;
    if (this.#isProven && isLarge && !(await this.#mayContinue(null))) return;
    const message = readMessage(text);
    if (!this.#isProven) return this.#shakeHands(message);
    if (message instanceof MessageError) this.#sendError('server', message, message.uid);
    else if (message.type !== 'pong' && (isLarge || (await this.#mayContinue(message.uid)))) await this.#handleOrRefuse(message);
  }

  /** Counts the message against the limit of requests. */
  async #mayContinue(uid: Uid): Promise<boolean> {
    const { caller, client } = this.#connection.identity;
    try {
      await this.#deps.limiter.take('request', caller.accountability.user ?? addressKey(client.ip));
      return true;
    } catch (error) {
      this.#sendError('server', this.#deps.explain(error), uid);
      return false;
    }
  }

  async #handleOrRefuse(message: Message): Promise<void> {
    try {
      await this.#handle(message);
    } catch (error) {
      this.#sendError(message.type, error instanceof MessageError ? error : this.#deps.explain(error), message.uid);
    }
  }

  /** Messages of unknown types are ignored, as other servers of this protocol do. */
  async #handle({ type, uid, body }: Message): Promise<void> {
    switch (type) {
      case 'ping':
        this.#connection.send({ type: 'pong', ...withUid(uid) });
        return;
      case 'auth':
        return this.#authenticate(body, uid);
      case 'items':
        return this.#items(body, uid);
      case 'subscribe':
        return this.#subscribe(body, uid);
      case 'unsubscribe':
        this.#unsubscribe(uid);
        return;
      case 'presence':
        return this.#presence(body, uid);
    }
  }

  async #shakeHands(message: Message | MessageError): Promise<void> {
    if (message instanceof MessageError || message.type !== 'auth') return this.#refuseHandshake();
    try {
      if (!(await this.#prove(message.body, message.uid))) return;
      this.#isProven = true;
      this.#startHeartbeat();
    } catch {
      await this.#refuseHandshake();
    }
  }

  async #refuseHandshake(): Promise<void> {
    this.#sendError('auth', new MessageError('AUTH_FAILED', 'Authentication handshake failed.'), null);
    await this.#connection.close();
  }

  async #authenticate(body: PlainObject, uid: Uid): Promise<void> {
    try {
      await this.#prove(body, uid);
    } catch {
      this.#sendError('auth', new MessageError('AUTH_FAILED', 'Authentication failed.'), uid);
      if (this.#deps.mode !== 'public') return this.#connection.close();
      await this.#connection.proven();
    }
  }

  /** False if the user has too many connections, in which case this one is closed. */
  async #prove(body: PlainObject, uid: Uid): Promise<boolean> {
    const refresh_token = await this.#connection.prove(readCredentials(body));
    const refusal = this.#connection.changeOwner();
    if (refusal !== null) {
      this.#sendError('auth', refusal, uid);
      await this.#connection.close(closeCodes.later, refusal.message);
      return false;
    }
    this.#connection.send({ type: 'auth', status: 'ok', ...withUid(uid), ...(refresh_token === null ? {} : { refresh_token }) });
    await this.#connection.proven();
    return true;
  }

  #timeOut(): boolean {
    if (this.#deps.mode === 'public') return true;
    const error = this.#isProven
      ? new MessageError('AUTH_TIMEOUT', 'Authentication timed out.')
      : new MessageError('AUTH_FAILED', 'Authentication handshake failed.');
    this.#sendError('auth', error, null);
    void this.#connection.close();
    return false;
  }

  async #items(body: PlainObject, uid: Uid): Promise<void> {
    const { caller } = this.#connection.identity;
    const signal = (): AbortSignal => this.#connection.signal;
    const members = await this.#deps.renewing(caller, (current) => runItemsMessage(this.#deps.items, current, body, signal));
    this.#connection.sendText(`{"type":"items",${members}${uid === null ? '' : `,"uid":${JSON.stringify(uid)}`}}`);
  }

  async #subscribe(body: PlainObject, uid: Uid): Promise<void> {
    const asked = readSubscription(body, uid, this.#deps.items.limits);
    const name = uid === null ? Symbol('subscription') : subscriptionName(uid);
    const writer = new SubscriptionWriter(asked, (text) => this.#connection.sendText(text));
    const onEnd = (error: unknown): void => {
      this.#connection.remove(name);
      writer.end(this.#deps.explain(error));
    };
    const subscription = this.#connection.add(name, { question: asked.question, onEvent: (event) => writer.send(event), onEnd });
    try {
      const start = (caller: Caller): Promise<Joined> =>
        subscription.start(caller, { since: asked.since, withItems: asked.event === null || asked.isSingle });
      writer.begin(await this.#deps.renewing(this.#connection.identity.caller, start));
      subscription.open();
    } catch (error) {
      this.#connection.remove(name);
      throw error;
    }
  }

  async #presence(body: PlainObject, uid: Uid): Promise<void> {
    const name = uid === null ? 'presence' : `presence ${uid}`;
    if (readPresenceAction(body) === 'leave') {
      this.#connection.remove(name);
      this.#connection.send({ type: 'presence', action: 'leave', ...withUid(uid) });
      return;
    }
    const { items, board, readings, explain, log } = this.#deps;
    const caller = (): Caller => this.#connection.identity.caller;
    const question = readPresence(caller(), body, items.limits);
    const presence = new Presence(
      {
        board,
        readings,
        owner: () => this.#connection.owner,
        caller,
        send: (state) => this.#connection.send({ type: 'presence', collection: question.collection, ...state, ...withUid(uid) }),
        onEnd: (error) => {
          this.#connection.remove(name);
          this.#sendError('presence', explain(error), uid);
        },
        report: (error) => log.warn({ err: error }, 'who else has an item open could not be sent'),
      },
      question,
    );
    const subscription = this.#connection.add(name, presence.options);
    try {
      const start = (current: Caller): Promise<Joined> => subscription.start(current, { since: null, withItems: true });
      if (!presence.begin(await this.#deps.renewing(caller(), start))) throw forbidden();
      subscription.open();
    } catch (error) {
      this.#connection.remove(name);
      throw error;
    }
  }

  #unsubscribe(uid: Uid): void {
    const names = uid === null ? [...this.#connection.subscriptions.keys()] : [subscriptionName(uid)];
    for (const name of names) this.#connection.remove(name);
    this.#connection.send({ type: 'subscription', event: 'unsubscribe', ...withUid(uid) });
  }

  #startHeartbeat(): void {
    watchHeartbeat(this.#socket, {
      periodMs: this.#deps.heartbeatMs,
      ping: () => this.#connection.send({ type: 'ping' }),
      isExcused: (periodMs) => this.#connection.isCatchingUp(periodMs),
      onSilence: () => this.#connection.end(closeCodes.goingAway),
    });
  }

  #sendError(type: string, error: MessageError | ServiceError, uid: Uid): void {
    this.#connection.send(errorMessage(type, error, uid));
  }
}

/** Subscriptions and presences of a connection are kept together, and a client may use the same `uid` for both. */
const subscriptionName = (uid: string | number): string => `subscription ${uid}`;

function readCredentials({ access_token, refresh_token, email, password }: PlainObject): Credentials {
  if (typeof access_token === 'string') return { kind: 'token', token: access_token };
  if (typeof refresh_token === 'string') return { kind: 'refresh', token: refresh_token };
  const address = typeof email === 'string' ? readEmail(email) : null;
  if (address !== null && typeof password === 'string') return { kind: 'password', email: address, password };
  throw invalidPayload('"access_token", "refresh_token" or "email" and "password" are required.');
}
