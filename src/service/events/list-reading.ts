// Reads the list of a group under the view of its followers. The number of concurrent readings of all groups is bounded, because requests
// need connections, too.

import type { Caller } from '../../core/access/view.js';
import type { KeyedItem } from '../../core/engine/read/keyed-items.js';
import type { Reader } from '../../core/engine/read/reader.js';
import type { Key, Work } from '../../core/engine/work/work.js';
import type { ParsedQuery } from '../../core/query/query.js';
import type { Driver } from '../../core/vendor/driver.js';
import { maxTouched } from './pending-changes.js';
import type { Turns } from './turns.js';

export interface ListReadingDeps {
  /** Reads with the limits of requests. */
  readonly reader: Reader;
  /** Reads with the same rights and without these limits. */
  readonly ownReader: Reader;
  readonly driver: Driver;
  readonly turns: Turns;
}

/** What subscribers ask for. */
export interface Question {
  readonly collection: string;
  readonly parsed: ParsedQuery;
  /** Only these items; null: all that the query selects. */
  readonly keys: readonly unknown[] | null;
}

export interface Page {
  readonly items: readonly KeyedItem[];
  /** The JSON text of `meta`; null when none was asked for. */
  readonly meta: string | null;
}

/** A list up to this length is one statement; a longer one is streamed, which costs a connection of its own or several statements. */
const shortList = 1_000;

export class ListReading {
  readonly #deps: ListReadingDeps;
  readonly #question: Question;
  readonly #work: Work;
  readonly #all: ParsedQuery;
  readonly #owner: () => string;

  /** `owner`: the user whose turns it takes. */
  constructor(deps: ListReadingDeps, caller: Caller, question: Question, owner: () => string) {
    this.#deps = deps;
    this.#question = question;
    this.#owner = owner;
    this.#work = { caller, connection: deps.driver, signal: null, afterCommit: null };
    const { parsed } = question;
    this.#all = { ...parsed, query: { ...parsed.query, limit: -1, offset: null }, meta: [] };
  }

  /** The page that a subscriber begins with, and whether it holds the whole list. */
  page(): Promise<{ readonly items: readonly KeyedItem[]; readonly isWhole: boolean }> {
    const { collection, parsed, keys } = this.#question;
    return this.#inTurn(() => this.#deps.reader.keyedPage(this.#work, collection, parsed, keys));
  }

  /** The JSON text of `meta`; null when none was asked for. */
  async meta(): Promise<string | null> {
    const { collection, parsed, keys } = this.#question;
    return parsed.meta.length === 0 ? null : this.#inTurn(() => this.#deps.reader.meta(this.#work, collection, parsed, keys));
  }

  async pageWithMeta(): Promise<Page> {
    const { items } = await this.page();
    return { items, meta: await this.meta() };
  }

  /** Those of these items that the query selects. */
  async some(keys: readonly Key[]): Promise<readonly KeyedItem[]> {
    const found: KeyedItem[] = [];
    for (let from = 0; from < keys.length; from += maxTouched) {
      const part = keys.slice(from, from + maxTouched);
      const items = await this.#inTurn(() => this.#deps.ownReader.keyedItems(this.#work, this.#question.collection, this.#all, part));
      for (const item of items) found.push(item);
    }
    return found;
  }

  /** Reads everything that the query selects, in parts. `expected`: the approximate number of items. */
  async *all(expected: number): AsyncGenerator<readonly KeyedItem[]> {
    const { collection, keys } = this.#question;
    const { ownReader } = this.#deps;
    const short =
      expected <= shortList ? await this.#inTurn(() => ownReader.shortKeyedList(this.#work, collection, this.#all, keys, shortList)) : null;
    if (short !== null) {
      yield short;
      return;
    }
    const end = await this.#deps.turns.take(this.#owner());
    try {
      yield* ownReader.keyedStream(this.#work, collection, this.#all, keys);
    } finally {
      end();
    }
  }

  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const end = await this.#deps.turns.take(this.#owner());
    try {
      return await act();
    } finally {
      end();
    }
  }
}
