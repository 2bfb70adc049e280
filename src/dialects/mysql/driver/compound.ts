// INSERTs of a transaction in one exchange: a compound statement of MariaDB, with START TRANSACTION before and COMMIT after them where they apply.
// A round trip costs more than a small INSERT, and a compound statement can be prepared like any other.

import { noTables } from '../../../core/vendor/connection-pool.js';
import type { Statement } from '../../../core/vendor/driver.js';
import { keepKey } from '../sql/pending-keys.js';

export interface Frame {
  /** Whether the transaction begins, and whether it ends, with these statements. */
  readonly opens: boolean;
  readonly closes: boolean;
}

/** A longer text is rarely repeated, so preparing it does not pay, and its round trips do not matter. */
const maxValues = 1000;

/** The run of prepared INSERTs that begins at `from`. Only INSERTs qualify: their results are never truncated and their row count is not needed. */
export function compoundFrom<S extends Statement>(statements: readonly S[], from: number): readonly S[] {
  let until = from;
  for (let values = 0; until < statements.length; until += 1) {
    const next = statements[until];
    if (next === undefined || next.kind !== 'insert' || next.prepare !== true) break;
    values += next.values.length;
    if (values > maxValues) break;
  }
  return statements.slice(from, until);
}

/** Returns a set of rows for each part with RETURNING, in their order. */
export function compound(parts: readonly Statement[], { opens, closes }: Frame): Statement {
  let text = opens ? 'START TRANSACTION; ' : '';
  for (const [index, part] of parts.entries()) {
    text += `SET ${failedPart} = ${index}; ${part.text}; `;
    if (part.batch !== undefined) text += `${keepKey(part.batch)}; `;
  }
  return {
    kind: 'write',
    tables: parts[0]?.tables ?? noTables,
    text: `BEGIN NOT ATOMIC ${text}${closes ? 'COMMIT; ' : ''}END`,
    values: parts.flatMap(({ values }) => values),
    prepare: true,
  };
}

/** The session variable with the number of the part that was started last. */
const failedPart = '@tain_part';
export const askFailedPart: Statement = { kind: 'read', text: `SELECT ${failedPart}`, values: [] };
