// Rows of the service's own tables: what is written is what is read, on every vendor.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { definitionOf } from '../../src/core/engine/own-rows/definition-of.js';
import { type SystemRows, systemRows } from '../../src/core/engine/own-rows/system-rows.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { install } from '../../src/service/system/install.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { installOptions } from '../harness/install-options.js';
import { openDialect } from '../harness/open-dialect.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

const system = ownHome(systemDefinitions);

describeEachVendor('system rows', (vendor) => {
  let database: TestDatabase;
  let dialect: Dialect;
  let rows: SystemRows;

  beforeAll(async () => {
    database = await createDatabase(vendor, 'system');
    dialect = await openDialect(vendor.name, database.url);
    await install(installOptions(dialect, { secret: 'x', adminPassword: 'x' }));
    rows = systemRows(dialect.syntax, definitionOf(system, 'service_fields'), system);
  });

  afterAll(async () => {
    await dialect.driver.close();
    await database.drop();
  });

  beforeEach(async () => {
    await rows.delete(dialect.driver, {});
  });

  it.each([
    { special: ['cast-json', 'date-created'], options: { a: [1, null, 'ü'] }, readonly: true, sort: 3, note: "it's" },
    { special: [], options: ['x'], readonly: false, sort: -1, note: '' },
    { special: null, options: null, readonly: true, sort: null, note: null },
    { special: ['one'], options: 'plain text', readonly: false, sort: 0, note: 'null' },
    { special: ['one'], options: '{"not": "parsed"}', readonly: false, sort: 0, note: '$NOW' },
  ])('reads back %j', async (values) => {
    await rows.insert(dialect.driver, [{ collection: 'books', field: 'title', ...values }]);
    expect(await rows.read(dialect.driver, Object.keys(values), { collection: 'books', field: 'title' })).toEqual([values]);
  });

  it('inserts many in one statement, updates and deletes by equal columns', async () => {
    const before = dialect.driver.statements();
    await rows.insert(
      dialect.driver,
      ['a', 'b', 'c'].map((field, sort) => ({ collection: 'books', field, sort })),
    );
    expect(dialect.driver.statements() - before).toBe(1);
    expect(await rows.update(dialect.driver, { note: 'x' }, { collection: 'books' })).toBe(3);
    expect(await rows.delete(dialect.driver, { note: 'x', sort: 1 })).toBe(1);
    expect(await rows.read(dialect.driver, ['field'], { group: null, note: 'x' })).toHaveLength(2);
    expect(await rows.countUp(dialect.driver, 'sort', { field: 'c' })).toBe(1);
    expect(await rows.read(dialect.driver, ['sort'], { field: 'c' })).toEqual([{ sort: 3 }]);
  });

  it('refuses a value of the wrong type, and a column that does not exist', async () => {
    await expect(rows.insert(dialect.driver, [{ collection: 'books', field: 'x', sort: 'many' }])).rejects.toThrow('sort');
    await expect(rows.read(dialect.driver, ['nothing'])).rejects.toThrow('nothing');
  });
});
