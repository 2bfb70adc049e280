// Every type of column of every vendor is served: filtered, sorted, grouped, searched, totalled, and what was read can be written back.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { sweepService } from '../harness/foreign-sweep.js';
import { makeUser } from '../harness/make-user.js';
import { startService, type TestService } from '../harness/start-service.js';

const withoutOurs = (sums: Readonly<Record<string, string>>): unknown =>
  Object.fromEntries(Object.entries(sums).filter(([table]) => !table.startsWith('service_')));

const takesTheForm = 'what is written takes the form that most values of the column have';
/** Only SQLite has columns with values in several forms. */
const keeps = {
  'numbers.exact': 'a number of GraphQL has no trailing zeros (docs/types.md)',
  'truths.many': takesTheForm,
  'truths.counted': takesTheForm,
  'clocks.clock': takesTheForm,
};

describeEachVendor('a database with columns of every type', (vendor) => {
  const fixture = readFileSync(new URL(`../fixtures/types.${vendor.name}.sql`, import.meta.url), 'utf8');
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'types', fixture });
  });
  afterAll(() => service.stop());

  it('survives a sweep over REST and GraphQL, which leaves what it found', async () => {
    const before = withoutOurs(await service.checksums());
    expect(await sweepService(service, { keeps })).toEqual([]);
    expect(withoutOurs(await service.checksums())).toEqual(before);
  }, 600_000);

  it('lists the values of an enum wherever it describes the field', async () => {
    const { api } = service;
    const choices = ['draft', 'published', 'archived'];
    expect((await api.get('/fields/named/status')).body.data).toMatchObject({
      type: vendor.name === 'sqlite' ? 'text' : 'string',
      schema: { choices },
    });
    const openapi = await api.get('/server/specs/oas');
    expect(openapi.text).toContain(`"enum":${JSON.stringify(choices)}`);
    const { body } = await api.graphql('{ named { status mood } __type(name: "named_status_enum") { enumValues { name } } }');
    expect(body.data.__type.enumValues.map(({ name }: { name: string }) => name)).toEqual(choices);
    const wrong = await api.patch('/items/named/1', { status: 'lost' });
    expect([wrong.status, wrong.body.errors[0].message]).toEqual([
      400,
      expect.stringMatching(/status.*one of "draft", "published", "archived"/),
    ]);
    const quoted = await api.graphql('mutation { update_named_item(id: 1, data: { status: "published" }) { status } }');
    expect(quoted.body.data.update_named_item).toEqual({ status: 'published' });
  });

  it('keeps rules on an enum', async () => {
    const rules = [{ collection: 'named', action: 'read', permissions: { status: { _eq: 'archived' } }, fields: ['id', 'status'] }];
    const { token } = await makeUser(service.api, 'reader', rules);
    expect((await service.as(token).get('/items/named')).body.data).toEqual([{ id: 2, status: 'archived' }]);
    expect((await service.as(token).get('/items/named?filter[status][_neq]=archived')).body.data).toEqual([]);
    expect((await service.as(token).get('/items/named?search=chiv')).body.data).toHaveLength(1);
  });

  // Only PostgreSQL compares letters by the collation of the column.
  if (vendor.name === 'postgres')
    it('finds a text by itself under every collation', async () => {
      const fixture = `create table places (id integer primary key, name text collate "C", title text);
      insert into places values (1, 'Été', 'Été');`;
      const { api, stop } = await startService(vendor, { area: 'letters', fixture });
      const find = async (query: string): Promise<unknown> => (await api.get(`/items/places?fields=id&${query}`)).body.data;
      for (const query of ['filter[name][_icontains]=Été', 'filter[name][_icontains]=ÉT', 'filter[title][_iends_with]=ÉTÉ', 'search=Été'])
        expect(await find(query), query).toEqual([{ id: 1 }]);
      expect(await find('filter[name][_icontains]=é')).toEqual([{ id: 1 }]);
      await stop();
    });
});
