// All connections that outlive a request: WebSockets and event streams. Bounds their number, in total and per user (the public counts by
// address), and ends them when the service stops.

import { forbidden, type ServiceError, serviceError } from '../../core/errors/service-error.js';
import { addressKey } from '../../service/auth/limits/limiter.js';
import type { Identity } from './identity.js';

export interface ConnectionCounts {
  /** Of the process. */
  readonly connections: number;
  readonly userConnections: number;
  /** Of all connections of a user together. */
  readonly userSubscriptions: number;
}

interface Held {
  connections: number;
  subscriptions: number;
}

export class OpenConnections {
  readonly #open = new Set<Place>();
  readonly #users = new Map<string, Held>();
  readonly #most: ConnectionCounts;
  #isClosed = false;

  constructor(most: ConnectionCounts) {
    this.#most = most;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Takes a place for one connection, which must be freed later. Throws if none is left. */
  take(identity: Identity): Place {
    if (this.#isClosed) throw serviceError('SERVICE_UNAVAILABLE', 'The service is ending.', { service: 'realtime' });
    if (this.#open.size >= this.#most.connections) throw forbidden();
    const place = new Place(this.#users, this.#most, identity, () => this.#open.delete(place));
    this.#open.add(place);
    return place;
  }

  close(): void {
    this.#isClosed = true;
    for (const place of this.#open) place.end();
  }
}

/** The place of one connection in the counts. */
export class Place {
  readonly #users: Map<string, Held>;
  readonly #most: ConnectionCounts;
  readonly #identity: Identity;
  readonly #onFree: () => void;
  readonly #own: Held = { connections: 1, subscriptions: 0 };
  #owner: string;
  #end: (() => void) | null = null;
  #isEnding = false;

  constructor(users: Map<string, Held>, most: ConnectionCounts, identity: Identity, onFree: () => void) {
    this.#users = users;
    this.#most = most;
    this.#identity = identity;
    this.#onFree = onFree;
    this.#owner = ownerOf(identity);
    const refusal = this.#refusalOf(this.#owner, this.#own);
    if (refusal !== null) throw refusal;
    this.#count(this.#own, 1);
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
    const held = this.#users.get(this.#owner) ?? { connections: 0, subscriptions: 0 };
    held.connections += sign * connections;
    held.subscriptions += sign * subscriptions;
    if (held.connections === 0) this.#users.delete(this.#owner);
    else this.#users.set(this.#owner, held);
  }
}

const ownerOf = ({ caller, client }: Identity): string => caller.accountability.user ?? `at ${addressKey(client.ip)}`;

const tooMany = (what: string, limit: number): ServiceError =>
  serviceError('REQUESTS_EXCEEDED', `A user can have at most ${limit} ${what}.`, { limit });
