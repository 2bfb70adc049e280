// The one WebSocket of this page, over which the service reports changes of others. It is open while something is followed. After a
// disconnect it reconnects by itself and asks for what it has missed: each message carries a cursor from which the service continues. Where
// no connection can be made, Studio works without it. Knows no framework.

import { serviceUrl } from '../api/service-url.js';

/** What is followed: the items of a query, or one of them. */
interface Followed {
  readonly collection: string;
  readonly item?: string;
  /** Only these; without it all of them, and the present items first. */
  readonly event?: 'create' | 'update' | 'delete';
  readonly query: Readonly<Record<string, unknown>>;
}

/** `init`: the present items, to begin with or because some changes are not known any more; `end`: they may not be followed, with a code that says why. */
interface LiveEvent {
  readonly event: 'init' | 'create' | 'update' | 'delete' | 'end';
  readonly data: unknown;
  /** Changes may have been missed before this. */
  readonly isReset: boolean;
}

type Listener = (event: LiveEvent) => void;

interface Subscription {
  readonly followed: Followed;
  readonly listener: Listener;
  cursor: string | null;
}

/** Who else has an item open: people the user may see, and how many more. */
export interface Present {
  readonly users: readonly PresentUser[];
  readonly others: number;
}

export interface PresentUser {
  readonly id: string;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly email?: string | null;
}

/** An item that is open here. */
interface Visit {
  readonly place: { readonly collection: string; readonly item: string };
  readonly listener: (present: Present) => void;
}

interface Message {
  readonly users?: readonly PresentUser[];
  readonly others?: number;
  readonly type?: string;
  readonly status?: string;
  readonly event?: string;
  readonly uid?: string;
  readonly data?: unknown;
  readonly cursor?: string;
  readonly reset?: boolean;
  readonly error?: { readonly code?: string };
}

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** After this many failed attempts it stops until the page is focused again or follows something else. */
const mostAttempts = 8;
/** How long an unused connection is kept, because the next screen will probably follow something. */
const idleMs = 5000;

class LiveSocket {
  #socket: WebSocket | null = null;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #visits = new Map<string, Visit>();
  #last = 0;
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    addEventListener('online', () => this.#again());
    document.addEventListener('visibilitychange', () => !document.hidden && this.#again());
  }

  /** Returns the function that ends it. */
  follow(followed: Followed, listener: Listener): () => void {
    const uid = this.#nextUid();
    const subscription: Subscription = { followed, listener, cursor: null };
    this.#subscriptions.set(uid, subscription);
    this.#begin(() => this.#subscribe(uid, subscription));
    return () => {
      if (this.#subscriptions.delete(uid)) this.#send({ type: 'unsubscribe', uid });
      if (this.#isIdle) this.#later(idleMs);
    };
  }

  /** Announces that an item is open here, and reports who else has it open. Returns the function that ends it. */
  visit(place: Visit['place'], listener: Visit['listener']): () => void {
    const uid = this.#nextUid();
    this.#visits.set(uid, { place, listener });
    this.#begin(() => this.#enter(uid, place));
    return () => {
      if (this.#visits.delete(uid)) this.#send({ type: 'presence', action: 'leave', uid });
      if (this.#isIdle) this.#later(idleMs);
    };
  }

  #nextUid(): string {
    this.#last += 1;
    return String(this.#last);
  }

  #begin(send: () => void): void {
    if (this.#socket?.readyState === WebSocket.OPEN) send();
    else if (this.#socket === null && this.#timer === null) this.#connect();
  }

  get #isIdle(): boolean {
    return this.#subscriptions.size === 0 && this.#visits.size === 0;
  }

  /** Tries again when the page is focused or the network is back. */
  #again(): void {
    if (this.#socket !== null || this.#isIdle) return;
    this.#attempts = 0;
    this.#connect();
  }

  #later(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#isIdle) this.#socket?.close();
      else if (this.#socket === null) this.#connect();
    }, ms);
  }

  #connect(): void {
    const url = serviceUrl('/websocket');
    url.protocol = url.protocol.replace('http', 'ws');
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      for (const [uid, subscription] of this.#subscriptions) this.#subscribe(uid, subscription);
      for (const [uid, { place }] of this.#visits) this.#enter(uid, place);
    });
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as Message));
    socket.addEventListener('close', () => {
      this.#socket = null;
      for (const { listener } of this.#visits.values()) listener(nobody);
      if (this.#isIdle || this.#attempts >= mostAttempts) return;
      this.#later(Math.min(longestPauseMs, firstPauseMs * 2 ** this.#attempts) * (0.5 + Math.random()));
      this.#attempts += 1;
    });
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #subscribe(uid: string, { followed, cursor }: Subscription): void {
    this.#send({ type: 'subscribe', uid, ...followed, ...(cursor === null ? {} : { since: cursor }) });
  }

  #enter(uid: string, place: Visit['place']): void {
    this.#send({ type: 'presence', uid, ...place });
  }

  #take(message: Message): void {
    const { type, status } = message;
    if (type === 'ping') this.#send({ type: 'pong' });
    // The session was renewed or has ended; the next connection sends the present cookie.
    if (type === 'auth' && status === 'error') this.#socket?.close();
    if (type === 'subscription') this.#dispatch(message);
    // An error, such as of an item that is gone, has no users.
    if (type === 'presence') this.#visits.get(message.uid ?? '')?.listener({ users: message.users ?? [], others: message.others ?? 0 });
    if (type === 'subscribe' && status === 'error') this.#end(message);
  }

  #dispatch({ event, uid = '', data, cursor, reset, error }: Message): void {
    const subscription = this.#subscriptions.get(uid);
    if (subscription === undefined) return;
    // An accepted connection may still be refused; only a message about a subscription proves that it works.
    this.#attempts = 0;
    if (error !== undefined) this.#end({ uid, error });
    if (event === 'unsubscribe') return;
    if (cursor !== undefined) subscription.cursor = cursor;
    subscription.listener({ event: event as LiveEvent['event'], data, isReset: reset === true });
  }

  #end({ uid = '', error }: Message): void {
    const subscription = this.#subscriptions.get(uid);
    this.#subscriptions.delete(uid);
    subscription?.listener({ event: 'end', data: error?.code, isReset: false });
  }
}

export const nobody: Present = { users: [], others: 0 };

let socket: LiveSocket | null = null;

export function follow(followed: Followed, listener: Listener): () => void {
  socket ??= new LiveSocket();
  return socket.follow(followed, listener);
}

export function visit(place: Visit['place'], listener: Visit['listener']): () => void {
  socket ??= new LiveSocket();
  return socket.visit(place, listener);
}
