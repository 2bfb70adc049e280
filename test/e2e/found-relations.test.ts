// Relations known only from foreign keys: their names, what is configured for them, and what happens to items that leave their lists.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { foundKeys, freshRows, manyTables } from '../fixtures/found-keys.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

interface Shown {
  readonly collection: string;
  readonly field: string;
  readonly related_collection: string;
  readonly meta: { readonly one_field: string; readonly junction_field: string | null; readonly one_deselect_action: string };
}

/** `films.film_actor` lists film_actor by film_id: `film_actor.film_id films.film_actor`. */
const linesOf = (relations: readonly Shown[]): readonly string[] =>
  relations
    .filter(({ collection }) => !collection.startsWith('service_'))
    .map(({ collection, field, related_collection: one, meta }) =>
      `${collection} ${field} | ${one} ${meta.one_field} ${meta.junction_field ?? ''}`.trim(),
    )
    .sort();

const everywhere = [
  'Order Details Order ID | Order.Head Order Details_by_Order ID Order.Again',
  'Order Details Order.Again | Order.Head Order Details_by_Order_Again Order ID',
  'customers tenant_id | tenants customers',
  'film_actor actor_id | actors film_actor film_id',
  'film_actor film_id | films film_actor actor_id',
  'film_genre film_id | films film_genre genre_id',
  'film_genre genre_id | genres film_genre film_id',
  'matches away_id | teams matches_by_away_id home_id',
  'matches home_id | teams matches_by_home_id away_id',
  'nodes tenant_id_parent_id | nodes nodes',
  'notes tenant_id_order_id | orders notes',
  'order_lines tenant_id_order_id | orders order_lines',
  'order_tags tenant_id_order_id | orders order_tags tenant_id_tag_id',
  'order_tags tenant_id_tag_id | tags order_tags tenant_id_order_id',
  'orders tenant_id | tenants orders',
  'orders tenant_id_customer_id | customers orders_by_tenant_id_customer_id',
  'orders tenant_id_referrer_id | customers orders_by_tenant_id_referrer_id',
  'reviews film_id | films reviews',
  'trips country_from_code | stations trips_by_country_from_code country_to_code',
  'trips country_to_code | stations trips_by_country_to_code country_from_code',
];

const onPostgres = [
  'alarms day_reading_id | readings alarms',
  'archive.orders tenant_id_order_id | orders archive__orders',
  'readings team_id | teams readings',
];

describeEachVendor('relations found', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'found', fixture: foundKeys(vendor.name) });
  });
  afterAll(() => service.stop());

  it('are listed with the names they go by, by both doors', async () => {
    const expected = (vendor.name === 'postgres' ? [...everywhere, ...onPostgres] : everywhere).toSorted();
    const shown: readonly Shown[] = (await service.api.get('/relations')).body.data;
    expect(linesOf(shown)).toEqual(expected);
    const document = '{ relations { collection field related_collection meta { one_field junction_field one_deselect_action } } }';
    const byGraphql: readonly Shown[] = (await service.api.graphql(document, {}, '/graphql/system')).body.data.relations;
    expect(linesOf(byGraphql)).toEqual(expected);
    const snapshot: readonly Shown[] = (await service.api.get('/schema/snapshot')).body.data.relations;
    expect(linesOf(snapshot)).toEqual(expected.filter((line) => !/tenant_id_|country_|day_reading/.test(line.split(' | ')[0] ?? '')));
  });

  it('can all be followed in both directions', async () => {
    for (const { collection, field, related_collection: one, meta } of (await service.api.get('/relations')).body
      .data as readonly Shown[]) {
      if (collection.startsWith('service_') || one.startsWith('service_')) continue;
      for (const [from, to] of [
        [collection, field],
        [one, meta.one_field],
      ] as const) {
        const path = `/items/${encodeURIComponent(from)}?fields=${encodeURIComponent(`${to.replaceAll('.', '\\.')}.*`)}`;
        if (to.includes('.')) continue;
        const answer = await service.api.get(path);
        expect([from, to, answer.status]).toEqual([from, to, 200]);
        expect(Object.keys(answer.body.data[0])).toEqual([to]);
      }
    }
  });

  it('say that a primary key is unique, and a part of one is not', async () => {
    const unique = async (path: string): Promise<unknown> => (await service.api.get(`/fields/${path}`)).body.data.schema.is_unique;
    expect([await unique('films/id'), await unique('orders/id'), await unique('stations/code')]).toEqual([true, false, false]);
  });

  it('give nothing away to a snapshot applied where it came from', async () => {
    const snapshot = (await service.api.get('/schema/snapshot')).body.data;
    expect((await service.api.post('/schema/diff', snapshot)).status).toBe(204);
  });
});

describeEachVendor('relations found and configured', (vendor) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService(vendor, { area: 'found', fixture: foundKeys(vendor.name) });
    return () => service.stop();
  });

  const lines = async (): Promise<readonly string[]> => linesOf((await service.api.get('/relations')).body.data);
  const changed = (before: readonly string[], from: string, to: string): readonly string[] =>
    before.map((line) => (line === from ? to : line)).toSorted();
  const home = 'matches home_id | teams matches_by_home_id away_id';

  it('keep their names through every change of metadata', async () => {
    const before = await lines();
    expect((await service.api.patch('/relations/matches/home_id', { meta: { sort_field: 'id' } })).status).toBe(200);
    expect(await lines()).toEqual(before);
    expect((await service.api.patch('/relations/film_actor/film_id', { meta: { sort_field: 'actor_id' } })).body.data.meta).toMatchObject({
      one_field: 'film_actor',
      junction_field: 'actor_id',
      one_deselect_action: 'delete',
    });
    await service.api.patch('/fields/teams/matches_by_away_id', { meta: { note: 'On the road' } });
    await service.api.patch('/relations/orders/tenant_id_customer_id', { meta: { sort_field: 'total' } });
    expect(await lines()).toEqual(before);
  });

  it('never give their name to another', async () => {
    const before = await lines();
    const taken = await service.api.patch('/relations/matches/home_id', { meta: { one_field: 'matches_by_away_id' } });
    expect(codeOf(taken)).toBe('400 INVALID_PAYLOAD');
    await service.api.patch('/relations/matches/home_id', { meta: { one_field: 'at_home' } });
    expect(await lines()).toEqual(changed(before, home, 'matches home_id | teams at_home away_id'));
    const away = '/items/teams/1?fields=matches_by_away_id';
    expect((await service.api.get(away)).body.data).toEqual({ matches_by_away_id: [2] });
    await service.api.delete('/fields/teams/at_home');
    expect((await service.api.get(away)).body.data).toEqual({ matches_by_away_id: [2] });
    await service.api.delete('/relations/matches/away_id');
    expect((await service.api.get(away)).status).toBe(403);
  });

  it('are written over with the actions of their foreign key, several columns and all', async () => {
    const answer = await service.api.patch('/relations/notes/tenant_id_order_id', { schema: { on_delete: 'SET NULL' } });
    expect(answer.body.data.schema).toMatchObject({ column: 'tenant_id,order_id', on_delete: 'SET NULL' });
    expect(codeOf(await service.api.patch('/relations/trips/country_from_code', { schema: { on_delete: 'SET NULL' } }))).toBe(
      '400 INVALID_PAYLOAD',
    );
    expect((await service.api.delete('/relations/nodes/tenant_id_parent_id')).status).toBe(204);
    expect((await service.api.get('/items/nodes?fields=tenant_id_parent_id.id')).status).toBe(403);
  });
});

describeEachVendor('items that leave a list', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'found', fixture: foundKeys(vendor.name) });
  });
  beforeEach(() => service.sql(freshRows(vendor.name)));
  afterAll(() => service.stop());

  const cast = () => service.sql('select film_id, actor_id, role from film_actor order by film_id, actor_id');
  const expected = [
    { film_id: 1, actor_id: 1, role: 'Rupert' },
    { film_id: 1, actor_id: 2, role: null },
    { film_id: 2, actor_id: 1, role: 'Scottie' },
  ];

  it.each([
    ['links to the far item', [{ actor_id: 1 }, { actor_id: 2 }]],
    ['links by object', [{ actor_id: { id: 1 } }, { actor_id: { id: 2 } }]],
    ['keys and links', ['1,1', { actor_id: 2 }]],
    [
      'whole items',
      [
        { film_id: 1, actor_id: 1 },
        { film_id: 1, actor_id: 2 },
      ],
    ],
  ])('leave a junction whose list is replaced by %s', async (_, list) => {
    expect((await service.api.patch('/items/films/1', { film_actor: list })).status).toBe(200);
    expect(await cast()).toEqual(expected);
    expect((await service.api.patch('/items/films/2', { film_genre: [{ genre_id: 2 }] })).status).toBe(200);
    expect(await service.sql('select genre_id from film_genre where film_id = 2')).toEqual([{ genre_id: 2 }]);
  });

  it('leave a junction through GraphQL', async () => {
    const answer = await service.api.graphql(
      'mutation { update_films_item(id: 1, data: { film_actor: [{ actor_id_key: 1 }, { actor_id_key: 2 }] }) { film_actor { actor_id { name } role } } }',
    );
    expect(answer.body.errors).toBeUndefined();
    expect(await cast()).toEqual(expected);
    await service.api.graphql('mutation { update_films_item(id: 1, data: { film_actor_changes: { delete: ["1,2"] } }) { id } }');
    expect((await cast()).length).toBe(2);
  });

  it('stay where they cannot be without it, and the answer names the cure', async () => {
    await expectUnchanged(service, async () => {
      for (const reviews of [[], { delete: [1] }]) {
        const answer = await service.api.patch('/items/films/1', { reviews });
        expect([codeOf(answer), answer.body.errors[0].message]).toEqual([
          '400 INVALID_PAYLOAD',
          expect.stringContaining('one_deselect_action'),
        ]);
      }
      const answer = await service.api.graphql('mutation { update_films_item(id: 1, data: { reviews: [] }) { id } }');
      expect(answer.body.errors[0].message).toContain('one_deselect_action');
    });
    await service.api.patch('/relations/reviews/film_id', { meta: { one_deselect_action: 'delete' } });
    expect((await service.api.patch('/items/films/1?fields=reviews', { reviews: [] })).body.data).toEqual({ reviews: [] });
  });

  it('need the right to delete the rows of a junction, and no right to change those that stay', async () => {
    const films = [
      { collection: 'films', action: 'read' },
      { collection: 'films', action: 'update' },
      { collection: 'actors', action: 'read' },
      { collection: 'film_actor', action: 'read' },
    ] as const;
    const reader = await makePerson(service, [{ permissions: films }]);
    const remover = await makePerson(service, [{ permissions: [...films, { collection: 'film_actor', action: 'delete' }] }]);
    await expectUnchanged(service, async () => {
      expect(codeOf(await reader.api.patch('/items/films/1', { film_actor: [{ actor_id: 1 }] }))).toBe('403 FORBIDDEN');
      expect(codeOf(await remover.api.patch('/items/films/1', { film_actor: [{ actor_id: 1 }, { actor_id: 2 }] }))).toBe('403 FORBIDDEN');
      expect(codeOf(await remover.api.patch('/items/films/1', { film_actor: [{ actor_id: 1, role: 'x' }] }))).toBe('403 FORBIDDEN');
    });
    expect((await remover.api.patch('/items/films/1', { film_actor: [{ actor_id: 1 }] })).status).toBe(200);
    expect(await service.sql('select actor_id, role from film_actor where film_id = 1')).toEqual([{ actor_id: 1, role: 'Rupert' }]);
  });
});

describe('a table that hundreds of others point at', () => {
  it('is read whole on SQLite, whose functions take a thousand arguments', async () => {
    const fixture = `${manyTables(400)}\ninsert into hub values (1, 2, 3); insert into t3 values (7, 1, 1); insert into t400 values (9, 1);`;
    const service = await startService({ name: 'sqlite', server: '', label: 'SQLite' }, { area: 'many', fixture });
    try {
      const [listed] = (await service.api.get('/items/hub')).body.data;
      expect(Object.keys(listed)).toHaveLength(536);
      expect(listed).toMatchObject({ id: 1, t1: 2, t3_by_a: 3, t3_by_b: [7], t400: [9], t399_by_a: [] });
      expect((await service.api.get('/items/hub/1')).body.data).toEqual(listed);
      const nested = await service.api.get('/items/t3/7?fields=a.*&deep[a][t400][_limit]=1');
      expect(nested.body.data.a).toEqual(listed);
    } finally {
      await service.stop();
    }
  });
});

describeEachVendor('relations of many tables', (vendor) => {
  it('bear names of their own', async () => {
    const service = await startService(vendor, { area: 'many', fixture: manyTables(400) });
    try {
      const shown: readonly Shown[] = (await service.api.get('/relations')).body.data;
      const names = shown.filter(({ related_collection: one }) => one === 'hub').map(({ meta }) => meta.one_field);
      expect([names.length, new Set(names).size]).toEqual([533, 533]);
      const named = (key: string): string | undefined =>
        shown.find(({ collection, field }) => `${collection}.${field}` === key)?.meta.one_field;
      expect([named('t2.a'), named('t1.a'), named('t6.a'), named('t6.b')]).toEqual(['t2', 't1_by_a', 't6_by_a', 't6_by_b']);
      expect(named('t3.a')).toMatch(/^t3_by_a_[0-9a-f]{6}$/);
    } finally {
      await service.stop();
    }
  }, 120_000);
});
