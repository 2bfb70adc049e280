// What a group remembers of its list, to find out what a reading means for its followers. Within the bounds of the budget that is every
// visible item. Of a longer list it is what followers were shown, by pages and events: only what was shown can be reported as deleted, and
// what is hidden changes in silence. If the page alone has no room, nothing is remembered, and the group compares whole pages instead.

import type { KeyedItem } from '../../core/engine/read/keyed-items.js';
import type { Key } from '../../core/engine/work/work.js';
import type { GroupEvent } from './event-log.js';
import type { ItemBudget } from './item-budget.js';
import type { TouchedItems } from './pending-changes.js';
import { type Difference, textOfKey, VisibleItems } from './visible-items.js';

type Parts = AsyncIterable<readonly KeyedItem[]>;

export class RememberedList {
  readonly #budget: ItemBudget;
  /** Whether every item of the collection is in the list. */
  readonly #isWhole: boolean;
  #items = new VisibleItems();
  #scope: 'all' | 'shown' | 'nothing' = 'all';
  /** Keys of a page that a new follower got and the others did not: a change of these has to be sent, even if the page has it already. */
  #unsent = new Set<string>();
  /** Whether followers got pages of a long list. Those that did not only have what events showed. */
  #hasPage = false;
  /** The number of items that the budget counts for this list. */
  #held = 0;
  /** The user for whom the budget counts it. */
  #owner: string;
  #isClosed = false;

  constructor(budget: ItemBudget, owner: string, isWhole: boolean) {
    this.#budget = budget;
    this.#owner = owner;
    this.#isWhole = isWhole;
  }

  get size(): number {
    return this.#items.size;
  }

  get scope(): 'all' | 'shown' | 'nothing' {
    return this.#scope;
  }

  /** Every visible item; null if the list is too long. */
  get all(): VisibleItems | null {
    return this.#scope === 'all' ? this.#items : null;
  }

  get keys(): readonly Key[] {
    return this.#items.keys();
  }

  get hasPage(): boolean {
    return this.#hasPage;
  }

  /** Whether it is within the bounds. If not, call `start` or `forget`. */
  get fits(): boolean {
    return this.#scope === 'nothing' || this.#allows(this.#items.size);
  }

  async load(parts: Parts): Promise<void> {
    const all = new VisibleItems();
    for await (const items of parts) {
      all.add(items);
      if (!this.#allows(all.size)) return this.#replace('shown', new VisibleItems());
    }
    this.#replace('all', all);
  }

  /** Followers have this page and nothing else from now on. Returns false if there is no room for it and as many items again. */
  start(page: readonly KeyedItem[]): boolean {
    if (!this.#allows(Math.max(1, 2 * page.length))) return false;
    const shown = new VisibleItems();
    shown.add(page);
    this.#replace('shown', shown);
    this.#hasPage = true;
    return true;
  }

  forget(): void {
    this.#replace('nothing', new VisibleItems());
  }

  close(): void {
    this.#isClosed = true;
    this.#account();
  }

  #replace(scope: 'all' | 'shown' | 'nothing', items: VisibleItems): void {
    this.#scope = scope;
    this.#items = items;
    this.#unsent.clear();
    this.#hasPage = false;
    this.#account();
  }

  #account(): void {
    const holds = this.#isClosed ? 0 : this.#items.size;
    this.#budget.change(this.#owner, this.#held, holds);
    this.#held = holds;
  }

  #allows(wanted: number): boolean {
    return this.#budget.allows(this.#owner, this.#held, wanted);
  }

  changeOwner(owner: string): void {
    this.#budget.change(this.#owner, this.#held, 0);
    this.#owner = owner;
    this.#budget.change(owner, 0, this.#held);
  }

  /** The keys and those that the database may treat as equal to them: a key may be written in another spelling than the one it answers. */
  withSpellings(keys: readonly Key[]): readonly Key[] {
    const items = this.#items;
    return [...new Set(keys.flatMap((key) => (items.has(key) ? [key] : [key, ...items.spellingsOf(key)])))];
  }

  /** Compares with a reading of everything; null if that is too long to be remembered. */
  async compareAll(parts: Parts): Promise<Difference | null> {
    const reading = this.#items.startReading();
    for await (const items of parts) if (!this.#allows(reading.see(items))) return null;
    return reading.end();
  }

  /** Whether followers may have items of these keys that are not visible any more, without it being remembered. */
  isDoubtful(touched: TouchedItems, keys: readonly Key[], found: readonly KeyedItem[]): boolean {
    if (this.#scope !== 'nothing' || this.#isWhole) return false;
    const present = new Set(found.map(({ key }) => textOfKey(key)));
    return keys.map(textOfKey).some((text) => {
      const item = touched.get(text);
      return !present.has(text) && item?.action !== 'create' && item?.shows !== false;
    });
  }

  /** Compares with a reading of these keys. `touched`: those of them that are known to have changed. */
  compare(touched: TouchedItems, keys: readonly Key[], found: readonly KeyedItem[]): Difference {
    const difference = this.#items.compare(keys, found);
    if (this.#scope === 'all') return difference;
    const present = new Set(found.map(({ key }) => textOfKey(key)));
    const actionOf = (key: Key) => touched.get(textOfKey(key))?.action;
    // An item that is not remembered must not tell that hidden fields of it were written.
    const isSilent = ({ key }: KeyedItem): boolean => touched.get(textOfKey(key))?.shows !== true && touched.has(textOfKey(key));
    const known = new Set(difference.update);
    const unsent = found.filter((item) => !known.has(item) && actionOf(item.key) !== undefined && this.#unsent.has(textOfKey(item.key)));
    const news = [...difference.create, ...unsent].filter((item) => !isSilent(item));
    // What was not shown may have been visible all the same.
    const isUpdate = ({ key }: KeyedItem): boolean => actionOf(key) === 'update';
    // A list that contains every item contained the deleted ones.
    const missing = this.#isWhole ? keys.filter((key) => !present.has(textOfKey(key)) && !this.#items.has(key)) : [];
    const unshown = missing.filter((key) => actionOf(key) === 'delete');
    return {
      create: news.filter((item) => !isUpdate(item)),
      update: [...difference.update, ...news.filter(isUpdate)],
      delete: [...difference.delete, ...unshown],
    };
  }

  /** What the page of a new follower, which may be newer than what the others have, means for the others. */
  comparePage(page: readonly KeyedItem[], isWholeList: boolean): Difference {
    const present = new Set(page.map(({ key }) => textOfKey(key)));
    const gone = this.#scope === 'all' && isWholeList ? this.keys.filter((key) => !present.has(textOfKey(key))) : [];
    const difference = this.#items.compare(gone, page);
    return this.#scope === 'all' ? difference : { create: [], update: difference.update, delete: [] };
  }

  /** A follower gets this page. `hasOthers`: there are followers that may not have all of it. */
  show(page: readonly KeyedItem[], hasOthers: boolean): void {
    if (this.#scope !== 'shown') return;
    const added = page.filter(({ key }) => !this.#items.has(key));
    this.#items.add(added);
    if (hasOthers) for (const { key } of added) this.#unsent.add(textOfKey(key));
    this.#hasPage = true;
    this.#account();
  }

  /** Remembers a difference that is being sent. */
  take(difference: Difference): void {
    if (this.#scope === 'nothing') return;
    this.#items.take(difference);
    for (const { key } of [...difference.create, ...difference.update]) this.#unsent.delete(textOfKey(key));
    for (const key of difference.delete) this.#unsent.delete(textOfKey(key));
    this.#account();
  }

  /** The digests that events keep, so that `before` can go back behind them. */
  digestsOf(keys: readonly Key[]): readonly string[] {
    return this.#scope === 'all' ? this.#items.digestsOf(keys) : [];
  }

  /** Every item that was visible before these events; null if that is unknown. */
  before(events: readonly GroupEvent[]): VisibleItems | null {
    return this.#scope === 'all' ? this.#items.before(events) : null;
  }
}
