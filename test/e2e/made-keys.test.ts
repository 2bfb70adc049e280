// Keys that the database can make. Of a key of several columns the database or a nested create makes a part: every door creates, tells,
// changes and finds such items. Where a key has a default, clients may choose it all the same.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openAs } from '../harness/socket-client.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import type { VendorName } from '../harness/vendors.js';

/** The key is (id, place), which is not the order of the columns. */
const logs: Readonly<Record<VendorName, string>> = {
  sqlite: `create table logs (place varchar(20) not null, id varchar(20) not null default (lower(hex(randomblob(4)))), words text, primary key (id, place));`,
  postgres: `create table logs (place varchar(20) not null, id bigserial, words text, primary key (id, place)) partition by list (place);
    create table logs_north partition of logs for values in ('a/b,c', 'north');
    create table logs_other partition of logs default;`,
  mysql: `create table logs (place varchar(20) not null, id bigint not null auto_increment, words text, primary key (id, place)) partition by key (place);`,
};

const counted: Readonly<Record<VendorName, string>> = {
  sqlite: 'integer primary key',
  postgres: 'serial primary key',
  mysql: 'int auto_increment primary key',
};

const random: Readonly<Record<VendorName, string>> = {
  sqlite: 'char(36) default (lower(hex(randomblob(16))))',
  postgres: 'uuid default gen_random_uuid()',
  mysql: 'char(36) default (uuid())',
};

const fixture = (vendor: VendorName): string => `
  ${logs[vendor]}
  create table films (id ${counted[vendor]}, title varchar(40));
  create table actors (id ${counted[vendor]}, name varchar(40));
  create table casts (role varchar(40), actor_id integer not null, film_id integer not null, primary key (film_id, actor_id),
    foreign key (film_id) references films (id), foreign key (actor_id) references actors (id));
  create table badges (k ${random[vendor]} not null primary key, v varchar(40));
  create table wearers (id ${counted[vendor]}, badge ${vendor === 'postgres' ? 'uuid' : 'char(36)'}, foreign key (badge) references badges (k));
  insert into films (title) values ('Alien'), ('Brazil');`;

const pathOf = (...parts: readonly unknown[]): string => parts.map((part) => encodeURIComponent(String(part))).join(',');

describeEachVendor('keys of which a part is made', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'keyparts', fixture: fixture(vendor.name) });
  });
  afterAll(() => service.stop());

  const ok = async (answering: Promise<Answer>): Promise<Answer['body']> => {
    const answer = await answering;
    if (answer.status !== 200 && answer.status !== 204) throw new Error(answer.text);
    return answer.body?.data;
  };
  const post = (path: string, body: unknown) => ok(service.api.post(path, body));
  const read = (path: string) => ok(service.api.get(path));
  /** The actions and revisions that history has of an item. */
  const historyOf = async (collection: string, item: string): Promise<unknown> => {
    const of = `filter[collection][_eq]=${collection}&filter[item][_eq]=${encodeURIComponent(item)}&sort=id`;
    const activity: { action: string }[] = await read(`/activity?${of}&fields=action`);
    const revisions: { data: object }[] = await read(`/revisions?${of}&fields=data`);
    return { actions: activity.map(({ action }) => action), data: revisions.map(({ data }) => data) };
  };

  it('are told by /fields in the order of the key', async () => {
    const fields: { field: string; schema: Record<string, unknown> }[] = await read('/fields/casts');
    const places = fields.flatMap(({ field, schema }) =>
      'primary_key_position' in (schema ?? {}) ? [[field, schema['primary_key_position']]] : [],
    );
    expect(places).toEqual([
      ['actor_id', 2],
      ['film_id', 1],
    ]);
  });

  it('are created one by one and by the dozen, with their history', async () => {
    const made = await post('/items/logs', { place: 'a/b,c', words: 'one' });
    const item = pathOf(made.id, 'a/b,c');
    expect(await read(`/items/logs/${item}`)).toEqual(made);
    expect(await historyOf('logs', item)).toEqual({ actions: ['create'], data: [{ place: 'a/b,c', words: 'one' }] });
    await ok(service.api.patch(`/items/logs/${item}`, { words: 'two' }));
    await ok(service.api.delete(`/items/logs/${item}`));
    expect(await historyOf('logs', item)).toMatchObject({
      actions: ['create', 'update', 'delete'],
      data: [{}, { words: 'two' }, { words: 'two' }],
    });
    const many = await post(
      '/items/logs',
      Array.from({ length: 20 }, (_, index) => ({ place: 'north', words: `n${index}` })),
    );
    expect(new Set(many.map(({ id }: { id: unknown }) => id)).size).toBe(20);
    expect(await historyOf('logs', pathOf(many[7].id, 'north'))).toEqual({ actions: ['create'], data: [{ place: 'north', words: 'n7' }] });
  });

  it('are made by nested creates, on either side of a junction', async () => {
    const one = await post('/items/casts?fields=film_id,actor_id.id,actor_id.name', {
      actor_id: { name: 'Sigourney' },
      film_id: 1,
      role: 'Ripley',
    });
    expect(one).toEqual({ film_id: 1, actor_id: { id: expect.any(Number), name: 'Sigourney' } });
    expect(await historyOf('casts', `1,${one.actor_id.id}`)).toEqual({
      actions: ['create'],
      data: [{ actor_id: one.actor_id.id, film_id: 1, role: 'Ripley' }],
    });
    const both = await post('/items/casts', { actor_id: { name: 'Ian' }, film_id: { title: 'Ash' } });
    expect(await historyOf('casts', `${both.film_id},${both.actor_id}`)).toMatchObject({ actions: ['create'] });
    const list = 'fields=id,casts.actor_id.name&deep={"casts":{"_sort":["actor_id"]}}';
    const film = await post(`/items/films?${list}`, {
      title: 'Casting',
      casts: [{ actor_id: { name: 'A' } }, { actor_id: { name: 'B' } }],
    });
    expect(film.casts).toEqual([{ actor_id: { name: 'A' } }, { actor_id: { name: 'B' } }]);
    const more = await ok(service.api.patch(`/items/films/${film.id}?${list}`, { casts: { create: [{ actor_id: { name: 'C' } }] } }));
    expect(more.casts).toHaveLength(3);
  });

  it('are made through GraphQL', async () => {
    const mutation = `mutation {
      create_logs_item(data: { place: "graph", words: "g" }) { id place }
      create_casts_item(data: { film_id_key: 2, actor_id: { name: "Graph" } }) { film_id { id } actor_id { id name } } }`;
    const { data, errors } = (await service.api.graphql(mutation)).body;
    expect(errors).toBeUndefined();
    const id = pathOf(data.create_logs_item.id, 'graph');
    const found = await service.api.graphql('query($id: ID!) { logs_by_id(id: $id) { words } }', { id });
    expect(found.body.data).toEqual({ logs_by_id: { words: 'g' } });
    expect(data.create_casts_item).toMatchObject({ film_id: { id: '2' }, actor_id: { name: 'Graph' } });
    expect(await historyOf('casts', `2,${data.create_casts_item.actor_id.id}`)).toMatchObject({ actions: ['create'] });
  });

  it('are made in a batch, by an upsert and by an import', async () => {
    const operations = [
      { id: 'log', method: 'POST', path: '/items/logs', body: { place: 'batch', words: 'b' } },
      { method: 'POST', path: '/items/casts', body: { film_id: 2, actor_id: { name: 'Batch' }, role: { $ref: 'log.data.place' } } },
    ];
    const [log, cast] = (await post('/batch', { operations })) as { body: { data: Record<string, unknown> } }[];
    expect(await read(`/items/logs/${pathOf(log?.body.data['id'], 'batch')}`)).toMatchObject({ words: 'b' });
    expect(await historyOf('casts', pathOf(2, cast?.body.data['actor_id']))).toMatchObject({ actions: ['create'] });
    const upserted = await post('/items/casts?on_conflict=film_id,actor_id', [
      { film_id: 2, actor_id: cast?.body.data['actor_id'], role: 'again' },
    ]);
    expect(upserted).toMatchObject([{ role: 'again' }]);
    const raw = new FormData();
    raw.append('file', new Blob(['place,words\nimported,i1\nimported,i2\n'], { type: 'text/csv' }), 'logs.csv');
    await ok(service.api.request('POST', '/utils/import/logs', { raw }));
    const imported: { id: unknown; words: string }[] = await read('/items/logs?filter[place][_eq]=imported&sort=words');
    expect(imported.map(({ words }) => words)).toEqual(['i1', 'i2']);
    expect(await historyOf('logs', pathOf(imported[1]?.id, 'imported'))).toMatchObject({ actions: ['create'] });
  });

  it('have versions and comments, and are reverted', async () => {
    await ok(service.api.patch('/collections/casts', { meta: { versioning: true } }));
    const { actor_id: actor } = await post('/items/casts', { film_id: 1, actor_id: { name: 'Versed' }, role: 'first' });
    const item = `1,${actor}`;
    await post('/comments', { collection: 'casts', item, comment: 'said' });
    expect(await read(`/comments?filter[item][_eq]=${item}&fields=comment`)).toEqual([{ comment: 'said' }]);
    const { id } = await post('/versions', { collection: 'casts', item, key: 'v', name: 'V' });
    await post(`/versions/${id}/save`, { role: 'second' });
    expect(await read(`/items/casts/${item}?version=v`)).toMatchObject({ role: 'second' });
    const { mainHash } = await read(`/versions/${id}/compare`);
    await post(`/versions/${id}/promote`, { mainHash });
    expect(await read(`/items/casts/${item}`)).toMatchObject({ role: 'second' });
    const [{ id: first }] = await read(`/revisions?filter[collection][_eq]=casts&filter[item][_eq]=${item}&sort=id&limit=1&fields=id`);
    await ok(service.api.post(`/utils/revert/${first}`));
    expect(await read(`/items/casts/${item}`)).toMatchObject({ role: 'first' });
  });

  it('are told to subscribers', async () => {
    const client = await openAs(service.url, adminToken);
    await client.ask({ type: 'subscribe', collection: 'casts', event: 'create' });
    const { actor_id: actor } = await post('/items/casts', { film_id: 2, actor_id: { name: 'Heard' }, role: 'live' });
    expect((await client.next(({ event }) => event === 'create')).data).toEqual([{ film_id: 2, actor_id: actor, role: 'live' }]);
    client.close();
  });

  it('may be chosen where they have a default, but not where they are counted', async () => {
    const [k, other] = ['11111111-2222-4333-8444-555555555555', '11111111-2222-4333-8444-666666666666'];
    const fields = 'fields=badge.k,badge.v';
    expect(await post(`/items/wearers?${fields}`, { badge: { k, v: 'new' } })).toEqual({ badge: { k, v: 'new' } });
    expect(await post(`/items/wearers?${fields}`, { badge: { k, v: 'again' } })).toEqual({ badge: { k, v: 'again' } });
    expect(await post(`/items/wearers?fields=badge.v`, { badge: { v: 'without' } })).toEqual({ badge: { v: 'without' } });
    const asked = `mutation { create_wearers_item(data: { badge: { k: "${other}", v: "graph" } }) { badge { k v } } }`;
    expect((await service.api.graphql(asked)).body).toEqual({ data: { create_wearers_item: { badge: { k: other, v: 'graph' } } } });
    expect(await read('/items/badges?aggregate[count]=*')).toEqual([{ count: 3 }]);
    expect((await service.api.post('/items/casts', { film_id: 1, actor_id: { id: 99_999, name: 'counted' } })).status).toBe(403);
  });
});
