// Everything a client may ask of databases that somebody else made: relations, composite keys, triggers, odd names, hundreds of tables. No request
// fails on the side of the service, and rows and structure are afterwards what they were.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { foundKeys } from '../fixtures/found-keys.js';
import { oddNames } from '../fixtures/odd-names.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { sweepService } from '../harness/foreign-sweep.js';
import { readStructure } from '../harness/read-structure.js';
import { startService, type TestService } from '../harness/start-service.js';
import type { VendorName } from '../harness/vendors.js';

const fileOf = (name: string, vendor: VendorName): string =>
  readFileSync(new URL(`../fixtures/${name}.${vendor}.sql`, import.meta.url), 'utf8');

const quoted = (name: string, vendor: VendorName): string => (vendor === 'mysql' ? `\`${name}\`` : `"${name}"`);

const oddRows = (vendor: VendorName): string => {
  const [sizes, details] = [quoted('Größen', vendor), quoted('Order Details', vendor)];
  return `insert into ${sizes} (id, ${quoted('Maß (cm)', vendor)}) values (1, 5);
insert into ${details} (id, ${['items.dot', '2nd', "it's", 'a,b', '_and', '☕', 'größe.id'].map((name) => quoted(name, vendor)).join(', ')}) values (1, 2, 'b', 'c', 'd', 'e', 'f', 1);`;
};

const tables = 400;

/** A chain of tables, each of which points at the one before. */
const manyTables = Array.from({ length: tables }, (_, index) =>
  [
    `create table t${index} (id integer primary key, name varchar(20), before_id integer${index === 0 ? '' : `, foreign key (before_id) references t${index - 1} (id)`});`,
    `insert into t${index} values (1, 'n', ${index === 0 ? 'null' : 1});`,
  ].join('\n'),
).join('\n');

const contents = async (service: TestService): Promise<unknown> => {
  const sums = await service.checksums();
  return Object.fromEntries(Object.entries(sums).filter(([table]) => !table.startsWith('service_')));
};

describeEachVendor('a sweep', (vendor) => {
  const fixtures: Readonly<Record<string, string>> = {
    'a shop': fileOf('shop', vendor.name),
    'composite keys': foundKeys(vendor.name),
    'odd names': `${oddNames(vendor.name)}\n${oddRows(vendor.name)}`,
  };

  it.each(Object.entries(fixtures))(
    'over %s breaks nothing and leaves what it found',
    async (_name, fixture) => {
      const service = await startService(vendor, { area: 'sweep', fixture });
      try {
        const before = [await contents(service), await readStructure(vendor.name, service)];
        expect(await sweepService(service, { oncePerKind: true })).toEqual([]);
        expect([await contents(service), await readStructure(vendor.name, service)]).toEqual(before);
      } finally {
        await service.stop();
      }
    },
    300_000,
  );

  it(`over some of ${tables} tables finds each by its name and its relations`, async () => {
    const service = await startService(vendor, { area: 'sweep', fixture: manyTables });
    try {
      const before = [await contents(service), await readStructure(vendor.name, service)];
      const [first, last] = ['t0', `t${tables - 1}`];
      expect(await sweepService(service, { oncePerKind: true, collections: [first, last] })).toEqual([]);
      const nested = await service.api.get(`/items/${last}?fields=name,before_id.before_id.name`);
      expect(nested.body.data).toEqual([{ name: 'n', before_id: { before_id: { name: 'n' } } }]);
      const asked = await service.api.graphql(`{ ${first} { t1 { t2 { name } } } }`);
      expect(asked.body.data).toEqual({ [first]: [{ t1: [{ t2: [{ name: 'n' }] }] }] });
      expect([await contents(service), await readStructure(vendor.name, service)]).toEqual(before);
    } finally {
      await service.stop();
    }
  }, 300_000);
});
