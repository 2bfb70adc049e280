// Keys of every type: one form by every door, by which items are read, changed and deleted. On SQLite also the numbers and words of other programs.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';
import type { VendorName } from '../harness/vendors.js';

/** The type of the key, its value as SQL, and the form in which it is told. */
type KeyCase = readonly [type: string, stored: string, told: string | number];

const cases: Readonly<Record<VendorName, Readonly<Record<string, KeyCase>>>> = {
  sqlite: {
    k_blob: ['blob', "x'00ff10'", '\\x00ff10'],
    k_binary: ['binary(16)', "x'0102030405060708090a0b0c0d0e0fff'", '\\x0102030405060708090a0b0c0d0e0fff'],
    k_wide: ['integer', '1709168523123', 1_709_168_523_123],
    k_widest: ['bigint', '9007199254740993', '9007199254740993'],
    k_stamp: ['timestamp', "'2024-02-29 01:02:03.123'", '2024-02-29T01:02:03.123Z'],
    k_time: ['time', "'01:02:03'", '01:02:03'],
  },
  postgres: {
    k_bytea: ['bytea', "'\\x00ff10'", '\\x00ff10'],
    k_stamp: ['timestamptz', "'2024-02-29 01:02:03.123456+00'", '2024-02-29T01:02:03.123456Z'],
    k_local: ['timestamp', "'2024-02-29 01:02:03.5'", '2024-02-29T01:02:03.5'],
    k_char: ['char(5)', "'ab'", 'ab   '],
    k_bit: ['bit(5)', "'10101'", '10101'],
    k_inet: ['inet', "'10.0.0.1'", '10.0.0.1'],
    k_time: ['time', "'01:02:03.5'", '01:02:03.5'],
    k_numeric: ['numeric', '0.10', '0.10'],
  },
  mysql: {
    k_binary: ['binary(16)', '0x0102030405060708090a0b0c0d0e0fff', '\\x0102030405060708090a0b0c0d0e0fff'],
    k_varbinary: ['varbinary(10)', '0x00ff10', '\\x00ff10'],
    k_bit: ['bit(5)', "b'10101'", '10101'],
    k_stamp: ['timestamp(3)', "'2024-02-29 01:02:03.123'", '2024-02-29T01:02:03.123Z'],
    k_local: ['datetime', "'2024-02-29 01:02:03'", '2024-02-29T01:02:03'],
    k_time: ['time(3)', "'01:02:03.5'", '01:02:03.5'],
    k_decimal: ['decimal(10,2)', '0.10', '0.10'],
  },
};

describeEachVendor('keys of every type', (vendor) => {
  const keys = Object.entries(cases[vendor.name]);
  let service: TestService;
  beforeAll(async () => {
    const tables = keys.map(
      ([name, [type, stored]]) =>
        `create table ${name} (k ${type} not null primary key, v varchar(40)); insert into ${name} values (${stored}, 'old');`,
    );
    service = await startService(vendor, { area: 'oddkeys', fixture: tables.join('\n') });
  });
  afterAll(() => service.stop());

  it.each(keys)('%s is told in one form, by which its item is read, changed and deleted', async (name, [, , told]) => {
    const { api } = service;
    expect((await api.get(`/items/${name}`)).body.data).toEqual([{ k: told, v: 'old' }]);
    expect((await api.graphql(`{ ${name} { k v } }`)).body.data).toEqual({ [name]: [{ k: String(told), v: 'old' }] });
    const path = `/items/${name}/${encodeURIComponent(told)}`;
    expect((await api.get(path)).body.data).toEqual({ k: told, v: 'old' });
    expect((await api.patch(path, { v: 'rest' })).body).toEqual({ data: { k: told, v: 'rest' } });
    expect((await api.patch(path, { k: told, v: 'again' })).body).toEqual({ data: { k: told, v: 'again' } });
    expect((await api.patch(`/items/${name}`, { keys: [told], data: { v: 'listed' } })).body).toEqual({ data: [{ k: told, v: 'listed' }] });
    const changed = `mutation($k: ID!) { update_${name}_item(id: $k, data: { v: "graph" }) { k v } }`;
    expect((await api.graphql(changed, { k: String(told) })).body.data).toEqual({
      [`update_${name}_item`]: { k: String(told), v: 'graph' },
    });
    expect((await api.delete(path)).status).toBe(204);
    expect((await api.get(path)).status).toBe(403);
    expect((await api.post(`/items/${name}`, { k: told, v: 'new' })).body).toEqual({ data: { k: told, v: 'new' } });
    expect((await api.request('DELETE', `/items/${name}`, { body: [told] })).status).toBe(204);
  });
});

// Only SQLite keeps values of other programs that do not fit the type of their column.
describe.runIf(inject('vendors').some(({ name }) => name === 'sqlite'))('values of other programs in SQLite', () => {
  const fixture = `create table notes (id integer primary key, mid integer, admin boolean, price decimal(10,2), clock time);
    create index by_mid on notes (mid);
    create index by_admin on notes (admin);
    insert into notes values (1709168523123, 9223372036854775807, 't', 12.345, 3723), (2, 5, 'f', 12.5, '12:30:00');`;
  let service: TestService;
  beforeAll(async () => {
    const vendor = inject('vendors').find(({ name }) => name === 'sqlite');
    if (vendor === undefined) throw new Error('no SQLite');
    service = await startService(vendor, { area: 'oddvalues', fixture });
  });
  afterAll(() => service.stop());

  const one = { id: 1_709_168_523_123, mid: '9223372036854775807', admin: true, price: '12.345', clock: '3723' };
  const two = { id: 2, mid: 5, admin: false, price: '12.50', clock: '12:30:00' };

  it('are answered as what they are, and found', async () => {
    expect((await service.api.get('/items/notes?sort=-id')).body.data).toEqual([one, two]);
    for (const [name, value] of Object.entries(one)) {
      expect((await service.api.search('/items/notes', { query: { filter: { [name]: { _eq: value } } } })).body.data, name).toEqual([one]);
      expect((await service.api.search('/items/notes', { query: { filter: { [name]: { _nin: [value] } } } })).body.data, name).toEqual([
        two,
      ]);
    }
    expect((await service.api.get('/items/notes?aggregate[max]=mid&aggregate[sum]=id')).body.data).toEqual([
      { max: { mid: one.mid }, sum: { id: one.id + two.id } },
    ]);
  });

  it('are written as the column has them', async () => {
    const sent = { mid: '9007199254740993', admin: true, price: '0.125', clock: '-5' };
    expect((await service.api.patch('/items/notes/2', sent)).body.data).toEqual({ id: 2, ...sent });
    expect(await service.sql(`select mid || ' ' || admin || ' ' || typeof(mid) as stored from notes where id = 2`)).toEqual([
      { stored: '9007199254740993 t integer' },
    ]);
    const mutation = 'mutation($n: Int) { update_notes_item(id: 2, data: { mid: $n, admin: false }) { mid admin } }';
    expect((await service.api.graphql(mutation, { n: 1_709_168_500_000 })).body).toEqual({
      data: { update_notes_item: { mid: 1_709_168_500_000, admin: false } },
    });
    expect((await service.api.patch('/items/notes/2', { mid: '9223372036854775808' })).body.errors[0].extensions.code).toBe(
      'VALUE_OUT_OF_RANGE',
    );
    expect((await service.api.patch('/items/notes/2', { ...two, id: 2 })).body.data).toEqual(two);
  });

  it('are found by an index', async () => {
    for (const filter of ['filter[mid][_eq]=5', 'filter[admin][_eq]=true']) {
      const { body } = await service.api.get(`/items/notes?fields=id&${filter}&explain=true`);
      expect(JSON.stringify(body.data.database), filter).toMatch(/by_mid|by_admin/);
    }
  });
});
