// Subscribers whose rights are looked up again while the list changes: they get what they have missed, once and under their new rights.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../src/core/access/view.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type OpenGroups, openGroups } from '../harness/open-groups.js';
import { type Newsroom, openNewsroom } from '../harness/open-newsroom.js';

const teams = { collection: 'teams', action: 'read' } as const;

describeEachVendor('subscribers that move to another group', (vendor) => {
  let room: Newsroom;
  let groups: OpenGroups;
  /** Callers with the same rights to teams and different views, as after a change of structure. */
  const views = (): readonly [Caller, Caller, Caller] => [
    room.caller([teams]),
    room.caller([teams, { collection: 'tags', action: 'read' }]),
    room.caller([teams, { collection: 'authors', action: 'read' }]),
  ];

  beforeAll(async () => {
    room = await openNewsroom(vendor);
  });
  afterEach(() => groups.close());
  afterAll(() => room.close());

  it('get the events that were held back as differences, not the whole list', async () => {
    groups = openGroups(room);
    const { follow, write, writeAndSee } = groups;
    const [before, after] = views();
    for (const id of [1, 2, 3]) await write('create', id, { name: 'team' });
    const [witness, held] = [await follow(before), await follow(before)];
    held.subscription.hold();
    await writeAndSee(witness, 'create', 4, { name: 'new' });
    await writeAndSee(witness, 'update', 4, { name: 'newer' });
    await writeAndSee(witness, 'update', 1, { name: 'changed' });
    await writeAndSee(witness, 'delete', 2);
    await writeAndSee(witness, 'create', 5, { name: 'brief' });
    await writeAndSee(witness, 'delete', 5);
    await writeAndSee(witness, 'update', 3, { name: 'for a while' });
    await writeAndSee(witness, 'update', 3, { name: 'team' });
    await held.subscription.renew(after);
    expect(held.told).toEqual([
      ['create', [4]],
      ['update', [1]],
      ['delete', [2]],
    ]);
  });

  it('that have received different parts of the former events get different differences', async () => {
    groups = openGroups(room);
    const { follow, write, writeAndSee } = groups;
    const [before, after] = views();
    await write('create', 1, { name: 'team' });
    const [witness, first, second] = [await follow(before), await follow(before), await follow(before)];
    first.subscription.hold();
    await writeAndSee(witness, 'create', 2, { name: 'new' });
    second.subscription.hold();
    await writeAndSee(witness, 'create', 3, { name: 'newer' });
    await Promise.all([first, second, witness].map(({ subscription }) => subscription.renew(after)));
    expect(first.told).toEqual([['create', [2, 3]]]);
    expect(second.told).toEqual([
      ['create', [2]],
      ['create', [3]],
    ]);
    expect(witness.told).toEqual(second.told);
  });

  it('continue after moves that changed nothing', async () => {
    groups = openGroups(room);
    const { follow, write, writeAndSee } = groups;
    const [first, second, third] = views();
    await write('create', 1, { name: 'team' });
    const subscriber = await follow(first);
    await subscriber.subscription.renew(second);
    await subscriber.subscription.renew(third);
    await writeAndSee(subscriber, 'create', 2, { name: 'new' });
    expect(subscriber.told).toEqual([['create', [2]]]);
  });

  it('continue from what they have received when rights change again during the move', async () => {
    groups = openGroups(room);
    const { follow, write, writeAndSee } = groups;
    const [first, second, third] = views();
    await write('create', 1, { name: 'team' });
    const [witness, held] = [await follow(first), await follow(first)];
    held.subscription.hold();
    await writeAndSee(witness, 'create', 2, { name: 'new' });
    const moved = held.subscription.renew(second);
    held.subscription.hold();
    await moved;
    expect(held.told).toEqual([]);
    await held.subscription.renew(third);
    expect(held.told).toEqual([['create', [2]]]);
    await writeAndSee(held, 'delete', 1);
  });

  it('get the whole list if the events in between are no longer kept', async () => {
    groups = openGroups(room, { events: 1 });
    const { follow, write, writeAndSee } = groups;
    const [before, after] = views();
    await write('create', 1, { name: 'team' });
    const [witness, held] = [await follow(before), await follow(before)];
    held.subscription.hold();
    await writeAndSee(witness, 'create', 2, { name: 'new' });
    await writeAndSee(witness, 'create', 3, { name: 'newer' });
    await held.subscription.renew(after);
    expect(held.told).toEqual([['reset', [1, 2, 3]]]);
  });

  it('are not told keys that they have not received before and may not see now', async () => {
    groups = openGroups(room);
    const { follow, write, writeAndSee } = groups;
    await write('create', 1, { name: 'a' });
    await write('create', 2, { name: 'b' });
    const [witness, held, ended] = [await follow(views()[0]), await follow(views()[0]), await follow(views()[0])];
    for (const { subscription } of [held, ended]) subscription.hold();
    await writeAndSee(witness, 'create', 3, { name: 'b' });
    await held.subscription.renew(room.caller([{ ...teams, rule: { name: { _eq: 'a' } } }]));
    expect(held.told).toEqual([['delete', [2]]]);
    await ended.subscription.renew(room.caller([{ collection: 'tags', action: 'read' }]));
    expect(ended.told).toEqual([
      ['delete', [1, 2]],
      ['end', []],
    ]);
  });

  it('move to the latest rights only, however often these have changed meanwhile', async () => {
    groups = openGroups(room);
    const { follow, write } = groups;
    for (const id of [1, 2, 3]) await write('create', id, { name: 'team' });
    const subscriber = await follow(room.caller([teams]));
    const before = groups.lists();
    const many = Array.from({ length: 30 }, (_, number) => room.caller([{ ...teams, rule: { id: { _lt: 100 + number } } }]));
    const last = room.caller([{ ...teams, rule: { id: { _lt: 3 } } }]);
    await Promise.all(
      [...many, last].map((caller) => {
        subscriber.subscription.hold();
        return subscriber.subscription.renew(caller);
      }),
    );
    expect(subscriber.told).toEqual([['delete', [3]]]);
    // Without that, each of the thirty would have read its list.
    expect(groups.lists() - before).toBeLessThanOrEqual(2);
    await groups.writeAndSee(subscriber, 'update', 1, { name: 'changed' });
    expect(subscriber.told.at(-1)).toEqual(['update', [1]]);
  });

  it('are not told again what has gone since they moved the same way before', async () => {
    groups = openGroups(room);
    const { follow, write, writeUnheard } = groups;
    await write('create', 1, { name: 'team' });
    const [all, nothing] = [room.caller([teams]), room.caller([{ ...teams, rule: { id: { _lt: 0 } } }])];
    const { subscription, told } = await follow(nothing);
    await subscription.renew(all);
    await subscription.renew(nothing);
    await writeUnheard('delete', 1);
    await subscription.renew(all);
    expect(told).toEqual([
      ['create', [1]],
      ['delete', [1]],
    ]);
  });

  it('keep what they have seen when the list that they come back to has not heard of it yet', async () => {
    groups = openGroups(room);
    const { follow, write, writeUnheard } = groups;
    const [first, second] = views();
    await write('create', 1, { name: 'team' });
    const [{ subscription, told }, witness] = [await follow(first), await follow(first)];
    await writeUnheard('create', 2, { name: 'new' });
    await subscription.renew(second);
    await subscription.renew(first);
    expect(told).toEqual([['create', [2]]]);
    // Those that stayed hear of it with the one that came, so that it does not hear of it again.
    expect(witness.told).toEqual([['create', [2]]]);
  });

  it('make no room for others while they are about to join', async () => {
    groups = openGroups(room, { lists: { user: 50, together: 1 } });
    const [caller] = views();
    const [first, other] = await Promise.allSettled([groups.follow(caller), groups.follow(caller, { query: { sort: ['-id'] } })]);
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    if (first.status === 'rejected') throw first.reason;
    await groups.writeAndSee(first.value, 'create', 1, { name: 'new' });
    expect(first.value.told).toEqual([['create', [1]]]);
  });
});
