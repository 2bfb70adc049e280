// Subscribers with the same question and the same view. For every change that may concern them, the group reads once, under their view,
// compares the result with what they saw before, and sends the same events to all of them. Readings of a group run one after the other, so
// its state is always what its followers have received.

import { randomBytes } from 'node:crypto';
import type { Caller } from '../../core/access/view.js';
import type { Seal } from '../../core/engine/read/cursor.js';
import type { KeyedItem, ListFacts } from '../../core/engine/read/keyed-items.js';
import type { Change } from '../../core/engine/work/changes.js';
import type { Key } from '../../core/engine/work/work.js';
import { type EventFacts, type EventKind, EventLog, GroupEvent, type LogBounds, type Place } from './event-log.js';
import type { ItemBudget } from './item-budget.js';
import { ListReading, type ListReadingDeps, type Question } from './list-reading.js';
import { maxTouched, PendingChanges, type TouchedItems } from './pending-changes.js';
import { type Difference, digestOf, textOfKey, VisibleItems } from './visible-items.js';

export interface GroupDeps extends ListReadingDeps {
  /** Seals the cursors. */
  readonly seal: Seal;
  readonly log: LogBounds;
  /** Bounds the items that are kept for comparison; a list beyond it is sent again as a whole. */
  readonly budget: ItemBudget;
  readonly report: (error: unknown) => void;
  /** Whether a log of the database reports every change of the collection. */
  readonly isLogged: (collection: string) => boolean;
}

export interface Follower {
  /** Called in the order of events. Must not throw. */
  take(event: GroupEvent): void;
}

/** What a follower starts with: the events since its cursor, or the present state. */
export type Joined =
  | { readonly kind: 'resumed'; readonly events: readonly GroupEvent[]; readonly cursor: string }
  | { readonly kind: 'begun'; readonly items: readonly KeyedItem[] | null; readonly meta: string | null; readonly cursor: string };

/** How a follower continues that has come from another group: the events for what differs, and the cursor after them. */
export interface Moved {
  readonly events: readonly GroupEvent[];
  readonly cursor: string;
}

/** What a follower has seen at this place of the group. */
interface Seen {
  readonly place: string;
  readonly items: VisibleItems;
}

/** After reading everything, the group pauses for a multiple of the time it took, within these bounds, but at least for that time. */
const restPerCost = 10;
const minRestMs = 100;
const maxRestMs = 1_500;
const retryMs = 1_000;

export class Group {
  readonly key: string;
  readonly id = randomBytes(9).toString('base64url');
  readonly caller: Caller;
  readonly facts: ListFacts;
  readonly #deps: GroupDeps;
  readonly #question: Question;
  readonly #reading: ListReading;
  readonly #followers = new Set<Follower>();
  readonly #log: EventLog;
  /** null until the list has been read, and for lists that are too long to keep. */
  #visible: VisibleItems | null = null;
  /** The number of items that the budget counts for this group. */
  #held = 0;
  #isLoaded = false;
  #isClosed = false;
  readonly #pending: PendingChanges;
  /** True if no change was reported and the group is only read because its list may change by itself. */
  #isMereSuspicion = false;
  /** A digest of the page that followers have, for a list that is too long to be remembered. */
  #page: string | null = null;
  /** Increases with every change that may concern the group and with every event. */
  #version = 0;
  #chain: Promise<unknown> = Promise.resolve();
  #isScheduled = false;
  #restsUntil = 0;
  #timer: NodeJS.Timeout | null = null;
  #begun: { readonly version: number; readonly joined: Joined & { kind: 'begun' } } | null = null;
  /** The events of moves from these places in other groups. Followers that move from the same place at the same time share them. */
  #moves: { readonly version: number; readonly byPlace: Map<string, readonly GroupEvent[]> } | null = null;
  /** Copies of what followers saw at these places, shared while moves use them. Valid until the event after `last`. */
  #copies: { readonly last: number; readonly byPlace: Map<string, WeakRef<VisibleItems>> } = { last: 0, byPlace: new Map() };

  constructor(deps: GroupDeps, key: string, caller: Caller, question: Question, facts: ListFacts) {
    this.#deps = deps;
    this.key = key;
    this.caller = caller;
    this.facts = facts;
    this.#question = question;
    this.#reading = new ListReading(deps, caller, question);
    this.#pending = new PendingChanges(facts, deps.isLogged);
    this.#log = new EventLog(deps.log);
  }

  get size(): number {
    return this.#followers.size;
  }

  /** The number of items it remembers. */
  get remembered(): number {
    return this.#visible?.size ?? 0;
  }

  /** How long the oldest change that has not been sent to the followers has been known. */
  get delayMs(): number {
    return this.#followers.size > 0 ? this.#pending.ageMs : 0;
  }

  /** Records changes; if there are followers, schedules a reading. */
  touch(changes: readonly Change[]): void {
    if (!this.#pending.note(changes)) return;
    this.#isMereSuspicion = false;
    this.#version += 1;
    this.#schedule();
  }

  /** Records that anything may have changed, without a sign that something has. */
  suspect(): void {
    if (!this.#pending.areAny) this.#isMereSuspicion = true;
    this.#pending.suspect();
    this.#version += 1;
    this.#schedule();
  }

  /**
   * Adds a follower. With `since` it gets the events after that cursor if the group still has them; otherwise the present state,
   * `withItems` or without. It misses no later commit and gets none twice.
   */
  join(follower: Follower, { since, withItems }: { readonly since: string | null; readonly withItems: boolean }): Promise<Joined> {
    return this.#inTurn(async () => {
      await this.#catchUp();
      const place = since === null ? null : this.#placeOf(since);
      const events = place === null ? null : this.#log.after(place);
      const joined: Joined = events === null ? await this.#begin(withItems) : { kind: 'resumed', events, cursor: this.#cursor() };
      this.#add(follower);
      return joined;
    });
  }

  /** Adds a follower that was in another group and has received its events up to this cursor. */
  async moveFrom(old: Group, cursor: string, follower: Follower): Promise<Moved> {
    const seen = await old.#seenAt(cursor);
    return this.#inTurn(async () => {
      await this.#catchUp();
      const version = this.#version;
      if (this.#moves?.version !== version) this.#moves = { version, byPlace: new Map() };
      const { byPlace } = this.#moves;
      const from = seen === null ? '' : `${old.id} ${seen.place}`;
      const events = byPlace.get(from) ?? (await this.#differenceFrom(seen?.items ?? null, cursor));
      if (version === this.#version) byPlace.set(from, events);
      this.#add(follower);
      return { events, cursor: this.#cursor() };
    });
  }

  /** The keys that the holder of this cursor sees; empty if that is not known any more, or if the list is too long to keep. */
  async keysAt(cursor: string): Promise<readonly Key[]> {
    return (await this.#seenAt(cursor))?.items.keys() ?? [];
  }

  /** What the holder of this cursor sees. Waits for its turn between two readings, when the state of the group is that of its latest event. */
  #seenAt(cursor: string): Promise<Seen | null> {
    return this.#inTurn(async () => {
      const place = this.#placeOf(cursor);
      const events = place === null ? null : this.#log.after(place);
      if (place === null || events === null || this.#visible === null) return null;
      const text = textOfPlace(place);
      const known = this.#copies.last === this.#log.last ? this.#copies.byPlace.get(text)?.deref() : undefined;
      const items = known ?? this.#visible.before(events);
      if (this.#copies.last !== this.#log.last) this.#copies = { last: this.#log.last, byPlace: new Map() };
      if (items !== null) this.#copies.byPlace.set(text, new WeakRef(items));
      return items === null ? null : { place: text, items };
    });
  }

  /** Without followers, changes are recorded and not read, so the first one schedules the reading. */
  #add(follower: Follower): void {
    this.#followers.add(follower);
    if (this.#pending.areAny) this.#schedule();
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
  }

  close(): void {
    this.#isClosed = true;
    this.#followers.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#account();
  }

  /** Reports to the budget how much the group remembers. */
  #account(): void {
    const holds = this.#isClosed ? 0 : this.remembered;
    this.#deps.budget.change(this.#held, holds);
    this.#held = holds;
  }

  #remember(visible: VisibleItems | null): void {
    this.#visible = visible;
    this.#account();
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const run = this.#chain.then(act);
    this.#chain = run.catch(() => undefined);
    return run;
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isLoaded || this.#followers.size === 0) return;
    this.#isScheduled = true;
    this.#inTurn(async () => {
      this.#isScheduled = false;
      if (this.#followers.size > 0 && this.#pending.areAny) await this.#round();
    }).catch((error: unknown) => {
      this.#deps.report(error);
      this.#later(retryMs);
    });
  }

  #later(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#schedule(), ms).unref();
  }

  /** Reads what may have changed once. If it fails, the changes stay recorded. */
  async #round(): Promise<void> {
    const rest = this.#restsUntil - performance.now();
    const isWhole = this.#pending.areUnknown && rest <= 0;
    if (this.#pending.areUnknown && !isWhole) this.#later(rest);
    if (!isWhole && !this.#pending.areItems) return;
    const isSuspicion = this.#isMereSuspicion;
    const touched = this.#pending.take(isWhole);
    try {
      if (isWhole) await this.#readAll(isSuspicion);
      else await this.#readTouched(touched);
      this.#pending.sent(isWhole);
    } catch (error) {
      this.#pending.suspect();
      throw error;
    }
  }

  /** Brings the state up to date before a follower joins, so that it gets no event about the time before. */
  async #catchUp(): Promise<void> {
    await this.#load();
    if (!this.#pending.areAny) return;
    if (this.#followers.size === 0) this.#restsUntil = 0;
    await this.#round();
  }

  async #load(): Promise<void> {
    if (this.#isLoaded) return;
    let visible: VisibleItems | null = new VisibleItems();
    for await (const items of this.#reading.all(0)) {
      visible.add(items);
      if (this.#deps.budget.allows(this.#held, visible.size)) continue;
      visible = null;
      break;
    }
    this.#remember(visible);
    this.#isLoaded = true;
  }

  async #readAll(isSuspicion: boolean): Promise<void> {
    const started = performance.now();
    const wasLong = this.#visible === null;
    const difference = this.#visible === null ? null : await this.#compareAll(this.#visible);
    if (difference === null) {
      this.#remember(null);
      await this.#reset(isSuspicion && wasLong);
    } else await this.#send(difference);
    const ended = performance.now();
    const cost = ended - started;
    this.#restsUntil = ended + Math.max(cost, Math.min(maxRestMs, Math.max(minRestMs, cost * restPerCost)));
  }

  /** null if the list is too long to keep. */
  async #compareAll(visible: VisibleItems): Promise<Difference | null> {
    const reading = visible.startReading();
    for await (const items of this.#reading.all(visible.size)) if (!this.#deps.budget.allows(this.#held, reading.see(items))) return null;
    return reading.end();
  }

  async #readTouched(touched: TouchedItems): Promise<void> {
    const keys = this.#withSpellings([...touched.values()].map(({ key }) => key));
    const wanted = this.#question.keys === null ? keys : keys.filter((key) => this.#isAsked(key));
    if (wanted.length === 0) return;
    const found = await this.#reading.some(wanted);
    if (this.#visible !== null) {
      await this.#send(this.#visible.compare(wanted, found));
      if (!this.#deps.budget.allows(this.#held, this.remembered)) this.#remember(null);
      return;
    }
    const present = new Set(found.map(({ key }) => textOfKey(key)));
    const missing = wanted.filter((key) => !present.has(textOfKey(key)));
    // Without a complete earlier state, it is unknown whether a missing item was visible before, unless the list contains every item.
    if (missing.some((key) => touched.get(textOfKey(key))?.action !== 'create') && !this.facts.isWhole) return this.#reset();
    const isNew = ({ key }: KeyedItem): boolean => touched.get(textOfKey(key))?.action === 'create';
    const gone = missing.filter((key) => touched.get(textOfKey(key))?.action === 'delete');
    await this.#send({ create: found.filter(isNew), update: found.filter((item) => !isNew(item)), delete: gone });
  }

  async #readSome(keys: readonly Key[]): Promise<readonly KeyedItem[]> {
    const found: KeyedItem[] = [];
    for (let from = 0; from < keys.length; from += maxTouched)
      for (const item of await this.#reading.some(keys.slice(from, from + maxTouched))) found.push(item);
    return found;
  }

  #isAsked(key: Key): boolean {
    return this.#question.keys?.some((asked) => textOfKey(asked) === textOfKey(key)) ?? true;
  }

  /** A key may be written in another spelling than the one the database answers. */
  #withSpellings(keys: readonly Key[]): readonly Key[] {
    const visible = this.#visible;
    if (visible === null) return keys;
    return [...new Set(keys.flatMap((key) => (visible.has(key) ? [key] : [key, ...visible.spellingsOf(key)])))];
  }

  async #begin(withItems: boolean): Promise<Joined> {
    if (!withItems) return { kind: 'begun', items: null, meta: null, cursor: this.#cursor() };
    if (this.#begun?.version === this.#version) return this.#begun.joined;
    const version = this.#version;
    const { items, isWhole } = await this.#reading.page();
    // The page of the new follower may be newer than what the others have, so they get the difference first.
    if (this.#visible !== null) await this.#send(comparePage(this.#visible, items, isWhole));
    const meta = await this.#reading.meta();
    if (this.#visible === null) this.#page ??= digestOfPage(items, meta);
    const joined = { kind: 'begun', items, meta, cursor: this.#cursor() } as const;
    if (version === this.#version) this.#begun = { version, joined };
    return joined;
  }

  /** If `meta` cannot be read, the difference is neither sent nor remembered, so the next reading finds it again. */
  async #send(difference: Difference): Promise<void> {
    const { create, update, delete: gone } = difference;
    if (create.length + update.length + gone.length === 0) return;
    const meta = await this.#reading.meta();
    const former = (keys: readonly Key[]): readonly string[] => this.#visible?.digestsOf(keys) ?? [];
    const [formerOfUpdated, formerOfGone] = [former(keysOf(update)), former(gone)];
    this.#visible?.take(difference);
    this.#account();
    if (create.length > 0) this.#emit({ kind: 'create', items: create, keys: keysOf(create), meta });
    if (update.length > 0) this.#emit({ kind: 'update', items: update, keys: keysOf(update), former: formerOfUpdated, meta });
    if (gone.length > 0) this.#emit({ kind: 'delete', items: [], keys: gone, former: formerOfGone, meta });
  }

  /** If no change was reported, only sends a page that differs; otherwise followers would get the same page every second. */
  async #reset(isSuspicion = false): Promise<void> {
    const { items } = await this.#reading.page();
    const meta = await this.#reading.meta();
    const [before, page] = [this.#page, digestOfPage(items, meta)];
    this.#page = page;
    if (!isSuspicion || (before !== null && before !== page)) this.#emit({ kind: 'reset', items, keys: keysOf(items), meta });
  }

  #emit(facts: Omit<EventFacts, 'number' | 'cursorAt'>): void {
    this.#version += 1;
    const number = this.#log.last + 1;
    const event = new GroupEvent({ ...facts, number, cursorAt: (received) => this.#cursor(number, received) });
    this.#log.add(event);
    for (const follower of this.#followers) follower.take(event);
  }

  /** The events for a follower that has seen `before` in another group, up to this cursor. */
  async #differenceFrom(before: VisibleItems | null, cursor: string): Promise<readonly GroupEvent[]> {
    const visible = this.#visible;
    if (before === null || visible === null) {
      const { items, meta } = (await this.#begin(true)) as Joined & { readonly kind: 'begun' };
      return this.#movingEvents([['reset', items ?? [], keysOf(items ?? [])]], meta, cursor);
    }
    const { changed, gone } = visible.since(before);
    const found = await this.#readSome(changed);
    const { create, update, delete: lost } = before.compare([...gone, ...changed], found);
    // The other followers get the changes that this reading found, so that the new follower can start after them.
    await this.#send(visible.compare(changed, found));
    const parts: readonly MovingPart[] = [
      ['create', create, keysOf(create)],
      ['update', update, keysOf(update)],
      ['delete', [], lost],
    ];
    return this.#movingEvents(
      parts.filter(([, , keys]) => keys.length > 0),
      await this.#reading.meta(),
      cursor,
    );
  }

  /**
   * Only the last event carries the cursor of this group. A client that disconnects before it has a cursor of its former group, and starts
   * again.
   */
  #movingEvents(parts: readonly MovingPart[], meta: string | null, before: string): readonly GroupEvent[] {
    const number = this.#log.last;
    return parts.map(([kind, items, keys], index) => {
      const cursorAt = (received: number | null): string =>
        received === null && index === parts.length - 1 ? this.#cursor(number) : before;
      return new GroupEvent({ kind, items, keys, meta, number, cursorAt });
    });
  }

  #cursor(number: number = this.#log.last, received: number | null = null): string {
    return this.#deps.seal.seal(`${this.id} ${textOfPlace({ number, received })}`, this.key);
  }

  /** What the holder of the cursor has received; null for a cursor of another group. */
  #placeOf(cursor: string): Place | null {
    const [id, number, received] = this.#deps.seal.open(cursor, this.key)?.split(' ') ?? [];
    return id === this.id ? { number: Number(number), received: received === undefined ? null : Number(received) } : null;
  }
}

const textOfPlace = ({ number, received }: Place): string => (received === null ? `${number}` : `${number} ${received}`);

type MovingPart = readonly [kind: EventKind, items: readonly KeyedItem[], keys: readonly Key[]];

const keysOf = (items: readonly KeyedItem[]): readonly Key[] => items.map(({ key }) => key);

const digestOfPage = (items: readonly KeyedItem[], meta: string | null): string =>
  digestOf(JSON.stringify([items.map(({ text }) => text), meta]));

/** A page that holds the whole list also reveals which items are gone. */
function comparePage(visible: VisibleItems, items: readonly KeyedItem[], isWhole: boolean): Difference {
  const present = new Set(items.map(({ key }) => textOfKey(key)));
  return visible.compare(isWhole ? visible.keys().filter((key) => !present.has(textOfKey(key))) : [], items);
}
