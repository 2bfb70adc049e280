// The bookshop of `tain demo`, loaded on every vendor.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { definitionOf } from '../../src/core/engine/own-rows/definition-of.js';
import { systemRows } from '../../src/core/engine/own-rows/system-rows.js';
import { openSchemaStore } from '../../src/core/engine/store/schema-store.js';
import type { Schema } from '../../src/core/schema/schema.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { demoShop } from '../../src/service/system/demo/demo-content.js';
import { demoDefinitions, demoHome } from '../../src/service/system/demo/demo-definitions.js';
import { loadDemo } from '../../src/service/system/demo/load-demo.js';
import { install } from '../../src/service/system/install.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { installOptions } from '../harness/install-options.js';
import { openDialect } from '../harness/open-dialect.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

const system = ownHome(systemDefinitions);

describeEachVendor('demo', (vendor) => {
  let database: TestDatabase;
  let dialect: Dialect;

  beforeEach(async () => {
    database = await createDatabase(vendor, 'system');
    dialect = await openDialect(vendor.name, database.url);
    await install(installOptions(dialect, { secret: 'x', adminPassword: 'x' }));
  });

  afterEach(async () => {
    await dialect.driver.close();
    await database.drop();
  });

  const count = async (table: string): Promise<number> =>
    Number((await dialect.driver.rows({ kind: 'read', text: `select count(*) from ${table}`, values: [] }))[0]?.[0]);

  const readSchema = async (): Promise<Schema> => {
    const store = await openSchemaStore({ dialect, system });
    return store.current();
  };

  it('loads authors, books, tags, reviews, pages and the shop', async () => {
    expect(await loadDemo(dialect, system)).toEqual({
      kind: 'loaded',
      collections: demoDefinitions.map((definition) => definition.collection),
    });
    expect([await count('authors'), await count('books'), await count('reviews'), await count('shop')]).toEqual([10, 25, 20, 1]);
    expect(await count('books where author is null')).toBe(0);
    const shop = systemRows(dialect.syntax, definitionOf(demoHome, 'shop'), demoHome);
    expect(await shop.read(dialect.driver, ['name', 'opening_hours'])).toEqual([
      { name: demoShop.name, opening_hours: demoShop.opening_hours },
    ]);
  });

  it('makes its relations known', async () => {
    await loadDemo(dialect, system);
    const { collections } = await readSchema();
    expect(collections.get('books')?.fields.get('tags')).toMatchObject({
      kind: 'relation',
      relation: { related: 'book_tags', junctionField: 'tag' },
    });
    expect(collections.get('books')?.fields.get('reviews')).toMatchObject({ kind: 'relation', relation: { related: 'reviews' } });
    expect(collections.get('page_blocks')?.fields.get('item')).toMatchObject({
      relation: { kind: 'm2a', allowed: ['block_texts', 'block_quotes', 'books'] },
    });
    expect(collections.get('pages')?.fields.get('blocks')).toMatchObject({ relation: { sortField: 'sort', junctionField: 'item' } });
    expect(collections.get('shop')).toMatchObject({ singleton: true, system: false });
    expect(collections.get('books')?.fields.get('price')).toMatchObject({ type: 'decimal' });
    expect(collections.get('shop')?.fields.get('opening_hours')).toMatchObject({ type: 'json' });
  });

  it('lets the database count on after its items', async () => {
    await loadDemo(dialect, system);
    await dialect.driver.run({ kind: 'insert', text: "insert into tags (name) values ('new')", values: [] });
    expect(await count("tags where name = 'new' and id > 0")).toBe(1);
  });

  it('leaves a database alone that has a table of its names', async () => {
    await dialect.driver.run({ kind: 'ddl', text: 'create table books (id integer primary key)', values: [] });
    expect(await loadDemo(dialect, system)).toEqual({ kind: 'refused', taken: ['books'] });
    expect((await dialect.introspect(dialect.driver)).tables.some((table) => table.name === 'authors')).toBe(false);
  });

  it('refuses a second time without a change', async () => {
    await loadDemo(dialect, system);
    expect(await loadDemo(dialect, system)).toMatchObject({ kind: 'refused' });
    expect(await count('books')).toBe(25);
  });
});
