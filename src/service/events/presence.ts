// The presence of one caller at an item: other callers who may read the item see it, and it sees them. It depends on a subscription to the
// item, which ends, pauses or changes with the caller's rights. The caller gets of other users what it may read of them; users it may not
// read are only counted.

import type { Caller } from '../../core/access/view.js';
import type { Key } from '../../core/engine/work/work.js';
import type { GroupEvent } from './event-log.js';
import type { Joined } from './follower.js';
import type { Question } from './list-reading.js';
import type { PresenceBoard } from './presence-board.js';
import { maxNamed, type PresenceReadings } from './presence-readings.js';
import type { SubscriptionOptions } from './subscription.js';
import { textOfKey } from './visible-items.js';

export interface PresenceDeps {
  readonly board: PresenceBoard;
  readonly readings: PresenceReadings;
  /** The user whom it counts for. */
  readonly owner: () => string;
  /** The current caller, which changes when its rights are looked up again. */
  readonly caller: () => Caller;
  /** Called with the present state when it has changed. Must not throw. */
  readonly send: (state: PresenceState) => void;
  readonly onEnd: (error: unknown) => void;
  readonly report: (error: unknown) => void;
}

export interface PresenceState {
  /** null: the caller cannot see the item any more. */
  readonly item: Key | null;
  /** The others whom the caller may read, with what it may read of them. */
  readonly users: readonly Readonly<Record<string, unknown>>[];
  /** The number of further users. */
  readonly others: number;
}

export class Presence {
  readonly #deps: PresenceDeps;
  readonly #question: Question;
  readonly #visit = Symbol('visit');
  #at: { readonly key: Key; readonly place: string; readonly unwatch: () => void } | null = null;
  #maySend = false;
  #isSending = false;
  #mustSend = false;
  #sent = '';
  #rights: { readonly caller: Caller; readonly text: string } | null = null;

  /** `question` selects the item, with no fields but its key. */
  constructor(deps: PresenceDeps, question: Question) {
    this.#deps = deps;
    this.#question = question;
  }

  get options(): SubscriptionOptions {
    return {
      question: this.#question,
      onEvent: (event) => this.#note(event),
      onEnd: this.#deps.onEnd,
      onStanding: (standing) => this.#stand(standing),
    };
  }

  /** False if the caller cannot see such an item. */
  begin(joined: Joined): boolean {
    const key = joined.kind === 'begun' ? joined.items?.[0]?.key : undefined;
    if (key !== undefined) this.#goTo(key);
    return key !== undefined;
  }

  #note({ kind, items }: GroupEvent): void {
    const [item] = items;
    if (kind === 'delete' || item === undefined) this.#goTo(null);
    else this.#goTo(item.key);
    // Who may see the item does not depend on what else is written to it.
    if (kind !== 'update') void this.#send();
  }

  #stand(standing: 'open' | 'held' | 'paused' | 'stopped'): void {
    this.#maySend = standing === 'open';
    if (standing === 'open') {
      this.#enter();
      void this.#send();
    } else if (standing === 'stopped') this.#goTo(null);
    else if (standing === 'paused' && this.#at !== null) this.#deps.board.leave(this.#at.place, this.#visit);
  }

  #goTo(key: Key | null): void {
    const { board } = this.#deps;
    const place = key === null ? null : JSON.stringify([this.#question.collection, textOfKey(key)]);
    if (this.#at?.place === place) return;
    if (this.#at !== null) {
      this.#at.unwatch();
      board.leave(this.#at.place, this.#visit);
    }
    this.#at = key === null || place === null ? null : { key, place, unwatch: board.watch(place, () => void this.#send()) };
    if (this.#maySend) this.#enter();
  }

  #enter(): void {
    const { user } = this.#deps.caller().accountability;
    if (this.#at !== null && user !== null) this.#deps.board.enter(this.#at.place, this.#visit, user);
  }

  /** One reading at a time; changes meanwhile share the next one. */
  async #send(): Promise<void> {
    this.#mustSend = true;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#mustSend && this.#maySend) {
        this.#mustSend = false;
        const state = await this.#read(this.#deps.caller());
        const text = JSON.stringify(state);
        if (state === null || this.#mustSend || !this.#maySend || text === this.#sent) continue;
        this.#sent = text;
        this.#deps.send(state);
      }
    } catch (error) {
      this.#deps.report(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** null if there is nothing to tell: the subscription reports an item that is out of sight. */
  async #read(caller: Caller): Promise<PresenceState | null> {
    const at = this.#at;
    const self = caller.accountability.user;
    if (at === null || self === null) return { item: null, users: [], others: 0 };
    const { readings, owner } = this.#deps;
    if (this.#rights?.caller !== caller) this.#rights = { caller, text: readings.rightsOf(caller, this.#question) };
    const { key, place } = at;
    const present = await readings.read({ caller, question: this.#question, key, place, rights: this.#rights.text, owner: owner() });
    if (present === null) return null;
    const ids = present.ids.filter((id) => id !== self);
    const named = new Set(ids.slice(0, maxNamed));
    const users = present.users.filter(({ id }) => named.has(String(id)));
    return { item: key, users, others: ids.length - users.length };
  }
}
