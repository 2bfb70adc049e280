// The system tables on a new database: made once, by one process, and without touching other tables.

import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { definitionOf } from '../../src/core/engine/own-rows/definition-of.js';
import { systemRows } from '../../src/core/engine/own-rows/system-rows.js';
import { epochNames } from '../../src/core/engine/store/epochs.js';
import type { RawDatabase } from '../../src/core/schema/raw.js';
import { systemPrefix } from '../../src/core/schema/system-definition.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import type { PlainRow } from '../../src/core/sql/plain-rows.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Connection, Statement } from '../../src/core/vendor/driver.js';
import { rebuildPrefix } from '../../src/dialects/sqlite/ddl/rebuild-table.js';
import { touchedTables } from '../../src/dialects/sqlite/driver/touched-tables.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { verifyPassword } from '../../src/service/secrets/hash-password.js';
import { digestToken } from '../../src/service/secrets/token.js';
import { install } from '../../src/service/system/install.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { installOptions } from '../harness/install-options.js';
import { openDialect } from '../harness/open-dialect.js';
import { readFixture, runScript } from '../harness/run-script.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

const system = ownHome(systemDefinitions);

const read = (dialect: Dialect, collection: string, schema: string | null = null): Promise<readonly PlainRow[]> =>
  systemRows(dialect.syntax, definitionOf(ownHome(systemDefinitions), collection), ownHome(systemDefinitions, schema)).read(
    dialect.driver,
    'all',
  );

describeEachVendor('install', (vendor) => {
  let database: TestDatabase;
  let dialect: Dialect;

  beforeEach(async () => {
    database = await createDatabase(vendor, 'system');
    dialect = await openDialect(vendor.name, database.url);
  });

  afterEach(async () => {
    await dialect.driver.close();
    await database.drop();
  });

  it('makes every defined table, with its foreign keys and indexes', async () => {
    await install(installOptions(dialect));
    const { tables } = await dialect.introspect(dialect.driver);
    expect(tables.map((table) => table.name).toSorted()).toEqual(systemDefinitions.map((definition) => definition.collection).toSorted());
    for (const definition of systemDefinitions) {
      const table = tables.find((candidate) => candidate.name === definition.collection);
      expect(table?.primaryKey).toEqual(definition.primaryKey);
      expect(table?.columns.map((column) => column.name)).toEqual(definition.fields.map((field) => field.field));
      const guarded = definition.relations.filter((relation) => relation.onDelete !== null).map((relation) => relation.field);
      expect(table?.foreignKeys.map((key) => key.columns[0]).toSorted()).toEqual(guarded.toSorted());
      for (const field of definition.fields.filter((entry) => entry.unique)) {
        expect(table?.columns.find((column) => column.name === field.field)).toMatchObject({ unique: true });
      }
    }
  });

  const itOnSqlite = vendor.name === 'sqlite' ? it : () => undefined;
  // Foreign keys are checked before a structural transaction commits, and the cost must not depend on what the file holds.
  itOnSqlite('looks at no row of the tables that were there', async () => {
    await runScript(dialect.driver, await readFixture('shop.sqlite.sql'));
    const texts: string[] = [];
    const note = (statement: Statement): Statement => {
      texts.push(...(statement.queued ?? []).map(({ text }) => text), statement.text);
      return statement;
    };
    const noting = (connection: Connection): Connection => ({
      rows: (statement, signal) => connection.rows(note(statement), signal),
      run: (statement, signal) => connection.run(note(statement), signal),
    });
    const watched: Dialect = { ...dialect, exclusively: (work) => dialect.exclusively((connection) => work(noting(connection))) };
    await install(installOptions(watched));
    const { pointing, pointedAt, unknown } = touchedTables(texts);
    expect([unknown, pointing.size > 0]).toEqual([false, true]);
    const foreign = [...pointing, ...pointedAt].filter((name) => !name.startsWith(systemPrefix) && !name.startsWith(rebuildPrefix));
    expect(foreign).toEqual([]);
  });

  it('reads columns back with the types of the definitions', async () => {
    await install(installOptions(dialect));
    const { tables } = await dialect.introspect(dialect.driver);
    for (const definition of systemDefinitions) {
      const columns = tables.find((candidate) => candidate.name === definition.collection)?.columns ?? [];
      const wanted = definition.fields.map((field) => [field.field, { csv: 'text', hash: 'string' }[field.type as string] ?? field.type]);
      expect([definition.collection, columns.map((column) => [column.name, column.type])]).toEqual([definition.collection, wanted]);
    }
  });

  it('creates the first administrator with a password made for it', async () => {
    const { administrator, secret } = await install(installOptions(dialect));
    expect(secret).toHaveLength(64);
    expect(administrator?.email).toBe('admin@example.com');
    const [user] = await read(dialect, 'service_users');
    expect(await verifyPassword(String(user?.password), administrator?.generatedPassword ?? '')).toBe(true);
    const [role] = await read(dialect, 'service_roles');
    expect(user).toMatchObject({ email: 'admin@example.com', status: 'active', role: role?.id, token: null, email_notifications: true });
  });

  it('gives the administrators everything and the public nothing', async () => {
    await install(installOptions(dialect));
    const policies = new Map((await read(dialect, 'service_policies')).map((policy) => [policy.id, policy]));
    const access = (await read(dialect, 'service_access')).map((row) => [
      row.role === null && row.user === null,
      policies.get(String(row.policy)),
    ]);
    expect(access).toHaveLength(2);
    expect(access).toContainEqual([false, expect.objectContaining({ name: 'Administrator', admin_access: true, app_access: true })]);
    expect(access).toContainEqual([true, expect.objectContaining({ name: '$t:public_label', admin_access: false, app_access: false })]);
    expect(await read(dialect, 'service_permissions')).toEqual([]);
    expect(await read(dialect, 'service_settings')).toMatchObject([{ id: 1, auth_login_attempts: 25, storage_asset_transform: 'all' }]);
  });

  it('takes address, password, token and secret from the configuration', async () => {
    const wanted = { adminEmail: 'Me@Example.com', adminPassword: 'open sesame', adminToken: 'static', secret: 'configured' };
    const installed = await install(installOptions(dialect, wanted));
    expect(installed).toEqual({
      secret: 'configured',
      administrator: { email: 'me@example.com', generatedPassword: null },
      setupCode: null,
    });
    const [user] = await read(dialect, 'service_users');
    expect(user?.token).toBe(digestToken('static'));
    expect(await verifyPassword(String(user?.password), 'open sesame')).toBe(true);
    expect(await read(dialect, 'service_secrets')).toEqual([]);
  });

  it('changes nothing at a second start, and keeps the secret', async () => {
    const first = await install(installOptions(dialect));
    const before = await dialect.introspect(dialect.driver);
    const second = await install(installOptions(dialect, { adminEmail: 'other@example.com' }));
    expect(second).toEqual({ secret: first.secret, administrator: null, setupCode: first.setupCode });
    expect(shapeOf(await dialect.introspect(dialect.driver))).toEqual(shapeOf(before));
    expect(await read(dialect, 'service_users')).toHaveLength(1);
  });

  it('does not bring back an administrator who was deleted', async () => {
    await install(installOptions(dialect));
    await systemRows(dialect.syntax, definitionOf(system, 'service_users'), system).delete(dialect.driver, {});
    expect((await install(installOptions(dialect))).administrator).toBeNull();
    expect(await read(dialect, 'service_users')).toEqual([]);
  });

  it('lets two processes start at once', async () => {
    const other = await openDialect(vendor.name, database.url);
    try {
      const results = await Promise.all([install(installOptions(dialect)), install(installOptions(other))]);
      expect(results[0].secret).toBe(results[1].secret);
      expect(results.filter((result) => result.administrator !== null)).toHaveLength(1);
      expect(await read(dialect, 'service_roles')).toHaveLength(1);
      expect(await read(dialect, 'service_epoch')).toHaveLength(epochNames.length);
    } finally {
      await other.driver.close();
    }
  });

  it('continues where an interrupted start stopped', async () => {
    await install(installOptions(dialect));
    const complete = await dialect.introspect(dialect.driver);
    const log = systemRows(dialect.syntax, definitionOf(system, 'service_migrations'), system);
    for (const version of ['0001', '0002', '0003', '0004', '0005', '0006']) await log.delete(dialect.driver, { version });
    for (const name of ['service_revisions', 'service_idempotency']) {
      const steps = dialect.ddl.steps({ kind: 'drop-table', table: { schema: null, name } }, complete);
      const texts = [...steps.map((step) => step.text), ...steps.flatMap((step) => step.finish ?? [])];
      for (const text of texts) await dialect.driver.run({ kind: 'write', text, values: [] });
    }
    await install(installOptions(dialect));
    expect(shapeOf(await dialect.introspect(dialect.driver))).toEqual(shapeOf(complete));
  });

  it('reads the structure of its own tables only, and not once per change', async () => {
    await runScript(dialect.driver, await readFixture(`shop.${vendor.name}.sql`));
    const readings: (readonly string[])[] = [];
    const watched: Dialect = {
      ...dialect,
      introspect: async (connection, only) => {
        const found = await dialect.introspect(connection, only);
        readings.push(found.tables.map(({ name }) => name));
        return found;
      },
    };
    await install(installOptions(watched));
    expect(readings.flat().filter((name) => !name.startsWith(systemPrefix))).toEqual([]);
    expect(readings.length).toBeLessThan(16);
  });

  it('ends in a sentence when others keep changing its tables', async () => {
    const { exclusively } = dialect;
    const disturbed: Dialect = {
      ...dialect,
      exclusively: (work) =>
        exclusively(async (connection) => {
          const result = await work(connection);
          await connection.run({ kind: 'ddl', text: 'drop table service_migrations', values: [] });
          return result;
        }),
    };
    const ending = install(installOptions(disturbed, { patienceMs: 300 }));
    await expect(ending).rejects.toThrow(/could not be made ready within 1 s: .*service_migrations.*Stop that program and start again\.$/s);
  });

  it('starts while others keep changing the structure of their own tables', async () => {
    const other = await openDialect(vendor.name, database.url);
    let over = false;
    const disturbing = (async () => {
      for (let count = 0; !over; count += 1)
        for (const text of [`create table theirs_${count} (id integer primary key)`, `drop table theirs_${count}`])
          await other.driver.run({ kind: 'ddl', text, values: [] });
    })();
    await install(installOptions(dialect)).finally(() => {
      over = true;
    });
    await disturbing.finally(() => other.driver.close());
    expect(await read(dialect, 'service_users')).toHaveLength(1);
  });

  it('refuses a database with a table of its names that it did not make', async () => {
    await dialect.driver.run({ kind: 'ddl', text: 'create table service_users (id integer primary key, nick varchar(20))', values: [] });
    await expect(install(installOptions(dialect))).rejects.toThrow('service_users');
    const { tables } = await dialect.introspect(dialect.driver);
    expect(tables.map((table) => [table.name, table.columns.length])).toEqual([['service_users', 2]]);
  });

  it('leaves a database it finds as it is', async () => {
    await runScript(dialect.driver, await readFixture(`shop.${vendor.name}.sql`));
    const before = await dialect.introspect(dialect.driver);
    await install(installOptions(dialect));
    const after = await dialect.introspect(dialect.driver);
    const theirs = after.tables.filter((table) => !table.name.startsWith(systemPrefix));
    expect(shapeOf({ tables: theirs })).toEqual(shapeOf(before));
  });
});

/** The structure without the estimates, which move by themselves. */
const shapeOf = (database: RawDatabase): unknown =>
  database.tables.map(({ estimatedRows: _, vendor: __, ...table }) => table).toSorted((a, b) => a.name.localeCompare(b.name));

const postgres = inject('vendors').find((vendor) => vendor.name === 'postgres');

describe.runIf(postgres !== undefined)('install in a schema of its own (PostgreSQL)', () => {
  it('puts nothing beside the data', async () => {
    if (!postgres) return;
    const database = await createDatabase(postgres, 'system');
    const dialect = await openDialect('postgres', database.url, 'tain');
    try {
      await install(installOptions(dialect, { system: ownHome(systemDefinitions, 'tain') }));
      const { tables } = await dialect.introspect(dialect.driver);
      expect(new Set(tables.map((table) => table.schema))).toEqual(new Set(['tain']));
      expect(tables).toHaveLength(systemDefinitions.length);
      expect(await read(dialect, 'service_users', 'tain')).toHaveLength(1);
    } finally {
      await dialect.driver.close();
      await database.drop();
    }
  });
});
