// GraphQL over a WebSocket at /graphql, by the protocol graphql-transport-ws: subscriptions to the events of a collection, and queries and
// mutations, which run as they would over HTTP.

import type { Caller } from '../../core/access/view.js';
import type { Key } from '../../core/engine/work/work.js';
import { type ServiceError, serviceError } from '../../core/errors/service-error.js';
import { isNestedTooDeeply } from '../../core/util/json-nesting.js';
import { isPlainObject, type PlainObject } from '../../core/util/plain-object.js';
import { tryParseJson } from '../../core/util/try-parse-json.js';
import { addressKey, type Limiter } from '../../service/auth/limits/limiter.js';
import type { GroupEvent } from '../../service/events/event-log.js';
import type { Joined } from '../../service/events/follower.js';
import type { Question } from '../../service/events/list-reading.js';
import { type AcceptedSocket, Connection, type ConnectionDeps, closeCodes } from './connection.js';
import { watchHeartbeat } from './heartbeat.js';
import type { Identity } from './identity.js';
import type { AuthMode } from './socket-protocol.js';

/** A subscription operation after compiling. */
interface EventsOperation extends Question {
  readonly event: string | null;
  readonly since: string | null;
  write(event: { readonly kind: string; readonly key: Key; readonly data: string | null; readonly cursor: () => string }): string;
}

export interface GraphqlSocketDeps extends ConnectionDeps {
  readonly mode: AuthMode;
  readonly limiter: Limiter;
  /** null: no heartbeat. */
  readonly heartbeatMs: number | null;
  /** null: the operation is a query or a mutation. */
  readonly prepare: (caller: Caller, payload: unknown) => Promise<EventsOperation | null>;
  /** Runs any other operation as this caller and resolves to the JSON text of the answer. A query ends when `signal` aborts. */
  readonly run: (identity: Identity, payload: unknown, signal: AbortSignal) => Promise<string>;
  readonly renewing: <T>(caller: Caller, act: (caller: Caller) => Promise<T>) => Promise<T>;
  readonly explain: (error: unknown) => ServiceError;
}

export const graphqlProtocol = 'graphql-transport-ws';

const codes = { badRequest: 4400, forbidden: 4403, notAcceptable: 4406, exists: 4409, tooManyInits: 4429 } as const;

/** The length of the answer to a ping, which carries its payload: the WebSocket protocol allows its own pings 125 bytes. */
const maxPong = 150;

const missed = (): ServiceError =>
  serviceError('SERVICE_UNAVAILABLE', 'Changes were missed: read the items again and subscribe anew.', { service: 'realtime' });

export class GraphqlProtocol {
  readonly #deps: GraphqlSocketDeps;
  readonly #connection: Connection;
  #isReady = false;
  /** Operations under way, by the client's id. */
  readonly #running = new Set<string>();

  constructor(deps: GraphqlSocketDeps, accepted: AcceptedSocket) {
    const { socket } = accepted;
    this.#deps = deps;
    this.#connection = new Connection(deps, accepted, {
      onExpired: () => this.#refuse(codes.forbidden, 'Forbidden'),
      onTimeout: () => {
        this.#refuse(codes.forbidden, 'Forbidden');
        return false;
      },
    });
    if (socket.protocol !== graphqlProtocol) {
      this.#refuse(codes.notAcceptable, 'Subprotocol not acceptable');
      return;
    }
    this.#connection.startDeadline();
    this.#connection.boundFirstBytes();
    watchHeartbeat(socket, {
      periodMs: deps.heartbeatMs,
      // Clients answer these by themselves.
      ping: () => socket.ping(),
      isExcused: (periodMs) => this.#connection.isCatchingUp(periodMs),
      onSilence: () => this.#refuse(closeCodes.goingAway, 'The client shows no sign of life.'),
    });
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? '' : String(data);
      this.#connection.inTurn(text.length, () => this.#receive(text));
    });
  }

  #refuse(code: number, reason: string): void {
    this.#connection.end(code, reason);
  }

  async #receive(text: string): Promise<void> {
    const message = isNestedTooDeeply(text) ? null : tryParseJson(text);
    const { type, id, payload }: PlainObject = isPlainObject(message) ? message : {};
    switch (type) {
      case 'connection_init':
        return this.#begin(payload);
      case 'ping':
        return this.#answerPing(payload);
      case 'pong':
        return;
      case 'subscribe':
        return this.#subscribe(id, payload);
      case 'complete':
        if (typeof id === 'string') this.#stop(id);
        return;
      default:
        this.#refuse(codes.badRequest, 'Invalid message received');
    }
  }

  #answerPing(payload: unknown): void {
    const answer = JSON.stringify({ type: 'pong', ...(payload === undefined ? {} : { payload }) });
    if (answer.length > maxPong) this.#refuse(codes.badRequest, 'The payload of a ping is too long');
    else this.#connection.sendText(answer);
  }

  async #begin(payload: unknown): Promise<void> {
    if (this.#isReady) {
      this.#refuse(codes.tooManyInits, 'Too many initialisation requests');
      return;
    }
    if (!(await this.#prove(payload))) {
      this.#refuse(codes.forbidden, 'Forbidden');
      return;
    }
    const refusal = this.#connection.changeOwner();
    if (refusal !== null) {
      this.#refuse(closeCodes.later, refusal.message);
      return;
    }
    await this.#connection.proven();
    this.#isReady = true;
    this.#connection.send({ type: 'connection_ack' });
  }

  async #prove(payload: unknown): Promise<boolean> {
    const { identity } = this.#connection;
    const token = isPlainObject(payload) ? payload.access_token : undefined;
    if (typeof token !== 'string') return identity.isKnown || this.#deps.mode === 'public';
    try {
      await this.#connection.prove({ kind: 'token', token });
      return true;
    } catch {
      return false;
    }
  }

  async #subscribe(id: unknown, payload: unknown): Promise<void> {
    if (typeof id !== 'string' || id === '' || !isPlainObject(payload)) this.#refuse(codes.badRequest, 'Invalid message received');
    else if (!this.#isReady) this.#refuse(codes.forbidden, 'Forbidden');
    else if (this.#running.has(id)) this.#refuse(codes.exists, `Subscriber for ${id.slice(0, 60)} already exists`);
    else await this.#start(id, payload);
  }

  async #start(id: string, payload: PlainObject): Promise<void> {
    this.#running.add(id);
    try {
      const operation = mayFollow(payload) ? await this.#prepare(payload) : null;
      if (operation === null) await this.#runOnce(id, payload);
      else await this.#follow(id, operation);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Counts the message against the limit of requests; operations that run over HTTP are counted there. */
  async #prepare(payload: PlainObject): Promise<EventsOperation | null> {
    const { caller, client } = this.#connection.identity;
    await this.#deps.limiter.take('request', caller.accountability.user ?? addressKey(client.ip));
    return this.#deps.prepare(this.#connection.identity.caller, payload);
  }

  async #runOnce(id: string, payload: PlainObject): Promise<void> {
    const text = await this.#deps.run(this.#connection.identity, payload, this.#connection.signal);
    if (!this.#running.has(id)) return;
    this.#connection.sendText(`{"id":${JSON.stringify(id)},"type":"next","payload":${text}}`);
    this.#complete(id);
  }

  async #follow(id: string, operation: EventsOperation): Promise<void> {
    const { collection, parsed, keys, event: wanted, since } = operation;
    const onEvent = (event: GroupEvent): void => {
      if (event.kind === 'reset') this.#fail(id, missed());
      else if (wanted === null || wanted === event.kind) this.#sendEvent(id, operation, event);
    };
    const question = { collection, parsed, keys };
    const subscription = this.#connection.add(id, { question, onEvent, onEnd: (error) => this.#fail(id, error) });
    const start = (caller: Caller): Promise<Joined> => subscription.start(caller, { since, withItems: false });
    const joined = await this.#deps.renewing(this.#connection.identity.caller, start);
    if (joined.kind === 'resumed') for (const event of joined.events) onEvent(event);
    else if (since !== null) throw missed();
    subscription.open();
  }

  /** One message per item. */
  #sendEvent(id: string, operation: EventsOperation, event: GroupEvent): void {
    const { kind, items, keys } = event;
    for (const [index, key] of keys.entries()) {
      const payload = operation.write({ kind, key, data: items[index]?.text ?? null, cursor: () => event.cursorAfter(index + 1) });
      this.#connection.sendText(`{"id":${JSON.stringify(id)},"type":"next","payload":${payload}}`);
    }
  }

  #fail(id: string, error: unknown): void {
    this.#stop(id);
    if (this.#connection.isClosed) return;
    const { entries } = this.#deps.explain(error);
    const payload = entries.map(({ message, code, extensions }) => ({ message, extensions: { ...extensions, code } }));
    this.#connection.send({ id, type: 'error', payload });
  }

  #complete(id: string): void {
    this.#stop(id);
    this.#connection.send({ id, type: 'complete' });
  }

  #stop(id: string): void {
    this.#running.delete(id);
    this.#connection.remove(id);
  }
}

/** A document without this word contains no subscription. */
const mayFollow = ({ query }: PlainObject): boolean => typeof query === 'string' && query.includes('subscription');
