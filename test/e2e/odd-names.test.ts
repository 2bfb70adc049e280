// Names of every kind: GraphQL has an alias for those it cannot spell, REST takes every field by its own name, and both read and write.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { oddNames } from '../fixtures/odd-names.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

const path = '/items/Order%20Details';
const query = (parameters: Readonly<Record<string, unknown>>): string =>
  Object.entries(parameters)
    .map(([key, value]) => `${key}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&');

describeEachVendor('names of every kind', (vendor) => {
  let service: TestService;
  let items: readonly number[];

  beforeAll(async () => {
    service = await startService(vendor, { area: 'odd-names', fixture: oddNames(vendor.name) });
    const made = await service.api.post(`${path}?fields=id`, [
      {
        'items.dot': 1,
        'unit price': 10,
        '2nd': 'x',
        "it's": 'quoted',
        'a:b': 'colon',
        'a,b': 'comma',
        'Cost(USD)': 5,
        'größe.id': { 'Maß (cm)': 42, 'name.long': 'L' },
      },
      {
        'items.dot': 2,
        'unit price': 20,
        '2nd': 'y',
        __hidden: 'h',
        select: 's',
        _and: 'and',
        '☕': 'party',
        'a b': 'blank',
        a_b: 'under',
        made: '2024-05-06',
        made_func: 'f',
      },
    ]);
    items = made.body.data.map(({ id }: { id: number }) => id);
  });
  afterAll(() => service?.stop());

  const read = async (parameters: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { status, body } = await service.api.search(path, { query: parameters });
    return status === 200 ? body.data : body;
  };
  const ask = async (document: string, variables?: unknown): Promise<Record<string, unknown>> => {
    const { body } = await service.api.graphql(document, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  };

  it.each(['items.dot', 'unit price', '2nd', "it's", 'a:b', 'Cost(USD)', 'select', '_and', '☕', '__hidden', 'a b', 'a_b', 'made_func'])(
    'asks REST for the field %s by its name',
    async (name) => {
      const [first, second] = (await read({ fields: 'id,*', sort: 'id' })) as readonly Record<string, unknown>[];
      expect(await read({ fields: name, sort: 'id' })).toEqual([{ [name]: first?.[name] }, { [name]: second?.[name] }]);
      expect(await read({ fields: [name], sort: [`-${name}`], limit: 1 })).toHaveLength(1);
      const present = first?.[name] ?? second?.[name];
      const key = name === '_and' ? '\\_and' : name;
      expect(await read({ fields: [name], filter: { [key]: { _eq: present } } })).toEqual([{ [name]: present }]);
      expect(await read({ groupBy: [name], aggregate: { count: '*' } })).toHaveLength(2);
      expect(await read({ aggregate: { countDistinct: [name] } })).toEqual([{ countDistinct: { [name]: expect.anything() } }]);
    },
  );

  it('takes whole names from a URL', async () => {
    const got = await service.api.get(
      `${path}?${query({ fields: 'items.dot,größe.id.name.long', filter: { 'items.dot': { _eq: 1 } }, sort: '-items.dot' })}`,
    );
    expect(got.body.data).toEqual([{ 'items.dot': 1, 'größe.id': { 'name.long': 'L' } }]);
    const groups = await service.api.get(`${path}?groupBy[]=items.dot&aggregate[sum]=unit price`);
    expect(groups.body.data).toEqual([
      { 'items.dot': 1, sum: { 'unit price': expect.anything() } },
      { 'items.dot': 2, sum: { 'unit price': expect.anything() } },
    ]);
  });

  it('takes signs behind a backslash as part of the name', async () => {
    expect(await read({ fields: 'a\\,b', filter: { 'a\\,b': { _eq: 'comma' } }, sort: 'a\\,b' })).toEqual([{ 'a,b': 'comma' }]);
    expect(await read({ fields: 'items\\.dot,unit price', filter: { 'items\\.dot': 2 } })).toEqual([{ 'items.dot': 2, 'unit price': 20 }]);
    expect(
      await read({ groupBy: ['a\\,b'], aggregate: { count: ['a\\,b'] }, sort: 'a\\,b', filter: { 'a\\,b': { _nnull: true } } }),
    ).toEqual([{ 'a,b': 'comma', count: { 'a,b': 1 } }]);
    const day = 'sold \\(at\\, day\\)';
    await service.api.patch(`${path}/${items[0]}`, { 'sold (at, day)': '2025-06-07' });
    expect(await read({ fields: [day, `year(${day})`], filter: { [`year(${day})`]: { _eq: 2025 } }, sort: `-year(${day})` })).toEqual([
      { 'sold (at, day)': '2025-06-07', 'sold (at, day)_year': 2025 },
    ]);
    const url = `${path}?${query({ fields: `id,${day}`, filter: { [day]: { _nnull: true } }, sort: `-${day}` })}`;
    expect((await service.api.get(url)).body.data).toEqual([{ id: items[0], 'sold (at, day)': '2025-06-07' }]);
  });

  it('follows relations with dots in their names over REST', async () => {
    const filter = { 'größe.id': { 'Maß (cm)': { _eq: 42 } } };
    expect(await read({ fields: ['größe.id.name.long', 'größe.id.Maß (cm)', 'items.dot'], filter })).toEqual([
      { 'größe.id': { 'name.long': 'L', 'Maß (cm)': 42 }, 'items.dot': 1 },
    ]);
    expect(await read({ fields: 'id', sort: '-größe.id.name.long', limit: 1 })).toHaveLength(1);
    expect(await service.api.get(`${path}?fields=nothing.dot`)).toMatchObject({ status: 403 });
    expect(await service.api.get(`${path}?${query({ filter: { 'nothing.dot': { _eq: 1 } } })}`)).toMatchObject({ status: 400 });
  });

  it('writes fields by their names over REST', async () => {
    const changed = await service.api.patch(`${path}/${items[0]}?fields=items.dot`, { 'items.dot': 7 });
    expect(changed.body.data).toEqual({ 'items.dot': 7 });
    await service.api.patch(`${path}/${items[0]}`, { 'items.dot': 1 });
  });

  it('has an alias for every name over GraphQL', async () => {
    const data = await ask(`{ Order_Details(filter: { items__dot: { _eq: 2 } }, sort: ["-unit_price"]) {
      items__dot unit_price _2nd _hidden it_s a_b_ a_b Cost_USD select _and_ u2615 made made_func made_func_ { year }
    } }`);
    expect(data['Order_Details']).toEqual([
      {
        items__dot: 2,
        unit_price: 20,
        _2nd: 'y',
        _hidden: 'h',
        it_s: null,
        a_b_: expect.anything(),
        a_b: 'under',
        Cost_USD: null,
        select: 's',
        _and_: 'and',
        u2615: 'party',
        made: expect.stringContaining('2024-05-06'),
        made_func: 'f',
        made_func_: { year: 2024 },
      },
    ]);
  });

  it('filters, groups and computes by aliases over GraphQL', async () => {
    const nested = await ask('{ Order_Details(filter: { grosse__id: { Mass_cm: { _gt: 1 } } }) { grosse__id { name__long Mass_cm } } }');
    expect(nested['Order_Details']).toEqual([{ grosse__id: { name__long: 'L', Mass_cm: 42 } }]);
    const groups = await ask(
      '{ Order_Details_aggregated(groupBy: ["items__dot"], sort: ["items__dot"], filter: { _and_: { _eq: "and" } }) { group sum { unit_price items__dot } max { Cost_USD } } }',
    );
    expect(groups['Order_Details_aggregated']).toEqual([
      { group: { items__dot: 2 }, sum: { unit_price: 20, items__dot: 2 }, max: { Cost_USD: null } },
    ]);
    const reverse = await ask('{ Grossen(sort: ["name__long"]) { name__long } }');
    expect(reverse['Grossen']).toEqual([{ name__long: 'L' }]);
  });

  it('writes by aliases over GraphQL', async () => {
    const data = await ask(
      'mutation { create_Order_Details_item(data: { items__dot: 9, unit_price: 1, grosse__id: { Mass_cm: 3 } }) { id items__dot grosse__id { Mass_cm } } }',
    );
    const made = data['create_Order_Details_item'] as { readonly id: string };
    expect(made).toMatchObject({ items__dot: 9, grosse__id: { Mass_cm: 3 } });
    const changed = await ask(`mutation { update_Order_Details_item(id: ${made.id}, data: { items__dot: 8 }) { items__dot } }`);
    expect(changed['update_Order_Details_item']).toEqual({ items__dot: 8 });
    await ask(`mutation { delete_Order_Details_item(id: ${made.id}) { id } }`);
  });

  it('sets apart what would bear the same name', async () => {
    await ask('mutation { create_Date__item(data: { day: "d" }) { day } create_notes_item(data: { text: "n" }) { text } }');
    expect(await ask('{ Date_ { day } notes_by_id { text } notes_by_id_(id: 1) { text } }')).toEqual({
      Date_: [{ day: 'd' }],
      notes_by_id: [],
      notes_by_id_: { text: 'n' },
    });
  });

  it('takes an alias from metadata', async () => {
    const meta = (translation: string) => ({ meta: { translations: [{ language: 'graphql', translation }] } });
    expect((await service.api.patch('/fields/Order%20Details/unit%20price', meta('price'))).status).toBe(200);
    expect((await service.api.patch('/collections/Order%20Details', meta('details'))).status).toBe(200);
    expect(await ask('{ details(limit: 1, sort: ["-price"]) { price } }')).toEqual({ details: [{ price: 20 }] });
  });
});
