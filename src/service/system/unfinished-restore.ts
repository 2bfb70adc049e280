// Where each statement of DDL commits by itself, a restore that was interrupted leaves a part of a database behind. A table marks it as such
// from the first statement to the last: the service does not start on it, and the same restore can be run again.

import { systemRows } from '../../core/engine/own-rows/system-rows.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import { ownHome } from '../../core/schema/system-home.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import { define, string } from '../definitions/define.js';
import { ensureTable } from './create-tables.js';

const restoring = define('service_restoring', {
  note: 'The digest of the backup that is being restored',
  internal: true,
  accountability: null,
  kept: 'moment',
  primaryKey: ['digest'],
  fields: [string('digest', 64, { nullable: false })],
});

const home = ownHome([restoring]);
export const restoreMark = home.find(restoring).table;

/** The digest of the backup; null: no restore is at work. */
export async function readRestoreMark({ syntax }: Pick<Dialect, 'syntax'>, connection: Connection): Promise<string | null> {
  try {
    const [row]: readonly RowOf<typeof restoring>[] = await systemRows(syntax, restoring, home).read(connection, ['digest']);
    // The table without its row: interrupted before anything else was made.
    return row?.digest ?? '';
  } catch (error) {
    if (error instanceof DatabaseError && (error.kind === 'stale-schema' || error.kind === 'denied')) return null;
    throw error;
  }
}

export async function leaveRestoreMark(dialect: Dialect, connection: Connection, digest: string): Promise<void> {
  await ensureTable({ dialect, connection, system: home }, { definition: restoring, later: [] }, { tables: [] });
  await systemRows(dialect.syntax, restoring, home).insert(connection, [{ digest }]);
}

export async function removeRestoreMark({ transfer }: Dialect, connection: Connection): Promise<void> {
  await connection.run({ kind: 'ddl', text: transfer.drop({ ...restoreMark, kind: 'table' }), values: [] });
}

/** Throws if the database is a part of what a backup holds. Vendors whose restore is one transaction leave no part behind. */
export async function refuseUnfinishedRestore(dialect: Dialect): Promise<void> {
  if (dialect.ddl.transactional || (await readRestoreMark(dialect, dialect.driver)) === null) return;
  throw new Error('a restore into this database was interrupted: run the same `tain restore` again, or empty the database');
}
