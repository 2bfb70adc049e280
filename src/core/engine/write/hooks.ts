// How other parts take part in writes: hooks are registered with the engine, which never imports them. `filter` hooks see what a caller asks
// for, before anything of it is read. Every other hook is called once per step with all its items: `before`, `after` and `observe` inside the
// transaction, `committed` after it.

import type { Collection } from '../../schema/schema.js';
import type { ObservedKey } from '../work/run-row.js';
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
/** Keys, or parts of them, may not be generated yet; pass them on, do not read them. */
export type ObservedEvent = WriteEvent<ObservedKey>;
export type ObserveHook = (event: ObservedEvent) => Promise<void>;

/** What a caller asks for, as it was sent. */
export interface FilterEvent {
  readonly work: TransactionWork;
  readonly collection: Collection;
  readonly action: WriteAction;
  /** As sent; null for new items. */
  readonly keys: readonly unknown[] | null;
  /** The values of one new item, or those for all of the keys; null for a deletion. */
  readonly payload: unknown;
}

/** May refuse by throwing; resolves to the payload to go on with. */
export type FilterHook = (event: FilterEvent) => Promise<unknown>;
/** Takes a hook back. */
export type Unregister = () => void;

interface Registered {
  readonly filter: FilterHook[];
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

  filter(collection: string, action: WriteAction, hook: FilterHook): Unregister {
    return added(this.#at(collection, action).filter, hook);
  }

  before(collection: string, action: WriteAction, hook: BeforeHook): Unregister {
    return added(this.#at(collection, action).before, hook);
  }

  after(collection: string, action: WriteAction, hook: AfterHook): void {
    this.#at(collection, action).after.push(hook);
  }

  /** For hooks that neither change values nor need real keys: they are called while the INSERT is still queued. */
  observe(collection: string, action: WriteAction, hook: ObserveHook): Unregister {
    return added(this.#at(collection, action).observe, hook);
  }

  committed(collection: string, action: WriteAction, hook: AfterHook): void {
    this.#at(collection, action).committed.push(hook);
  }

  /** Whether a hook is registered for one of these moments. */
  has({ name, codeName }: Pick<Collection, 'name' | 'codeName'>, action: WriteAction, moments: readonly Moment[] = followers): boolean {
    return this.#isRegistered(codeName ?? name, action, moments) || this.#isRegistered(everywhere, action, moments);
  }

  /** Returns the payload to write. */
  async runFilter(event: FilterEvent): Promise<unknown> {
    let { payload } = event;
    for (const hook of this.#find(event, 'filter')) payload = await hook({ ...event, payload });
    return payload;
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
    const present = this.#registered[action].get(collection) ?? { filter: [], before: [], after: [], observe: [], committed: [] };
    this.#registered[action].set(collection, present);
    return present;
  }

  #find<M extends Moment>({ collection, action }: Pick<WriteEvent, 'collection' | 'action'>, moment: M): readonly Registered[M][number][] {
    const own = this.#registered[action].get(collection.codeName ?? collection.name)?.[moment] ?? [];
    const general = this.#registered[action].get(everywhere)?.[moment] ?? [];
    return [...own, ...general];
  }
}

function added<H>(hooks: H[], hook: H): Unregister {
  hooks.push(hook);
  return () => {
    const at = hooks.indexOf(hook);
    if (at >= 0) hooks.splice(at, 1);
  };
}
