// All groups of this process, found by the question and the view of their subscribers. A group without followers is kept for a while: it
// only records changes, so that a subscriber that reconnects gets what happened in between.

import type { Caller } from '../../core/access/view.js';
import type { ListFacts } from '../../core/engine/read/keyed-items.js';
import type { Change } from '../../core/engine/work/changes.js';
import { invalidQuery, serviceError } from '../../core/errors/service-error.js';
import { shapeOf } from '../../core/query/query-shape.js';
import type { ChangeFeed } from './change-feed.js';
import { Group, type GroupDeps } from './group.js';
import { type ItemBounds, ItemBudget } from './item-budget.js';
import type { ListReadingDeps, Question } from './list-reading.js';

export interface GroupsDeps extends ListReadingDeps, Pick<GroupDeps, 'seal' | 'report' | 'isLogged'> {
  readonly feed: ChangeFeed;
  /** How long a group outlives its last follower. */
  readonly keepMs: number;
  /** The numbers of items that groups remember. */
  readonly items: ItemBounds;
  /** How many events a group keeps, and how many characters of them: per group, and all groups together. */
  readonly log: { readonly events: number; readonly each: number; readonly together: number };
  /** How many groups there are at most: of one user, and together. */
  readonly lists: { readonly user: number; readonly together: number };
}

interface Kept {
  readonly group: Group;
  /**
   * Whether the list may change without a write that the feed reports: it depends on the time, or on tables that the service writes below
   * the engine.
   */
  readonly isPolled: boolean;
  idleSince: number | null;
}

const sweepEveryMs = 1_000;

export class Groups {
  readonly #deps: GroupsDeps;
  readonly #groupDeps: GroupDeps;
  readonly #groups = new Map<string, Kept>();
  /** Since when subscribers wait for what their changed rights let them see, the first one first. */
  readonly #held = new Map<object, number>();
  #unfollow: (() => void) | null = null;
  #sweeper: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(deps: GroupsDeps) {
    this.#deps = deps;
    const { events, each, together } = deps.log;
    this.#groupDeps = {
      ...deps,
      budget: new ItemBudget(deps.items),
      log: { events, size: () => Math.min(each, together / this.#groups.size) },
    };
  }

  /** Numbers for the health of the service. */
  get state(): { readonly groups: number; readonly followers: number; readonly remembered: number; readonly delayMs: number } {
    const groups = [...this.#groups.values()].map(({ group }) => group);
    return {
      groups: groups.length,
      followers: groups.reduce((sum, { size }) => sum + size, 0),
      remembered: this.#groupDeps.budget.used,
      delayMs: Math.max(this.#heldMs, ...groups.map((group) => group.delayMs)),
    };
  }

  get #heldMs(): number {
    const [first] = this.#held.values();
    return first === undefined ? 0 : performance.now() - first;
  }

  /** A subscriber waits for its rights to be looked up again, and for what they change. */
  holdBack(subscriber: object): void {
    if (!this.#held.has(subscriber)) this.#held.set(subscriber, performance.now());
  }

  letOn(subscriber: object): void {
    this.#held.delete(subscriber);
  }

  /**
   * The group for this caller and question; throws if the caller may not read what it asks for. A new group counts for `owner`. `isMove`: its
   * follower leaves another group for it.
   */
  find(caller: Caller, question: Question, owner: string, isMove: boolean): Group {
    if (this.#isClosed) throw serviceError('SERVICE_UNAVAILABLE', 'The service is ending.', { service: 'realtime' });
    refuseUnfollowable(question);
    const facts = this.#deps.reader.facts({ caller }, question.collection, question.parsed);
    const key = keyOf(caller, question, facts);
    const known = this.#groups.get(key);
    if (known !== undefined) {
      known.idleSince = null;
      return known.group;
    }
    this.#makeRoom(owner, isMove);
    return this.#open(key, new Group(this.#groupDeps, key, caller, question, facts, owner));
  }

  #makeRoom(owner: string, isMove: boolean): void {
    const { user, together } = this.#deps.lists;
    // While the rights of a user change, its lists are there twice.
    const most = isMove ? 2 * user : user;
    const own = this.#groups.size < most ? [] : [...this.#groups].filter(([, { group }]) => group.owner === owner);
    if (own.length >= most && !this.#forgetIdle(own))
      throw serviceError('REQUESTS_EXCEEDED', `A user can follow at most ${user} different lists.`, { limit: user });
    if (this.#groups.size >= together && !this.#forgetIdle([...this.#groups]))
      throw serviceError('SERVICE_UNAVAILABLE', 'There are too many different subscriptions.', { service: 'realtime' });
  }

  #open(key: string, group: Group): Group {
    this.#groups.set(key, { group, isPolled: isPolled(group.facts), idleSince: null });
    // Follows the feed before anything is read, so that no later commit is missed.
    this.#unfollow ??= this.#deps.feed.follow((changes) => this.#touch(changes));
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepEveryMs).unref();
    return group;
  }

  #touch(changes: readonly Change[]): void {
    for (const { group } of this.#groups.values()) group.touch(changes);
  }

  #sweep(): void {
    const now = Date.now();
    for (const [key, kept] of this.#groups) {
      const { group, isPolled } = kept;
      if (isPolled && group.size > 0) group.suspect();
      if (!group.isIdle) kept.idleSince = null;
      else kept.idleSince ??= now;
      if (kept.idleSince !== null && now - kept.idleSince >= this.#deps.keepMs) this.#drop(key, kept);
    }
  }

  /** Call it after a change of structure or rights: drops groups without followers whose view is outdated, since no subscriber can rejoin them. */
  forgetOutdated(isCurrent: (group: Group) => boolean): void {
    for (const [key, kept] of this.#groups) if (kept.group.isIdle && !isCurrent(kept.group)) this.#drop(key, kept);
  }

  /** Drops the group that has been without followers for longest; false if all of these have some. */
  #forgetIdle(groups: readonly (readonly [string, Kept])[]): boolean {
    const idle = groups.filter(([, { group }]) => group.isIdle);
    const [oldest] = idle.toSorted(([, a], [, b]) => (a.idleSince ?? Infinity) - (b.idleSince ?? Infinity));
    if (oldest !== undefined) this.#drop(...oldest);
    return oldest !== undefined;
  }

  #drop(key: string, { group }: Kept): void {
    group.close();
    this.#groups.delete(key);
    if (this.#groups.size === 0) this.#rest();
  }

  #rest(): void {
    this.#unfollow?.();
    this.#unfollow = null;
    if (this.#sweeper !== null) clearInterval(this.#sweeper);
    this.#sweeper = null;
  }

  close(): void {
    this.#isClosed = true;
    for (const { group } of this.#groups.values()) group.close();
    this.#groups.clear();
    this.#held.clear();
    this.#rest();
  }
}

function refuseUnfollowable({ parsed: { query, cursor, export: format, explain, version } }: Question): void {
  if (query.aggregate.length > 0 || query.groupBy.length > 0)
    throw invalidQuery('Groups and totals cannot be followed: leave out "aggregate" and "groupBy".');
  if (cursor !== null || format !== null || explain || version !== null)
    throw invalidQuery('"cursor", "export", "explain" and "version" cannot be followed.');
}

const isPolled = ({ collection, reached, dynamic }: ListFacts): boolean =>
  [collection, ...reached].some(({ system }) => system) || dynamic.some((value) => value.startsWith('$NOW') || value.includes('.'));

/** Equal for subscribers who get the same texts. */
function keyOf(caller: Caller, { collection, parsed, keys }: Question, facts: ListFacts): string {
  return JSON.stringify([rightsKey(caller, [facts]), collection, shapeOf(parsed.query), parsed.literals, parsed.meta, keys]);
}

/** Equal for callers to whom lists with these facts answer the same. */
export function rightsKey({ view, accountability }: Caller, facts: readonly Pick<ListFacts, 'dynamic'>[]): string {
  const isPersonal = facts.some(({ dynamic }) => dynamic.some((value) => !value.startsWith('$NOW')));
  const { user, role, roles, policies } = accountability;
  return JSON.stringify([view.key, isPersonal ? [user, role, roles, policies] : null]);
}
