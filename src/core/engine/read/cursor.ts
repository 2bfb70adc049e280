// Cursors: a place in an ordered list as an opaque text. It holds values of the last item, perhaps of fields its caller may not see, so it is
// sealed, and it opens only for the query and the caller it was made for.

import { invalidQuery } from '../../errors/service-error.js';
import type { Mark } from '../work/statement-values.js';

export interface Cursor {
  readonly backwards: boolean;
  readonly marks: readonly Mark[];
}

export interface Seal {
  seal(text: string, purpose: string): string;
  /** null for anything that was not sealed by this service for the same purpose. */
  open(token: string, purpose: string): string | null;
}

export const writeCursor = (seal: Seal, cursor: Cursor, purpose: string): string =>
  seal.seal(JSON.stringify([cursor.backwards, ...cursor.marks]), purpose);

export function readCursor(seal: Seal, token: string, purpose: string): Cursor {
  const text = seal.open(token, purpose);
  if (text === null) throw invalidQuery('The cursor does not belong to this query: take it with the filter and sort it was made for.');
  const [backwards, ...marks] = JSON.parse(text) as readonly [boolean, ...Mark[]];
  return { backwards, marks };
}
