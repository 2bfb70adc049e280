// What happened in a group: events with their numbers, and the latest of them for those who come back after a cut.

import type { KeyedItem } from '../../core/engine/read/keyed-items.js';
import type { Key } from '../../core/engine/work/work.js';

export type EventKind = 'create' | 'update' | 'delete' | 'reset';

export class GroupEvent {
  readonly kind: EventKind;
  /** Empty for a deletion. */
  readonly items: readonly KeyedItem[];
  readonly keys: readonly Key[];
  /** The JSON text of `meta`, null when none was asked for. */
  readonly meta: string | null;
  readonly number: number;
  readonly cursor: string;
  #data: string | null = null;
  #written: { readonly form: string; readonly text: string } | null = null;

  constructor(facts: Pick<GroupEvent, 'kind' | 'items' | 'keys' | 'meta' | 'number' | 'cursor'>) {
    this.kind = facts.kind;
    this.items = facts.items;
    this.keys = facts.keys;
    this.meta = facts.meta;
    this.number = facts.number;
    this.cursor = facts.cursor;
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

export interface LogBounds {
  readonly events: number;
  /** In characters of the data. */
  readonly size: number;
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
    this.#size += event.data.length;
    while (this.#events.length > this.#bounds.events || (this.#size > this.#bounds.size && this.#events.length > 0))
      this.#size -= this.#events.shift()?.data.length ?? 0;
  }

  /** The events after this number; null when some of them are forgotten. */
  after(number: number): readonly GroupEvent[] | null {
    if (number > this.#last) return null;
    const events = this.#events.filter((event) => event.number > number);
    return events.length === this.#last - number ? events : null;
  }
}
