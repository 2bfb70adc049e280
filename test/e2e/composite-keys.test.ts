// Foreign keys of several columns are relations in both directions: read, filtered, sorted, grouped, written and guarded, by both doors.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { foundKeys, freshRows } from '../fixtures/found-keys.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const asked = (query: object): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&');

describeEachVendor('foreign keys of several columns, read', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'composite', fixture: foundKeys(vendor.name) });
  });
  afterAll(() => service.stop());

  const read = async (path: string, query: object = {}): Promise<unknown> => {
    const answer = await service.api.get(`${path}?${asked(query)}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body.data;
  };
  const ask = async (document: string): Promise<unknown> => {
    const answer = await service.api.graphql(document);
    if (answer.body.errors !== undefined) throw new Error(answer.text);
    return answer.body.data;
  };

  it('lead to one item', async () => {
    expect(await read('/items/orders/1,1', { fields: 'id,tenant_id_customer_id.name,tenant_id_referrer_id.name' })).toEqual({
      id: 1,
      tenant_id_customer_id: { name: 'Ann' },
      tenant_id_referrer_id: { name: 'Bob' },
    });
    expect(await ask('{ orders(sort: ["tenant_id", "id"]) { id tenant_id_customer_id { name } } }')).toEqual({
      orders: [
        { id: 1, tenant_id_customer_id: { name: 'Ann' } },
        { id: 2, tenant_id_customer_id: { name: 'Ann' } },
        { id: 3, tenant_id_customer_id: null },
        { id: 1, tenant_id_customer_id: { name: 'Cid' } },
      ],
    });
  });

  it('answer the key by themselves, leave their columns plain, and stay out of a bare wildcard', async () => {
    expect(await read('/items/orders/1,1', { fields: 'tenant_id_customer_id' })).toEqual({
      tenant_id_customer_id: { tenant_id: 1, id: 1 },
    });
    expect(await read('/items/order_lines/1,1,1')).toEqual({ tenant_id: 1, order_id: 1, line_no: 1, product: 'pen', quantity: 2 });
    expect(await read('/items/order_lines/1,1,1', { fields: '*.*' })).toMatchObject({ order_id: 1, tenant_id_order_id: { total: 50 } });
  });

  it('point at nothing when one of their columns is null', async () => {
    expect(await read('/items/notes', { fields: 'id,tenant_id_order_id.total', sort: 'id' })).toEqual([
      { id: 1, tenant_id_order_id: { total: 50 } },
      { id: 2, tenant_id_order_id: null },
      { id: 3, tenant_id_order_id: null },
      { id: 4, tenant_id_order_id: null },
    ]);
    expect(await read('/items/notes', { fields: 'id', sort: 'id', filter: { tenant_id_order_id: { _null: true } } })).toEqual([
      { id: 2 },
      { id: 3 },
      { id: 4 },
    ]);
    expect(await ask('{ notes(filter: { tenant_id_order_id: { id: { _nnull: true } } }) { id } }')).toEqual({ notes: [{ id: '1' }] });
    const refused = await service.api.get(`/items/notes?${asked({ filter: { tenant_id_order_id: { _eq: '1,1' } } })}`);
    expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([400, 'INVALID_QUERY']);
  });

  it('list what points back, over junctions too', async () => {
    expect(await read('/items/customers/1,1', { fields: 'orders_by_tenant_id_customer_id.id,orders_by_tenant_id_referrer_id' })).toEqual({
      orders_by_tenant_id_customer_id: [{ id: 1 }, { id: 2 }],
      orders_by_tenant_id_referrer_id: [],
    });
    const lists = 'order_lines.product,order_tags.tenant_id_tag_id.label,notes.words';
    expect(await read('/items/orders/1,1', { fields: lists })).toEqual({
      order_lines: [{ product: 'pen' }, { product: 'ink' }],
      order_tags: [{ tenant_id_tag_id: { label: 'new' } }, { tenant_id_tag_id: { label: 'big' } }],
      notes: [{ words: 'first' }],
    });
    expect(
      await ask('{ orders_by_id(id: "1,1") { order_tags(limit: 1) { tenant_id_tag_id { label } } order_lines_func { count } } }'),
    ).toEqual({
      orders_by_id: { order_tags: [{ tenant_id_tag_id: { label: 'new' } }], order_lines_func: { count: 2 } },
    });
  });

  it('lead from an item to its own kind', async () => {
    expect(await read('/items/nodes/1,2', { fields: 'name,tenant_id_parent_id.name,tenant_id_parent_id.nodes.name' })).toEqual({
      name: 'left',
      tenant_id_parent_id: { name: 'root', nodes: [{ name: 'left' }, { name: 'right' }] },
    });
  });

  it('point at unique columns beside the key', async () => {
    expect(await read('/items/trips', { fields: 'id,country_from_code.name,country_to_code.name', sort: 'id' })).toEqual([
      { id: 1, country_from_code: { name: 'Oslo' }, country_to_code: { name: 'Bergen' } },
      { id: 2, country_from_code: { name: 'Bergen' }, country_to_code: null },
      { id: 3, country_from_code: { name: 'RemoteFiles' }, country_to_code: { name: 'RemoteFiles' } },
    ]);
    expect(await read('/items/stations/1', { fields: 'trips_by_country_from_code' })).toEqual({ trips_by_country_from_code: [1] });
  });

  it('are filtered through, in both directions', async () => {
    const keys = async (collection: string, filter: unknown): Promise<unknown> =>
      (
        (await read(`/items/${collection}`, { filter, fields: 'tenant_id,id', sort: 'tenant_id,id' })) as {
          tenant_id: number;
          id: number;
        }[]
      ).map(({ tenant_id, id }) => `${tenant_id},${id}`);
    expect(await keys('orders', { tenant_id_customer_id: { name: { _eq: 'Ann' } } })).toEqual(['1,1', '1,2']);
    expect(await keys('orders', { order_lines: { product: { _eq: 'cup' } } })).toEqual(['2,1']);
    expect(await keys('orders', { order_lines: { _none: { quantity: { _gt: 1 } } } })).toEqual(['1,2', '1,3']);
    expect(await keys('orders', { order_tags: { _some: { tenant_id_tag_id: { label: { _in: ['big', 'old'] } } } } })).toEqual([
      '1,1',
      '2,1',
    ]);
    expect(await keys('customers', { orders_by_tenant_id_customer_id: { order_lines: { product: { _eq: 'ink' } } } })).toEqual(['1,1']);
    expect(await keys('orders', { 'count(order_lines)': { _eq: 2 } })).toEqual(['1,1']);
    expect(await keys('orders', { '$FOLLOW(notes, tenant_id_order_id)': { words: { _eq: 'first' } } })).toEqual(['1,1']);
    expect(await ask('{ orders(filter: { order_lines: { _some: { product: { _eq: "cup" } } } }) { tenant_id { id } id } }')).toEqual({
      orders: [{ tenant_id: { id: '2' }, id: 1 }],
    });
  });

  it('are sorted and grouped by, and counted over', async () => {
    expect(
      await read('/items/orders', {
        sort: '-tenant_id_customer_id.name,id',
        filter: { customer_id: { _nnull: true } },
        fields: 'tenant_id,id',
      }),
    ).toEqual([
      { tenant_id: 2, id: 1 },
      { tenant_id: 1, id: 1 },
      { tenant_id: 1, id: 2 },
    ]);
    expect(
      await read('/items/orders', { sort: '-order_lines.quantity', filter: { order_lines: { _nnull: true } }, fields: 'tenant_id' }),
    ).toEqual([{ tenant_id: 2 }, { tenant_id: 1 }]);
    const groups = { 'groupBy[]': 'tenant_id_customer_id.name', 'aggregate[sum]': 'total', filter: { customer_id: { _nnull: true } } };
    expect(await read('/items/orders', { ...groups, sort: 'tenant_id_customer_id.name' })).toEqual([
      { 'tenant_id_customer_id.name': 'Ann', sum: { total: 200 } },
      { 'tenant_id_customer_id.name': 'Cid', sum: { total: 70 } },
    ]);
    const deep = { order_lines_aggregated: { _aggregate: { count: '*', max: 'quantity' }, _groupBy: ['product'], _sort: ['product'] } };
    expect(await read('/items/orders/1,1', { fields: 'id,order_lines_aggregated', deep })).toEqual({
      id: 1,
      order_lines_aggregated: [
        { product: 'ink', count: 1, max: { quantity: 1 } },
        { product: 'pen', count: 1, max: { quantity: 2 } },
      ],
    });
  });

  it('are described in /fields, /relations and the API description', async () => {
    expect(await read('/fields/orders/tenant_id_customer_id')).toMatchObject({ type: 'alias', schema: null });
    expect(await read('/relations/orders/tenant_id_customer_id')).toMatchObject({
      related_collection: 'customers',
      schema: { table: 'orders', column: 'tenant_id,customer_id', foreign_key_table: 'customers', foreign_key_column: 'tenant_id,id' },
      meta: { many_field: 'tenant_id_customer_id', one_field: 'orders_by_tenant_id_customer_id', junction_field: null },
    });
    expect(await read('/relations/order_tags/tenant_id_order_id')).toMatchObject({
      meta: { one_field: 'order_tags', junction_field: 'tenant_id_tag_id', one_deselect_action: 'delete' },
    });
    const { components } = (await service.api.get('/server/specs/oas')).body;
    expect(components.schemas.ItemsOrders.properties.tenant_id_customer_id.oneOf).toContainEqual({
      $ref: '#/components/schemas/ItemsCustomers',
    });
  });
});

describeEachVendor('foreign keys of several columns, written', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'composite', fixture: foundKeys(vendor.name) });
  });
  beforeEach(() => service.sql(freshRows(vendor.name)));
  afterAll(() => service.stop());

  const send = async (method: 'POST' | 'PATCH', path: string, body: unknown): Promise<unknown> => {
    const answer = await service.api.request(method, path, { body });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body.data;
  };

  it('take keys in every form, objects and null', async () => {
    const fields = 'fields=customer_id,referrer_id';
    const order = `/items/orders/1,3?${fields}`;
    expect(await send('PATCH', order, { tenant_id_customer_id: '1,2' })).toEqual({ customer_id: 2, referrer_id: null });
    expect(await send('PATCH', order, { tenant_id_customer_id: [1, 1] })).toEqual({ customer_id: 1, referrer_id: null });
    expect(await send('PATCH', order, { tenant_id_referrer_id: { tenant_id: 1, id: 2, name: 'Bea' } })).toEqual({
      customer_id: 1,
      referrer_id: 2,
    });
    expect(await service.sql('select name from customers where tenant_id = 1 and id = 2')).toEqual([{ name: 'Bea' }]);
    expect(await send('PATCH', order, { tenant_id_customer_id: null })).toEqual({ customer_id: null, referrer_id: 2 });
    const made = { tenant_id: 1, id: 9, tenant_id_customer_id: { id: 7, name: 'Dan' }, tenant_id_referrer_id: '1,1' };
    expect(await send('POST', `/items/orders?${fields}`, made)).toEqual({ customer_id: 7, referrer_id: 1 });
    expect(await service.sql('select name from customers where tenant_id = 1 and id = 7')).toEqual([{ name: 'Dan' }]);
  });

  it('look up what they point at beside the key', async () => {
    expect(await send('POST', '/items/trips', { id: 4, country_from_code: 1, country_to_code: 2 })).toEqual({
      id: 4,
      country: 'NO',
      from_code: 'OSL',
      to_code: 'BGO',
    });
    expect(await send('PATCH', '/items/trips/4', { country_to_code: null })).toMatchObject({ country: 'NO', to_code: null });
    const both = { country_from_code: 3, country_to_code: { id: 3 } };
    expect(await send('PATCH', '/items/trips/4', both)).toMatchObject({ country: 'SE', from_code: 'OSL', to_code: 'OSL' });
    expect(await service.sql('select country, name from stations where id = 3')).toEqual([{ country: 'SE', name: 'RemoteFiles' }]);
  });

  it('refuse what contradicts itself, what is missing, and null where no column can be null', async () => {
    await expectUnchanged(service, async () => {
      for (const [path, body, code] of [
        ['/items/orders/1,3', { customer_id: 1, tenant_id_customer_id: '1,2' }, 'INVALID_PAYLOAD'],
        ['/items/orders/1,3', { tenant_id_customer_id: '2,1' }, 'INVALID_PAYLOAD'],
        ['/items/orders/1,3', { tenant_id_customer_id: '1,1', tenant_id_referrer_id: '2,1' }, 'INVALID_PAYLOAD'],
        ['/items/orders/1,3', { tenant_id_customer_id: '1,99' }, 'INVALID_FOREIGN_KEY'],
        ['/items/orders/1,3', { tenant_id_customer_id: 'nonsense' }, 'FORBIDDEN'],
        ['/items/order_lines/1,1,1', { tenant_id_order_id: null }, 'INVALID_PAYLOAD'],
        ['/items/order_lines/1,1,1', { tenant_id_order_id: '1,2' }, 'INVALID_PAYLOAD'],
        ['/items/trips/1', { country_from_code: null }, 'INVALID_PAYLOAD'],
        ['/items/trips/1', { country_from_code: 1, country_to_code: 3 }, 'INVALID_PAYLOAD'],
        ['/items/trips/1', { country: 'NO', country_to_code: 3 }, 'INVALID_PAYLOAD'],
        ['/items/trips/1', { country: 'NO', country_to_code: { id: 3 } }, 'INVALID_PAYLOAD'],
        ['/items/trips/1', { country_to_code: 3 }, 'INVALID_PAYLOAD'],
      ] as const) {
        const answer = await service.api.patch(path, body);
        expect([body, answer.body?.errors?.[0]?.extensions.code]).toEqual([body, code]);
        expect([400, 403]).toContain(answer.status);
      }
    });
  });

  it('write lists of what points back', async () => {
    const fields = 'fields=order_lines.line_no,order_lines.product&deep={"order_lines":{"_sort":["line_no"]}}';
    const lines = [
      { line_no: 1, product: 'bow' },
      { line_no: 2, product: 'fiddle' },
    ];
    const created = { tenant_id: 2, id: 5, order_lines: lines };
    expect(await send('POST', `/items/orders?${fields}`, created)).toEqual({ order_lines: lines });
    expect(
      await send('PATCH', `/items/orders/2,5?${fields}`, {
        order_lines: { update: [{ line_no: 2, product: 'cello' }], create: [{ line_no: 3, product: 'drum' }] },
      }),
    ).toEqual({
      order_lines: [lines[0], { line_no: 2, product: 'cello' }, { line_no: 3, product: 'drum' }],
    });
    const answer = await service.api.patch('/items/orders/2,5', { order_lines: [{ line_no: 1 }] });
    expect([answer.status, answer.body.errors[0].message]).toEqual([400, expect.stringContaining('one_deselect_action')]);
    await send('PATCH', '/relations/order_lines/tenant_id_order_id', { meta: { one_deselect_action: 'delete' } });
    expect(await send('PATCH', `/items/orders/2,5?${fields}`, { order_lines: [{ line_no: 1 }] })).toEqual({ order_lines: [lines[0]] });
  });

  it('let go of what can be null, and move it', async () => {
    await send('PATCH', '/items/orders/1,1', { notes: [2] });
    expect(await service.sql('select id, tenant_id, order_id from notes where id < 3 order by id')).toEqual([
      { id: 1, tenant_id: null, order_id: null },
      { id: 2, tenant_id: 1, order_id: 1 },
    ]);
    await send('PATCH', '/items/customers/1,2', { orders_by_tenant_id_customer_id: ['1,1', [1, 3]] });
    expect(await service.sql('select id, customer_id from orders where tenant_id = 1 order by id')).toEqual([
      { id: 1, customer_id: 2 },
      { id: 2, customer_id: 1 },
      { id: 3, customer_id: 2 },
    ]);
    const other = await service.api.patch('/items/customers/2,1', {
      orders_by_tenant_id_customer_id: { update: [{ tenant_id: 1, id: 1 }] },
    });
    expect([other.status, other.body.errors[0].extensions.code]).toEqual([400, 'INVALID_PAYLOAD']);
  });

  it('replace lists over junctions, keeping what stays as it is', async () => {
    const fields = 'fields=order_tags.tag_id,order_tags.weight&deep={"order_tags":{"_sort":["tag_id"]}}';
    const order = `/items/orders/1,1?${fields}`;
    expect(await send('PATCH', order, { order_tags: [{ tag_id: 1 }] })).toEqual({ order_tags: [{ tag_id: 1, weight: 5 }] });
    expect(
      await send('PATCH', order, {
        order_tags: [{ tenant_id_tag_id: '1,2', weight: 7 }, { tenant_id_tag_id: { id: 1, label: 'newest' } }],
      }),
    ).toEqual({
      order_tags: [
        { tag_id: 1, weight: 5 },
        { tag_id: 2, weight: 7 },
      ],
    });
    expect(await service.sql('select label from tags where tenant_id = 1 and id = 1')).toEqual([{ label: 'newest' }]);
    expect(await send('PATCH', order, { order_tags: [] })).toEqual({ order_tags: [] });
  });

  it('are written through GraphQL', async () => {
    const answer = await service.api.graphql(
      `mutation { create_orders_item(data: { tenant_id_key: 1, id: 8, tenant_id_customer_id_key: "1,2", order_lines: [{ line_no: 1, product: "pot" }],
        order_tags: [{ tenant_id_tag_id_key: "1,2" }] }) { id tenant_id_customer_id { name } order_lines { product } order_tags { tenant_id_tag_id { label } } } }`,
    );
    expect(answer.body).toEqual({
      data: {
        create_orders_item: {
          id: 8,
          tenant_id_customer_id: { name: 'Bob' },
          order_lines: [{ product: 'pot' }],
          order_tags: [{ tenant_id_tag_id: { label: 'big' } }],
        },
      },
    });
    const changed = await service.api.graphql(
      `mutation { update_orders_item(id: "1,8", data: { tenant_id_customer_id: { id: 5, name: "Eve" }, order_tags: [{ tag_id: 1 }] })
        { tenant_id_customer_id { name } order_tags { tag_id } } }`,
    );
    expect(changed.body).toEqual({
      data: { update_orders_item: { tenant_id_customer_id: { name: 'Eve' }, order_tags: [{ tag_id: 1 }] } },
    });
  });
});

describeEachVendor('foreign keys of several columns, guarded', (vendor) => {
  let service: TestService;
  let north: Person;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'composite', fixture: foundKeys(vendor.name) });
    const own = { tenant_id: { _eq: 1 } };
    north = await makePerson(service, [
      {
        permissions: [
          { collection: 'customers', action: 'read', permissions: { name: { _eq: 'Ann' } } },
          { collection: 'orders', action: 'read', permissions: own },
          { collection: 'orders', action: 'update', permissions: own },
          { collection: 'orders', action: 'create' },
          { collection: 'notes', action: 'read', fields: ['id', 'order_id'] },
          {
            collection: 'order_lines',
            action: 'read',
            permissions: { tenant_id_order_id: { tenant_id_customer_id: { name: { _eq: 'Ann' } } } },
          },
        ],
      },
    ]);
  });
  afterAll(() => service.stop());

  it('hide what the caller may not read, and keep rules that lead through them', async () => {
    expect((await north.api.get('/items/orders/1,1?fields=tenant_id_customer_id.name,tenant_id_referrer_id.name')).body.data).toEqual({
      tenant_id_customer_id: { name: 'Ann' },
      tenant_id_referrer_id: null,
    });
    expect((await north.api.get('/items/order_lines?fields=product&sort=product')).body.data).toEqual([
      { product: 'ink' },
      { product: 'pen' },
    ]);
    expect((await north.api.get('/items/orders/1,1?fields=notes.id')).status).toBe(403);
  });

  it('are for those who may see every column of theirs', async () => {
    expect((await north.api.get('/items/notes?fields=tenant_id_order_id.total')).status).toBe(403);
    expect((await north.api.get(`/items/notes?${asked({ filter: { tenant_id_order_id: { total: { _gt: 0 } } } })}`)).status).toBe(403);
    const types = await north.api.graphql('{ __type(name: "notes") { fields { name } } }');
    expect(types.body.data.__type.fields.map(({ name }: { name: string }) => name)).not.toContain('tenant_id_order_id');
    const relations = (await north.api.get('/relations')).body.data ?? [];
    expect(relations.filter(({ collection }: { collection: string }) => collection === 'notes')).toEqual([]);
  });

  it('cannot be made to point at what is hidden, as a whole or column by column', async () => {
    await expectUnchanged(service, async () => {
      for (const body of [{ tenant_id_referrer_id: '1,2' }, { referrer_id: 2 }, { tenant_id_referrer_id: '1,99' }, { referrer_id: 99 }]) {
        const answer = await north.api.patch('/items/orders/1,2', body);
        expect([body, answer.status, answer.body.errors[0].extensions.code]).toEqual([body, 403, 'FORBIDDEN']);
      }
      for (const key of [2, 99]) {
        const answer = await north.api.post('/items/orders', { tenant_id: 1, id: 20, customer_id: key });
        expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
      }
    });
    expect((await north.api.patch('/items/orders/1,2', { referrer_id: 1 })).status).toBe(200);
    expect((await north.api.patch('/items/orders/1,2', { tenant_id_referrer_id: null })).status).toBe(200);
  });
});
