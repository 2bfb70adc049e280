// Nobody learns what is not theirs: two databases that differ only in values a caller may not see give byte-equal answers, whatever is
// asked and however. Refused writes must not tell either.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeRandom } from './random.js';
import { makeDocument } from './secret-documents.js';
import { makeRequest } from './secret-queries.js';
import { type Filling, makeFillings, makeWorld, ruleToFilter, type World } from './secret-world.js';

const seed = Number(process.env['TAIN_SEED'] ?? 20261115);
const worlds = 4;
const requestsPerWorld = 120;

describeEachVendor('answers do not depend on what the caller may not see', (vendor) => {
  let services: readonly TestService[] = [];

  beforeAll(async () => {
    services = await Promise.all([startService(vendor, { area: 'secret_a' }), startService(vendor, { area: 'secret_b' })]);
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
  });

  test.each(Array.from({ length: worlds }, (_, index) => index))(
    `world %i, ${requestsPerWorld} requests`,
    async (index) => {
      const random = makeRandom(seed + index * 1000);
      const world = makeWorld(random, `w${index}`);
      const fillings = makeFillings(random, world);
      const callers = await Promise.all(
        services.map((service, side) => settle(service, world, fillings[side] ?? new Map(), `secret-world-token-${index}`)),
      );
      const [left, right] = callers;
      if (left === undefined || right === undefined) throw new Error('two services are needed');
      const answered = { requests: 0, documents: 0 };
      for (let count = 0; count < requestsPerWorld; count += 1) {
        const { method, path, body } = random.chance(0.3) ? makeDocument(random, world) : makeRequest(random, world);
        const options = body === undefined ? {} : { body };
        const [one, other] = await Promise.all([left.request(method, path, options), right.request(method, path, options)]);
        const asked = `seed ${seed}, world ${index}, request ${count}: ${method} ${decodeURIComponent(path)} ${JSON.stringify(body ?? null)}`;
        expect(one.status, asked).toBeLessThan(500);
        expect({ status: one.status, text: one.text }, asked).toEqual({ status: other.status, text: other.text });
        if (one.status === 200 && one.body?.errors === undefined) answered[method === 'POST' ? 'documents' : 'requests'] += 1;
      }
      // A world in which everything is refused would prove nothing.
      expect(answered.requests).toBeGreaterThan(requestsPerWorld / 30);
      expect(answered.documents).toBeGreaterThan(0);
    },
    120_000,
  );
});

/** Builds the world through the API and answers its caller. */
async function settle({ api, as }: TestService, world: World, filling: Filling, token: string): Promise<Api> {
  for (const { name, fields } of world.collections) {
    await done(
      api.post('/collections', {
        collection: name,
        schema: {},
        meta: {},
        fields: [
          { field: 'id', type: 'integer', schema: { is_primary_key: true } },
          { field: 'flag', type: 'boolean', schema: {} },
          { field: 'kind', type: 'string', schema: {} },
          { field: 'ref', type: 'integer', schema: {} },
          { field: 'back', type: 'alias', meta: { special: ['o2m'] } },
          ...fields.map((field) => ({ field: field.name, type: field.type, schema: {} })),
        ],
      }),
    );
  }
  for (const { name, target } of world.collections) {
    await done(
      api.post('/relations', { collection: name, field: 'ref', related_collection: target, meta: { one_field: 'back' }, schema: null }),
    );
  }
  // The references go in a circle: first the items, then what they point at.
  for (const [name, items] of filling)
    await done(
      api.post(
        `/items/${name}`,
        items.map((item) => ({ ...item, ref: null })),
      ),
    );
  for (const [name, items] of filling)
    await done(
      api.patch(
        `/items/${name}`,
        items.map(({ id, ref }) => ({ id, ref })),
      ),
    );
  await done(api.post('/users', { first_name: 'Caller', token, role: await makeRole(api, world) }));
  return as(token);
}

async function makeRole(api: Api, world: World): Promise<string> {
  const role = await done(api.post('/roles', { name: 'secret world' }));
  // Two policies, so that what differs between them is decided item by item.
  for (const position of [0, 1]) {
    const permissions = world.collections.flatMap((collection) => {
      const permission = collection.permissions[position];
      if (permission === undefined) return [];
      const base = { collection: collection.name, permissions: ruleToFilter(permission.rule), fields: permission.fields ?? ['*'] };
      return [
        { ...base, action: 'read' },
        { ...base, action: 'update', fields: [], permissions: null },
      ];
    });
    await done(api.post('/policies', { name: `secret ${position}`, permissions, roles: [{ role }] }));
  }
  return role;
}

async function done(request: ReturnType<Api['post']>): Promise<string> {
  const { status, body } = await request;
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data?.id ?? '';
}
