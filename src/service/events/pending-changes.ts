// What may have changed in a list since it was last read: certain items, or any of them.

import type { ListFacts } from '../../core/engine/read/keyed-items.js';
import type { Change, ChangeAction } from '../../core/engine/work/changes.js';
import type { Key } from '../../core/engine/work/work.js';
import { textOfKey } from './visible-items.js';

export interface TouchedItem {
  readonly key: Key;
  readonly action: ChangeAction;
  /** Whether something was written that the list may show, and not just fields that are hidden from its followers; null: unknown. */
  readonly shows: boolean | null;
}

export type TouchedItems = ReadonlyMap<string, TouchedItem>;

/** Above this number of items, reading the whole list costs less than reading them by key. */
export const maxTouched = 1_000;

export class PendingChanges {
  readonly #facts: ListFacts;
  readonly #isLoggedCollection: (collection: string) => boolean;
  #touched = new Map<string, TouchedItem>();
  #isUnknown = false;
  #since: number | null = null;

  constructor(facts: ListFacts, isLogged: (collection: string) => boolean) {
    this.#facts = facts;
    this.#isLoggedCollection = isLogged;
  }

  get areAny(): boolean {
    return this.#isUnknown || this.#touched.size > 0;
  }

  get areItems(): boolean {
    return this.#touched.size > 0;
  }

  /** Anything may have changed. */
  get areUnknown(): boolean {
    return this.#isUnknown;
  }

  /** How long the oldest of them has been known. */
  get ageMs(): number {
    return this.#since === null ? 0 : performance.now() - this.#since;
  }

  /** Returns whether they concern the list. */
  note(changes: readonly Change[]): boolean {
    let isConcerned = false;
    for (const change of changes) isConcerned = this.#note(change) || isConcerned;
    if (isConcerned) this.#since ??= performance.now();
    return isConcerned;
  }

  suspect(): void {
    this.#isUnknown = true;
  }

  /** Takes the touched items, which the caller is about to read by key or with the whole list. */
  take(isWhole: boolean): TouchedItems {
    const touched = this.#touched;
    this.#touched = new Map();
    if (isWhole) this.#isUnknown = false;
    return touched;
  }

  /** Call it when what was taken could not be read: the next reading is of everything, these items included. */
  returned(touched: TouchedItems): void {
    const later = this.#touched;
    this.#touched = new Map(touched);
    for (const item of later.values()) this.#touch(item);
    this.#bound();
    this.#isUnknown = true;
  }

  /** Call it when the changes that were taken have been sent to the followers. */
  sent(isWhole: boolean): void {
    if (!this.areAny) this.#since = null;
    else if (isWhole) this.#since = performance.now();
  }

  #note(change: Change): boolean {
    const { collection, reached } = this.#facts;
    if (change.kind === 'unknown' && change.collection === null && change.logged !== true && this.#isLogged) return false;
    const isReached = change.collection === null || this.#dependsOnAll || [...reached].some(({ name }) => name === change.collection);
    if (isReached || (change.kind === 'unknown' && change.collection === collection.name)) {
      this.#isUnknown = true;
      return true;
    }
    if (change.kind === 'unknown' || change.collection !== collection.name) return false;
    const { action } = change;
    const shows = action !== 'update' || this.#shows(change.fields);
    for (const key of change.keys) this.#touch({ key, action, shows });
    this.#bound();
    return true;
  }

  #shows(fields: readonly string[] | undefined): boolean | null {
    const { shown, showsAll } = this.#facts;
    if (fields === undefined) return showsAll ? true : null;
    return fields.some((name) => shown.has(name));
  }

  #bound(): void {
    if (this.#touched.size <= maxTouched) return;
    this.#touched.clear();
    this.#isUnknown = true;
  }

  /** An item that was created and then updated is still new to subscribers. */
  #touch({ key, action, shows }: TouchedItem): void {
    const text = textOfKey(key);
    const earlier = this.#touched.get(text);
    const isNew = action === 'update' && earlier?.action === 'create';
    this.#touched.set(text, {
      key,
      action: isNew ? 'create' : action,
      shows: earlier === undefined ? shows : either(earlier.shows, shows),
    });
  }

  get #isLogged(): boolean {
    const { collection, reached } = this.#facts;
    return !this.#dependsOnAll && [collection, ...reached].every(({ name }) => this.#isLoggedCollection(name));
  }

  /** A view may read any table. */
  get #dependsOnAll(): boolean {
    return [this.#facts.collection, ...this.#facts.reached].some(({ table }) => table?.kind === 'view');
  }
}

const either = (one: boolean | null, other: boolean | null): boolean | null =>
  one === true || other === true ? true : one === null ? null : other;
