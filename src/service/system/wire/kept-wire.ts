// The wire of a database is kept in it: a row in the table of secrets, written by the first start or by `tain wire`. Stored names follow it,
// so every process has to use the same one. Without a row it is that of the specification.

import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import { ownHome, type SystemHome, type Wire } from '../../../core/schema/system-home.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { firstStart, migrations, secrets } from '../../definitions/bookkeeping.js';
import { systemDefinitions } from '../../definitions/system-definitions.js';

const wireName = 'wire';

/** The database is kept on another wire than the one that was asked for. */
export class OtherWire extends Error {
  override readonly name = 'OtherWire';

  constructor(kept: Wire, wanted: Wire) {
    super(
      `WIRE=${wanted}, but this database is kept on the wire "${kept}": leave the setting out, or stop the service and run \`tain wire ${wanted}\` once`,
    );
  }
}

type Read = Pick<Dialect, 'syntax'>;

async function readRow({ syntax }: Read, connection: Connection, schema: string | null): Promise<Wire | null> {
  const [row] = await systemRows(syntax, secrets, ownHome(systemDefinitions, schema)).read(connection, ['value'], { name: wireName });
  return row === undefined ? null : row.value === 'directus' ? 'directus' : 'tain';
}

/** What is kept, and whether the database was ever started on. */
export async function readKept(dialect: Dialect, schema: string | null): Promise<{ readonly wire: Wire; readonly isNew: boolean }> {
  try {
    const wire = await readRow(dialect, dialect.driver, schema);
    if (wire !== null) return { wire, isNew: false };
    const log = systemRows(dialect.syntax, migrations, ownHome(systemDefinitions, schema));
    const started = await log.read(dialect.driver, ['version'], { version: firstStart });
    return { wire: 'tain', isNew: started.length === 0 };
  } catch (error) {
    // Tables that are not there yet. Missing rights are reported by the installation.
    if (error instanceof DatabaseError && (error.kind === 'stale-schema' || error.kind === 'denied')) return { wire: 'tain', isNew: true };
    throw error;
  }
}

/** Throws `OtherWire` unless the database is kept on the wire of this home: another instance may have been the first to start. */
export async function requireKept(dialect: Dialect, { schema, wire }: SystemHome): Promise<void> {
  const kept = (await readRow(dialect, dialect.driver, schema)) ?? 'tain';
  if (kept !== wire) throw new OtherWire(kept, wire);
}

export async function keepWire(
  { syntax }: Read,
  connection: Connection,
  { schema, wire }: Pick<SystemHome, 'schema' | 'wire'>,
): Promise<void> {
  const rows = systemRows(syntax, secrets, ownHome(systemDefinitions, schema));
  await rows.delete(connection, { name: wireName });
  if (wire !== 'tain') await rows.insert(connection, [{ name: wireName, value: wire }]);
}
