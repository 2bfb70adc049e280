// How other parts take part in writes: hooks are registered with the engine, which never imports them. A hook is called once per step with all
// its items. `before`, `after` and `observe` run inside the transaction, `committed` after it.

import type { Collection } from '../../schema/schema.js';
import type { PendingKey } from '../../sql/pending-key.js';
import type { TransactionWork } from '../work/transaction.js';
import type { Key } from '../work/work.js';

export type WriteAction = 'create' | 'update' | 'delete';

export interface WrittenItem<K = Key> {
  /** null before a new item has a key. */
  readonly key: K | null;
  /** The canonical values to write, by field; empty for a deletion. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Its number in the write, null for an item that only leaves a list; `parent`: the number of the item whose payload contained it. */
  readonly item: number | null;
  readonly parent: number | null;
}

export interface WriteEvent<K = Key> {
  /** The same object for all steps of one write: item numbers are unique within it. */
  readonly write: object;
  readonly work: TransactionWork;
  readonly collection: Collection;
  readonly action: WriteAction;
  readonly items: readonly WrittenItem<K>[];
}

export interface BeforeEvent extends WriteEvent {
  /** Queues a lock of an update's items. It is taken with the next statement and lasts until the transaction ends. */
  readonly hold: () => Promise<void>;
}

/** May refuse by throwing, or return other values for the same items in the same order. */
export type BeforeHook = (event: BeforeEvent) => Promise<readonly ReadonlyMap<string, unknown>[] | undefined>;
export type AfterHook = (event: WriteEvent) => Promise<void>;
/** Keys may not be generated yet; pass them on, do not read them. */
export type ObservedEvent = WriteEvent<Key | PendingKey>;
export type ObserveHook = (event: ObservedEvent) => Promise<void>;

interface Registered {
  readonly before: BeforeHook[];
  readonly after: AfterHook[];
  readonly observe: ObserveHook[];
  readonly committed: AfterHook[];
}

type Moment = keyof Registered;
const followers = ['after', 'observe', 'committed'] as const;

/** The name under which hooks for every collection are registered. */
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

  /** For hooks that neither change values nor need real keys: they are called while the INSERT is still queued. */
  observe(collection: string, action: WriteAction, hook: ObserveHook): void {
    this.#at(collection, action).observe.push(hook);
  }

  committed(collection: string, action: WriteAction, hook: AfterHook): void {
    this.#at(collection, action).committed.push(hook);
  }

  /** Whether a hook is registered for one of these moments. */
  has({ name, codeName }: Pick<Collection, 'name' | 'codeName'>, action: WriteAction, moments: readonly Moment[] = followers): boolean {
    return this.#isRegistered(codeName ?? name, action, moments) || this.#isRegistered(everywhere, action, moments);
  }

  /** Returns the items with the values to write. */
  async runBefore(event: BeforeEvent): Promise<readonly WrittenItem[]> {
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

  #isRegistered(collection: string, action: WriteAction, moments: readonly Moment[]): boolean {
    const registered = this.#registered[action].get(collection);
    return registered !== undefined && moments.some((moment) => registered[moment].length > 0);
  }

  #at(collection: string, action: WriteAction): Registered {
    const present = this.#registered[action].get(collection) ?? { before: [], after: [], observe: [], committed: [] };
    this.#registered[action].set(collection, present);
    return present;
  }

  #find<M extends Moment>({ collection, action }: Pick<WriteEvent, 'collection' | 'action'>, moment: M): readonly Registered[M][number][] {
    const own = this.#registered[action].get(collection.codeName ?? collection.name)?.[moment] ?? [];
    const general = this.#registered[action].get(everywhere)?.[moment] ?? [];
    return [...own, ...general];
  }
}
