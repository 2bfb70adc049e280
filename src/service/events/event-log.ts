// The events of a group with their numbers. Keeps the latest ones for clients that reconnect.

import type { KeyedItem } from '../../core/engine/read/keyed-items.js';
import type { Key } from '../../core/engine/work/work.js';

export type EventKind = 'create' | 'update' | 'delete' | 'reset';

export interface EventFacts {
  readonly kind: EventKind;
  /** Empty for a deletion. */
  readonly items: readonly KeyedItem[];
  readonly keys: readonly Key[];
  /** Digests of the texts that updated and deleted items had before, in the order of the keys. */
  readonly former?: readonly string[];
  /** The JSON text of `meta`, null when none was asked for. */
  readonly meta: string | null;
  readonly number: number;
  /** The cursor of a client that has received the first `received` keys of the event; null: all of them. */
  readonly cursorAt: (received: number | null) => string;
}

export class GroupEvent {
  readonly kind: EventKind;
  readonly items: readonly KeyedItem[];
  readonly keys: readonly Key[];
  readonly former: readonly string[];
  readonly meta: string | null;
  readonly number: number;
  readonly #facts: EventFacts;
  #cursor: string | null = null;
  #data: string | null = null;
  #written: { readonly form: string; readonly text: string } | null = null;

  constructor(facts: EventFacts) {
    this.kind = facts.kind;
    this.items = facts.items;
    this.keys = facts.keys;
    this.former = facts.former ?? [];
    this.meta = facts.meta;
    this.number = facts.number;
    this.#facts = facts;
  }

  /** The cursor of a client that has received the whole event. */
  get cursor(): string {
    this.#cursor ??= this.#facts.cursorAt(null);
    return this.#cursor;
  }

  /** The cursor of a client that receives one key at a time, after this many keys. */
  cursorAfter(received: number): string {
    return received >= this.keys.length ? this.cursor : this.#facts.cursorAt(received);
  }

  /** The rest of the event for a client that has received this many of its keys. */
  after(received: number): GroupEvent {
    const { cursorAt } = this.#facts;
    return new GroupEvent({
      ...this.#facts,
      items: this.items.slice(received),
      keys: this.keys.slice(received),
      former: this.former.slice(received),
      cursorAt: (more) => cursorAt(more === null ? null : received + more),
    });
  }

  /** The JSON text of the items, or of the keys for a deletion. Written once for all subscribers. */
  get data(): string {
    this.#data ??= this.kind === 'delete' ? JSON.stringify(this.keys) : `[${this.items.map(({ text }) => text).join(',')}]`;
    return this.#data;
  }

  /** The text of a message about the event. Subscribers who want it in the same form share it. */
  writtenAs(form: string, write: () => string): string {
    if (this.#written?.form !== form) this.#written = { form, text: write() };
    return this.#written.text;
  }
}

/** What a client has received: all events up to this number, the last one only up to its first `received` keys (null: completely). */
export interface Place {
  readonly number: number;
  readonly received: number | null;
}

export interface LogBounds {
  readonly events: number;
  /** The most characters that the log keeps. A function, because the share of a group depends on the number of groups. */
  readonly size: () => number;
}

export class EventLog {
  readonly #bounds: LogBounds;
  readonly #events: GroupEvent[] = [];
  #size = 0;
  #last = 0;

  constructor(bounds: LogBounds) {
    this.#bounds = bounds;
  }

  /** The number of the latest event. */
  get last(): number {
    return this.#last;
  }

  add(event: GroupEvent): void {
    this.#last = event.number;
    this.#events.push(event);
    this.#size += sizeOf(event);
    const mostSize = this.#bounds.size();
    while (this.#events.length > this.#bounds.events || (this.#size > mostSize && this.#events.length > 0)) {
      const oldest = this.#events.shift();
      if (oldest !== undefined) this.#size -= sizeOf(oldest);
    }
  }

  /** The events after this place; null if some of them are no longer kept. */
  after({ number, received }: Place): readonly GroupEvent[] | null {
    if (number > this.#last) return null;
    const before = received === null ? number : number - 1;
    const events = this.#events.filter((event) => event.number > before);
    if (events.length !== this.#last - before) return null;
    const [first, ...others] = events;
    return received === null || first === undefined ? events : [first.after(received), ...others];
  }
}

const sizeOf = ({ data, former }: GroupEvent): number => former.reduce((sum, digest) => sum + digest.length, data.length);
