// Two databases that differ only in what a subscriber may not see, and a random series of writes to both: what may be seen is written alike,
// what is hidden is written differently, on one side only, or by another program.

import { expect } from 'vitest';
import type { Answer } from '../harness/api.js';
import type { TestService } from '../harness/start-service.js';
import type { Random } from './random.js';

type Side = 0 | 1;
export type Sides = readonly [TestService, TestService];

/** What nobody is ever given: `salary`, `secret`, and items of another owner than `all`. */
interface Item {
  readonly name: string;
  readonly city: string;
  readonly flag: boolean;
  readonly team: number;
}

export interface SecretStaff {
  readonly staff: string;
  readonly teams: string;
  /** The items of both sides. */
  readonly items: Map<number, Item>;
  /** Those of `items` that belong to somebody else at the moment. */
  readonly hidden: Set<number>;
}

const teamCount = 4;
/** Items from this key on are on one side only, where nobody sees them. */
const ofOneSide = 1_000;
const words = ['amber', 'birch', 'cedar', 'delta', 'elder', 'fig'] as const;

/** What a subscriber may read: the rules and fields between which its rights change. */
export const rights = [
  { rule: { owner: { _eq: 'all' } }, fields: ['id', 'name', 'city', 'flag', 'team_id'] },
  { rule: { owner: { _eq: 'all' } }, fields: ['id', 'name', 'team_id'] },
  { rule: { owner: { _eq: 'all' }, flag: { _eq: 1 } }, fields: ['id', 'name', 'city', 'team_id'] },
  { rule: { owner: { _eq: 'all' }, id: { _lt: 14 } }, fields: ['id', 'name', 'city', 'flag', 'team_id'] },
  { rule: { owner: { _eq: 'all' }, team_id: { open: { _eq: true } } }, fields: ['id', 'name', 'city', 'team_id'] },
] as const;

export const tablesOf = (number: number): { readonly staff: string; readonly teams: string } => ({
  staff: `staff_${number}`,
  teams: `teams_${number}`,
});

/** The tables of so many worlds; `seed` differs between the sides, and with it all that is hidden. */
export function fixtureOf(worlds: number, random: Random, side: Side): string {
  return Array.from({ length: worlds }, (_, number) => {
    const { staff, teams } = tablesOf(number);
    const rowsOfTeams = Array.from({ length: teamCount }, (__, at) => `(${at + 1}, 'team ${at + 1}', ${random.int(100)}, ${at % 2})`);
    const rows = [...startItems()].map(
      ([id, { name, city, flag, team }]) => `(${id}, '${name}', '${city}', ${flag ? 1 : 0}, ${team}, 'all', ${random.int(1_000)})`,
    );
    const others = Array.from({ length: side === 0 ? 3 : 9 }, (__, at) => {
      return `(${ofOneSide + at}, '${random.pick(words)}', '${random.pick(words)}', 1, ${1 + random.int(teamCount)}, 'nobody', ${random.int(1_000)})`;
    });
    return `
      create table ${teams} (id integer primary key, name varchar(50), secret integer, open smallint);
      create table ${staff} (id integer primary key, name varchar(50), city varchar(50), flag smallint, team_id integer, owner varchar(20), salary integer,
        foreign key (team_id) references ${teams} (id));
      insert into ${teams} values ${rowsOfTeams.join(', ')};
      insert into ${staff} values ${[...rows, ...others].join(', ')};`;
  }).join('\n');
}

export const startItems = (): Map<number, Item> =>
  new Map(
    Array.from({ length: 24 }, (_, at) => [
      at + 1,
      { name: `${words[at % words.length]} ${at + 1}`, city: String(words[at % 5]), flag: at % 3 !== 0, team: 1 + (at % teamCount) },
    ]),
  );

/** Writes to both sides. What is hidden is written with the randomness of each side. */
export async function writeSomething(sides: Sides, world: SecretStaff, random: Random, number: number): Promise<string> {
  return random.int(14) < 8 ? writeHidden(sides, world, random, number) : writeVisible(sides, world, random, number);
}

const done = async (answer: Promise<Answer>): Promise<void> => {
  const { status, text } = await answer;
  expect(status, text).toBeLessThan(300);
};

const both = async (sides: Sides, act: (service: TestService, side: Side) => Promise<unknown>): Promise<void> => {
  await Promise.all(sides.map((service, side) => act(service, side === 0 ? 0 : 1)));
};

async function writeHidden(sides: Sides, { staff, teams, items, hidden }: SecretStaff, random: Random, number: number): Promise<string> {
  const only = sides[random.int(2)] ?? sides[0];
  const seen = random.pick([...items.keys()].filter((id) => !hidden.has(id)));
  const other = random.pick([...hidden, ofOneSide]);
  const [one, two] = [random.int(10_000), 10_000 + random.int(10_000)];
  const api = only.api;
  switch (random.int(10)) {
    case 0:
      await done(api.patch(`/items/${staff}/${seen}`, { salary: one }));
      return 'hidden field, one side';
    case 1:
      await both(sides, ({ api: each }, side) => done(each.patch(`/items/${staff}/${seen}`, { salary: side === 0 ? one : two })));
      return 'hidden field, differently';
    case 2:
      await done(api.patch(`/items/${staff}/${other}`, { name: random.pick(words), city: random.pick(words), salary: one }));
      return 'hidden item, one side';
    case 3:
      await done(
        api.post(`/items/${staff}`, { id: 2 * ofOneSide + number, name: 'birch', flag: 1, team_id: 1, owner: 'nobody', salary: one }),
      );
      return 'hidden item created, one side';
    case 4:
      await done(api.delete(`/items/${staff}`, { query: { filter: { id: { _gt: 2 * ofOneSide } } } }));
      return 'hidden items deleted, one side';
    case 5:
      await only.sql(`update ${staff} set salary = ${one} where id = ${seen}`);
      return 'hidden field by another program, one side';
    case 6:
      await only.sql(`update ${staff} set name = '${random.pick(words)}', salary = ${one} where owner = 'nobody'`);
      return 'hidden items by another program, one side';
    case 7:
      await done(api.patch(`/items/${teams}/${1 + random.int(teamCount)}`, { secret: one }));
      return 'hidden field of a related item, one side';
    case 8:
      await done(
        api.patch(`/items/${staff}`, [
          { id: seen, salary: one },
          { id: ofOneSide, name: random.pick(words), salary: two },
        ]),
      );
      return 'hidden fields of two items, one side';
    default:
      await done(api.patch(`/items/${staff}`, { keys: [...items.keys()].slice(0, 1 + random.int(20)), data: { salary: one } }));
      return 'hidden field of many items, one side';
  }
}

async function writeVisible(sides: Sides, world: SecretStaff, random: Random, number: number): Promise<string> {
  const { staff, teams, items, hidden } = world;
  const ids = [...items.keys()].filter((id) => !hidden.has(id));
  const id = random.pick(ids);
  const former = items.get(id);
  const salary = [random.int(1_000), 1_000 + random.int(1_000)] as const;
  const change = {
    name: `${random.pick(words)} ${number}`,
    city: random.pick(words),
    flag: random.int(2),
    team_id: 1 + random.int(teamCount),
  };
  const field = random.pick(['name', 'city', 'flag', 'team_id'] as const);
  switch (random.int(9)) {
    case 0:
    case 1:
      await both(sides, ({ api }) => done(api.patch(`/items/${staff}/${id}`, { [field]: change[field] })));
      return `${field} of ${id}`;
    case 2:
      // The same write with something hidden in it, which differs.
      await both(sides, ({ api }, side) => done(api.patch(`/items/${staff}/${id}`, { name: change.name, salary: salary[side] })));
      return `name of ${id} and something hidden`;
    case 3:
      await both(sides, ({ api }, side) =>
        done(
          api.patch(`/items/${staff}`, [
            { id, [field]: change[field] },
            { id: ofOneSide, salary: salary[side] },
          ]),
        ),
      );
      return `${field} of ${id}, and a hidden item`;
    case 4:
      await both(sides, ({ api }, side) =>
        done(api.post(`/items/${staff}`, { id: 100 + number, ...change, owner: 'all', salary: salary[side] })),
      );
      items.set(100 + number, { name: change.name, city: change.city, flag: change.flag === 1, team: change.team_id });
      return `${100 + number} created`;
    case 5:
      if (ids.length < 15 || former === undefined) return 'nothing';
      await both(sides, ({ api }) => done(api.delete(`/items/${staff}/${id}`)));
      items.delete(id);
      return `${id} deleted`;
    case 6:
      await both(sides, ({ api }) => done(api.patch(`/items/${staff}/${id}`, { owner: 'nobody' })));
      hidden.add(id);
      return `${id} hidden`;
    case 7: {
      const [again] = hidden;
      if (again === undefined) return 'nothing';
      await both(sides, ({ api }) => done(api.patch(`/items/${staff}/${again}`, { ...change, owner: 'all' })));
      hidden.delete(again);
      return `${again} shown again`;
    }
    default:
      await both(sides, ({ api }) => done(api.patch(`/items/${teams}/${change.team_id}`, { name: change.name })));
      return `name of team ${change.team_id}`;
  }
}

/** Opens or closes a team, on which a rule depends, or gives the subscriber other rights. */
export async function changeRights(sides: Sides, { teams }: SecretStaff, permissions: readonly number[], random: Random): Promise<string> {
  const right = random.pick(rights);
  if (random.chance(0.4)) {
    const team = 1 + random.int(teamCount);
    const open = random.int(2);
    await both(sides, ({ api }) => done(api.patch(`/items/${teams}/${team}`, { open })));
    return `team ${team} is ${open === 1 ? 'open' : 'closed'}`;
  }
  await both(sides, ({ api }, side) =>
    done(api.patch(`/permissions/${permissions[side]}`, { permissions: right.rule, fields: right.fields })),
  );
  return `rights: ${JSON.stringify(right)}`;
}
