// The WebSocket at /websocket, as the client package speaks it: JSON messages `auth`, `ping`, `items`, `subscribe`,
// `unsubscribe`, and `presence`, which is ours.

import type { Caller } from '../../core/access/view.js';
import { forbidden, invalidPayload, type ServiceError } from '../../core/errors/service-error.js';
import type { PlainObject } from '../../core/util/plain-object.js';
import { readEmail } from '../../service/auth/email.js';
import { addressKey, type Limiter } from '../../service/auth/limits/limiter.js';
import type { Joined } from '../../service/events/group.js';
import { Presence } from '../../service/events/presence.js';
import type { PresenceBoard } from '../../service/events/presence-board.js';
import { type AcceptedSocket, Connection, type ConnectionDeps, closeCodes } from './connection.js';
import type { Credentials } from './identity.js';
import { runItemsMessage, type SocketItemsDeps } from './socket-items.js';
import { errorMessage, type Message, MessageError, readMessage, type Uid, withUid } from './socket-message.js';
import { readPresence, readPresenceAction, readSubscription, SubscriptionTeller } from './socket-subscription.js';

/** `strict`: a token at the upgrade; `handshake`: the first message authenticates; `public`: any time, or never. */
export type AuthMode = 'public' | 'handshake' | 'strict';

export interface SocketDeps extends ConnectionDeps {
  readonly items: SocketItemsDeps;
  readonly board: PresenceBoard;
  readonly limiter: Limiter;
  readonly mode: AuthMode;
  /** null: no heartbeat. */
  readonly heartbeatMs: number | null;
  /** Runs `act`, and once more with a caller of the present structure if it fails because the structure has changed. */
  readonly renewing: <T>(caller: Caller, act: (caller: Caller) => Promise<T>) => Promise<T>;
  /** The error that clients may see. Logs an unforeseen one. */
  readonly explain: (error: unknown) => ServiceError;
}

export class SocketProtocol {
  readonly #deps: SocketDeps;
  readonly #connection: Connection;
  #isProven: boolean;
  #isAlive = true;
  #heartbeat: NodeJS.Timeout | null = null;

  constructor(deps: SocketDeps, accepted: AcceptedSocket) {
    const { socket, identity } = accepted;
    this.#deps = deps;
    this.#isProven = deps.mode === 'public' || identity.isKnown;
    this.#connection = new Connection(deps, accepted, {
      onExpired: () => this.#tell('auth', new MessageError('TOKEN_EXPIRED', 'Token expired.'), null),
      onTimeout: () => this.#timeOut(),
    });
    if (this.#isProven) this.#startHeartbeat();
    else this.#connection.startDeadline();
    socket.on('message', (data, isBinary) => {
      this.#isAlive = true;
      const text = isBinary ? '' : String(data);
      this.#connection.inTurn(text.length, () => this.#receive(text));
    });
    socket.on('close', () => {
      if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    });
  }

  get connection(): Connection {
    return this.#connection;
  }

  async #receive(text: string): Promise<void> {
    const message = readMessage(text);
    if (!this.#isProven) return this.#shakeHands(message);
    if (message instanceof MessageError) this.#tell('server', message, message.uid);
    else if (message.type !== 'pong' && (await this.#mayContinue(message.uid))) await this.#handleOrRefuse(message);
  }

  /** Counts the message against the limit of requests. */
  async #mayContinue(uid: Uid): Promise<boolean> {
    const { caller, client } = this.#connection.identity;
    try {
      await this.#deps.limiter.take('request', caller.accountability.user ?? addressKey(client.ip));
      return true;
    } catch (error) {
      this.#tell('server', this.#deps.explain(error), uid);
      return false;
    }
  }

  async #handleOrRefuse(message: Message): Promise<void> {
    try {
      await this.#handle(message);
    } catch (error) {
      this.#tell(message.type, error instanceof MessageError ? error : this.#deps.explain(error), message.uid);
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
    this.#tell('auth', new MessageError('AUTH_FAILED', 'Authentication handshake failed.'), null);
    await this.#connection.close();
  }

  async #authenticate(body: PlainObject, uid: Uid): Promise<void> {
    try {
      await this.#prove(body, uid);
    } catch {
      this.#tell('auth', new MessageError('AUTH_FAILED', 'Authentication failed.'), uid);
      if (this.#deps.mode !== 'public') return this.#connection.close();
      await this.#connection.proven();
    }
  }

  /** False if the user has too many connections, in which case this one is closed. */
  async #prove(body: PlainObject, uid: Uid): Promise<boolean> {
    const refresh_token = await this.#connection.identity.prove(readCredentials(body));
    const refusal = this.#connection.changeOwner();
    if (refusal !== null) {
      this.#tell('auth', refusal, uid);
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
    this.#tell('auth', error, null);
    void this.#connection.close();
    return false;
  }

  async #items(body: PlainObject, uid: Uid): Promise<void> {
    const { caller } = this.#connection.identity;
    const members = await this.#deps.renewing(caller, (current) => runItemsMessage(this.#deps.items, current, body));
    this.#connection.sendText(`{"type":"items",${members}${uid === null ? '' : `,"uid":${JSON.stringify(uid)}`}}`);
  }

  async #subscribe(body: PlainObject, uid: Uid): Promise<void> {
    const asked = readSubscription(body, uid, this.#deps.items.limits);
    const name = uid ?? Symbol('subscription');
    const teller = new SubscriptionTeller(asked, (text) => this.#connection.sendText(text));
    const onEnd = (error: unknown): void => {
      this.#connection.remove(name);
      teller.end(this.#deps.explain(error));
    };
    const subscription = this.#connection.add(name, { question: asked.question, onEvent: (event) => teller.tell(event), onEnd });
    try {
      const start = (caller: Caller): Promise<Joined> =>
        subscription.start(caller, { since: asked.since, withItems: asked.event === null || asked.isSingle });
      teller.begin(await this.#deps.renewing(this.#connection.identity.caller, start));
      subscription.open();
    } catch (error) {
      this.#connection.remove(name);
      throw error;
    }
  }

  async #presence(body: PlainObject, uid: Uid): Promise<void> {
    const name = `presence ${uid ?? ''}`;
    if (readPresenceAction(body) === 'leave') {
      this.#connection.remove(name);
      this.#connection.send({ type: 'presence', action: 'leave', ...withUid(uid) });
      return;
    }
    const { items, board, explain, log } = this.#deps;
    const caller = (): Caller => this.#connection.identity.caller;
    const question = readPresence(caller(), body, items.limits);
    const presence = new Presence(
      {
        board,
        reader: items.reader,
        work: items.work,
        caller,
        tell: (told) => this.#connection.send({ type: 'presence', collection: question.collection, ...told, ...withUid(uid) }),
        onEnd: (error) => {
          this.#connection.remove(name);
          this.#tell('presence', explain(error), uid);
        },
        report: (error) => log.warn({ err: error }, 'a connection could not be told who has an item open'),
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
    for (const name of uid === null ? [...this.#connection.subscriptions.keys()] : [uid]) this.#connection.remove(name);
    this.#connection.send({ type: 'subscription', event: 'unsubscribe', ...withUid(uid) });
  }

  /** Any message of the client counts as a sign of life. */
  #startHeartbeat(): void {
    const { heartbeatMs } = this.#deps;
    if (heartbeatMs === null) return;
    this.#heartbeat = setInterval(() => {
      if (this.#isAlive) this.#connection.send({ type: 'ping' });
      else this.#connection.end(closeCodes.goingAway);
      this.#isAlive = false;
    }, heartbeatMs).unref();
  }

  #tell(type: string, error: MessageError | ServiceError, uid: Uid): void {
    this.#connection.send(errorMessage(type, error, uid));
  }
}

function readCredentials({ access_token, refresh_token, email, password }: PlainObject): Credentials {
  if (typeof access_token === 'string') return { kind: 'token', token: access_token };
  if (typeof refresh_token === 'string') return { kind: 'refresh', token: refresh_token };
  const address = typeof email === 'string' ? readEmail(email) : null;
  if (address !== null && typeof password === 'string') return { kind: 'password', email: address, password };
  throw invalidPayload('"access_token", "refresh_token" or "email" and "password" are required.');
}
