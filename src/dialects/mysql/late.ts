// Late values on MariaDB: the driver keeps the first number an INSERT counted in a variable of the session, and later statements of the
// same transaction read it there. Numbers that one INSERT counts stand side by side, in the order of its rows.

import { type Counter, LateValue } from '../../core/sql/late-value.js';
import type { LateSyntax } from '../../core/sql/syntax.js';

const variable = ({ place }: Counter): string => `@tain_counter${place}`;

/** Stands behind the INSERT that counts. */
export const keepNumber = (counter: Counter): string => `SET ${variable(counter)} = LAST_INSERT_ID()`;

const numberOf = ({ counter, row }: LateValue): string =>
  row === 0 ? variable(counter) : `(${variable(counter)} + ${row} * @@auto_increment_increment)`;

/** No JSON text has such a character in it. */
const mark = (place: number): string => `\u0001${place}\u0001`;

export const mariadbLate: LateSyntax = {
  inText: true,
  keep: () => null,
  write(late, placeholder) {
    if (late instanceof LateValue) return numberOf(late);
    return late.values.reduce((text, number, place) => `REPLACE(${text}, '${mark(place)}', ${numberOf(number)})`, placeholder);
  },
  bound: (late) => (late instanceof LateValue ? undefined : late.template((text) => text, mark)),
};
