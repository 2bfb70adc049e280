// Checks foreign keys before a structural transaction commits, since SQLite does not enforce them in it: the transaction must not add violations.
// Only the tables that it changed are checked, and those that refer to them.

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Connection, Row } from '../../../core/vendor/driver.js';
import { touchedTables } from './touched-tables.js';

type RowReader = Pick<Connection, 'rows'>;

const foreignKeys = `SELECT t.name, lower(k."table") FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) k WHERE t.type = 'table'`;

/** `outside` sees the state before the transaction; it is read only if there are violations to compare. */
export async function checkForeignKeys(inside: RowReader, outside: RowReader, texts: readonly string[]): Promise<void> {
  for (const table of await findDoubtful(inside, texts)) await checkTable(inside, outside, table);
}

/** The tables whose foreign keys these statements may have violated. */
async function findDoubtful(inside: RowReader, texts: readonly string[]): Promise<ReadonlySet<string>> {
  const touched = touchedTables(texts);
  if (!touched.unknown && touched.pointing.size === 0 && touched.pointedAt.size === 0) return new Set();
  const doubtful = (await inside.rows({ kind: 'read', text: foreignKeys, values: [] })).filter(
    ([table, target]) => touched.unknown || touched.pointing.has(String(table).toLowerCase()) || touched.pointedAt.has(String(target)),
  );
  return new Set(doubtful.map(([table]) => String(table)));
}

async function checkTable(inside: RowReader, outside: RowReader, table: string): Promise<void> {
  const after = await findViolations(inside, table);
  if (after.length === 0) return;
  const before = new Set((await findViolations(outside, table)).map(nameViolation));
  const added = after.find((violation) => !before.has(nameViolation(violation)));
  if (added === undefined) return;
  const [, parent] = added;
  throw new DatabaseError('foreign-key', `FOREIGN KEY constraint failed: ${table} points to nothing in ${String(parent)}`, { table });
}

const nameViolation = (violation: Row): string => JSON.stringify(violation.map(String));

/** SQLite cannot check a foreign key whose target is not unique and reports an error; the file was like that before. */
async function findViolations(connection: RowReader, table: string): Promise<readonly Row[]> {
  // Joined with sqlite_schema, because the pragma alone fails for a table that does not exist (yet).
  const text =
    "SELECT f.rowid, f.parent FROM sqlite_schema t JOIN pragma_foreign_key_check(t.name) f WHERE t.type = 'table' AND t.name = ? COLLATE NOCASE";
  try {
    return await connection.rows({ kind: 'read', text, values: [table] });
  } catch (error) {
    if (error instanceof DatabaseError && error.message.startsWith('foreign key mismatch')) return [];
    throw error;
  }
}
