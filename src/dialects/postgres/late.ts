// Late values on PostgreSQL: an INSERT leaves the numbers it counted in a setting of the transaction, and later statements of the same
// exchange read them there.

import { type Counter, LateValue } from '../../core/sql/late-value.js';
import { type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { LateSyntax } from '../../core/sql/syntax.js';

const setting = ({ place }: Counter): string => `'tain.counter${place}'`;

function numberOf({ counter, row }: LateValue): string {
  const kept = `current_setting(${setting(counter)})`;
  return counter.rows === 1 ? kept : `split_part(${kept}, ',', ${row + 1})`;
}

/** Of several rows each adds its number behind those before it. */
function keep(counter: Counter, column: Sql): Sql {
  const name = trusted(setting(counter));
  const kept = counter.rows === 1 ? sql`${column}::text` : sql`concat(current_setting(${name}, true), ${column}, ',')`;
  return sql`set_config(${name}, ${kept}, true)`;
}

const escapePercent = (text: string): string => text.replaceAll('%', '%%');

export const postgresLate: LateSyntax = {
  inText: true,
  keep,
  write(late, placeholder) {
    if (late instanceof LateValue) return numberOf(late);
    return `format(${[`${placeholder}::text`, ...late.values.map(numberOf)].join(', ')})`;
  },
  bound: (late) => (late instanceof LateValue ? undefined : late.template(escapePercent, () => '%s')),
};
