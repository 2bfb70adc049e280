// One filter, two interpreters: what a database finds is what the filter in memory finds, on every vendor, whatever is asked.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Item, matchFilter } from '../../src/core/access/match-filter.js';
import { makeLookup } from '../../src/core/access/match-lookup.js';
import { serviceCaller } from '../../src/core/access/view.js';
import { Reader } from '../../src/core/engine/read/reader.js';
import { openDynamics } from '../../src/core/engine/work/dynamics.js';
import { parseQueryObject } from '../../src/core/query/parse/parse-query-object.js';
import { defaultQueryLimits } from '../../src/core/query/query.js';
import { buildSchema } from '../../src/core/schema/build/build-schema.js';
import type { Schema } from '../../src/core/schema/schema.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import { insertRows } from '../../src/core/sql/plain-rows.js';
import { render } from '../../src/core/sql/sql.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { createSeal } from '../../src/service/secrets/seal.js';
import { createTables } from '../harness/create-tables.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDialect } from '../harness/open-dialect.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';
import { filterMetadata, filterTables, linkedThings, notes, owners, things, thingTypes } from './filter-world.js';
import { makeRandom, type Random } from './random.js';
import { makeFilter } from './random-filters.js';

const seed = Number(process.env['TAIN_SEED'] ?? 20261115);
const cases = 2000;
const atOnce = 8;

const makePage = (random: Random) => ({
  filter: makeFilter(random),
  sort: random.chance(0.7) ? 'id' : '-id',
  limit: random.chance(0.5) ? -1 : 1 + random.int(5),
});

describeEachVendor('a filter means the same in the database and in memory', (vendor) => {
  let database: TestDatabase;
  let dialect: Dialect;
  let schema: Schema;
  let reader: Reader;

  beforeAll(async () => {
    database = await createDatabase(vendor, 'filters');
    dialect = await openDialect(vendor.name, database.url);
    await createTables(dialect, filterTables);
    await insert('owners', owners, { id: 'integer', name: 'string', age: 'integer' });
    await insert('things', things, { id: 'integer', ...thingTypes, tags: 'text', owner: 'integer' });
    await insert('notes', notes, { id: 'integer', text: 'string', stars: 'integer', thing: 'integer' });
    schema = buildSchema(1, await dialect.introspect(dialect.driver), filterMetadata, ownHome([]));
    const dynamics = openDynamics({ read: async () => new Map(), check: () => undefined }, () => new Date());
    reader = new Reader({ dialect, limits: defaultQueryLimits, dynamics, seal: createSeal('a test', 'cursor') });
  });

  afterAll(async () => {
    await dialect.driver.close();
    await database.drop();
  });

  async function insert(name: string, items: readonly Item[], types: Readonly<Record<string, string>>): Promise<void> {
    const plain = {
      table: { schema: null, name },
      types: new Map(Object.entries(types)) as Parameters<typeof insertRows>[1]['types'],
      columns: null,
    };
    const { text, params } = render(insertRows(dialect.syntax, plain, items), dialect.syntax.placeholder);
    const values = params.map((param) => param.encode(param.source.kind === 'written' ? param.source.value : null));
    await dialect.driver.run({ kind: 'write', text, values });
  }

  it(`${cases} random filters and pages`, { timeout: 120_000 }, async () => {
    const work = { caller: serviceCaller(schema), connection: dialect.driver, signal: null, afterCommit: null };
    const collection = schema.collections.get('things');
    if (collection === undefined) throw new Error('no things');
    const lookup = makeLookup(schema, collection);
    const items = linkedThings();
    const random = makeRandom(seed);
    const check = async ({ filter, sort, limit }: ReturnType<typeof makePage>): Promise<number> => {
      const { query, literals } = parseQueryObject({ filter }, defaultQueryLimits);
      const inMemory = items
        .filter((item) => query.filter === null || matchFilter(query.filter, literals, item, lookup))
        .map((item) => item['id']);
      const inOrder = sort === 'id' ? inMemory : inMemory.toReversed();
      const found = await reader.objects(work, 'things', { filter, sort: [sort], fields: ['id'], limit });
      expect(
        found.map((item) => item['id']),
        JSON.stringify({ filter, sort, limit }),
      ).toEqual(limit === -1 ? inOrder : inOrder.slice(0, limit));
      return inMemory.length;
    };
    let some = 0;
    for (let done = 0; done < cases; done += atOnce) {
      const pages = Array.from({ length: atOnce }, () => makePage(random));
      const counts = await Promise.all(pages.map(check));
      some += counts.filter((count) => count > 0 && count < items.length).length;
    }
    // A property that only ever sees all or nothing says little.
    expect(some).toBeGreaterThan(cases / 3);
  });
});
