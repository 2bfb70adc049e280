// Pending keys on MariaDB. The driver stores the first key of an INSERT in a session variable, and later statements of the transaction read
// it there. The keys of one INSERT follow each other at a fixed distance, in the order of its rows.

import { type GeneratedKeys, PendingKey } from '../../../core/sql/pending-key.js';
import type { PendingSyntax } from '../../../core/sql/syntax.js';

const variable = ({ place }: GeneratedKeys): string => `@tain_keys${place}`;

/** Runs directly behind the INSERT. */
export const keepKey = (batch: GeneratedKeys): string => `SET ${variable(batch)} = LAST_INSERT_ID()`;

const keySql = ({ batch, row }: PendingKey): string =>
  row === 0 ? variable(batch) : `(${variable(batch)} + ${row} * @@auto_increment_increment)`;

/** JSON text never contains this control character, so the marks of a template cannot be confused with its text. */
const mark = (place: number): string => `\u0001${place}\u0001`;

export const mariadbPending: PendingSyntax = {
  inText: true,
  keep: () => null,
  write(pending, placeholder) {
    if (pending instanceof PendingKey) return keySql(pending);
    return pending.keys.reduce((text, key, place) => `REPLACE(${text}, '${mark(place)}', ${keySql(key)})`, placeholder);
  },
  bound: (pending) => (pending instanceof PendingKey ? undefined : pending.template((text) => text, mark)),
};
