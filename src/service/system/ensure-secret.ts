// The secret that signs tokens when none is configured: made once, kept in the database, so that every process signs alike and a
// restart ends no session.

import { definitionOf } from '../../core/engine/definition-of.js';
import { type SystemRows, systemRows } from '../../core/engine/system-rows.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import { systemDefinitions } from './system-definitions.js';

const name = 'secret';

export async function ensureSecret(dialect: Dialect, systemSchema: string | null, makeSecret: () => string): Promise<string> {
  const rows = systemRows(dialect.syntax, definitionOf(systemDefinitions, 'service_secrets'), systemSchema);
  const kept = await readSecret(rows, dialect.driver);
  return (
    kept ?? dialect.exclusively(async (connection) => (await readSecret(rows, connection)) ?? storeSecret(rows, connection, makeSecret()))
  );
}

async function readSecret(rows: SystemRows, connection: Connection): Promise<string | null> {
  const [row] = await rows.read(connection, ['value'], { name });
  return row ? String(row.value) : null;
}

async function storeSecret(rows: SystemRows, connection: Connection, value: string): Promise<string> {
  await rows.insert(connection, [{ name, value }]);
  return value;
}
