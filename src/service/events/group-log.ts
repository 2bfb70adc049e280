// The events of one group with their cursors. A cursor is sealed and names the group, so it is of no use elsewhere.

import { randomBytes } from 'node:crypto';
import type { Seal } from '../../core/engine/read/cursor.js';
import type { KeyedItem } from '../../core/engine/read/keyed-items.js';
import type { Key } from '../../core/engine/work/work.js';
import { type EventFacts, type EventKind, EventLog, GroupEvent, type LogBounds, type Place } from './event-log.js';

/** An event for one follower: what differs from what it saw in another group. */
export type MovingPart = readonly [kind: EventKind, items: readonly KeyedItem[], keys: readonly Key[]];

export class GroupLog {
  readonly #id = randomBytes(9).toString('base64url');
  readonly #key: string;
  readonly #seal: Seal;
  readonly #log: EventLog;

  /** `key`: of the group. */
  constructor(seal: Seal, key: string, bounds: LogBounds) {
    this.#seal = seal;
    this.#key = key;
    this.#log = new EventLog(bounds);
  }

  /** The number of the latest event. */
  get last(): number {
    return this.#log.last;
  }

  /** The cursor after the latest event. */
  get cursor(): string {
    return this.#cursorAt({ number: this.#log.last, received: null });
  }

  add(facts: Omit<EventFacts, 'number' | 'cursorAt'>): GroupEvent {
    const number = this.#log.last + 1;
    const event = new GroupEvent({ ...facts, number, cursorAt: (received) => this.#cursorAt({ number, received }) });
    this.#log.add(event);
    return event;
  }

  /** The events after this cursor; null if it is of another group, or if they are no longer kept. */
  after(cursor: string): readonly GroupEvent[] | null {
    const place = this.#placeOf(cursor);
    return place === null ? null : this.#log.after(place);
  }

  /** Equal for cursors at the same place of this group, and different from those of other groups. */
  placeOf(cursor: string): string | null {
    return this.#seal.open(cursor, this.#key);
  }

  /**
   * Events that only one follower gets. The last one carries the cursor of this group; a client that disconnects before has the cursor of its
   * former group, and starts again.
   */
  moving(parts: readonly MovingPart[], meta: string | null, before: string): readonly GroupEvent[] {
    const number = this.#log.last;
    return parts.map(([kind, items, keys], index) => {
      const cursorAt = (received: number | null): string =>
        received === null && index === parts.length - 1 ? this.#cursorAt({ number, received }) : before;
      return new GroupEvent({ kind, items, keys, meta, number, cursorAt });
    });
  }

  #cursorAt({ number, received }: Place): string {
    return this.#seal.seal(`${this.#id} ${number}${received === null ? '' : ` ${received}`}`, this.#key);
  }

  #placeOf(cursor: string): Place | null {
    const [id, number, received] = this.#seal.open(cursor, this.#key)?.split(' ') ?? [];
    return id === this.#id ? { number: Number(number), received: received === undefined ? null : Number(received) } : null;
  }
}
