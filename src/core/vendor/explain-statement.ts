// Asks the database how it would run a statement. The statement itself does not run.

import type { Syntax } from '../sql/syntax.js';
import type { Connection, Statement } from './driver.js';
import type { StopSignal } from './stop-signal.js';

/** What EXPLAIN of the vendor answers: a JSON document, or lines. `readPlan` of the same syntax understands both. */
export async function explainStatement(
  connection: Pick<Connection, 'rows'>,
  syntax: Pick<Syntax, 'explain'>,
  { text, values, mirrored = false }: Pick<Statement, 'text' | 'values' | 'mirrored'>,
  signal?: StopSignal,
): Promise<unknown> {
  const rows = await connection.rows({ kind: 'read', mirrored, text: syntax.explain(text), values }, signal);
  const lines = rows.map((row) => row.at(-1));
  const [only] = lines;
  return lines.length === 1 && typeof only === 'string' && /^\s*[[{]/.test(only) ? JSON.parse(only) : lines;
}
