// Triggers and rules of an existing database: their error messages are passed on, columns that they fill are not required, and what
// they leave behind is what is answered, through both doors.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastStatements } from '../harness/least-statements.js';
import { startService, type TestService } from '../harness/start-service.js';
import { isMysqlProduct } from '../harness/vendors.js';

const refusal = ({ status, body }: Answer): readonly unknown[] => {
  const [error] = body.errors;
  return [status, error.extensions.code, error.message, error.extensions.field ?? null];
};

describeEachVendor('triggers of a foreign database', (vendor) => {
  const fills = vendor.name !== 'sqlite';
  let service: TestService;

  beforeAll(async () => {
    const fixture = readFileSync(new URL(`../fixtures/triggers.${vendor.name}.sql`, import.meta.url), 'utf8');
    service = await startService(vendor, { area: 'triggers', fixture });
  });
  afterAll(() => service?.stop());

  /** The same refusal through both doors. */
  const refusals = async (collection: string, item: Readonly<Record<string, unknown>>): Promise<readonly (readonly unknown[])[]> => {
    const rest = await service.api.post(`/items/${collection}`, item);
    const graphql = await service.api.graphql(
      `mutation ($data: create_${collection}_input!) { create_${collection}_item(data: $data) { id } }`,
      {
        data: item,
      },
    );
    return [refusal(rest), refusal(graphql).with(0, 400)];
  };

  it('say in their own words why they refuse', async () => {
    const before = await service.checksums(['service_activity', 'service_revisions']);
    for (const said of await refusals('orders', { number: 'a', note: 'closed' }))
      expect(said).toEqual([400, 'FAILED_VALIDATION', 'Orders are closed.', null]);
    const field = vendor.name === 'postgres' ? 'note' : null;
    for (const said of await refusals('orders', { number: 'a', note: 'end' }))
      expect(said).toEqual([400, 'FAILED_VALIDATION', 'Orders have ended.', field]);
    if (fills) {
      for (const said of await refusals('orders', { number: 'a', note: 'twice' }))
        expect(said).toEqual([400, 'FAILED_VALIDATION', 'Not twice.', null]);
    }
    const many = await service.api.post('/items/orders', [{ number: 'b' }, { number: 'a', note: 'closed' }]);
    expect(refusal(many)).toEqual([400, 'FAILED_VALIDATION', 'Orders are closed.', null]);
    expect(await service.checksums(['service_activity', 'service_revisions'])).toEqual(before);
  });

  it('fill columns that are therefore not required', async () => {
    const rest = await service.api.post('/items/orders?fields=number', { note: 'f' });
    const described = await service.api.get('/server/specs/oas');
    expect(JSON.stringify(described.body.components.schemas)).not.toMatch(/"required":\["number"/);
    const graphql = await service.api.graphql('mutation { create_orders_item(data: { note: "f" }) { number } }');
    if (fills) {
      expect(rest.body.data.number).toMatch(/^n-/);
      expect(graphql.body.data.create_orders_item.number).toMatch(/^n-/);
    } else {
      expect(refusal(rest)).toEqual([400, 'NOT_NULL_VIOLATION', expect.any(String), 'number']);
      expect(refusal(graphql).slice(1)).toEqual(['NOT_NULL_VIOLATION', expect.any(String), 'number']);
    }
    expect(refusal(await service.api.post('/items/plain', {}))).toEqual([400, 'FAILED_VALIDATION', expect.any(String), 'name']);
  });

  it('leave behind what is answered', async () => {
    const made = await service.api.post('/items/orders', { number: 'x', note: 'one' });
    const { id } = made.body.data;
    const slug = vendor.name === 'mysql' ? 'order-one' : `order-${id}`;
    expect(made.body.data).toMatchObject({ number: 'x', slug, revision: 0 });
    const changed = await service.api.patch(`/items/orders/${id}`, { note: 'two' });
    expect(changed.body.data).toMatchObject({ note: 'two', revision: 1, slug });
    const many = await service.api.post('/items/orders?fields=slug', [
      { number: 'y', note: 'p' },
      { number: 'z', note: 'q' },
    ]);
    expect(many.body.data.map((item: { slug: string }) => item.slug)).toEqual([
      expect.stringMatching(/^order-/),
      expect.stringMatching(/^order-/),
    ]);
    const graphql = await service.api.graphql('mutation { create_orders_item(data: { number: "g", note: "g" }) { slug } }');
    expect(graphql.body.data.create_orders_item.slug).toMatch(/^order-/);
  });

  it('are seen in the answers of nested writes', async () => {
    const made = await service.api.post('/items/orders?fields=total,order_lines.amount', {
      number: 'nested',
      order_lines: [{ amount: 3 }, { amount: 4 }],
    });
    expect(made.body.data).toEqual({ total: 7, order_lines: [{ amount: 3 }, { amount: 4 }] });
    const line = await service.api.post('/items/order_lines?fields=order_id.total', { amount: 5, order_id: { number: 'to-one' } });
    expect(line.body.data).toEqual({ order_id: { total: 5 } });
  });

  it('make keys', async () => {
    const made = await service.api.post('/items/documents', { title: 'a' });
    // MySQL has no RETURNING, and tells of a counter only what it made.
    if (isMysqlProduct(vendor)) {
      const reason =
        'Validation failed for field "id". A trigger or rule of the database acts on "documents": give the value of "id" yourself.';
      expect(refusal(made)).toEqual([400, 'FAILED_VALIDATION', reason, 'id']);
      return;
    }
    expect(made.body.data).toEqual({ id: expect.stringMatching(/^doc-/), title: 'a' });
    const many = await service.api.post('/items/documents', [{ title: 'b' }, { title: 'c' }]);
    expect(many.body.data).toEqual([
      { id: expect.stringMatching(/^doc-/), title: 'b' },
      { id: expect.stringMatching(/^doc-/), title: 'c' },
    ]);
    if (fills) {
      const given = await service.api.post('/items/documents', { id: 'own', title: 'd' });
      expect(given.body.data).toEqual({ id: 'doc-own', title: 'd' });
    }
    const graphql = await service.api.graphql('mutation { create_documents_item(data: { title: "e" }) { id } }');
    expect(graphql.body.data.create_documents_item.id).toMatch(/^doc-/);
  });

  it('may keep items from being stored, changed or deleted', async () => {
    if (vendor.name === 'mysql') return;
    const dropped = await service.api.post('/items/orders', { number: 'd', note: 'drop' });
    expect(dropped.status).toBe(vendor.name === 'sqlite' ? 400 : 204);
    const { id } = (await service.api.post('/items/kept', { name: 'a' })).body.data;
    expect((await service.api.patch(`/items/kept/${id}`, { name: 'a' })).body.data).toMatchObject({ name: 'a' });
    expect((await service.api.delete(`/items/kept/${id}`)).status).toBe(204);
    expect((await service.api.get(`/items/kept/${id}`)).body.data).toMatchObject({ gone: 1 });
    expect((await service.api.delete('/items/kept/9999')).status).toBe(403);
    expect((await service.api.patch('/items/kept/9999', { name: 'b' })).status).toBe(403);
  });

  it('cost tables without any nothing', async () => {
    await service.api.post('/items/plain', { name: 'warm' });
    expect(await leastStatements(service, () => service.api.post('/items/plain', { name: 'a' }))).toBeLessThanOrEqual(
      vendor.name === 'mysql' ? 8 : 6,
    );
  });

  it('on views do not break reading them', async () => {
    expect((await service.api.get('/items/order_view?limit=1')).status).toBe(200);
    expect((await service.api.post('/items/order_view', { note: 'v' })).status).toBe(403);
  });

  it('are noticed when they are created later', async () => {
    await service.sql(
      {
        sqlite: "create trigger plain_later after insert on plain begin update plain set name = 'late' where id = new.id; end",
        postgres:
          "create function later() returns trigger language plpgsql as $$ begin new.name := 'late'; return new; end $$; create trigger plain_later before insert on plain for each row execute function later()",
        mysql: "create trigger plain_later before insert on plain for each row set new.name = 'late'",
      }[vendor.name],
    );
    await expect
      .poll(async () => (await service.api.post('/items/plain?fields=name', { name: 'early' })).body.data.name, { interval: 200 })
      .toBe('late');
  });
});

describeEachVendor('rules of a foreign database', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    const fixture = readFileSync(new URL(`../fixtures/triggers.${vendor.name}.sql`, import.meta.url), 'utf8');
    service = await startService(vendor, { area: 'rules', fixture });
  });
  afterAll(() => service?.stop());

  const post = async (collection: string, item: unknown): Promise<unknown> => {
    const { status, body } = await service.api.post(`/items/${collection}`, item);
    const { code, constraint = null, field = null, type = null } = body.errors[0].extensions;
    return { status, code, constraint, field, type };
  };

  it('are named with their fields when a check refuses', async () => {
    const broken = { status: 400, code: 'FAILED_VALIDATION', type: 'check' };
    expect(await post('order_lines', { amount: -1 })).toEqual({ ...broken, constraint: 'amount_positive', field: 'amount' });
    const constraint = vendor.name === 'sqlite' ? 'low < high' : 'low_below_high';
    expect(await post('order_lines', { amount: 1, low: 2, high: 1 })).toEqual({ ...broken, constraint, field: 'low,high' });
    const graphql = await service.api.graphql('mutation { create_order_lines_item(data: { amount: -1 }) { id } }');
    expect(graphql.body.errors[0].extensions).toMatchObject({ code: 'FAILED_VALIDATION', constraint: 'amount_positive', field: 'amount' });
  });

  if (vendor.name !== 'sqlite') {
    it('name the field when no partition takes an item', async () => {
      const refused = { status: 400, code: 'FAILED_VALIDATION', constraint: null, type: 'partition', field: 'region' };
      expect(await post('measures', { id: 1, region: 2 })).toEqual(refused);
    });
  }

  if (vendor.name === 'postgres') {
    it('name the field that a domain, an enum or a type refuses', async () => {
      expect(await post('reviews', { stars: 9 })).toMatchObject({ code: 'FAILED_VALIDATION', constraint: 'rating_check', field: 'stars' });
      expect(await post('reviews', { stars: 9, other: 2 })).toMatchObject({ constraint: 'rating_check', field: null });
      expect(await post('reviews', { feeling: 'angry' })).toMatchObject({ status: 400, field: 'feeling' });
      expect(await post('reviews', { place: 'nowhere' })).toMatchObject({ status: 400, field: 'place' });
    });

    it('may store items elsewhere', async () => {
      const routed = await service.api.post('/items/old_parts', { name: 'a' });
      expect(routed.body.data).toEqual({ id: expect.any(Number), name: 'a' });
      const many = await service.api.post('/items/old_parts?fields=name', [{ name: 'b' }, { name: 'c' }]);
      expect(many.body.data).toEqual([{ name: 'b' }, { name: 'c' }]);
      expect((await service.api.post('/items/ruled', { name: 'r' })).status).toBe(204);
      expect(await service.sql('select name from ruled_store')).toEqual([{ name: 'r' }]);
      const { id } = (await service.api.post('/items/noted', { name: 'n' })).body.data;
      expect((await service.api.delete(`/items/noted/${id}`)).status).toBe(204);
    });
  }
});
