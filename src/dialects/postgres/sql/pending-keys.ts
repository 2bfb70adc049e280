// Pending keys on PostgreSQL. The RETURNING clause of an INSERT stores the generated keys in a setting that lives as long as the
// transaction, and later statements of the same exchange read them there.

import { type GeneratedKeys, PendingKey } from '../../../core/sql/pending-key.js';
import { type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { PendingSyntax } from '../../../core/sql/syntax.js';

const setting = ({ place }: GeneratedKeys): string => `'tain.keys${place}'`;

function keySql({ batch, row }: PendingKey): string {
  const keys = `current_setting(${setting(batch)})`;
  return batch.rows === 1 ? keys : `split_part(${keys}, ',', ${row + 1})`;
}

/** Each of several rows appends its key to those before it. */
function keep(batch: GeneratedKeys, column: Sql): Sql {
  const name = trusted(setting(batch));
  const keys = batch.rows === 1 ? sql`${column}::text` : sql`concat(current_setting(${name}, true), ${column}, ',')`;
  return sql`set_config(${name}, ${keys}, true)`;
}

const escapePercent = (text: string): string => text.replaceAll('%', '%%');

export const postgresPending: PendingSyntax = {
  inText: true,
  keep,
  write(pending, placeholder) {
    if (pending instanceof PendingKey) return keySql(pending);
    return `format(${[`${placeholder}::text`, ...pending.keys.map(keySql)].join(', ')})`;
  },
  bound: (pending) => (pending instanceof PendingKey ? undefined : pending.template(escapePercent, () => '%s')),
};
