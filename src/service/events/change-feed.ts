// The feed of the database's changes: the service's own writes after their commit, and what other sources report. Passes each change to all
// followers, in the order in which it arrives. If a log of the database reports every change of a collection, the service's own writes to
// it are taken from the log as well.

import { anythingChanged, type Change, type ChangeSink } from '../../core/engine/work/changes.js';
import type { Schema } from '../../core/schema/schema.js';
import { spreadChanges } from './spread-changes.js';
import { WrittenFields } from './written-fields.js';

type Listener = (changes: readonly Change[]) => void;

/** A log of the database that is being read. */
export interface ReadLog {
  covers(collection: string): boolean;
  /** Call it when there may be something to read. */
  poke(): void;
}

const everythingChanged: readonly Change[] = [{ kind: 'unknown', collection: null, logged: true }];

export class ChangeFeed implements ChangeSink {
  readonly #currentSchema: () => Schema;
  readonly #listeners = new Set<Listener>();
  /** Passes the changes of this process on to others. */
  #relay: Listener | null = null;
  #log: ReadLog | null = null;
  readonly #written = new WrittenFields();
  #followedElsewhere = false;
  readonly #onFollowed = new Set<(isFollowed: boolean) => void>();

  constructor(currentSchema: () => Schema) {
    this.#currentSchema = currentSchema;
  }

  /** A plain member instead of a getter, because every transaction reads it. */
  isFollowed = false;

  committed(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    const all = this.#unlogged(spreadChanges(this.#currentSchema(), changes));
    this.#log?.poke();
    this.#pass(all);
  }

  /** Takes changes that another process of the service has committed. */
  receive(changes: readonly Change[]): void {
    this.#notify(this.#unlogged(changes));
  }

  /** Takes changes from the log, made by any program. */
  logged(changes: readonly Change[]): void {
    this.#pass(this.#written.addTo(changes));
  }

  /** Another program may have changed anything, except in collections that the log covers. */
  suspect(): void {
    this.#notify(anythingChanged);
  }

  /**
   * Takes the changes of the collections that `log` covers from it; null: there is no log. What was committed around this call is unknown,
   * so everything counts as changed.
   */
  readFrom(log: ReadLog | null): void {
    this.#log = log;
    this.#notify(everythingChanged);
  }

  isLogged(collection: string): boolean {
    return this.#log?.covers(collection) === true;
  }

  #unlogged(changes: readonly Change[]): readonly Change[] {
    const log = this.#log;
    if (log === null) return changes;
    this.#written.note(changes.filter(({ collection }) => collection !== null && log.covers(collection)));
    return changes.filter(({ collection }) => collection === null || !log.covers(collection));
  }

  #pass(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    if (this.#followedElsewhere) this.#relay?.(changes);
    this.#notify(changes);
  }

  /** Returns how to stop. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#update();
    return () => {
      this.#listeners.delete(listener);
      this.#update();
    };
  }

  /** The listener is called when the first follower of this process comes and when the last one leaves. */
  onFollowed(listener: (isFollowed: boolean) => void): void {
    this.#onFollowed.add(listener);
  }

  connect(relay: Listener): void {
    this.#relay = relay;
  }

  /** Set while other processes follow the changes of this one. */
  set followedElsewhere(followed: boolean) {
    this.#followedElsewhere = followed;
    this.#update();
  }

  get isFollowedHere(): boolean {
    return this.#listeners.size > 0;
  }

  #update(): void {
    const here = this.isFollowedHere;
    this.isFollowed = here || this.#followedElsewhere;
    if (here === this.#wasFollowedHere) return;
    this.#wasFollowedHere = here;
    for (const listener of this.#onFollowed) listener(here);
  }

  #wasFollowedHere = false;

  #notify(changes: readonly Change[]): void {
    for (const listener of this.#listeners) listener(changes);
  }
}
