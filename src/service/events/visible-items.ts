// What a group of equal subscribers sees at the moment: the key of every item and a digest of its text. Comparing a later reading with it
// tells which items came, changed and went, so that a key that was never visible is never told.

import { hash } from 'node:crypto';
import type { KeyedItem } from '../../core/engine/read/keyed-items.js';
import type { Key } from '../../core/engine/work/work.js';

export interface Difference {
  readonly create: readonly KeyedItem[];
  readonly update: readonly KeyedItem[];
  readonly delete: readonly Key[];
}

interface Seen {
  readonly key: Key;
  readonly digest: string;
}

/** Equal for equal keys, be they numbers or their text. */
export const textOfKey = (key: unknown): string => [key].flat().join('\u0000');

const digestOf = (text: string): string => hash('sha1', text, 'base64');

export class VisibleItems {
  readonly #seen: Map<string, Seen>;
  /** The texts of keys by their normal spelling; null until it is asked for. */
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

  keys(): readonly Key[] {
    return [...this.#seen.values()].map(({ key }) => key);
  }

  /** Compares the items of `touched` with `found`, those of them that are visible now, and remembers these. */
  apply(touched: Iterable<Key>, found: readonly KeyedItem[]): Difference {
    const { create, update } = this.add(found);
    const present = new Set(found.map(({ key }) => textOfKey(key)));
    const gone: Key[] = [];
    for (const key of touched) {
      const text = textOfKey(key);
      const seen = present.has(text) ? undefined : this.#seen.get(text);
      if (seen === undefined) continue;
      this.#forget(text, seen);
      gone.push(seen.key);
    }
    return { create, update, delete: gone };
  }

  add(found: readonly KeyedItem[]): Difference {
    const [create, update]: [KeyedItem[], KeyedItem[]] = [[], []];
    for (const item of found) {
      const text = textOfKey(item.key);
      const digest = digestOf(item.text);
      const seen = this.#seen.get(text);
      if (seen?.digest === digest) continue;
      (seen === undefined ? create : update).push(item);
      this.#seen.set(text, { key: item.key, digest });
      if (seen === undefined) this.#index(text, item.key);
    }
    return { create, update, delete: [] };
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
  startReading(): { readonly see: (items: readonly KeyedItem[]) => void; readonly end: () => Difference } {
    const [create, update]: [KeyedItem[], KeyedItem[]] = [[], []];
    const present = new Set<string>();
    return {
      see: (items) => {
        const part = this.add(items);
        for (const { key } of items) present.add(textOfKey(key));
        create.push(...part.create);
        update.push(...part.update);
      },
      end: () => {
        const gone = [...this.#seen].filter(([text]) => !present.has(text));
        for (const [text, seen] of gone) this.#forget(text, seen);
        return { create, update, delete: gone.map(([, { key }]) => key) };
      },
    };
  }

  /** What a subscriber who saw `before` has to be told to see the same as this: keys to read again, and keys that are gone. */
  since(before: VisibleItems): { readonly changed: readonly Key[]; readonly gone: readonly Key[] } {
    const changed = [...this.#seen].filter(([text, { digest }]) => before.#seen.get(text)?.digest !== digest);
    const gone = [...before.#seen].filter(([text]) => !this.#seen.has(text));
    return { changed: changed.map(([, { key }]) => key), gone: gone.map(([, { key }]) => key) };
  }

  has(key: Key): boolean {
    return this.#seen.has(textOfKey(key));
  }

  /** Keys that differ from a text only in case or surrounding spaces: some databases take them for the same. */
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
