// Databases as revisions of the past left them (test/fixtures/upgrade), or as earlier migrations make them of these, and what upgrades of them
// are tested by.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject } from 'vitest';
import type { RawColumn, RawDatabase } from '../../src/core/schema/raw.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import { DatabaseError } from '../../src/core/vendor/database-error.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Connection } from '../../src/core/vendor/driver.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { install } from '../../src/service/system/install.js';
import { migrate } from '../../src/service/system/migrate.js';
import { migrations } from '../../src/service/system/migrations.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { type FaultPoint, makeFaultPoint } from '../harness/fault-point.js';
import { installOptions } from '../harness/install-options.js';
import { openDialect } from '../harness/open-dialect.js';
import { readFixture } from '../harness/run-script.js';
import { createDatabase, type Vendor } from '../harness/vendors.js';

const system = ownHome(systemDefinitions);
export const versions = migrations.map(({ version }) => version);
/** Those from which an upgrade can begin. */
export const earlier = versions.slice(versions.indexOf('0002'), -1);
const upTo = (version: string) => migrations.filter((migration) => migration.version <= version);

/**
 * Those that were the newest one of a revision in the history. None had one of the others, so those states are made by the migrations
 * themselves.
 */
const kept = ['0002', '0006', '0007'];
export const fixtureFor = (version: string, vendor: Vendor): Promise<string> =>
  readFixture(`upgrade/${kept.findLast((candidate) => candidate <= version) ?? kept[0]}.${vendor.name}.sql`);

export interface OldDatabase {
  readonly dialect: Dialect;
  readonly direct: DirectAccess;
  readonly url: string;
}

export async function onDatabaseOf(version: string, vendor: Vendor, work: (old: OldDatabase) => Promise<void>): Promise<void> {
  const database = await createDatabase(vendor, 'upgrade');
  const direct = await openDirectAccess(vendor, database.url);
  await direct.sql(await fixtureFor(version, vendor));
  const dialect = await openDialect(vendor.name, database.url);
  try {
    await migrate(dialect, system, upTo(version));
    await work({ dialect, direct, url: database.url });
  } finally {
    await dialect.driver.close();
    await direct.close();
    await database.drop();
  }
}

type Shape = Readonly<Record<string, readonly string[]>>;

/** SQLite: these two columns were declared as `int` by earlier revisions and are not altered, since that would rewrite their tables; both names mean the same. */
const declaredOtherwise: ReadonlySet<string> = new Set(['service_settings.id', 'service_unfinished.step']);

/** The tables of the service without the order of their columns, and without columns that only an old revision used. */
function shapeOf({ tables }: RawDatabase, vendor: Dialect['vendor']): Shape {
  const typeOf = (table: string, { name, dataType }: RawColumn): string =>
    vendor === 'sqlite' && dataType === 'int' && declaredOtherwise.has(`${table}.${name}`) ? 'integer' : dataType;
  const own = systemDefinitions.flatMap(({ collection, fields }) => {
    const table = tables.find(({ name }) => name === collection);
    const names = fields.map(({ field }) => field);
    const lines = [
      ...(table?.columns ?? [])
        .filter(({ name }) => names.includes(name))
        .map((column) => {
          const { name, type, nullable, unique, indexed, maxLength } = column;
          const facts = [type, typeOf(collection, column), maxLength, nullable, unique, indexed, column.default];
          return `${name} ${JSON.stringify(facts, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
        }),
      ...(table?.indexes ?? []).map((index) => `index ${index.name} ${index.columns.join()} ${index.unique}`),
      ...(table?.foreignKeys ?? []).map((key) => `key ${key.columns.join()} to ${key.foreignTable} ${key.onDelete}`),
    ];
    return [[collection, lines.toSorted()] as const];
  });
  return Object.fromEntries(own);
}

export const readShape = async ({ driver, introspect, vendor }: Dialect): Promise<Shape> => shapeOf(await introspect(driver), vendor);

const shapes = new Map<Vendor, Promise<Shape>>();

export function shapeOfFirstStart(vendor: Vendor): Promise<Shape> {
  const shape = shapes.get(vendor) ?? makeFirstStart(vendor);
  shapes.set(vendor, shape);
  return shape;
}

async function makeFirstStart(vendor: Vendor): Promise<Shape> {
  const database = await createDatabase(vendor, 'upgrade_new');
  const dialect = await openDialect(vendor.name, database.url);
  try {
    await migrate(dialect, system);
    return await readShape(dialect);
  } finally {
    await dialect.driver.close();
    await database.drop();
  }
}

/** The values of each table by the columns that it has now, to be found again after the upgrade. The log of the migrations grows. */
export async function readRows({ direct }: OldDatabase): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const table of await direct.tables())
    if (table !== 'service_migrations')
      found.set(
        table,
        (await direct.sql(`select * from ${table}`)).map((row) => JSON.stringify(row)),
      );
  return found;
}

/** The rows that are gone or changed, as lines. What a row has more than before is new. */
export async function lostRows(before: ReadonlyMap<string, readonly string[]>, old: OldDatabase): Promise<readonly string[]> {
  const after = await readRows(old);
  return [...before].flatMap(([table, rows]) => {
    const present = (after.get(table) ?? []).map((text) => JSON.parse(text) as Record<string, unknown>);
    const isKept = (row: string): boolean => {
      const wanted = Object.entries(JSON.parse(row) as Record<string, unknown>);
      return present.some((candidate) => wanted.every(([name, value]) => JSON.stringify(candidate[name]) === JSON.stringify(value)));
    };
    return rows.filter((row) => !isKept(row)).map((row) => `${table}: ${row}`);
  });
}

/** MariaDB's fixtures need MariaDB: the revisions that left them did not run on MySQL. */
export const upgradedVendors = inject('vendors').filter(({ name, label }) => name !== 'mysql' || label.startsWith('MariaDB'));

/** Writes notes as another program would, until it is stopped. Resolves to what it has written. */
export async function startWriting({ url }: OldDatabase, vendor: Vendor): Promise<() => Promise<readonly string[]>> {
  const writer = await openDialect(vendor.name, url);
  const written: string[] = [];
  let over = false;
  const writing = (async () => {
    for (let count = 0; !over; count += 1) {
      const text = `written ${count}`;
      await writer.driver.transaction(async (connection) => {
        await connection.run({ kind: 'write', text: `insert into notes (text) values ('${text}')`, values: [] });
        await connection.run({ kind: 'write', text: `update service_sessions set ip = '${count}'`, values: [] });
      });
      written.push(text);
      await sleep(1);
    }
  })();
  return async () => {
    over = true;
    await writing;
    await writer.driver.close();
    return written;
  };
}

/** Starts again and again, and is killed before each change in turn. Resolves to the number of kills. */
export async function upgradeUnderKills({ direct, dialect }: OldDatabase): Promise<number> {
  const seen = async () => (await direct.sql('select version from service_migrations')).length;
  const point = makeFaultPoint();
  let struck = '';
  const mortal = killedAt(dialect, point, (statement) => {
    struck = statement;
  });
  let kills = 0;
  for (let at = 1, done = await seen(), before = ''; ; kills += 1) {
    point.arm(at, true);
    const ending = await install(installOptions(mortal)).then(() => null, String);
    if (!point.disarm()) return kills;
    expect(ending).toContain('killed');
    // What was done before the kill stays where DDL commits by itself: then each start makes one change more than the one before, but for changes
    // of rows, which end together with what follows them.
    const [last, now] = [done, await seen()];
    if (dialect.ddl.transactional) at = now > last ? 1 : at + 1;
    else at = struck === before ? at + 1 : 2;
    done = now;
    before = struck;
  }
}

/** A dialect whose process is killed before a change of structure or of rows, as far as the database sees it. */
function killedAt(dialect: Dialect, point: FaultPoint, onKill: (statement: string) => void): Dialect {
  const mortal = (connection: Connection): Connection => ({
    ...connection,
    rows: (statement, signal) => connection.rows(statement, signal),
    run: async (statement, signal) => {
      if (point.strikes()) {
        onKill(`${statement.text} ${statement.values.join()}`);
        throw new DatabaseError('unavailable', 'killed');
      }
      return connection.run(statement, signal);
    },
  });
  return { ...dialect, exclusively: (work) => dialect.exclusively((connection) => work(mortal(connection))) };
}
