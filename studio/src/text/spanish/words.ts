// What Spanish does to words beside a number.

import { groupedIn } from '../grouped.js';

const grouped = groupedIn('es');

/** Only one is singular; numbers may come as people write them. */
export const counted = (count: number | string, one: string, other: string): string =>
  `${typeof count === 'number' ? grouped(count) : count} ${String(count) === '1' ? one : other}`;
