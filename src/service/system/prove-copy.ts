// Distinguishes a copy of the database from an unrelated one: the service stores a mark in its tables, which only copies have. A copy on
// which the service's user may not read a table is refused as well.

import { systemRows, toStatement } from '../../core/engine/own-rows/system-rows.js';
import type { SystemHome } from '../../core/schema/system-home.js';
import type { TableName } from '../../core/schema/table-name.js';
import { join, type Sql, sql } from '../../core/sql/sql.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { ProveCopy } from '../../core/vendor/replication.js';
import { secrets } from '../definitions/bookkeeping.js';
import { randomToken } from '../secrets/token.js';

/** The name of the row that makes a database a copy of another. */
export const copyMark = 'copy';
/** The number of tables that one statement checks. */
const tablesTogether = 100;

/** Stores the mark unless it exists. `tables`: the present tables of the database. */
export async function openProofOfCopies(dialect: Dialect, system: SystemHome, tables: () => readonly TableName[]): Promise<ProveCopy> {
  const rows = systemRows(dialect.syntax, secrets, system);
  const readMark = async (connection: Connection): Promise<string | null> =>
    (await rows.read(connection, ['value'], { name: copyMark }))[0]?.value ?? null;
  const leaveMark = async (connection: Connection): Promise<string> => {
    const present = await readMark(connection);
    if (present !== null) return present;
    const value = randomToken(32);
    await rows.insert(connection, [{ name: copyMark, value }]);
    return value;
  };
  const mark =
    (await readMark(dialect.driver)) ??
    (await dialect.exclusively(leaveMark).catch(async (error: unknown) => {
      // Instances on several nodes of a Galera cluster may leave it at the same time; one of them does.
      const left = await readMark(dialect.driver);
      if (left === null) throw error;
      return left;
    }));
  return async (replica) => {
    const found = await readMark(replica).catch((error: unknown) => {
      if (error instanceof DatabaseError && error.kind === 'stale-schema') return null;
      throw error;
    });
    if (found !== mark) return 'is not a copy of the database';
    const denied = await findDenied(dialect, replica, tables());
    return denied === null ? null : `refuses its user the table "${denied}", which the primary lets the service read`;
  };
}

/** The first table that can be read on the primary but not on the copy. */
async function findDenied(dialect: Dialect, replica: Connection, tables: readonly TableName[]): Promise<string | null> {
  for (let from = 0; from < tables.length; from += tablesTogether) {
    const some = tables.slice(from, from + tablesTogether);
    if (!(await isDenied(dialect, replica, some))) continue;
    for (const table of some)
      if ((await isDenied(dialect, replica, [table])) && !(await isDenied(dialect, dialect.driver, [table]))) return table.name;
  }
  return null;
}

/** A table that does not exist on the copy yet does not count as denied. */
async function isDenied({ syntax }: Dialect, connection: Connection, tables: readonly TableName[]): Promise<boolean> {
  const selects = tables.map((table): Sql => sql`SELECT 1 FROM ${syntax.table(table)} WHERE 1 = 0`);
  try {
    await connection.rows({ ...toStatement(syntax, 'read', join(selects, ' UNION ALL ')), cheap: false });
    return false;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    if (error.kind === 'denied') return true;
    if (error.kind === 'stale-schema') return tables.length > 1;
    throw error;
  }
}
