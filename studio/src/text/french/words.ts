// What French does to words beside a number or a name.

import { groupedIn } from '../grouped.js';

const grouped = groupedIn('fr');

/** None and one are singular; numbers may come as people write them. */
export const counted = (count: number | string, one: string, other: string): string =>
  `${typeof count === 'number' ? grouped(count) : count} ${['0', '1'].includes(String(count)) ? one : other}`;

/** Before a vowel, “de” loses its own. */
export const of = (name: string): string => (/^[aeiouàâäéèêëîïôöùûüæœ]/i.test(name) ? `d’${name}` : `de ${name}`);
