// The draft of an open item. Each field subscribes to itself, so a keystroke renders one field. Edits of a page are kept in the browser until
// they are saved or discarded: they survive a reload and a crash. Edits of a drawer are kept in the draft of the form below it.

import { useSyncExternalStore } from 'react';
import { isTyped } from '../schema/typed.js';
import { draftValue, edit } from './draft.js';
import type { Edits, Item } from './item.js';
import { isAbout, type Refusal } from './refusals.js';
import { entryValues, isStagedEntry } from './staged.js';

interface KeptDraft {
  readonly edits: Edits;
  /** What was stored in the edited fields when they were edited. */
  readonly origin: Item;
  /** When the draft was last changed; null: in this page. */
  readonly time: string | null;
}

/** Where a draft keeps its edits. */
export interface EditsKeeper {
  read(): KeptDraft;
  /** `values`: the item with the edits. */
  write(edits: Edits, origin: Item, values: Item): void;
}

export class DraftStore {
  #base: Item;
  #edits: Edits;
  #origin: Item;
  #refusals: readonly Refusal[];
  #values: Item | null = null;
  #discards = 0;
  readonly #listeners = new Set<() => void>();
  /** When edits from an earlier visit were last changed; null without any. */
  readonly keptSince: string | null;

  constructor(
    base: Item,
    private readonly keeper: EditsKeeper,
    refusals: readonly Refusal[] = [],
  ) {
    const { edits, origin, time } = keeper.read();
    this.#base = base;
    this.#edits = edits;
    this.#origin = { ...pick(base, edits), ...origin };
    this.#refusals = refusals;
    this.keptSince = Object.keys(edits).length > 0 ? time : null;
  }

  get base(): Item {
    return this.#base;
  }

  get edits(): Edits {
    return this.#edits;
  }

  /** The stored values of the edited fields at the time of the edit. After a reload, the item below the edits may be newer. */
  get origin(): Item {
    return this.#origin;
  }

  get refusals(): readonly Refusal[] {
    return this.#refusals;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The item as it would be saved, a staged item as its own values. The same object until something changes. */
  values(): Item {
    this.#values ??= this.#valuesNow();
    return this.#values;
  }

  #valuesNow(): Item {
    const edits = Object.entries(this.#edits).map(([field, value]) => [
      field,
      isStagedEntry(value) ? entryValues(value) : isTyped(value) ? value.text : value,
    ]);
    return { ...this.#base, ...Object.fromEntries(edits) };
  }

  value(field: string): unknown {
    return draftValue(this.#base, this.#edits, field);
  }

  isChanged(field: string): boolean {
    return field in this.#edits;
  }

  set(field: string, value: unknown): void {
    if (this.#refusals.some((refusal) => isAbout(refusal, field)))
      this.#refusals = this.#refusals.filter((refusal) => !isAbout(refusal, field));
    const edits = edit(this.#base, this.#edits, field, value);
    this.#change(edits, { ...pick(this.#base, edits), ...pick(this.#origin, edits) });
  }

  refuse(refusals: readonly Refusal[]): void {
    this.#refusals = refusals;
    this.#notify();
  }

  /** How often edits were discarded: an interface begins anew then, without what its control would undo. */
  get discards(): number {
    return this.#discards;
  }

  /** Lets go of the edits but for those that are kept. Returns what brings them back, below edits made since. */
  discard(kept: Edits = {}): () => void {
    const [edits, origin] = [this.#edits, this.#origin];
    this.#discards += 1;
    this.#change(kept, pick(this.#base, kept));
    return () => {
      this.#discards += 1;
      this.#change({ ...edits, ...this.#edits }, { ...origin, ...this.#origin });
    };
  }

  /** Call it after a save or a merge. */
  replace(base: Item, edits: Edits): void {
    this.#base = base;
    this.#change(edits, pick(base, edits));
  }

  #change(edits: Edits, origin: Item): void {
    this.#edits = edits;
    this.#origin = origin;
    this.#values = null;
    this.keeper.write(edits, origin, this.values());
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The values of those fields that `edits` names and `item` has. */
const pick = (item: Item, edits: Edits): Item =>
  Object.fromEntries(Object.keys(edits).flatMap((name) => (name in item ? [[name, item[name]]] : [])));

/** Keeps the edits of an entry in the draft of the form that lists it. */
export const entryKeeper = (edits: Edits, write: (edits: Edits, origin: Item) => void): EditsKeeper => ({
  read: () => ({ edits, origin: {}, time: null }),
  write,
});

/**
 * Keeps edits in the browser, under a name and with the title that lists of drafts show. What has no room there is kept for this page only.
 */
export const browserKeeper = (place: string, titleOf: (values: Item) => string = () => ''): EditsKeeper => ({
  read: () => {
    try {
      const stored = JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<KeptDraft>;
      return { edits: stored.edits ?? {}, origin: stored.origin ?? {}, time: stored.time ?? null };
    } catch {
      return { edits: {}, origin: {}, time: null };
    }
  },
  write: (edits, origin, values) => {
    try {
      if (Object.keys(edits).length === 0) localStorage.removeItem(place);
      else {
        const kept = { edits, origin, title: titleOf(values), time: new Date().toISOString() } satisfies KeptDraft & { title: string };
        localStorage.setItem(place, JSON.stringify(kept));
      }
    } catch {
      localStorage.removeItem(place);
    }
  },
});

export const useDraftValues = (store: DraftStore): Item => useSyncExternalStore(store.subscribe, () => store.values());

export const useChangeCount = (store: DraftStore): number => useSyncExternalStore(store.subscribe, () => Object.keys(store.edits).length);
