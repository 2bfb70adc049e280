// Subscribers who ask the same and may see the same. For every change of the database that concerns them, the group reads once, under their
// view, compares with what they saw before, and tells all of them the same events. Readings of a group happen one after the other, so what it
// remembers is what its followers have been told.

import { randomBytes } from 'node:crypto';
import type { Caller } from '../../core/access/view.js';
import type { Seal } from '../../core/engine/read/cursor.js';
import type { KeyedItem, ListFacts } from '../../core/engine/read/keyed-items.js';
import type { Reader } from '../../core/engine/read/reader.js';
import type { Change, ChangeAction } from '../../core/engine/work/changes.js';
import type { Key, Work } from '../../core/engine/work/work.js';
import type { ParsedQuery } from '../../core/query/query.js';
import type { Driver } from '../../core/vendor/driver.js';
import { type EventKind, EventLog, GroupEvent, type LogBounds } from './event-log.js';
import { type Difference, textOfKey, VisibleItems } from './visible-items.js';

export interface GroupDeps {
  /** Reads with the limits of requests. */
  readonly reader: Reader;
  /** Reads with the same rights and without these limits. */
  readonly ownReader: Reader;
  readonly driver: Driver;
  /** Seals the cursors. */
  readonly seal: Seal;
  readonly log: LogBounds;
  /** The number of items that a group remembers; larger lists are read anew instead of compared. */
  readonly maxItems: number;
  readonly report: (error: unknown) => void;
  /** Whether a log of the database tells every change of the collection. */
  readonly isLogged: (collection: string) => boolean;
}

/** What subscribers ask for. */
export interface Question {
  readonly collection: string;
  readonly parsed: ParsedQuery;
  /** Only these items; null: all that the query selects. */
  readonly keys: readonly unknown[] | null;
}

export interface Follower {
  /** Called in the order of events. Must not throw. */
  take(event: GroupEvent): void;
}

/** What a follower begins with: what has happened since its cursor, or the present state. */
export type Joined =
  | { readonly kind: 'resumed'; readonly events: readonly GroupEvent[]; readonly cursor: string }
  | { readonly kind: 'begun'; readonly items: readonly KeyedItem[] | null; readonly meta: string | null; readonly cursor: string };

/** With more items touched at once, reading everything costs less than reading them by key. */
const maxTouched = 1_000;
/** After a reading of everything the group rests for a multiple of the time it took, within these bounds. */
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
  readonly #all: ParsedQuery;
  readonly #followers = new Set<Follower>();
  readonly #log: EventLog;
  /** null until it has been read, and for lists that are too long. */
  #visible: VisibleItems | null = null;
  #isLoaded = false;
  #touched = new Map<string, { readonly key: Key; readonly action: ChangeAction }>();
  #isUnknown = false;
  #pendingSince: number | null = null;
  /** Rises with every change that may concern the group and with every event. */
  #version = 0;
  #chain: Promise<unknown> = Promise.resolve();
  #isScheduled = false;
  #restsUntil = 0;
  #timer: NodeJS.Timeout | null = null;
  #begun: { readonly version: number; readonly joined: Joined & { kind: 'begun' } } | null = null;
  #moves = new Map<string, Promise<readonly GroupEvent[]>>();

  constructor(deps: GroupDeps, key: string, caller: Caller, question: Question, facts: ListFacts) {
    this.#deps = deps;
    this.key = key;
    this.caller = caller;
    this.facts = facts;
    this.#question = question;
    this.#all = { ...question.parsed, query: { ...question.parsed.query, limit: -1, offset: null }, meta: [] };
    this.#log = new EventLog(deps.log);
  }

  get size(): number {
    return this.#followers.size;
  }

  /** The number of items it remembers. */
  get remembered(): number {
    return this.#visible?.size ?? 0;
  }

  /** How long the oldest change that its followers have not been told of has been known. */
  get delayMs(): number {
    return this.#followers.size > 0 && this.#pendingSince !== null ? performance.now() - this.#pendingSince : 0;
  }

  /** Takes note of changes; while there are followers, they are read soon. */
  touch(changes: readonly Change[]): void {
    let isConcerned = false;
    for (const change of changes) isConcerned = this.#note(change) || isConcerned;
    if (!isConcerned) return;
    this.#pendingSince ??= performance.now();
    this.#version += 1;
    this.#schedule();
  }

  /** Everything may have changed. */
  suspect(): void {
    this.#isUnknown = true;
    this.#version += 1;
    this.#schedule();
  }

  #note(change: Change): boolean {
    const { collection, reached } = this.facts;
    if (change.kind === 'unknown' && change.collection === null && change.logged !== true && this.#isLogged) return false;
    const isReached = change.collection === null || this.#dependsOnAll || [...reached].some(({ name }) => name === change.collection);
    if (isReached || (change.kind === 'unknown' && change.collection === collection.name)) {
      this.#isUnknown = true;
      return true;
    }
    if (change.kind === 'unknown' || change.collection !== collection.name) return false;
    for (const key of change.keys) this.#touched.set(textOfKey(key), { key, action: change.action });
    if (this.#touched.size > maxTouched) {
      this.#touched.clear();
      this.#isUnknown = true;
    }
    return true;
  }

  get #isLogged(): boolean {
    const { collection, reached } = this.facts;
    return !this.#dependsOnAll && [collection, ...reached].every(({ name }) => this.#deps.isLogged(name));
  }

  /** A view may read any table. */
  get #dependsOnAll(): boolean {
    return [this.facts.collection, ...this.facts.reached].some(({ table }) => table?.kind === 'view');
  }

  /**
   * Adds a follower. With `since` it gets what has happened since then, if the group still knows; otherwise the present state, `withItems` or
   * without. Nothing that is committed later is missed, and nothing is told twice.
   */
  join(follower: Follower, { since, withItems }: { readonly since: string | null; readonly withItems: boolean }): Promise<Joined> {
    return this.#inTurn(async () => {
      await this.#load();
      const place = since === null ? null : this.#placeOf(since);
      if (place !== null && this.#log.after(place) !== null) {
        if (this.#isPending) await this.#round();
        const events = this.#log.after(place);
        if (events !== null) {
          this.#followers.add(follower);
          return { kind: 'resumed', events, cursor: this.#cursor() };
        }
      }
      const joined = await this.#begin(withItems);
      this.#followers.add(follower);
      if (this.#isPending) this.#schedule();
      return joined;
    });
  }

  /** Adds a follower who has seen another group until now; resolves to what differs for it. */
  async moveFrom(old: Group, follower: Follower): Promise<readonly GroupEvent[]> {
    const before = old.#visible?.copy() ?? null;
    const name = `${old.id} ${old.#version}`;
    return this.#inTurn(async () => {
      await this.#load();
      if (this.#isPending) await this.#round();
      const question = `${name} ${this.#version}`;
      const move = this.#moves.get(question) ?? this.#differenceFrom(before);
      this.#moves.clear();
      this.#moves.set(question, move);
      const events = await move;
      this.#followers.add(follower);
      return events;
    });
  }

  /** Whether the holder of this cursor has been told everything that the group has seen. */
  isAt(cursor: string): boolean {
    return this.#placeOf(cursor) === this.#log.last;
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
  }

  /** The keys its followers see now; null when they are too many. */
  visibleKeys(): readonly Key[] | null {
    return this.#visible?.keys() ?? null;
  }

  close(): void {
    this.#followers.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  get #work(): Work {
    return { caller: this.caller, connection: this.#deps.driver, signal: null, afterCommit: null };
  }

  get #isPending(): boolean {
    return this.#isUnknown || this.#touched.size > 0;
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
      if (this.#followers.size > 0 && this.#isPending) await this.#round();
    }).catch((error: unknown) => {
      this.#deps.report(error);
      this.#later(retryMs);
    });
  }

  #later(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#schedule(), ms).unref();
  }

  /** One reading of what may have changed. When it fails, the changes stay noted. */
  async #round(): Promise<void> {
    const rest = this.#restsUntil - performance.now();
    const isWhole = this.#isUnknown && rest <= 0;
    if (this.#isUnknown && !isWhole) this.#later(rest);
    if (!isWhole && this.#touched.size === 0) return;
    const touched = this.#touched;
    this.#touched = new Map();
    if (isWhole) this.#isUnknown = false;
    try {
      if (isWhole) await this.#readAll();
      else await this.#readTouched(touched);
      if (!this.#isPending) this.#pendingSince = null;
      else if (isWhole) this.#pendingSince = performance.now();
    } catch (error) {
      this.#isUnknown = true;
      throw error;
    }
  }

  async #load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#visible = new VisibleItems();
    const difference = await this.#compareAll(this.#visible);
    if (difference === null) this.#visible = null;
    this.#isLoaded = true;
  }

  async #readAll(): Promise<void> {
    const started = performance.now();
    const difference = this.#visible === null ? null : await this.#compareAll(this.#visible);
    if (difference === null) {
      this.#visible = null;
      await this.#reset();
    } else await this.#tell(difference);
    const ended = performance.now();
    this.#restsUntil = ended + Math.min(maxRestMs, Math.max(minRestMs, (ended - started) * restPerCost));
  }

  /** null when the list is too long to be remembered. */
  async #compareAll(visible: VisibleItems): Promise<Difference | null> {
    const { collection, keys } = this.#question;
    const reading = visible.startReading();
    for await (const items of this.#deps.ownReader.keyedStream(this.#work, collection, this.#all, keys)) {
      reading.see(items);
      if (visible.size > this.#deps.maxItems) return null;
    }
    return reading.end();
  }

  async #readTouched(touched: ReadonlyMap<string, { readonly key: Key; readonly action: ChangeAction }>): Promise<void> {
    const keys = this.#withSpellings([...touched.values()].map(({ key }) => key));
    const wanted = this.#question.keys === null ? keys : keys.filter((key) => this.#isAsked(key));
    if (wanted.length === 0) return;
    const found = await this.#deps.ownReader.keyedItems(this.#work, this.#question.collection, this.#all, wanted);
    if (this.#visible !== null) {
      await this.#tell(this.#visible.apply(wanted, found));
      if (this.#visible.size > this.#deps.maxItems) this.#visible = null;
      return;
    }
    const present = new Set(found.map(({ key }) => textOfKey(key)));
    const missing = wanted.filter((key) => !present.has(textOfKey(key)));
    // Whether an item that is not there now was visible before is unknown, unless all are.
    if (missing.some((key) => touched.get(textOfKey(key))?.action !== 'create') && !this.facts.isWhole) return this.#reset();
    const isNew = ({ key }: KeyedItem): boolean => touched.get(textOfKey(key))?.action === 'create';
    const gone = missing.filter((key) => touched.get(textOfKey(key))?.action === 'delete');
    await this.#tell({ create: found.filter(isNew), update: found.filter((item) => !isNew(item)), delete: gone });
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
    const { collection, parsed, keys } = this.#question;
    const items = await this.#deps.reader.keyedItems(this.#work, collection, parsed, keys);
    // What others have not been told yet is told now, since the new follower has it already.
    if (this.#visible !== null) await this.#tell(await this.#compareBeginning(this.#visible, items));
    const meta = await this.#meta();
    const joined = { kind: 'begun', items, meta, cursor: this.#cursor() } as const;
    if (version === this.#version) this.#begun = { version, joined };
    return joined;
  }

  /** A page that was to hold the whole list may also show what is gone. A limit of the service may have cut it, so that is read again. */
  async #compareBeginning(visible: VisibleItems, items: readonly KeyedItem[]): Promise<Difference> {
    const { collection, parsed } = this.#question;
    const present = new Set(items.map(({ key }) => textOfKey(key)));
    const isWhole = parsed.query.offset === null && parsed.query.limit === -1;
    const missing = isWhole ? visible.keys().filter((key) => !present.has(textOfKey(key))) : [];
    if (missing.length === 0 || missing.length > maxTouched) return visible.add(items);
    const found = await this.#deps.ownReader.keyedItems(this.#work, collection, this.#all, missing);
    return visible.apply(missing, [...items, ...found]);
  }

  async #meta(): Promise<string | null> {
    const { collection, parsed, keys } = this.#question;
    return parsed.meta.length === 0 ? null : this.#deps.reader.meta(this.#work, collection, parsed, keys);
  }

  async #tell(difference: Difference): Promise<void> {
    const { create, update, delete: gone } = difference;
    if (create.length + update.length + gone.length === 0) return;
    const meta = await this.#meta();
    if (create.length > 0) this.#emit('create', create, keysOf(create), meta);
    if (update.length > 0) this.#emit('update', update, keysOf(update), meta);
    if (gone.length > 0) this.#emit('delete', [], gone, meta);
  }

  async #reset(): Promise<void> {
    const { collection, parsed, keys } = this.#question;
    const items = await this.#deps.reader.keyedItems(this.#work, collection, parsed, keys);
    this.#emit('reset', items, keysOf(items), await this.#meta());
  }

  #emit(kind: EventKind, items: readonly KeyedItem[], keys: readonly Key[], meta: string | null): void {
    this.#version += 1;
    const number = this.#log.last + 1;
    const event = new GroupEvent({ kind, items, keys, meta, number, cursor: this.#cursor(number) });
    this.#log.add(event);
    for (const follower of this.#followers) follower.take(event);
  }

  async #differenceFrom(before: VisibleItems | null): Promise<readonly GroupEvent[]> {
    const make = (kind: EventKind, items: readonly KeyedItem[], keys: readonly Key[], meta: string | null): GroupEvent =>
      new GroupEvent({ kind, items, keys, meta, number: this.#log.last, cursor: this.#cursor() });
    const visible = this.#visible;
    if (before === null || visible === null) {
      const { items, meta } = (await this.#begin(true)) as Joined & { readonly kind: 'begun' };
      return [make('reset', items ?? [], keysOf(items ?? []), meta)];
    }
    const { changed, gone } = visible.since(before);
    const found: KeyedItem[] = [];
    for (let from = 0; from < changed.length; from += maxTouched)
      found.push(
        ...(await this.#deps.ownReader.keyedItems(
          this.#work,
          this.#question.collection,
          this.#all,
          changed.slice(from, from + maxTouched),
        )),
      );
    const create = found.filter(({ key }) => !before.has(key));
    const update = found.filter(({ key }) => before.has(key));
    // What has changed or gone since it was read is told to the others now: the new follower begins after it.
    const difference = visible.apply(changed, found);
    await this.#tell(difference);
    const lost = [...gone, ...difference.delete.filter((key) => before.has(key))];
    const meta = await this.#meta();
    return [
      ...(create.length === 0 ? [] : [make('create', create, keysOf(create), meta)]),
      ...(update.length === 0 ? [] : [make('update', update, keysOf(update), meta)]),
      ...(lost.length === 0 ? [] : [make('delete', [], lost, meta)]),
    ];
  }

  #cursor(number: number = this.#log.last): string {
    return this.#deps.seal.seal(`${this.id} ${number}`, this.key);
  }

  /** The number of the last event that the holder of the cursor has seen; null for a cursor of another group. */
  #placeOf(cursor: string): number | null {
    const [id, number] = this.#deps.seal.open(cursor, this.key)?.split(' ') ?? [];
    return id === this.id ? Number(number) : null;
  }
}

const keysOf = (items: readonly KeyedItem[]): readonly Key[] => items.map(({ key }) => key);
