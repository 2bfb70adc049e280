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
import { Turns } from './turns.js';

export interface GroupsDeps extends Omit<ListReadingDeps, 'turns'>, Pick<GroupDeps, 'seal' | 'report' | 'isLogged'> {
  readonly feed: ChangeFeed;
  /** How long a group outlives its last follower. */
  readonly keepMs: number;
  /** The numbers of items that groups remember. */
  readonly items: ItemBounds;
  /** How many events a group keeps, and how many characters of them: per group, and all groups together. */
  readonly log: { readonly events: number; readonly each: number; readonly together: number };
  /** How many lists are read at a time. */
  readonly readings: number;
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
const maxGroups = 5_000;

export class Groups {
  readonly #deps: GroupsDeps;
  readonly #groupDeps: GroupDeps;
  readonly #groups = new Map<string, Kept>();
  #unfollow: (() => void) | null = null;
  #sweeper: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(deps: GroupsDeps) {
    this.#deps = deps;
    const { events, each, together } = deps.log;
    this.#groupDeps = {
      ...deps,
      turns: new Turns(deps.readings),
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
      delayMs: Math.max(0, ...groups.map((group) => group.delayMs)),
    };
  }

  /** The group for this caller and question; throws if the caller may not read what it asks for. */
  find(caller: Caller, question: Question): Group {
    if (this.#isClosed) throw serviceError('SERVICE_UNAVAILABLE', 'The service is ending.', { service: 'realtime' });
    refuseUnfollowable(question);
    const facts = this.#deps.reader.facts({ caller }, question.collection, question.parsed);
    const key = keyOf(caller, question, facts);
    const known = this.#groups.get(key);
    if (known !== undefined) {
      known.idleSince = null;
      return known.group;
    }
    return this.#open(key, caller, question, facts);
  }

  #open(key: string, caller: Caller, question: Question, facts: ListFacts): Group {
    if (this.#groups.size >= maxGroups) this.#forgetIdle(1);
    if (this.#groups.size >= maxGroups)
      throw serviceError('SERVICE_UNAVAILABLE', 'There are too many different subscriptions.', { service: 'realtime' });
    const group = new Group(this.#groupDeps, key, caller, question, facts);
    this.#groups.set(key, { group, isPolled: isPolled(facts), idleSince: null });
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
      if (group.size > 0) kept.idleSince = null;
      else kept.idleSince ??= now;
      if (kept.idleSince !== null && now - kept.idleSince >= this.#deps.keepMs) this.#drop(key, kept);
    }
  }

  /** Call it after a change of structure or rights: drops groups without followers whose view is outdated, since no subscriber can rejoin them. */
  forgetOutdated(isCurrent: (group: Group) => boolean): void {
    for (const [key, kept] of this.#groups) if (kept.group.size === 0 && !isCurrent(kept.group)) this.#drop(key, kept);
  }

  #forgetIdle(count: number): void {
    const idle = [...this.#groups].filter(([, { group }]) => group.size === 0);
    const byAge = idle.toSorted(([, a], [, b]) => (a.idleSince ?? Infinity) - (b.idleSince ?? Infinity));
    for (const [key, kept] of byAge.slice(0, count)) this.#drop(key, kept);
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
function keyOf({ view, accountability }: Caller, { collection, parsed, keys }: Question, { dynamic }: ListFacts): string {
  const isPersonal = dynamic.some((value) => !value.startsWith('$NOW'));
  const { user, role, roles, policies } = accountability;
  const person = isPersonal ? [user, role, roles, policies] : null;
  return JSON.stringify([view.key, person, collection, shapeOf(parsed.query), parsed.literals, parsed.meta, keys]);
}
