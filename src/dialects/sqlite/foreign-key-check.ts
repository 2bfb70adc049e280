// Before a structural transaction commits: no item may point to nothing that did not do so before.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Connection, Row } from '../../core/vendor/driver.js';

type RowReader = Pick<Connection, 'rows'>;

const check = { text: 'SELECT "table", rowid, parent FROM pragma_foreign_key_check', values: [] };

/** `outside` still sees the state before the transaction; it is asked only when there is something to compare. */
export async function checkForeignKeys(inside: RowReader, outside: RowReader): Promise<void> {
  const after = await findViolations(inside);
  if (after.length === 0) return;
  const before = new Set((await findViolations(outside)).map(nameViolation));
  const added = after.find((violation) => !before.has(nameViolation(violation)));
  if (added === undefined) return;
  const [table, , parent] = added;
  throw new DatabaseError('foreign-key', `FOREIGN KEY constraint failed: ${String(table)} points to nothing in ${String(parent)}`, {
    table: String(table),
  });
}

const nameViolation = (violation: Row): string => JSON.stringify(violation.map(String));

/** A foreign key whose target is not unique cannot be checked at all; SQLite says so with an error, and such a table was found that way. */
async function findViolations(connection: RowReader): Promise<readonly Row[]> {
  try {
    return await connection.rows(check);
  } catch (error) {
    if (error instanceof DatabaseError && error.message.startsWith('foreign key mismatch')) return [];
    throw error;
  }
}
