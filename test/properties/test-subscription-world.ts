// Subscribers see every change of what they may see, and nothing else: random writes by requests and by other programs, deletes, cascades and changes
// of rights, beside a known state of the world.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { patience } from '../harness/patience.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeRandom } from './random.js';
import { type SubscriptionWorld, takeStep, worldFixture } from './subscription-world.js';
import { openSubscribers, type Subscriber } from './world-subscribers.js';

const seed = Number(process.env['TAIN_SEED'] ?? 20261116);

/** After so many steps the subscribers must have caught up. What other programs write is noticed by watching, so their steps come in larger rounds. */
const rounds = [
  { steps: 10, sql: 0, rights: 0 },
  { steps: 25, sql: 0, rights: 0.1 },
  { steps: 40, sql: 0.2, rights: 0.1 },
  { steps: 150, sql: 1, rights: 0.01 },
] as const;

export function testSubscriptionWorld(steps: number): void {
  describeEachVendor(`subscribers get what they may see, ${steps} steps`, (vendor) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService(vendor, { area: 'told', fixture: worldFixture, config: { history: false, websocketsHeartbeat: null } });
    });
    afterAll(() => service.stop());

    it('and nothing else', { timeout: 1_200_000 }, async () => {
      const random = makeRandom(seed);
      const world: SubscriptionWorld = { notes: new Map(), folders: new Map() };
      for (let step = 0; step < 30; step += 1) await takeStep(service, world, random, step, false);
      const { all, moving } = await openSubscribers(service, world);
      await catchUp(all, world, 'at the beginning');
      for (let taken = 0, round = 0; taken < steps; round += 1) {
        const { steps: many, sql, rights } = random.pick(round % 10 === 0 ? rounds.slice(2) : rounds.slice(0, 2));
        for (const subscriber of all) {
          subscriber.forget();
          subscriber.note(world);
        }
        for (let step = 0; step < many; step += 1, taken += 1) {
          if (random.chance(rights)) await moving.change(random.int(5));
          else await takeStep(service, world, random, 1_000 + taken, random.chance(sql));
          for (const subscriber of all) subscriber.note(world);
        }
        await catchUp(all, world, `seed ${seed}, step ${taken}`);
      }
      for (const subscriber of all) subscriber.stop();
    });
  });
}

async function catchUp(all: readonly Subscriber[], world: SubscriptionWorld, when: string): Promise<void> {
  for (const subscriber of all) {
    const { name } = subscriber;
    await expect
      .poll(() => [name, subscriber.fault, Object.fromEntries(subscriber.items), subscriber.untold(world)], {
        timeout: patience,
        interval: 2,
        message: when,
      })
      .toEqual([name, null, subscriber.expected(world), []]);
    subscriber.check(world);
    expect(subscriber.fault, when).toBeNull();
  }
}
