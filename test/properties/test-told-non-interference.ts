// Subscribers learn nothing that they may not read: two services whose databases differ only in what is hidden tell their subscribers the same,
// whatever is written, in the size the caller asks for. A pair is a write as one subscription is told of it on both sides.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { patience } from '../harness/patience.js';
import { makePerson, makePolicy } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeRandom } from './random.js';
import { changeRights, fixtureOf, rights, type SecretStaff, type Sides, startItems, tablesOf, writeSomething } from './secret-staff.js';
import { type Listening, listen, makeAsked } from './told-sides.js';

const seed = Number(process.env['TAIN_SEED'] ?? 20261118);
/**
 * Lists of more items are long ones. All lists of a world together stay within what is remembered for all of them, also while rights change and
 * lists are there twice: which of them is long must not depend on the order of their readings.
 */
const remembered = 20;
const readersEach = 4;
const kinds = [
  { name: 'rights that stay', subscriptions: 16, changes: 0 },
  { name: 'rights that change', subscriptions: 8, changes: 0.15 },
] as const;
/** Two looks of the service at what other programs have written. */
const watchedMs = 1_200;

export function testToldNonInterference({ worlds, stepsPerWorld }: { readonly worlds: number; readonly stepsPerWorld: number }): void {
  /** Two worlds of each kind and number. */
  const all = Array.from({ length: worlds }, (_, at) => kinds.map((kind, of) => ({ ...kind, number: kinds.length * at + of }))).flat();
  const pairs = all.reduce((sum, { subscriptions }) => sum + subscriptions * stepsPerWorld, 0);
  describeEachVendor(`what subscribers are told does not depend on what they may not see, ${pairs} pairs`, (vendor) => {
    let sides: Sides;
    let told = 0;

    beforeAll(async () => {
      const start = (side: 0 | 1): Promise<TestService> =>
        startService(vendor, {
          area: `told_${side}`,
          fixture: fixtureOf(all.length, makeRandom(seed + side), side),
          config: { history: false, websocketsHeartbeat: null, realtimeItems: remembered, realtimeKeep: 0 },
        });
      sides = await Promise.all([start(0), start(1)]);
    });
    afterAll(() => Promise.all((sides ?? []).map((service) => service.stop())));

    it.each(all)('world $number, $name', { timeout: 1_200_000 }, async ({ number, subscriptions, changes }) => {
      const random = makeRandom(seed + 1_000 * number);
      const world: SecretStaff = { ...tablesOf(number), items: startItems(), hidden: new Set() };
      const asked = Array.from({ length: subscriptions }, () => makeAsked(random));
      const readers = await Promise.all(sides.map((service) => makeReaders(service, world)));
      const listening = await Promise.all(
        sides.map((service, side) =>
          listen(service, world.staff, readers[side]?.tokens ?? [], asked, () => observed(service, 'realtime:subscriptions')),
        ),
      );
      await expectAlike(sides, listening, `seed ${seed}, world ${number}, at the beginning`);
      for (let step = 1; step <= stepsPerWorld; step += 1) {
        const what = random.chance(changes)
          ? await changeRights(
              sides,
              world,
              readers.map(({ permission }) => permission),
              random,
            )
          : await writeSomething(sides, world, random, step);
        told += await expectAlike(sides, listening, `seed ${seed}, world ${number}, step ${step}: ${what}`);
      }
      await new Promise((resolve) => setTimeout(resolve, watchedMs));
      await expectAlike(sides, listening, `seed ${seed}, world ${number}, at the end`);
      for (const each of listening) each.close();
    });

    it('enough was told to prove something', () => {
      expect(told).toBeGreaterThan(pairs / 8);
    });
  });
}

interface Readers {
  readonly tokens: readonly string[];
  readonly permission: number;
}

/** Several users of the same rights. */
async function makeReaders(service: TestService, { staff, teams }: SecretStaff): Promise<Readers> {
  const [{ rule, fields }] = rights;
  const policy = await makePolicy(service, {
    permissions: [
      { collection: staff, action: 'read', permissions: rule, fields },
      { collection: teams, action: 'read', fields: ['id', 'name', 'open'] },
    ],
  });
  const people = await Promise.all(Array.from({ length: readersEach }, () => makePerson(service, [], { policies: [{ policy }] })));
  const found = await service.api.get(`/permissions?filter[policy][_eq]=${policy}&filter[collection][_eq]=${staff}`);
  return { tokens: people.map(({ token }) => token), permission: found.body.data[0].id };
}

async function observed({ api }: TestService, name: 'realtime:subscriptions' | 'realtime:delay'): Promise<number> {
  return (await api.get('/server/health')).body.checks[name][0].observedValue;
}

/** Waits until both sides have told everything. Resolves to the number of lines since the last time, which it forgets. */
async function expectAlike(sides: Sides, listening: readonly Listening[], when: string): Promise<number> {
  const differences = async (): Promise<readonly unknown[]> => {
    const delays = await Promise.all(sides.map((service) => observed(service, 'realtime:delay')));
    await Promise.all(listening.map((each) => each.arrived()));
    const [one, other] = listening.map(({ all }) => all.map(({ lines }) => lines.toSorted()));
    const different = one?.flatMap((lines, at) =>
      JSON.stringify(lines) === JSON.stringify(other?.[at]) ? [] : [{ asked: listening[0]?.all[at]?.asked, lines, others: other?.[at] }],
    );
    return [...delays.filter((delay) => delay > 0), ...(different ?? [])];
  };
  // Twice, because only sockets can be asked whether everything has arrived.
  await expect
    .poll(async () => [...(await differences()), ...(await differences())], { timeout: patience, interval: 5, message: when })
    .toEqual([]);
  let lines = 0;
  for (const { all } of listening) for (const told of all) lines += told.lines.splice(0).length;
  return lines / 2;
}
