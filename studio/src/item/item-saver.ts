// Saves the draft of an item, with everything staged below it, as one request that names the state it was read in. When somebody else saved
// meanwhile, fields that only one side changed are merged, and the person decides about the others. Knows no framework.

import { ApiError, request } from '../api/client.js';
import { checkDraft } from '../draft/check-draft.js';
import { isEqual, type Merge, merge } from '../draft/draft.js';
import type { DraftStore } from '../draft/draft-store.js';
import type { Edits, Item } from '../draft/item.js';
import { placeRefusals, type Refusal } from '../draft/refusals.js';
import { payloadOf } from '../draft/staged.js';
import { focusInput } from '../form/focus-input.js';
import { type LoadedItem, readItem } from '../form/read-item.js';
import { keySegment, keyText } from '../schema/item-key.js';
import type { MatchContext } from '../schema/match-filter.js';
import type { Collection } from '../schema/model.js';
import type { Messages } from '../text/messages.js';
import { hasStaged, isStaged, type SavedDraft } from './undo-save.js';

export interface SaveTarget {
  readonly kind: 'new' | 'item' | 'singleton' | 'version';
  /** The path of the item; of its collection when it is new. */
  readonly path: string;
  /** Of a version: its key in the address, and where its changes are saved. */
  readonly version?: { readonly key: string; readonly savePath: string };
}

export interface SaveState {
  readonly phase: 'idle' | 'saving';
  readonly conflict: { readonly merge: Merge; readonly theirs: LoadedItem } | null;
}

export interface SaverDeps {
  readonly context: MatchContext;
  readonly collection: Collection;
  readonly target: SaveTarget;
  readonly store: DraftStore;
  readonly text: Messages;
  readonly onMessage: (message: string) => void;
  /** Called with what is needed to undo the save; null: it cannot be undone. */
  readonly onSaved: (saved: SavedDraft | null) => Promise<void>;
  /**
   * Replaces the form of a new item by that of the created one, with the edits made while it was saved. An empty key: the caller may not
   * read it.
   */
  readonly onCreated: (key: string, late: Edits) => void;
  /** The service refused a name, so Studio's structure may be outdated. Resolves to whether it was. */
  readonly onUncertain: () => Promise<boolean>;
}

export class ItemSaver {
  #state: SaveState = { phase: 'idle', conflict: null };
  #etag: string | null;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly deps: SaverDeps,
    etag: string | null,
  ) {
    this.#etag = etag;
  }

  get state(): SaveState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly save = (): void => {
    const { store, target } = this.deps;
    if (this.#state.phase === 'saving' || Object.keys(store.edits).length === 0 || !this.#isSound(store.edits)) return;
    // Nobody else can have changed a new item.
    if (target.kind === 'new') return void this.#attempt(store.edits);
    // Edits from an earlier visit may be older than the item below them.
    const merged = merge(store.origin, store.edits, store.base);
    if (merged.conflicts.length === 0) void this.#attempt(store.edits);
    else this.#change({ phase: 'idle', conflict: { merge: merged, theirs: { item: store.base, etag: this.#etag } } });
  };

  /** Marks what cannot be saved as it is. */
  #isSound(edits: Edits): boolean {
    const { context, collection, target, store, text, onMessage } = this.deps;
    const draft = { collection, base: store.base, edits, isNew: target.kind === 'new', filled: null };
    const refusals = checkDraft(context, draft, {
      missing: text.requiredMissing,
      invalid: text.ruleBroken,
      faults: text.list.faults,
    });
    if (refusals.length === 0) return true;
    this.#show(refusals);
    onMessage(text.refusedCount(refusals.length));
    return false;
  }

  /** The edits to save over theirs; null leaves everything as it is. */
  readonly resolve = (edits: Edits | null): void => {
    const { conflict } = this.#state;
    this.#change({ phase: 'idle', conflict: null });
    if (edits === null || conflict === null) return;
    this.#etag = conflict.theirs.etag;
    this.deps.store.replace(conflict.theirs.item, edits);
    if (Object.keys(edits).length > 0) void this.#attempt(edits);
  };

  /** Reads the item again after a save or an undo. `settled`: the edits that were saved, which are removed; edits made meanwhile stay. */
  readonly refresh = async (settled: Edits): Promise<void> => {
    const { store } = this.deps;
    const fresh = await this.#read();
    this.#etag = fresh.etag;
    store.replace(fresh.item, this.#unsettled(settled, fresh.item));
  };

  /**
   * Somebody else has saved the item: fields without edits here take the new values at once. Resolves to false if both changed the same
   * field; the save then asks which value to keep.
   */
  readonly follow = async (): Promise<boolean> => {
    const { store } = this.deps;
    const theirs = await this.#read();
    if (this.#state.phase === 'saving' || this.#state.conflict !== null) return true;
    const merged = merge({ ...store.base, ...store.origin }, store.edits, theirs.item);
    if (merged.conflicts.length > 0) return false;
    this.#etag = theirs.etag;
    store.replace(theirs.item, merged.edits);
    return true;
  };

  /** The edits that remain to be saved. Staged items that were saved are left out, because they would be created again. */
  #unsettled(settled: Edits, stored: Item): Edits {
    const isSettled = (field: string, value: unknown): boolean =>
      isEqual(value, stored[field]) || (field in settled && (isStaged(value) || isEqual(value, settled[field])));
    return Object.fromEntries(Object.entries(this.deps.store.edits).filter(([field, value]) => !isSettled(field, value)));
  }

  #read(): Promise<LoadedItem> {
    const { context, collection, target } = this.deps;
    return readItem(context.schema, collection, target.path, target.version?.key);
  }

  #change(state: SaveState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  async #attempt(edits: Edits): Promise<void> {
    // What was typed while somebody else's values were merged may be unfinished.
    if (!this.#isSound(edits)) return;
    this.#change({ phase: 'saving', conflict: null });
    try {
      await this.#write(edits);
      this.#change({ phase: 'idle', conflict: null });
    } catch (error) {
      this.#change({ phase: 'idle', conflict: null });
      await this.#answer(error);
    }
  }

  async #write(edits: Edits): Promise<void> {
    const { context, collection, target, store, onSaved, onCreated } = this.deps;
    const { schema } = context;
    const before = target.kind === 'new' ? null : store.base;
    const body = payloadOf(schema, collection, edits);
    const staged = hasStaged(edits);
    const options = { body, ...(staged ? { prefer: 'revisions' as const } : {}) };
    if (target.version !== undefined) {
      await request('POST', target.version.savePath, options);
      await this.refresh(edits);
      return onSaved(null);
    }
    const { data, etag, revisions } = await (target.kind === 'new'
      ? request<Item>('POST', target.path, { ...options, query: { fields: '*' } })
      : request<Item>('PATCH', target.path, { ...options, query: { fields: '*' }, ifMatch: this.#etag }));
    const key = target.kind === 'new' ? (keyText(collection, data ?? {}) ?? '') : null;
    const path = key === null ? target.path : `${target.path}/${keySegment(collection, key)}`;
    if (key === null) await this.refresh(edits);
    const isLost = key === '' || (staged && revisions === null);
    await onSaved(isLost ? null : { schema, collection, path, before, edits, etag: key === null ? this.#etag : etag, revisions });
    if (key === null) return;
    const late = this.#unsettled(edits, data ?? {});
    store.replace({}, {});
    onCreated(key, late);
  }

  async #answer(error: unknown): Promise<void> {
    const { target } = this.deps;
    const status = error instanceof ApiError ? error.status : null;
    if (status === 412 && target.kind !== 'new') return this.#mergeAgain(await this.#read());
    await this.#refuse(error);
  }

  /** With the edits as they are now: some may have been made since the save began. */
  async #mergeAgain(theirs: LoadedItem): Promise<void> {
    const { store } = this.deps;
    const merged = merge(store.base, store.edits, theirs.item);
    this.#etag = theirs.etag;
    if (merged.conflicts.length > 0) return this.#change({ phase: 'idle', conflict: { merge: merged, theirs } });
    store.replace(theirs.item, merged.edits);
    if (Object.keys(merged.edits).length > 0) await this.#attempt(merged.edits);
  }

  /** Puts each refusal beside its field; what names no field of the draft is shown as a message. */
  async #refuse(error: unknown): Promise<void> {
    const { context, collection, store, text, onMessage, onUncertain } = this.deps;
    const entries = error instanceof ApiError ? error.entries : [];
    const placed = placeRefusals(context.schema, collection, store.edits, entries);
    this.#show(placed.filter((refusal) => refusal !== null));
    const isPlaced = !placed.includes(null) && entries.length > 0;
    // The refused name may have existed when the form was built.
    const isStructural = entries.some(({ extensions: { code } }) => code === 'FORBIDDEN' || (code === 'INVALID_PAYLOAD' && !isPlaced));
    if (isStructural && (await onUncertain())) return onMessage(text.structureChanged);
    if (!isPlaced) onMessage(entries[0]?.message ?? text.unreachable);
  }

  #show(refusals: readonly Refusal[]): void {
    this.deps.store.refuse(refusals);
    focusRefusal(refusals[0]);
  }
}

/** Moves the focus to the first refused field once it is marked. */
function focusRefusal(refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  const name = refusal.steps[0]?.field ?? refusal.field;
  requestAnimationFrame(() => {
    const field = document.querySelector(`.form [data-field="${CSS.escape(name)}"]`);
    field?.scrollIntoView({ block: 'nearest' });
    if (field !== null) focusInput(field);
  });
}
