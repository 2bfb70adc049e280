// Joins two databases into one dialect: the service's own tables in `system`, the data in `data`, which is only read (SYSTEM_DATABASE_URL).
// A statement says by `mirrored` which of the two it belongs to; everything else, transactions above all, belongs to `system`.

import type { RawDatabase, RawTable } from '../core/schema/raw.js';
import type { SystemHome } from '../core/schema/system-home.js';
import type { TableName } from '../core/schema/table-name.js';
import type { Dialect } from '../core/vendor/dialect.js';
import type { Connection, Driver } from '../core/vendor/driver.js';

export function joinDatabases(system: Dialect, data: Dialect, home: SystemHome): Dialect {
  return {
    ...system,
    mirrored: data,
    driver: joinDrivers(system.driver, data.driver),
    async introspect(connection, only) {
      const own = await system.introspect(connection, only);
      return only === undefined ? joinTables(own, await data.introspect(data.driver), home) : own;
    },
    async readCatalogue(connection) {
      const own = await system.readCatalogue(connection);
      const other = await data.readCatalogue(data.driver);
      return { database: joinTables(own.database, other.database, home), token: JSON.stringify([own.token, other.token]) };
    },
    changeToken: async (connection) => JSON.stringify([await system.changeToken(connection), await data.changeToken(data.driver)]),
    contentToken: {
      source: [...new Set([system.contentToken.source, data.contentToken.source])].join(' and '),
      read: async (connection) => JSON.stringify([await system.contentToken.read(connection), await data.contentToken.read(data.driver)]),
    },
    // The data is in the other database, so the log of this one contains nothing of interest.
    changeLog: null,
    views: async (connection) => [...(await system.views(connection)), ...(await data.views(data.driver))],
  };
}

/**
 * Each database shows its own part: `system` the tables of the service, `data` all others. Foreign keys to tables of the service that an earlier
 * installation left in `data` lead nowhere.
 */
function joinTables(system: RawDatabase, data: RawDatabase, home: SystemHome): RawDatabase {
  const isOurs = (table: TableName): boolean => home.isReserved(table);
  const mirrored = data.tables
    .filter((table) => !isOurs(table))
    .map(({ foreignKeys, ...table }): RawTable => {
      const usable = foreignKeys.filter((key) => !isOurs({ schema: key.foreignSchema, name: key.foreignTable }));
      return { mirrored: true, foreignKeys: usable, ...table };
    });
  return { tables: [...system.tables.filter(isOurs), ...mirrored] };
}

function joinDrivers(system: Driver, data: Driver): Driver {
  return {
    ...joinConnections(system, data),
    stream: (statement, signal) => (statement.mirrored === true ? data : system).stream(statement, signal),
    transaction: (work, options) => system.transaction((connection) => work(joinConnections(connection, data)), options),
    version: () => system.version(),
    pool: () => system.pool(),
    statements: () => system.statements() + data.statements(),
    async close() {
      await Promise.all([system.close(), data.close()]);
    },
  };
}

const joinConnections = (own: Connection, data: Connection): Connection => ({
  rows: (statement, signal) => (statement.mirrored === true ? data : own).rows(statement, signal),
  rowsAtOnce: (statement) => (statement.mirrored === true ? data : own).rowsAtOnce?.(statement) ?? null,
  run: (statement, signal) => own.run(statement, signal),
});
