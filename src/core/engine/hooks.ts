// The seam of the engine: what others do when items are written. They are registered, never imported, and work in bulk: one call per
// step, with all its items. Before, after and observe run inside the transaction, committed once it is done.

import type { Collection } from '../schema/schema.js';
import type { LateValue } from '../sql/late-value.js';
import type { TransactionWork } from './transaction.js';
import type { Key } from './work.js';

export type WriteAction = 'create' | 'update' | 'delete';

export interface WrittenItem<K = Key> {
  /** null before a new item has one. */
  readonly key: K | null;
  /** Canonical values by field, as they are written; empty for a deletion. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Its number in the write, null for what only leaves a list; `parent`: the number of the item whose payload it stood in. */
  readonly item: number | null;
  readonly parent: number | null;
}

export interface WriteEvent<K = Key> {
  /** The same object for all steps of one write: the scope of the numbers. */
  readonly write: object;
  readonly work: TransactionWork;
  readonly collection: Collection;
  readonly action: WriteAction;
  readonly items: readonly WrittenItem<K>[];
}

/** May refuse by throwing, or answer other values for the same items in the same order. */
export type BeforeHook = (event: WriteEvent) => Promise<readonly ReadonlyMap<string, unknown>[] | undefined>;
export type AfterHook = (event: WriteEvent) => Promise<void>;
/** Keys may be late values: so may be what refers to them. */
export type ObservedEvent = WriteEvent<Key | LateValue>;
export type ObserveHook = (event: ObservedEvent) => Promise<void>;

interface Registered {
  readonly before: BeforeHook[];
  readonly after: AfterHook[];
  readonly observe: ObserveHook[];
  readonly committed: AfterHook[];
}

type Moment = keyof Registered;
const followers = ['after', 'observe', 'committed'] as const;

/** Every collection. */
export const everywhere = '*';

export class Hooks {
  readonly #registered = {
    create: new Map<string, Registered>(),
    update: new Map<string, Registered>(),
    delete: new Map<string, Registered>(),
  };

  before(collection: string, action: WriteAction, hook: BeforeHook): void {
    this.#at(collection, action).before.push(hook);
  }

  after(collection: string, action: WriteAction, hook: AfterHook): void {
    this.#at(collection, action).after.push(hook);
  }

  /** For those who change nothing the write could answer: they may be told of what is still on its way. */
  observe(collection: string, action: WriteAction, hook: ObserveHook): void {
    this.#at(collection, action).observe.push(hook);
  }

  committed(collection: string, action: WriteAction, hook: AfterHook): void {
    this.#at(collection, action).committed.push(hook);
  }

  /** Whether anybody is interested in such a moment. */
  has(collection: string, action: WriteAction, moments: readonly Moment[] = followers): boolean {
    return this.#isInterested(collection, action, moments) || this.#isInterested(everywhere, action, moments);
  }

  /** The values to write, in the order of the items. */
  async runBefore(event: WriteEvent): Promise<readonly WrittenItem[]> {
    let { items } = event;
    for (const hook of this.#find(event, 'before')) {
      const values = await hook({ ...event, items });
      if (values !== undefined) items = items.map((item, index) => ({ ...item, values: values[index] ?? item.values }));
    }
    return items;
  }

  async runAfter(event: WriteEvent): Promise<void> {
    for (const hook of this.#find(event, 'after')) await hook(event);
    for (const hook of this.#find(event, 'committed')) event.work.afterCommit(() => hook(event));
  }

  async runObserve(event: ObservedEvent): Promise<void> {
    for (const hook of this.#find(event, 'observe')) await hook(event);
  }

  #isInterested(collection: string, action: WriteAction, moments: readonly Moment[]): boolean {
    const registered = this.#registered[action].get(collection);
    return registered !== undefined && moments.some((moment) => registered[moment].length > 0);
  }

  #at(collection: string, action: WriteAction): Registered {
    const present = this.#registered[action].get(collection) ?? { before: [], after: [], observe: [], committed: [] };
    this.#registered[action].set(collection, present);
    return present;
  }

  #find<M extends Moment>({ collection, action }: Pick<WriteEvent, 'collection' | 'action'>, moment: M): readonly Registered[M][number][] {
    const own = this.#registered[action].get(collection.name)?.[moment] ?? [];
    const general = this.#registered[action].get(everywhere)?.[moment] ?? [];
    return [...own, ...general];
  }
}
