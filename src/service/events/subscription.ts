// The place of one subscriber in a group. When the rights of the subscriber change, it moves to another group: what it may no longer see is
// reported as deleted, what it may newly see as created.

import type { Caller } from '../../core/access/view.js';
import { GroupEvent } from './event-log.js';
import type { Follower, Joined, Moved } from './follower.js';
import type { Group } from './group.js';
import type { Groups } from './groups.js';
import type { Question } from './list-reading.js';

export interface SubscriptionOptions {
  readonly question: Question;
  /** Called in the order of events. Must not throw. */
  readonly onEvent: (event: GroupEvent) => void;
  /** Called when the subscriber may no longer read what it asked for; nothing follows. */
  readonly onEnd: (error: unknown) => void;
  /**
   * Called when the subscriber may receive events (`open`) or may not: `held` until its rights are looked up again, `paused` until it has
   * authenticated again, `stopped` for good. Must not throw.
   */
  readonly onStanding?: (standing: 'open' | 'held' | 'paused' | 'stopped') => void;
}

/** The most events that are held back for a subscriber. Beyond that it later gets the events since its cursor instead. */
const maxEarly = 100;

export class Subscription implements Follower {
  readonly #groups: Groups;
  readonly #options: SubscriptionOptions;
  readonly #owner: () => string;
  #group: Group | null = null;
  /**
   * What the subscriber has received: the events of `#source` up to this cursor. The source is the former group while the events of a move
   * are held back; if another move follows before they are passed on, it starts from there.
   */
  #cursor: string | null = null;
  #source: Group | null = null;
  /** The rights of a `renew` that came before the subscription had started. */
  #newer: Caller | null = null;
  #isOpen = false;
  /** The number of calls of `hold`, and how many of them `renew` has answered. */
  #holds = 0;
  #released = 0;
  #isPaused = false;
  #isStopped = false;
  /** Events that arrived while the subscriber could not receive any. */
  #early: GroupEvent[] = [];
  /** Whether `#early` was full, so that events were left out of it. */
  #isBehind = false;
  /** Moves to other groups run one after the other. */
  #moving: Promise<void> = Promise.resolve();
  /** The latest rights that it has not moved to. */
  #wanted: { readonly caller: Caller; readonly holds: number } | null = null;

  /** `owner`: the user whom it counts for at the moment. */
  constructor(groups: Groups, owner: () => string, options: SubscriptionOptions) {
    this.#groups = groups;
    this.#owner = owner;
    this.#options = options;
  }

  /** Throws when the caller may not ask this. Events wait until `open`. */
  async start(caller: Caller, wanted: { readonly since: string | null; readonly withItems: boolean }): Promise<Joined> {
    const group = this.#groups.find(caller, this.#options.question, this.owner, false);
    const joined = await group.join(this, wanted);
    const newer = this.#newer;
    this.#newer = null;
    if (newer !== null) {
      group.leave(this);
      this.#early = [];
      return this.start(newer, wanted);
    }
    this.#group = group;
    this.#received(group, joined.cursor);
    if (this.#isStopped) group.leave(this);
    return joined;
  }

  get owner(): string {
    return this.#owner();
  }

  get #isHeld(): boolean {
    return this.#holds > this.#released;
  }

  /** Call it after the subscriber has been sent what `start` resolved to. */
  open(): void {
    this.#isOpen = true;
    this.#flush();
  }

  take(event: GroupEvent): void {
    if (this.#isOpen && !this.#isHeld && !this.#isBehind) this.#pass(event);
    else if (this.#early.length < maxEarly && !this.#isBehind) this.#early.push(event);
    else {
      this.#isBehind = true;
      this.#early = [];
    }
  }

  #flush(): void {
    if (!this.#isOpen || this.#isHeld) return;
    if (!this.#isStopped && !this.#isPaused) this.#options.onStanding?.('open');
    for (const event of this.#early.splice(0)) this.#pass(event);
    this.#groups.letOn(this);
  }

  #pass(event: GroupEvent): void {
    if (this.#isStopped || this.#isPaused) return;
    this.#received(this.#group, event.cursor);
    this.#options.onEvent(event);
  }

  #received(source: Group | null, cursor: string): void {
    this.#source = source;
    this.#cursor = cursor;
  }

  /** Rights have changed, possibly those of the subscriber: holds events back until `renew`. */
  hold(): void {
    this.#holds += 1;
    if (!this.#isPaused && !this.#isStopped) this.#groups.holdBack(this);
    this.#options.onStanding?.('held');
  }

  /** The session of the subscriber may have ended: sends nothing until `renew`. */
  pause(): void {
    this.#isPaused = true;
    this.#groups.letOn(this);
    this.#options.onStanding?.('paused');
    this.#group?.leave(this);
  }

  /** Continues with the present rights of the caller. */
  renew(caller: Caller): Promise<void> {
    if (this.#group === null) this.#newer = caller;
    this.#wanted = { caller, holds: this.#holds };
    this.#moving = this.#moving.then(() => this.#renewAsWanted()).catch((error: unknown) => this.#end(error));
    return this.#moving;
  }

  /** Rights that have changed again while the subscription moved are skipped. */
  async #renewAsWanted(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted !== null) await this.#renew(wanted.caller, wanted.holds);
  }

  async #renew(caller: Caller, holds: number): Promise<void> {
    const old = this.#group;
    if (this.#isStopped) return;
    const next = old === null ? null : this.#groups.find(caller, this.#options.question, this.owner, true);
    this.#released = Math.max(this.#released, holds);
    if (old === null || next === null || (next === old && !this.#isPaused && !this.#isBehind)) {
      this.#flush();
      return;
    }
    old.leave(this);
    this.#isPaused = false;
    this.#isOpen = false;
    this.#group = next;
    this.#early = [];
    this.#isBehind = false;
    const source = this.#source ?? old;
    this.#deliver(next, next === source ? await this.#joinAgain(next) : await next.moveFrom(source, this.#cursor ?? '', this));
  }

  /** The events since the subscriber's cursor, or the whole present state. */
  async #joinAgain(group: Group): Promise<Moved> {
    const joined = await group.join(this, { since: this.#cursor, withItems: true });
    if (joined.kind === 'resumed') return joined;
    const { items, meta, cursor } = joined;
    const keys = (items ?? []).map(({ key }) => key);
    return { events: [new GroupEvent({ kind: 'reset', items: items ?? [], keys, meta, number: 0, cursorAt: () => cursor })], cursor };
  }

  #deliver(group: Group, { events, cursor }: Moved): void {
    if (this.#isStopped || this.#isPaused) {
      group.leave(this);
      return;
    }
    // Nothing differs, so the subscriber has what the group has.
    if (events.length === 0) this.#received(group, cursor);
    // If rights have changed again, these events may show too much; they are held back.
    if (this.#isHeld) this.#early.unshift(...events);
    else for (const event of events) this.#pass(event);
    this.open();
  }

  /** Reports everything that the subscriber has seen as deleted. After a pause the group may be further than the subscriber's cursor. */
  async #end(error: unknown): Promise<void> {
    if (this.#isStopped) return;
    const [source, cursor, isPaused] = [this.#source, this.#cursor ?? '', this.#isPaused];
    this.stop();
    const keys = isPaused ? [] : ((await source?.keysAt(cursor)) ?? []);
    if (keys.length > 0)
      this.#options.onEvent(new GroupEvent({ kind: 'delete', items: [], keys, meta: null, number: 0, cursorAt: () => cursor }));
    this.#options.onEnd(error);
  }

  stop(): void {
    this.#isStopped = true;
    this.#groups.letOn(this);
    this.#options.onStanding?.('stopped');
    this.#group?.leave(this);
  }
}
