// Who has which item open, in this process and in the others of the service. Each process repeats its users per item to the others; what it
// has not repeated for a while is dropped, so a killed process leaves no user behind. Nothing is stored.

import { isPlainObject } from '../../core/util/plain-object.js';

/** Identifies an item by a text that is equal in all processes. */
type Place = string;

/** The users of one process at an item; an empty list: all have left. */
export interface PresentUsers {
  readonly place: Place;
  readonly users: readonly string[];
}

interface Remote {
  readonly users: readonly string[];
  readonly until: number;
}

/** How often a process repeats its users, and how long the others keep them. A killed process is forgotten within the sum of both. */
export const repeatMs = 8_000;
const believedMs = 20_000;
/** Bounds per process. */
const maxPlaces = 20_000;
const maxUsers = 50;
const maxProcesses = 1_000;
const maxTextLength = 1_000;
/** Changes at an item are collected before its watchers are notified; the more watchers, the longer. */
const gatherMs = 20;
const gatherPerWatcherMs = 2;

export class PresenceBoard {
  readonly #here = new Map<Place, Map<symbol, string>>();
  readonly #elsewhere = new Map<string, Map<Place, Remote>>();
  readonly #watchers = new Map<Place, Set<() => void>>();
  readonly #gathering = new Map<Place, NodeJS.Timeout>();
  #notifyOthers: (present: PresentUsers) => void = () => undefined;

  /** `visit` is one open form; a user may have several. */
  enter(place: Place, visit: symbol, user: string): void {
    const visits = this.#here.get(place) ?? new Map<symbol, string>();
    if (visits.get(visit) === user) return;
    visits.set(visit, user);
    this.#here.set(place, visits);
    this.#changed(place);
  }

  leave(place: Place, visit: symbol): void {
    const visits = this.#here.get(place);
    if (visits?.delete(visit) !== true) return;
    if (visits.size === 0) this.#here.delete(place);
    this.#changed(place);
  }

  /** The users at a place, in the order in which this process got to know of them. */
  usersAt(place: Place): readonly string[] {
    const remote = [...this.#elsewhere.values()].flatMap((places) => places.get(place)?.users ?? []);
    return [...new Set([...this.#usersHere(place), ...remote])];
  }

  /** The listener is called after changes of who is there. Returns how to stop. */
  watch(place: Place, listener: () => void): () => void {
    const watchers = this.#watchers.get(place) ?? new Set();
    watchers.add(listener);
    this.#watchers.set(place, watchers);
    return () => {
      watchers.delete(listener);
      if (watchers.size === 0 && this.#watchers.get(place) === watchers) this.#watchers.delete(place);
    };
  }

  /** Calls `notifyOthers` with every change in this process from now on. */
  connect(notifyOthers: (present: PresentUsers) => void): void {
    this.#notifyOthers = notifyOthers;
  }

  /** All users of this process. */
  all(): readonly PresentUsers[] {
    return [...this.#here.keys()].map((place) => ({ place, users: this.#usersHere(place) }));
  }

  /** Takes the users of another process; ignores invalid messages. */
  receive(process: string, received: unknown): void {
    const places = this.#elsewhere.get(process) ?? new Map<Place, Remote>();
    if (!this.#elsewhere.has(process) && this.#elsewhere.size >= maxProcesses) return;
    this.#elsewhere.set(process, places);
    for (const present of Array.isArray(received) ? received : []) {
      if (!isPresentUsers(present)) continue;
      const { place, users } = present;
      const before = places.get(place)?.users ?? [];
      if (users.length === 0) places.delete(place);
      else if (places.has(place) || places.size < maxPlaces) places.set(place, { users, until: Date.now() + believedMs });
      if (before.join() !== users.join()) this.#notifyWatchers(place);
    }
    if (places.size === 0) this.#elsewhere.delete(process);
  }

  /** Forgets what other processes have not repeated in time. */
  sweep(): void {
    const now = Date.now();
    for (const [process, places] of this.#elsewhere) {
      for (const [place, { until }] of places) {
        if (until >= now) continue;
        places.delete(place);
        this.#notifyWatchers(place);
      }
      if (places.size === 0) this.#elsewhere.delete(process);
    }
  }

  close(): void {
    for (const timer of this.#gathering.values()) clearTimeout(timer);
    this.#gathering.clear();
  }

  #usersHere(place: Place): readonly string[] {
    return [...new Set(this.#here.get(place)?.values())].slice(0, maxUsers);
  }

  #changed(place: Place): void {
    this.#notifyOthers({ place, users: this.#usersHere(place) });
    this.#notifyWatchers(place);
  }

  #notifyWatchers(place: Place): void {
    const watchers = this.#watchers.get(place);
    if (watchers === undefined || this.#gathering.has(place)) return;
    const notify = (): void => {
      this.#gathering.delete(place);
      for (const listener of this.#watchers.get(place) ?? []) listener();
    };
    this.#gathering.set(place, setTimeout(notify, gatherMs + gatherPerWatcherMs * watchers.size).unref());
  }
}

const isShortText = (value: unknown): value is string => typeof value === 'string' && value.length <= maxTextLength;

const isPresentUsers = (value: unknown): value is PresentUsers =>
  isPlainObject(value) &&
  isShortText(value.place) &&
  Array.isArray(value.users) &&
  value.users.length <= maxUsers &&
  value.users.every(isShortText);
