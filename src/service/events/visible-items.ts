// What a group of equal subscribers sees at the moment: the key of every item and a digest of what they
// may read of it, which is more than the text that they get. Comparing a later reading with it
// shows which items were added, changed and removed, so that no event names a key that was never visible. Comparing does not change the
// state: a difference is recorded when it is sent.

import { hash } from 'node:crypto';
import type { KeyedItem } from '../../core/engine/read/keyed-items.js';
import type { Key } from '../../core/engine/work/work.js';
import type { GroupEvent } from './event-log.js';

export interface Difference {
  readonly create: readonly KeyedItem[];
  readonly update: readonly KeyedItem[];
  readonly delete: readonly Key[];
}

interface Reading {
  /** Returns how many items it has seen. */
  readonly see: (items: readonly KeyedItem[]) => number;
  readonly end: () => Difference;
}

interface Seen {
  readonly key: Key;
  readonly digest: string;
}

/** Equal for equal keys, be they numbers or their text. */
export const textOfKey = (key: unknown): string => [key].flat().join('\u0000');

export const digestOf = (text: string): string => hash('sha1', text, 'base64');

/** Changes with anything that the caller may read of the item. */
const digestOfItem = ({ text, rest }: KeyedItem): string => digestOf(rest === '' ? text : `${rest} ${text}`);

export class VisibleItems {
  readonly #seen: Map<string, Seen>;
  /** The texts of keys by their normalised spelling; built on first use. */
  #spellings: Map<string, Set<string>> | null = null;

  constructor(seen: ReadonlyMap<string, Seen> = new Map()) {
    this.#seen = new Map(seen);
  }

  get size(): number {
    return this.#seen.size;
  }

  copy(): VisibleItems {
    return new VisibleItems(this.#seen);
  }

  /** What was visible before these events, the last of which led to the present state; null if one of them replaced the whole list. */
  before(events: readonly GroupEvent[]): VisibleItems | null {
    const earlier = this.copy();
    for (const { kind, keys, former } of events.toReversed()) {
      if (kind === 'reset') return null;
      for (const [index, key] of keys.entries()) {
        const digest = former[index];
        if (digest === undefined) earlier.#seen.delete(textOfKey(key));
        else earlier.#seen.set(textOfKey(key), { key, digest });
      }
    }
    return earlier;
  }

  /** The digests of the texts of these items. */
  digestsOf(keys: readonly Key[]): readonly string[] {
    return keys.flatMap((key) => this.#seen.get(textOfKey(key))?.digest ?? []);
  }

  keys(): readonly Key[] {
    return [...this.#seen.values()].map(({ key }) => key);
  }

  /** Compares the earlier state of the `touched` keys with `found`, the items of these keys that are visible now. */
  compare(touched: Iterable<Key>, found: readonly KeyedItem[]): Difference {
    const present = new Set(found.map(({ key }) => textOfKey(key)));
    const gone = new Map<string, Key>();
    for (const key of touched) {
      const text = textOfKey(key);
      const seen = present.has(text) ? undefined : this.#seen.get(text);
      if (seen !== undefined) gone.set(text, seen.key);
    }
    return { ...this.#news(found), delete: [...gone.values()] };
  }

  #news(found: readonly KeyedItem[]): Pick<Difference, 'create' | 'update'> {
    const [create, update]: [KeyedItem[], KeyedItem[]] = [[], []];
    for (const item of found) {
      const seen = this.#seen.get(textOfKey(item.key));
      if (seen === undefined) create.push(item);
      else if (seen.digest !== digestOfItem(item)) update.push(item);
    }
    return { create, update };
  }

  /** Remembers these items. */
  add(items: readonly KeyedItem[]): void {
    for (const item of items) {
      const { key } = item;
      const text = textOfKey(key);
      if (!this.#seen.has(text)) this.#index(text, key);
      this.#seen.set(text, { key, digest: digestOfItem(item) });
    }
  }

  /** Remembers what has come and changed, and forgets what has gone. */
  take({ create, update, delete: gone }: Difference): void {
    this.add(create);
    this.add(update);
    for (const key of gone) {
      const text = textOfKey(key);
      const seen = this.#seen.get(text);
      if (seen !== undefined) this.#forget(text, seen);
    }
  }

  #forget(text: string, { key }: Seen): void {
    this.#seen.delete(text);
    const spelled = this.#spellings === null ? null : normal(key);
    if (spelled !== null) this.#spellings?.get(spelled)?.delete(text);
    if (spelled !== null && this.#spellings?.get(spelled)?.size === 0) this.#spellings.delete(spelled);
  }

  #index(text: string, key: Key): void {
    const spelled = this.#spellings === null ? null : normal(key);
    if (spelled === null) return;
    const texts = this.#spellings?.get(spelled);
    if (texts === undefined) this.#spellings?.set(spelled, new Set([text]));
    else texts.add(text);
  }

  /** A reading of everything, in parts: `see` each item, then `end`. */
  startReading(): Reading {
    const [create, update]: [KeyedItem[], KeyedItem[]] = [[], []];
    const present = new Set<string>();
    return {
      see: (items) => {
        const news = this.#news(items);
        for (const { key } of items) present.add(textOfKey(key));
        for (const item of news.create) create.push(item);
        for (const item of news.update) update.push(item);
        return present.size;
      },
      end: () => {
        const gone = [...this.#seen].filter(([text]) => !present.has(text));
        return { create, update, delete: gone.map(([, { key }]) => key) };
      },
    };
  }

  /** The keys of what looks different from `before`, or is not to be seen in one of them. */
  differingFrom(before: VisibleItems): readonly Key[] {
    const changed = [...this.#seen].filter(([text, { digest }]) => before.#seen.get(text)?.digest !== digest);
    const gone = [...before.#seen].filter(([text]) => !this.#seen.has(text));
    return [...changed, ...gone].map(([, { key }]) => key);
  }

  has(key: Key): boolean {
    return this.#seen.has(textOfKey(key));
  }

  /** Known keys that differ from this one only in case or surrounding spaces, which some databases treat as equal. */
  spellingsOf(key: Key): readonly Key[] {
    const wanted = normal(key);
    if (wanted === null) return [];
    if (this.#spellings === null) {
      this.#spellings = new Map();
      for (const [text, seen] of this.#seen) this.#index(text, seen.key);
    }
    const found = [...(this.#spellings.get(wanted) ?? [])].map((text) => this.#seen.get(text));
    return found.flatMap((seen) => (seen === undefined ? [] : [seen.key]));
  }
}

const normal = (key: Key): string | null => {
  const text = textOfKey(key);
  return [key].flat().some((part) => typeof part === 'string') ? text.trim().normalize().toLowerCase() : null;
};
