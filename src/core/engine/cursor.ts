// Cursors: a place in an ordered list as a text that means nothing to anybody else. It holds values of the last item, perhaps of fields
// its caller may not see, so it is sealed; and it opens only for the query and the caller it was made for.

import { invalidQuery } from '../errors/service-error.js';

/** One value of the order as the vendor wrote it for coming back to it; null where the item has none. */
export type Mark = string | number | null;

export interface Cursor {
  readonly backwards: boolean;
  readonly marks: readonly Mark[];
}

export interface Seal {
  seal(text: string, about: string): string;
  /** null for anything that was not sealed here, about the same. */
  open(token: string, about: string): string | null;
}

export const writeCursor = (seal: Seal, cursor: Cursor, about: string): string =>
  seal.seal(JSON.stringify([cursor.backwards, ...cursor.marks]), about);

export function readCursor(seal: Seal, token: string, about: string): Cursor {
  const text = seal.open(token, about);
  if (text === null) throw invalidQuery('The cursor does not belong to this query: take it with the filter and sort it was made for.');
  const [backwards, ...marks] = JSON.parse(text) as readonly [boolean, ...Mark[]];
  return { backwards, marks };
}
