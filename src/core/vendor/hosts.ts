// Several hosts of one database in one address: `postgres://h1,h2:5433/db`. One of them accepts writes, or all do in a cluster. New connections
// go to the host that was found last; when it is away or refuses writes, the others are tried, so a failover needs no restart.

import { DatabaseError } from './database-error.js';

/** The address of each host. IPv6 addresses are in brackets, so a colon outside of them begins a port. */
export function splitHosts(url: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url];
}

export const nameOfHost = (url: string): string => /^[a-z]+:\/\/(?:[^@/?#]*@)?([^/?#]*)/i.exec(url)?.[1] ?? '';

export interface HostState {
  readonly writable: boolean;
  /** Whether other hosts may accept writes at the same time, as in a cluster. */
  readonly shared: boolean;
  /** Equal on all copies of one database; null: unknown. */
  readonly identity: string | null;
}

export interface Host<C> {
  readonly name: string;
  open(): Promise<C>;
}

export interface HostsOptions<C> {
  inspect(connection: C): Promise<HostState>;
  close(connection: C): void;
  /** Nothing will be written, so any host is accepted. */
  readonly readOnly: boolean;
  /** Called when another host than before accepts writes. */
  readonly onMove: () => void;
}

interface Found<C> {
  readonly connection: C;
  readonly index: number;
  readonly state: HostState;
}

/** How long the host that was found last may take before the others are tried as well. */
const headStartMs = 400;

export class Hosts<C extends object> {
  readonly #hosts: readonly Host<C>[];
  readonly #rules: HostsOptions<C>;
  readonly #hostOf = new WeakMap<C, number>();
  /** The host that new connections are made to; connections to any other are not kept. */
  #current = 0;
  /** The current host has refused a write, so connections to it are not kept until a host is found that accepts them. */
  #suspect = false;

  constructor(hosts: readonly Host<C>[], rules: HostsOptions<C>) {
    this.#hosts = hosts;
    this.#rules = rules;
  }

  get several(): boolean {
    return this.#hosts.length > 1;
  }

  /** Opens a connection to a host that accepts writes. If none does, to one that can be read: the next connection looks again. */
  async open(): Promise<C> {
    const [only] = this.#hosts;
    if (only !== undefined && !this.several) return only.open();
    const { connection, index, state } = await this.#find();
    if (!state.writable) return connection;
    this.#hostOf.set(connection, index);
    this.#suspect = false;
    if (index !== this.#current) {
      this.#current = index;
      this.#rules.onMove();
    }
    return connection;
  }

  /** Call it when a host refuses a write. */
  suspect(): void {
    this.#suspect = true;
  }

  /** Whether a connection may be used again: it leads to the host that new ones are made to. */
  isCurrent(connection: C): boolean {
    return !this.several || (!this.#suspect && this.#hostOf.get(connection) === this.#current);
  }

  /** Opens a connection to the same host as this one. */
  openBeside(connection: C): Promise<C> {
    const host = this.#hosts[this.#hostOf.get(connection) ?? this.#current];
    return host === undefined ? this.open() : host.open();
  }

  /** Rejects if the hosts that can be reached are not one database: two accept writes on their own, or a replica is of another one. */
  async requireOneDatabase(): Promise<void> {
    if (!this.several) return;
    const settled = await Promise.allSettled(this.#hosts.map((_host, index) => this.#attempt(index)));
    const found = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    for (const { connection } of found) this.#rules.close(connection);
    const names = (list: readonly Found<C>[]): string => list.map(({ index }) => this.#hosts[index]?.name).join(' and ');
    const writers = found.filter(({ state }) => state.writable && !state.shared);
    if (writers.length > 1 && !this.#rules.readOnly)
      throw new Error(`${names(writers)} both accept writes, so they are not one database: name one of them, or make the others replicas`);
    const known = found.filter(({ state }) => state.identity !== null);
    const foreign = known.find(({ state }) => state.identity !== known[0]?.state.identity);
    if (foreign !== undefined) throw new Error(`${names([foreign])} is not a copy of the database on ${names(known.slice(0, 1))}`);
  }

  async #attempt(index: number): Promise<Found<C>> {
    const host = this.#hosts[index];
    if (host === undefined) throw new DatabaseError('unavailable', 'no such host');
    const connection = await host.open();
    try {
      const state = await this.#rules.inspect(connection);
      return { connection, index, state: this.#rules.readOnly ? { ...state, writable: true } : state };
    } catch (error) {
      this.#rules.close(connection);
      throw error;
    }
  }

  async #find(): Promise<Found<C>> {
    const preferred = this.#attempt(this.#current);
    const early = await Promise.race([preferred.catch(() => null), after(headStartMs)]);
    if (early?.state.writable === true) return early;
    const others = this.#hosts.flatMap((_host, index) => (index === this.#current ? [] : [this.#attempt(index)]));
    return this.#choose([preferred, ...others]);
  }

  /** The first that accepts writes, without waiting for the rest; the others are closed when they are open. */
  async #choose(attempts: readonly Promise<Found<C>>[]): Promise<Found<C>> {
    const writer = await Promise.any(attempts.map((attempt) => attempt.then(requireWritable))).catch(() => null);
    const chosen = writer ?? (await Promise.any(attempts).catch((error: unknown) => this.#explain(error)));
    for (const attempt of attempts) {
      attempt.then(
        (found) => found !== chosen && this.#rules.close(found.connection),
        () => undefined,
      );
    }
    return chosen;
  }

  #explain(error: unknown): never {
    const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    const [first] = errors;
    const order = [this.#current, ...this.#hosts.keys()].filter((index, place, all) => all.indexOf(index) === place);
    const texts = errors.map((reason, place) => `${this.#hosts[order[place] ?? 0]?.name}: ${textOf(reason)}`);
    // If all hosts give the same error, such as a missing database, it is a configuration error and not an outage.
    if (first instanceof DatabaseError && errors.every((reason) => textOf(reason) === first.message)) throw first;
    throw new DatabaseError('unavailable', `none of the hosts can be reached (${texts.join('; ')})`);
  }
}

function requireWritable<C>(found: Found<C>): Found<C> {
  if (!found.state.writable) throw new DatabaseError('read-only', 'the host accepts no writes');
  return found;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const after = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, null).unref();
  });
