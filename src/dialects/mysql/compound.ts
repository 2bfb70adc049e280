// INSERTs of a transaction in one exchange, with its beginning and its end around them: a compound statement of MariaDB, which can be
// prepared like any other. Each way to the server and back costs more than a small INSERT.

import type { Statement } from '../../core/vendor/driver.js';
import { keepNumber } from './late.js';

export interface Frame {
  /** Whether the transaction begins, and whether it ends with these. */
  readonly opens: boolean;
  readonly closes: boolean;
}

/** Longer ones hardly come again, and their ways do not weigh. */
const mostValues = 1000;

/** The INSERTs side by side from a place on. Nothing else: what they answer is never cut, and nobody asks how many rows they touched. */
export function compoundFrom<S extends Statement>(statements: readonly S[], from: number): readonly S[] {
  let until = from;
  for (let values = 0; until < statements.length; until += 1) {
    const next = statements[until];
    if (next === undefined || next.prepare !== true || !next.text.startsWith('INSERT INTO ')) break;
    values += next.values.length;
    if (values > mostValues) break;
  }
  return statements.slice(from, until);
}

/** Answers a set of rows for each part with RETURNING, in their order. */
export function compound(parts: readonly Statement[], { opens, closes }: Frame): Statement {
  let text = opens ? 'START TRANSACTION; ' : '';
  for (const [index, part] of parts.entries()) {
    text += `SET ${failedPart} = ${index}; ${part.text}; `;
    if (part.counter !== undefined) text += `${keepNumber(part.counter)}; `;
  }
  return {
    text: `BEGIN NOT ATOMIC ${text}${closes ? 'COMMIT; ' : ''}END`,
    values: parts.flatMap(({ values }) => values),
    prepare: true,
  };
}

/** The part that ran last: the error itself does not say whose it is. */
const failedPart = '@tain_part';
export const askFailedPart: Statement = { text: `SELECT ${failedPart}`, values: [] };
