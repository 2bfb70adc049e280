// Long AND/OR chains as a balanced tree: SQLite counts the depth of an expression, and a flat chain is a deep one.

import { type Sql, sql, trusted } from './sql.js';

export function balanced(parts: readonly Sql[], glue: ' AND ' | ' OR ', neutral: string): Sql {
  const only = parts[0];
  if (only === undefined) return trusted(neutral);
  if (parts.length === 1) return only;
  const middle = parts.length >> 1;
  return sql`(${balanced(parts.slice(0, middle), glue, neutral)}${trusted(glue)}${balanced(parts.slice(middle), glue, neutral)})`;
}
