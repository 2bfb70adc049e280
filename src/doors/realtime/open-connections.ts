// All connections that outlive a request: WebSockets and event streams. Bounds their number, in total and per user (the public counts by
// address), and ends them when the service stops.

import { forbidden, type ServiceError, serviceError } from '../../core/errors/service-error.js';
import { addressKey } from '../../service/auth/limits/limiter.js';
import type { Identity } from './identity.js';
import { isFlood, MessageRate } from './message-rate.js';
import { type Waiter, type WaitingBounds, WaitingData } from './waiting-data.js';

export interface ConnectionCounts {
  /** Of the process. */
  readonly connections: number;
  readonly userConnections: number;
  /** Of all connections of a user together. */
  readonly userSubscriptions: number;
  /** Requests per second and caller; null: no limit. */
  readonly requests: number | null;
  readonly waiting: WaitingBounds;
}

interface Held {
  connections: number;
  subscriptions: number;
}

interface User extends Held {
  readonly rate: MessageRate;
}

export class OpenConnections {
  readonly #open = new Set<Place>();
  readonly #users = new Map<string, User>();
  readonly #most: ConnectionCounts;
  readonly #waiting: WaitingData;
  #isClosed = false;

  constructor(most: ConnectionCounts) {
    this.#most = most;
    this.#waiting = new WaitingData(most.waiting);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Takes a place for one connection, which must be freed later. Throws if none is left. */
  take(identity: Identity): Place {
    if (this.#isClosed) throw serviceError('SERVICE_UNAVAILABLE', 'The service is ending.', { service: 'realtime' });
    if (this.#open.size >= this.#most.connections) throw forbidden();
    const shared = { users: this.#users, most: this.#most, waiting: this.#waiting };
    const place = new Place(shared, identity, () => this.#open.delete(place));
    this.#open.add(place);
    return place;
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.close();
    for (const place of this.#open) place.end();
  }
}

interface Shared {
  readonly users: Map<string, User>;
  readonly most: ConnectionCounts;
  readonly waiting: WaitingData;
}

/** The place of one connection in the counts. */
export class Place implements Waiter {
  readonly #users: Map<string, User>;
  readonly #most: ConnectionCounts;
  readonly #waiting: WaitingData;
  readonly #identity: Identity;
  readonly #onFree: () => void;
  readonly #own: Held = { connections: 1, subscriptions: 0 };
  readonly #rate = new MessageRate();
  #owner: string;
  #end: (() => void) | null = null;
  #cut: () => void = () => undefined;
  #isFree = false;
  #isEnding = false;

  constructor({ users, most, waiting }: Shared, identity: Identity, onFree: () => void) {
    this.#users = users;
    this.#most = most;
    this.#waiting = waiting;
    this.#identity = identity;
    this.#onFree = onFree;
    this.#owner = ownerOf(identity);
    const refusal = this.#refusalOf(this.#owner, this.#own);
    if (refusal !== null) throw refusal;
    this.#count(this.#own, 1);
  }

  /** The user whom it counts for; the public counts by address. */
  get owner(): string {
    return this.#owner;
  }

  /** Records how much data waits for the client. `cut` ends the connection if it is too much. */
  wait(size: number, cut: () => void): void {
    this.#cut = cut;
    if (!this.#isFree) this.#waiting.note(this, size);
  }

  drop(): void {
    this.#cut();
  }

  /** Calls `act` when the service stops, at once if it is stopping already. */
  onEnd(act: () => void): void {
    this.#end = act;
    if (this.#isEnding) act();
  }

  end(): void {
    this.#isEnding = true;
    this.#end?.();
  }

  /** Call it after an authentication. If the new user has too many connections, returns the error and keeps counting for the former one. */
  changeOwner(): ServiceError | null {
    const owner = ownerOf(this.#identity);
    if (owner === this.#owner) return null;
    const refusal = this.#refusalOf(owner, this.#own);
    if (refusal !== null) return refusal;
    this.#count(this.#own, -1);
    this.#owner = owner;
    this.#count(this.#own, 1);
    return null;
  }

  /** Counts a message; false if there are so many that the connection has to be closed. */
  takesMessage(): boolean {
    const user = this.#users.get(this.#owner);
    const ofConnection = this.#rate.count();
    return !isFlood(this.#most.requests, ofConnection, user?.rate.count() ?? 0, user?.connections ?? 0);
  }

  /** Throws when the user has as many as are allowed. */
  addSubscription(): void {
    const one = { connections: 0, subscriptions: 1 };
    const refusal = this.#refusalOf(this.#owner, one);
    if (refusal !== null) throw refusal;
    this.#count(one, 1);
    this.#own.subscriptions += 1;
  }

  /** `free` has already subtracted the subscriptions of a freed place. */
  removeSubscription(): void {
    if (this.#own.subscriptions === 0) return;
    this.#count({ connections: 0, subscriptions: 1 }, -1);
    this.#own.subscriptions -= 1;
  }

  /** May be called again. */
  free(): void {
    this.#count(this.#own, -1);
    Object.assign(this.#own, { connections: 0, subscriptions: 0 });
    this.#waiting.note(this, 0);
    this.#isFree = true;
    this.#onFree();
  }

  #refusalOf(owner: string, { connections, subscriptions }: Held): ServiceError | null {
    const held = this.#users.get(owner) ?? { connections: 0, subscriptions: 0 };
    const { userConnections, userSubscriptions } = this.#most;
    if (connections > 0 && held.connections + connections > userConnections) return tooMany('connections', userConnections);
    if (subscriptions > 0 && held.subscriptions + subscriptions > userSubscriptions) return tooMany('subscriptions', userSubscriptions);
    return null;
  }

  #count({ connections, subscriptions }: Held, sign: 1 | -1): void {
    const held = this.#users.get(this.#owner) ?? { connections: 0, subscriptions: 0, rate: new MessageRate() };
    held.connections += sign * connections;
    held.subscriptions += sign * subscriptions;
    if (held.connections === 0) this.#users.delete(this.#owner);
    else this.#users.set(this.#owner, held);
  }
}

const ownerOf = ({ caller, client }: Identity): string => caller.accountability.user ?? `at ${addressKey(client.ip)}`;

const tooMany = (what: string, limit: number): ServiceError =>
  serviceError('REQUESTS_EXCEEDED', `A user can have at most ${limit} ${what}.`, { limit });
