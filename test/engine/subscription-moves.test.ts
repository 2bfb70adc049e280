// Subscribers whose rights are looked up again while the list changes: they get what they have missed, once and under their new rights. The
// moments are chosen by the test, so this is below HTTP: groups and subscriptions over a real database.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../src/core/access/view.js';
import { parseQueryObject } from '../../src/core/query/parse/parse-query-object.js';
import { defaultQueryLimits } from '../../src/core/query/query.js';
import { ChangeFeed } from '../../src/service/events/change-feed.js';
import { Groups } from '../../src/service/events/groups.js';
import { Subscription } from '../../src/service/events/subscription.js';
import { createSeal } from '../../src/service/secrets/seal.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type Newsroom, openNewsroom } from '../harness/open-newsroom.js';

type Told = readonly [kind: string, keys: readonly unknown[]];

interface Subscriber {
  readonly subscription: Subscription;
  readonly told: readonly Told[];
}

const teams = { collection: 'teams', action: 'read' } as const;

describeEachVendor('subscribers that move to another group', (vendor) => {
  let room: Newsroom;
  let feed: ChangeFeed;
  let groups: Groups;
  const open = (events = 1_000): void => {
    feed = new ChangeFeed(() => room.schema);
    groups = new Groups({
      reader: room.reader,
      ownReader: room.reader,
      driver: room.dialect.driver,
      seal: createSeal('a test', 'realtime cursor'),
      feed,
      keepMs: 60_000,
      items: { each: 100, together: 1_000 },
      log: { events, each: 1_000_000, together: 1_000_000 },
      readings: 2,
      isLogged: () => false,
      report: (error) => {
        throw error;
      },
    });
  };
  /** Callers with the same rights to teams and different views, as after a change of structure. */
  const views = (): readonly [Caller, Caller, Caller] => [
    room.caller([teams]),
    room.caller([teams, { collection: 'tags', action: 'read' }]),
    room.caller([teams, { collection: 'authors', action: 'read' }]),
  ];
  const follow = async (caller: Caller): Promise<Subscriber> => {
    const told: Told[] = [];
    const subscription = new Subscription(groups, {
      question: { collection: 'teams', parsed: parseQueryObject({ fields: ['id', 'name'], sort: ['id'] }, defaultQueryLimits), keys: null },
      onEvent: ({ kind, keys }) => told.push([kind, keys]),
      onEnd: () => told.push(['end', []]),
    });
    await subscription.start(caller, { since: null, withItems: true });
    subscription.open();
    return { subscription, told };
  };
  const write = async (action: 'create' | 'update' | 'delete', id: number, name = ''): Promise<void> => {
    await room.writer.transaction(room.admin, async (work) => {
      if (action === 'create') await room.writer.create(work, 'teams', [{ id, name }]);
      else if (action === 'update') await room.writer.update(work, 'teams', [id], { name });
      else await room.writer.delete(work, 'teams', [id]);
    });
    feed.committed([{ kind: 'items', collection: 'teams', action, keys: [id] }]);
  };
  /** Writes, and waits until the group has sent it; all followers of a group get an event at the same moment. */
  const writeAndSee = async ({ told }: Subscriber, ...what: Parameters<typeof write>): Promise<void> => {
    const before = told.length;
    await write(...what);
    await expect.poll(() => told.length, { interval: 5 }).toBe(before + 1);
  };

  beforeAll(async () => {
    room = await openNewsroom(vendor);
  });
  afterEach(async () => {
    groups.close();
    const { admin: caller, dialect } = room;
    const all = await room.reader.objects({ caller, connection: dialect.driver, signal: null, afterCommit: null }, 'teams', {
      fields: ['id'],
    });
    await room.writer.transaction(caller, (work) =>
      room.writer.delete(
        work,
        'teams',
        all.map(({ id }) => id),
      ),
    );
  });
  afterAll(() => room.close());

  it('get the events that were held back as differences, not the whole list', async () => {
    open();
    const [before, after] = views();
    for (const id of [1, 2, 3]) await write('create', id, 'team');
    const [witness, held] = [await follow(before), await follow(before)];
    held.subscription.hold();
    await writeAndSee(witness, 'create', 4, 'new');
    await writeAndSee(witness, 'update', 4, 'newer');
    await writeAndSee(witness, 'update', 1, 'changed');
    await writeAndSee(witness, 'delete', 2);
    await writeAndSee(witness, 'create', 5, 'brief');
    await writeAndSee(witness, 'delete', 5);
    await writeAndSee(witness, 'update', 3, 'for a while');
    await writeAndSee(witness, 'update', 3, 'team');
    await held.subscription.renew(after);
    expect(held.told).toEqual([
      ['create', [4]],
      ['update', [1]],
      ['delete', [2]],
    ]);
  });

  it('that have received different parts of the former events get different differences', async () => {
    open();
    const [before, after] = views();
    await write('create', 1, 'team');
    const [witness, first, second] = [await follow(before), await follow(before), await follow(before)];
    first.subscription.hold();
    await writeAndSee(witness, 'create', 2, 'new');
    second.subscription.hold();
    await writeAndSee(witness, 'create', 3, 'newer');
    await Promise.all([first, second, witness].map(({ subscription }) => subscription.renew(after)));
    expect(first.told).toEqual([['create', [2, 3]]]);
    expect(second.told).toEqual([
      ['create', [2]],
      ['create', [3]],
    ]);
    expect(witness.told).toEqual(second.told);
  });

  it('continue after moves that changed nothing', async () => {
    open();
    const [first, second, third] = views();
    await write('create', 1, 'team');
    const subscriber = await follow(first);
    await subscriber.subscription.renew(second);
    await subscriber.subscription.renew(third);
    await writeAndSee(subscriber, 'create', 2, 'new');
    expect(subscriber.told).toEqual([['create', [2]]]);
  });

  it('continue from what they have received when rights change again during the move', async () => {
    open();
    const [first, second, third] = views();
    await write('create', 1, 'team');
    const [witness, held] = [await follow(first), await follow(first)];
    held.subscription.hold();
    await writeAndSee(witness, 'create', 2, 'new');
    const moved = held.subscription.renew(second);
    held.subscription.hold();
    await moved;
    expect(held.told).toEqual([]);
    await held.subscription.renew(third);
    expect(held.told).toEqual([['create', [2]]]);
    await writeAndSee(held, 'delete', 1);
  });

  it('get the whole list if the events in between are no longer kept', async () => {
    open(1);
    const [before, after] = views();
    await write('create', 1, 'team');
    const [witness, held] = [await follow(before), await follow(before)];
    held.subscription.hold();
    await writeAndSee(witness, 'create', 2, 'new');
    await writeAndSee(witness, 'create', 3, 'newer');
    await held.subscription.renew(after);
    expect(held.told).toEqual([['reset', [1, 2, 3]]]);
  });

  it('are not told keys that they have not received before and may not see now', async () => {
    open();
    await write('create', 1, 'a');
    await write('create', 2, 'b');
    const [witness, held, ended] = [await follow(views()[0]), await follow(views()[0]), await follow(views()[0])];
    for (const { subscription } of [held, ended]) subscription.hold();
    await writeAndSee(witness, 'create', 3, 'b');
    await held.subscription.renew(room.caller([{ ...teams, rule: { name: { _eq: 'a' } } }]));
    expect(held.told).toEqual([['delete', [2]]]);
    await ended.subscription.renew(room.caller([{ collection: 'tags', action: 'read' }]));
    expect(ended.told).toEqual([
      ['delete', [1, 2]],
      ['end', []],
    ]);
  });
});
