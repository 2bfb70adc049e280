// Lists that are longer than what the service remembers: followers get every change of what they were shown, and nothing when something
// changes that they cannot see.

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type OpenGroups, openGroups, type Subscriber } from '../harness/open-groups.js';
import { type Newsroom, openNewsroom } from '../harness/open-newsroom.js';

describeEachVendor('a list too long to be remembered', (vendor) => {
  let room: Newsroom;
  let groups: OpenGroups;
  const visible = { name: 'visible' };
  const hidden = { name: 'hidden' };
  const reader = () => room.caller([{ collection: 'teams', action: 'read', rule: { name: { _starts_with: 'visible' } } }]);
  const page = { query: { limit: 3 } };
  /** Visible teams 1 to 12, of which no more than ten are remembered, and hidden ones from 21 on. */
  const open = async (items = 10): Promise<void> => {
    groups = openGroups(room, { items });
    for (let id = 1; id <= 12; id += 1) await groups.write('create', id, visible);
    for (let id = 21; id <= 23; id += 1) await groups.write('create', id, hidden);
  };
  /** Followers get events in order, so what came before this one is known when it has come. */
  const toldUntilNow = async ({ told }: Subscriber): Promise<readonly unknown[]> => {
    await groups.write('create', 99, { name: 'visible, the last' });
    await expect.poll(() => told.flatMap(([, keys]) => keys), { interval: 5 }).toContain(99);
    return told.slice(
      0,
      told.findIndex(([, keys]) => keys.includes(99)),
    );
  };

  beforeAll(async () => {
    room = await openNewsroom(vendor);
  });
  afterEach(() => groups.close());
  afterAll(() => room.close());

  it('is silent about what is hidden', async () => {
    await open();
    const follower = await groups.follow(reader(), page);
    await groups.write('update', 21, { name: 'hidden still' });
    await groups.write('create', 24, hidden);
    await groups.write('delete', 22);
    groups.feed.suspect();
    expect(await toldUntilNow(follower)).toEqual([]);
  });

  it('is silent about what looks the same, and reports what differs, comes and goes', async () => {
    await open();
    const follower = await groups.follow(reader(), page);
    await groups.write('update', 1, visible);
    await groups.writeAndSee(follower, 'update', 1, { name: 'visible, changed' });
    await groups.write('update', 2, hidden);
    await expect.poll(() => follower.told.length, { interval: 5 }).toBe(3);
    await groups.writeAndSee(follower, 'create', 30, visible);
    await groups.writeAndSee(follower, 'update', 21, visible);
    await groups.writeAndSee(follower, 'update', 21, hidden);
    await groups.writeAndSee(follower, 'delete', 30);
    expect(follower.told).toEqual([
      ['update', [1]],
      // It has come onto the page.
      ['create', [4]],
      ['delete', [2]],
      ['create', [30]],
      ['update', [21]],
      ['delete', [21]],
      ['delete', [30]],
    ]);
    // Never shown, so nobody has to remove it.
    await groups.write('update', 11, hidden);
    await groups.write('delete', 12);
    expect((await toldUntilNow(follower)).slice(7)).toEqual([]);
  });

  it('reports what other programs change of what was shown, and what comes onto the page', async () => {
    await open();
    const follower = await groups.follow(reader(), page);
    await groups.writeAndSee(follower, 'create', 40, visible);
    await room.writer.transaction(room.admin, async (work) => {
      await room.writer.update(work, 'teams', [40], { name: 'visible, changed' });
      await room.writer.delete(work, 'teams', [2]);
      await room.writer.create(work, 'teams', [{ id: -1, ...visible }]);
    });
    groups.feed.suspect();
    await expect
      .poll(() => follower.told.slice(1), { interval: 5 })
      .toEqual([
        ['create', [-1]],
        ['update', [40]],
        ['delete', [2]],
      ]);
  });

  it('shows nothing to followers who did not ask for the items', async () => {
    await open();
    const follower = await groups.follow(reader(), { ...page, withItems: false });
    await groups.write('update', 1, hidden);
    groups.feed.suspect();
    await groups.writeAndSee(follower, 'update', 2, { name: 'visible, changed' });
    await groups.writeAndSee(follower, 'delete', 2);
    expect(follower.told).toEqual([
      ['update', [2]],
      ['delete', [2]],
    ]);
  });

  it('a change that the page of a later follower has already is sent to the earlier ones', async () => {
    await open();
    const first = await groups.follow(reader(), { ...page, withItems: false });
    await room.writer.transaction(room.admin, (work) => room.writer.update(work, 'teams', [2], { name: 'visible, changed' }));
    const second = await groups.follow(reader(), page);
    groups.feed.committed([{ kind: 'items', collection: 'teams', action: 'update', keys: [2] }]);
    for (const { told } of [first, second]) await expect.poll(() => told, { interval: 5 }).toEqual([['update', [2]]]);
  });

  it('goes back to its page when too much was shown', async () => {
    await open();
    const follower = await groups.follow(reader(), page);
    for (let id = 41; id <= 47; id += 1) await groups.writeAndSee(follower, 'create', id, visible);
    await groups.write('create', 48, visible);
    await expect
      .poll(() => follower.told.slice(7), { interval: 5 })
      .toEqual([
        ['create', [48]],
        ['reset', [1, 2, 3]],
      ]);
    await groups.write('delete', 41);
    await groups.write('update', 21, { name: 'hidden still' });
    expect((await toldUntilNow(follower)).slice(9)).toEqual([]);
  });

  it('sends a page that is too long itself again when it differs, and not for what is hidden', async () => {
    await open(2);
    const follower = await groups.follow(reader(), page);
    await groups.write('update', 21, { name: 'hidden still' });
    await groups.write('delete', 22);
    await groups.writeAndSee(follower, 'create', 50, visible);
    await groups.writeAndSee(follower, 'update', 2, hidden);
    expect(follower.told).toEqual([
      ['create', [50]],
      ['reset', [1, 3, 4]],
    ]);
  });

  it('that contains every item reports every deletion', async () => {
    await open();
    const follower = await groups.follow(room.admin, page);
    await groups.writeAndSee(follower, 'delete', 12);
    expect(follower.told).toEqual([['delete', [12]]]);
  });
});
