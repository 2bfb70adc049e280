// Subscribers with the same question and the same view. For every change that may concern them, the group reads once, under their view,
// compares the result with what they saw before, and sends the same events to all of them. Readings of a group run one after the other, so
// its state is always what its followers have received. `reading-rounds.ts` decides when to read, `remembered-list.ts` what a reading means
// for the followers, and `group-log.ts` keeps the events; joins and moves are here.

import type { Caller } from '../../core/access/view.js';
import type { Seal } from '../../core/engine/read/cursor.js';
import type { KeyedItem, ListFacts } from '../../core/engine/read/keyed-items.js';
import type { Change } from '../../core/engine/work/changes.js';
import type { Key } from '../../core/engine/work/work.js';
import type { EventFacts, GroupEvent, LogBounds } from './event-log.js';
import type { Follower, Joined, Moved } from './follower.js';
import { GroupLog, type MovingPart } from './group-log.js';
import type { ItemBudget } from './item-budget.js';
import { ListReading, type ListReadingDeps, type Page, type Question } from './list-reading.js';
import { PendingChanges, type TouchedItems } from './pending-changes.js';
import { ReadingRounds } from './reading-rounds.js';
import { RememberedList } from './remembered-list.js';
import { type Difference, digestOf, textOfKey, type VisibleItems } from './visible-items.js';

export interface GroupDeps extends ListReadingDeps {
  /** Seals the cursors. */
  readonly seal: Seal;
  readonly log: LogBounds;
  /** Bounds the items that are kept for comparison. */
  readonly budget: ItemBudget;
  readonly report: (error: unknown) => void;
  /** Whether a log of the database reports every change of the collection. */
  readonly isLogged: (collection: string) => boolean;
}

/** What a follower has seen at this place of its group. */
interface Seen {
  readonly place: string;
  readonly items: VisibleItems;
}

/** Followers that move at the same time have mostly received the same. Beyond this number of places, each move is read by itself. */
const maxSharedMoves = 10;

export class Group {
  readonly key: string;
  readonly caller: Caller;
  readonly facts: ListFacts;
  readonly #question: Question;
  readonly #reading: ListReading;
  readonly #followers = new Set<Follower>();
  /** How many are about to follow. */
  #joining = 0;
  readonly #log: GroupLog;
  readonly #pending: PendingChanges;
  readonly #rounds: ReadingRounds;
  readonly #list: RememberedList;
  /** The user whose share of the bounds it takes: one of its followers, the last one if there are none. */
  #owner: string;
  #isSettling = false;
  #isLoaded = false;
  /** A digest of the page that followers have, for a list of which nothing is remembered. */
  #page: string | null = null;
  /** Increases with every change that may concern the group and with every event. */
  #version = 0;
  #begun: { readonly version: number; readonly joined: Joined & { kind: 'begun' } } | null = null;
  /** The events of moves from these places in other groups. Followers that move from the same place at the same time share them. */
  #moves: { readonly version: number; readonly byPlace: Map<string, readonly GroupEvent[]> } | null = null;
  /** Copies of what followers saw at these places, shared while moves use them. Valid until the event after `last`. */
  #copies: { readonly last: number; readonly byPlace: Map<string, WeakRef<VisibleItems>> } = { last: 0, byPlace: new Map() };

  constructor(deps: GroupDeps, key: string, caller: Caller, question: Question, facts: ListFacts, owner: string) {
    this.key = key;
    this.caller = caller;
    this.facts = facts;
    this.#question = question;
    this.#owner = owner;
    this.#reading = new ListReading(deps, caller, question, () => this.#owner);
    this.#pending = new PendingChanges(facts, deps.isLogged);
    this.#log = new GroupLog(deps.seal, key, deps.log);
    this.#list = new RememberedList(deps.budget, owner, facts.isWhole);
    this.#rounds = new ReadingRounds({
      pending: this.#pending,
      areWanted: () => this.#isLoaded && this.#followers.size > 0,
      readTouched: (touched) => this.#readTouched(touched),
      readAll: (touched) => this.#readAll(touched),
      report: deps.report,
    });
  }

  get owner(): string {
    return this.#owner;
  }

  get size(): number {
    return this.#followers.size;
  }

  /** Nobody follows it, or is about to: it can be dropped. A group that is dropped hears of no change any more. */
  get isIdle(): boolean {
    return this.#followers.size === 0 && this.#joining === 0;
  }

  /** How long the oldest change that has not been sent to the followers has been known. */
  get delayMs(): number {
    return this.#followers.size > 0 ? this.#pending.ageMs : 0;
  }

  /** Records changes; if there are followers, schedules a reading. */
  touch(changes: readonly Change[]): void {
    if (!this.#pending.note(changes)) return;
    this.#version += 1;
    this.#rounds.changed();
  }

  /** Records that anything may have changed, without a sign that something has. */
  suspect(): void {
    this.#version += 1;
    this.#rounds.suspect();
  }

  /**
   * Adds a follower. With `since` it gets the events after that cursor if the group still has them; otherwise the present state,
   * `withItems` or without. It misses no later commit and gets none twice.
   */
  join(follower: Follower, { since, withItems }: { readonly since: string | null; readonly withItems: boolean }): Promise<Joined> {
    return this.#joins(() => this.#joinInTurn(follower, since, withItems));
  }

  #joinInTurn(follower: Follower, since: string | null, withItems: boolean): Promise<Joined> {
    return this.#rounds.inTurn(async () => {
      await this.#catchUp();
      const events = since === null ? null : this.#log.after(since);
      const joined: Joined = events === null ? await this.#begin(withItems) : { kind: 'resumed', events, cursor: this.#log.cursor };
      this.#add(follower);
      return joined;
    });
  }

  /** Adds a follower that was in another group and has received its events up to this cursor. */
  moveFrom(old: Group, cursor: string, follower: Follower): Promise<Moved> {
    // Not in turn: two groups between which followers move both ways would wait for each other.
    return this.#joins(async () => this.#moveInTurn(await old.#seenAt(cursor), cursor, follower));
  }

  #moveInTurn(seen: Seen | null, cursor: string, follower: Follower): Promise<Moved> {
    return this.#rounds.inTurn(async () => {
      await this.#catchUp();
      const version = this.#version;
      if (this.#moves?.version !== version) this.#moves = { version, byPlace: new Map() };
      const { byPlace } = this.#moves;
      const from = seen?.place ?? '';
      const events = byPlace.get(from) ?? (await this.#differenceFrom(seen?.items ?? null, cursor));
      if (version === this.#version && byPlace.size < maxSharedMoves) byPlace.set(from, events);
      this.#add(follower);
      return { events, cursor: this.#log.cursor };
    });
  }

  async #joins<T>(act: () => Promise<T>): Promise<T> {
    this.#joining += 1;
    try {
      return await act();
    } finally {
      this.#joining -= 1;
    }
  }

  /** The keys that the holder of this cursor sees; empty if that is not known any more, or if the list is too long to keep. */
  async keysAt(cursor: string): Promise<readonly Key[]> {
    return (await this.#seenAt(cursor))?.items.keys() ?? [];
  }

  /** What the holder of this cursor sees. Waits for its turn between two readings, when the state of the group is that of its latest event. */
  #seenAt(cursor: string): Promise<Seen | null> {
    return this.#rounds.inTurn(async () => {
      const place = this.#log.placeOf(cursor);
      const events = this.#log.after(cursor);
      if (place === null || events === null) return null;
      const { last } = this.#log;
      if (this.#copies.last !== last) this.#copies = { last, byPlace: new Map() };
      const { byPlace } = this.#copies;
      const items = byPlace.get(place)?.deref() ?? this.#list.before(events);
      if (items !== null) byPlace.set(place, new WeakRef(items));
      return items === null ? null : { place, items };
    });
  }

  /** Without followers, changes are recorded and not read, so the first one schedules the reading. */
  #add(follower: Follower): void {
    if (this.#followers.size === 0) this.#changeOwner(follower.owner);
    this.#followers.add(follower);
    this.#rounds.schedule();
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
    // Should it come back by the same way, what it was told then may be past.
    this.#moves = null;
    if (follower.owner === this.#owner) this.#settleOwner();
  }

  /** Once for all that leave in a turn of the event loop: a set finds its first member behind the places of those that have left. */
  #settleOwner(): void {
    if (this.#isSettling) return;
    this.#isSettling = true;
    setImmediate(() => {
      this.#isSettling = false;
      const [first] = this.#followers;
      if (first !== undefined) this.#changeOwner(first.owner);
    });
  }

  #changeOwner(owner: string): void {
    if (owner === this.#owner) return;
    this.#owner = owner;
    this.#list.changeOwner(owner);
  }

  close(): void {
    this.#followers.clear();
    this.#rounds.close();
    this.#list.close();
  }

  /** Brings the state up to date before a follower joins, so that it gets no event about the time before. */
  async #catchUp(): Promise<void> {
    if (!this.#isLoaded) await this.#list.load(this.#reading.all(0));
    this.#isLoaded = true;
    await this.#rounds.catchUp();
  }

  async #readAll(touched: TouchedItems): Promise<void> {
    const { scope } = this.#list;
    if (scope === 'nothing') {
      await this.#sendPage();
      await this.#send(await this.#differenceOf(touched, 'after the page'));
      return;
    }
    if (scope === 'shown') return this.#readShown(touched);
    const difference = await this.#list.compareAll(this.#reading.all(this.#list.size));
    if (difference !== null) return this.#send(difference);
    const page = await this.#reading.pageWithMeta();
    if (!this.#list.start(page.items)) this.#list.forget();
    this.#reset(page);
  }

  /** Of a long list, followers have what they were shown; those with a page also get what has come onto it. */
  async #readShown(touched: TouchedItems): Promise<void> {
    const keys = this.#asked([...new Set([...this.#list.keys, ...[...touched.values()].map(({ key }) => key)])]);
    await this.#send(await this.#withPage(this.#list.compare(touched, keys, await this.#reading.some(keys))));
  }

  /** And what has come onto the page of a long list, written or not: an item does when another one leaves it, or comes before it. */
  async #withPage(difference: Difference): Promise<Difference> {
    if (this.#list.scope !== 'shown' || !this.#list.hasPage) return difference;
    const told = new Set([...difference.create, ...difference.update].map(({ key }) => textOfKey(key)));
    const { items } = await this.#reading.page();
    const others = items.filter(({ key }) => !told.has(textOfKey(key)));
    const { create, update } = this.#list.compare(new Map(), [], others);
    return { create: [...difference.create, ...create], update: [...difference.update, ...update], delete: difference.delete };
  }

  async #readTouched(touched: TouchedItems): Promise<void> {
    const ofTouched = await this.#differenceOf(touched, 'before the page');
    const mayMovePage = [...touched.values()].some(({ shows }) => shows !== false);
    const difference = mayMovePage ? await this.#withPage(ofTouched) : ofTouched;
    await this.#send(difference);
    // The page that followers have is not that of the digest any more. It is read again in any case: if it were left to the next sign that
    // another program has written something, it would tell of hidden writes.
    if (this.#list.scope === 'nothing' && !isEmpty(difference)) this.#rounds.suspect();
  }

  async #differenceOf(touched: TouchedItems, when: 'before the page' | 'after the page'): Promise<Difference> {
    const keys = this.#asked([...touched.values()].map(({ key }) => key));
    if (keys.length === 0) return { create: [], update: [], delete: [] };
    const found = await this.#reading.some(keys);
    if (when === 'before the page' && this.#list.isDoubtful(touched, keys, found)) await this.#sendPage();
    return this.#list.compare(touched, keys, found);
  }

  /** Those of these keys that the question may select, in every spelling. */
  #asked(keys: readonly Key[]): readonly Key[] {
    const asked = this.#question.keys === null ? null : new Set(this.#question.keys.map(textOfKey));
    const all = this.#list.withSpellings(keys);
    return asked === null ? all : all.filter((key) => asked.has(textOfKey(key)));
  }

  async #begin(withItems: boolean): Promise<Joined & { readonly kind: 'begun' }> {
    if (!withItems) return { kind: 'begun', items: null, meta: null, cursor: this.#log.cursor };
    if (this.#begun?.version === this.#version) return this.#begun.joined;
    const version = this.#version;
    const { items, isWhole } = await this.#reading.page();
    // The page of the new follower may be newer than what the others have, so they get the difference first.
    await this.#send(this.#list.comparePage(items, isWhole));
    this.#list.show(items, this.#followers.size > 0);
    if (!this.#list.fits) {
      await this.#startAgain();
      return this.#begin(withItems);
    }
    const meta = await this.#reading.meta();
    if (this.#list.scope === 'nothing') this.#page ??= digestOfPage({ items, meta });
    const joined = { kind: 'begun', items, meta, cursor: this.#log.cursor } as const;
    if (version === this.#version) this.#begun = { version, joined };
    return joined;
  }

  /** If `meta` cannot be read, the difference is neither sent nor remembered, so the next reading finds it again. */
  async #send(difference: Difference): Promise<void> {
    const { create, update, delete: gone } = difference;
    if (!isEmpty(difference)) {
      const meta = await this.#reading.meta();
      const [formerOfUpdated, formerOfGone] = [this.#list.digestsOf(keysOf(update)), this.#list.digestsOf(gone)];
      this.#list.take(difference);
      if (create.length > 0) this.#emit({ kind: 'create', items: create, keys: keysOf(create), meta });
      if (update.length > 0) this.#emit({ kind: 'update', items: update, keys: keysOf(update), former: formerOfUpdated, meta });
      if (gone.length > 0) this.#emit({ kind: 'delete', items: [], keys: gone, former: formerOfGone, meta });
    }
    if (!this.#list.fits) await this.#startAgain();
  }

  /** There is too much to remember: followers go back to the page, unless that leaves no room either. */
  async #startAgain(): Promise<void> {
    const page = await this.#reading.pageWithMeta();
    if (!this.#list.start(page.items)) this.#list.forget();
    // In each case followers have this page now: were it unknown what they have, the next write of a hidden item would send it.
    this.#reset(page);
  }

  /** Something that followers have may be out of sight: sends the page if it differs from the last one. */
  async #sendPage(): Promise<void> {
    const page = await this.#reading.pageWithMeta();
    if (this.#page === digestOfPage(page)) return;
    this.#list.start(page.items);
    this.#reset(page);
  }

  #reset({ items, meta }: Page): void {
    this.#page = digestOfPage({ items, meta });
    this.#emit({ kind: 'reset', items, keys: keysOf(items), meta });
  }

  #emit(facts: Omit<EventFacts, 'number' | 'cursorAt'>): void {
    this.#version += 1;
    const event = this.#log.add(facts);
    for (const follower of this.#followers) follower.take(event);
  }

  /** The events for a follower that has seen `before` in another group, up to this cursor. */
  async #differenceFrom(before: VisibleItems | null, cursor: string): Promise<readonly GroupEvent[]> {
    const visible = this.#list.all;
    if (before !== null && visible !== null) {
      // Also those that are gone: the former group may have read later than this one, which has not heard of all changes yet.
      const differing = visible.differingFrom(before);
      const found = await this.#reading.some(differing);
      const { create, update, delete: lost } = before.compare(differing, found);
      // The other followers get the changes that this reading found, so that the new follower can start after them.
      await this.#send(visible.compare(differing, found));
      const parts: readonly MovingPart[] = [
        ['create', create, keysOf(create)],
        ['update', update, keysOf(update)],
        ['delete', [], lost],
      ];
      const sent = parts.filter(([, , keys]) => keys.length > 0);
      // If they made the list too long, all followers begin with the page again.
      if (this.#list.all !== null) return this.#log.moving(sent, await this.#reading.meta(), cursor);
    }
    const { items, meta } = await this.#begin(true);
    return this.#log.moving([['reset', items ?? [], keysOf(items ?? [])]], meta, cursor);
  }
}

const isEmpty = ({ create, update, delete: gone }: Difference): boolean => create.length + update.length + gone.length === 0;

const keysOf = (items: readonly KeyedItem[]): readonly Key[] => items.map(({ key }) => key);

const digestOfPage = ({ items, meta }: Page): string => digestOf(JSON.stringify([items.map(({ text, rest }) => [text, rest]), meta]));
