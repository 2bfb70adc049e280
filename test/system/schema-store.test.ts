// The schema store on real databases: swaps, shared builds, changes from outside and from other processes.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSchemaStore, type SchemaStore } from '../../src/core/engine/store/schema-store.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Driver } from '../../src/core/vendor/driver.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { install } from '../../src/service/system/install.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { installOptions } from '../harness/install-options.js';
import { openDialect } from '../harness/open-dialect.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

describeEachVendor('schema store', (vendor) => {
  let database: TestDatabase;
  let dialect: Dialect;
  let stores: SchemaStore[];

  const open = async (): Promise<SchemaStore> => {
    const store = await openSchemaStore({ dialect, system: ownHome(systemDefinitions) });
    stores.push(store);
    return store;
  };
  const run = (text: string): Promise<number> => dialect.driver.run({ kind: 'write', text, values: [] });
  const hasField = (store: SchemaStore, collection: string, field: string): boolean =>
    store.current().collections.get(collection)?.fields.has(field) === true;

  beforeEach(async () => {
    stores = [];
    database = await createDatabase(vendor, 'system', vendor.prepared);
    dialect = await openDialect(vendor.name, database.url);
    await install(installOptions(dialect, { secret: 'x', adminPassword: 'x' }));
    await run('create table books (id integer primary key, title varchar(50))');
  });

  afterEach(async () => {
    for (const store of stores) store.close();
    await dialect.driver.close();
    await database.drop();
  });

  it('holds the system collections and those found', async () => {
    const store = await open();
    expect(store.current().collections.get('service_users')?.system).toBe(true);
    expect(hasField(store, 'books', 'title')).toBe(true);
    expect(store.database().tables.some((table) => table.name === 'service_sessions')).toBe(true);
  });

  it('lets a request keep the schema it began with', async () => {
    const store = await open();
    const before = store.current();
    await run('alter table books add column year integer');
    const after = await store.refresh();
    expect(before.collections.get('books')?.fields.has('year')).toBe(false);
    expect(after.collections.get('books')?.fields.has('year')).toBe(true);
    expect(store.current()).toBe(after);
    expect(after.version).toBeGreaterThan(before.version);
  });

  it('reads the catalogue for a change of structure only if it has changed', async () => {
    const store = await open();
    const before = dialect.driver.statements();
    expect(await store.readDatabase(dialect.driver)).toBe(store.database());
    expect(dialect.driver.statements() - before).toBe(1);
    await run('alter table books add column year integer');
    const books = (await store.readDatabase(dialect.driver)).tables.find(({ name }) => name === 'books');
    expect(books?.columns.map(({ name }) => name)).toEqual(['id', 'title', 'year']);
    expect(hasField(store, 'books', 'year'), 'what is served changes with a refresh').toBe(false);
  });

  const note = (store: SchemaStore, text: string): Promise<void> =>
    dialect.driver.transaction(async (connection) => {
      await connection.run({ kind: 'write', text: "delete from service_collections where collection = 'books'", values: [] });
      await connection.run({
        kind: 'insert',
        text: `insert into service_collections (collection, note) values ('books', '${text}')`,
        values: [],
      });
      await store.bumpEpoch(connection, 'schema');
    });

  it('reads only the metadata after a change of nothing else', async () => {
    const store = await open();
    const known = store.database();
    await note(store, 'What we sell');
    const before = dialect.driver.statements();
    const schema = await store.refreshMetadata(known);
    expect(dialect.driver.statements() - before, 'the epochs and three tables').toBe(4);
    expect(schema.collections.get('books')?.note).toBe('What we sell');
    expect(store.current()).toBe(schema);
    expect(store.database()).toBe(known);
  });

  it.each(['another process made a change, too', 'the change began from another structure'])('reads everything if %s', async (reason) => {
    const [store, other] = [await open(), await open()];
    const known = reason.startsWith('another process') ? store.database() : await dialect.introspect(dialect.driver);
    await note(store, 'What we sell');
    await run('alter table books add column year integer');
    if (reason.startsWith('another process')) await note(other, 'What they sell');
    await store.refreshMetadata(known);
    expect(hasField(store, 'books', 'year')).toBe(true);
  });

  it('shares one build among those who ask while another runs', async () => {
    const store = await open();
    const first = store.refresh();
    const waiting = [store.refresh(), store.refresh(), store.refresh()];
    const versions = (await Promise.all([first, ...waiting])).map((schema) => schema.version);
    expect(versions).toEqual([2, 3, 3, 3]);
  });

  it('sees a column added from outside by itself', async () => {
    const store = await open();
    const events: string[] = [];
    store.watch({ everyMs: 500, onOutage: () => events.push('outage'), onRecovery: () => events.push('recovery') });
    await run('alter table books add column isbn varchar(20)');
    await expect.poll(() => hasField(store, 'books', 'isbn'), { interval: 50 }).toBe(true);
    expect(events).toEqual([]);
  });

  it('reports an outage once, and its end once', async () => {
    let away = false;
    const failing: Driver = Object.create(dialect.driver, {
      rows: {
        value: async (...args: Parameters<Driver['rows']>) => {
          if (away) throw new Error('away');
          return dialect.driver.rows(...args);
        },
      },
    });
    const store = await openSchemaStore({ dialect: { ...dialect, driver: failing }, system: ownHome(systemDefinitions) });
    stores.push(store);
    const events: string[] = [];
    store.watch({ everyMs: 5, onOutage: (error) => events.push(String(error)), onRecovery: () => events.push('recovery') });
    for (const outage of [1, 2]) {
      away = true;
      await expect.poll(() => events.length).toBe(2 * outage - 1);
      await sleep(50);
      away = false;
      await expect.poll(() => events.length).toBe(2 * outage);
    }
    expect(events).toEqual(['Error: away', 'recovery', 'Error: away', 'recovery']);
  });

  it('checks with one statement and builds nothing when nothing changed', async () => {
    const store = await open();
    const [schema, statements] = [store.current(), dialect.driver.statements()];
    await store.check();
    expect(store.current()).toBe(schema);
    expect(dialect.driver.statements() - statements).toBe(1);
  });

  it('builds with a number of statements that does not grow with the tables', async () => {
    const store = await open();
    const count = async (): Promise<number> => {
      const before = dialect.driver.statements();
      await store.refresh();
      return dialect.driver.statements() - before;
    };
    const few = await count();
    for (let index = 0; index < 10; index += 1)
      await run(`create table extra_${index} (id integer primary key, book integer references books (id))`);
    expect(await count()).toBe(few);
  });

  it('notifies other processes of a change of the metadata', async () => {
    const [one, other] = [await open(), await open()];
    await note(one, 'What we sell');
    await other.check();
    expect(other.current().collections.get('books')?.note).toBe('What we sell');
  });

  it('notifies of new policies without building a schema', async () => {
    const [one, other] = [await open(), await open()];
    const [schema, epoch] = [other.current(), other.policyEpoch()];
    let calls = 0;
    other.subscribe(() => {
      calls += 1;
    });
    await dialect.driver.transaction((connection) => one.bumpEpoch(connection, 'policy'));
    await other.check();
    expect(other.policyEpoch()).toBe(epoch + 1);
    expect(other.current()).toBe(schema);
    expect(calls).toBe(1);
  });

  it('forgets an epoch whose transaction was rolled back', async () => {
    const store = await open();
    const epoch = store.policyEpoch();
    const failed = dialect.driver.transaction(async (connection) => {
      await store.bumpEpoch(connection, 'policy');
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await store.check();
    expect(store.policyEpoch()).toBe(epoch);
  });

  it('keeps the schema while the database is away', async () => {
    const store = await open();
    await dialect.driver.close();
    await expect(store.check()).rejects.toThrow();
    expect(hasField(store, 'books', 'title')).toBe(true);
  });
});
