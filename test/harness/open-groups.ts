// Subscriptions below HTTP, over the newsroom in a real database: the test chooses the moments of writes, and of changes of rights.

import { expect } from 'vitest';
import type { Caller } from '../../src/core/access/view.js';
import { parseQueryObject } from '../../src/core/query/parse/parse-query-object.js';
import { defaultQueryLimits } from '../../src/core/query/query.js';
import { ChangeFeed } from '../../src/service/events/change-feed.js';
import { Groups } from '../../src/service/events/groups.js';
import { Subscription } from '../../src/service/events/subscription.js';
import { Turns } from '../../src/service/events/turns.js';
import { createSeal } from '../../src/service/secrets/seal.js';
import type { Newsroom } from './open-newsroom.js';

type Told = readonly [kind: string, keys: readonly unknown[]];

export interface Subscriber {
  readonly subscription: Subscription;
  readonly told: readonly Told[];
}

interface Bounds {
  /** The number of events that are kept. */
  readonly events?: number;
  /** The number of items of a list that are remembered. */
  readonly items?: number;
  /** The number of items that are remembered for one user. */
  readonly userItems?: number;
  readonly lists?: { readonly user: number; readonly together: number };
}

type Write = readonly [action: 'create' | 'update' | 'delete', id: number, team?: Readonly<Record<string, unknown>>];

export interface OpenGroups {
  readonly feed: ChangeFeed;
  /** The number of different lists that are kept. */
  lists(): number;
  /** Follows teams, with their id and name. */
  follow(caller: Caller, options?: { readonly query?: object; readonly withItems?: boolean }): Promise<Subscriber>;
  /** Writes a team and reports it to the groups. */
  write(...what: Write): Promise<void>;
  /** Writes a team of which the groups have not heard yet, as when the log of the database is behind. */
  writeUnheard(...what: Write): Promise<void>;
  /** The same, and waits until this subscriber has got an event. All followers of a group get an event at the same moment. */
  writeAndSee(subscriber: Subscriber, ...what: Write): Promise<void>;
  /** Ends all subscriptions and deletes all teams. */
  close(): Promise<void>;
}

export function openGroups(
  room: Newsroom,
  { events = 1_000, items = 100, userItems = 10 * items, lists = { user: 50, together: 100 } }: Bounds = {},
): OpenGroups {
  const { admin, dialect, reader, writer } = room;
  const feed = new ChangeFeed(() => room.schema);
  const groups = new Groups({
    reader,
    ownReader: reader,
    driver: dialect.driver,
    seal: createSeal('a test', 'realtime cursor'),
    feed,
    keepMs: 60_000,
    items: { each: items, user: userItems, together: 10 * items },
    lists,
    log: { events, each: 1_000_000, together: 1_000_000 },
    turns: new Turns(2),
    isLogged: () => false,
    report: (error) => {
      throw error;
    },
  });
  const writeUnheard = (...[action, id, team = {}]: Write): Promise<void> =>
    writer.transaction(admin, async (work) => {
      if (action === 'create') await writer.create(work, 'teams', [{ id, ...team }]);
      else if (action === 'update') await writer.update(work, 'teams', [id], team);
      else await writer.delete(work, 'teams', [id]);
    });
  const write = async (...[action, id, team = {}]: Write): Promise<void> => {
    await writeUnheard(action, id, team);
    const fields = action === 'update' ? { fields: Object.keys(team) } : {};
    feed.committed([{ kind: 'items', collection: 'teams', action, keys: [id], ...fields }]);
  };
  return {
    feed,
    lists: () => groups.state.groups,
    async follow(caller, { query = {}, withItems = true } = {}) {
      const told: Told[] = [];
      const parsed = parseQueryObject({ fields: ['id', 'name'], sort: ['id'], ...query }, defaultQueryLimits);
      const subscription = new Subscription(groups, () => caller.accountability.user ?? 'the public', {
        question: { collection: 'teams', parsed, keys: null },
        onEvent: ({ kind, keys }) => told.push([kind, keys]),
        onEnd: () => told.push(['end', []]),
      });
      await subscription.start(caller, { since: null, withItems });
      subscription.open();
      return { subscription, told };
    },
    write,
    writeUnheard,
    async writeAndSee({ told }, ...what) {
      const before = told.length;
      await write(...what);
      await expect.poll(() => told.length, { interval: 5 }).toBe(before + 1);
    },
    async close() {
      groups.close();
      const work = { caller: admin, connection: dialect.driver, signal: null, afterCommit: null };
      const all = await reader.objects(work, 'teams', { fields: ['id'], limit: -1 });
      const ids = all.map(({ id }) => id);
      await writer.transaction(admin, (inside) => writer.delete(inside, 'teams', ids));
    },
  };
}
