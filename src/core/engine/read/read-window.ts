// Paging by cursor: one statement reads a page, each item with its place in the order, and one more item, which tells whether a next page
// exists.

import { invalidQuery } from '../../errors/service-error.js';
import type { ParsedQuery } from '../../query/query.js';
import { resultSetKey } from '../../query/query-shape.js';
import type { Row } from '../../vendor/driver.js';
import type { Mark } from '../work/statement-values.js';
import type { Work } from '../work/work.js';
import { type Cursor, readCursor, type Seal, writeCursor } from './cursor.js';
import type { PreparedRead, ReadQuestion } from './prepared-read.js';
import type { ReadRunner } from './read-runner.js';

export interface WindowAnswer {
  /** The items' JSON texts joined by commas. */
  readonly items: string;
  readonly cursor: { readonly next: string | null; readonly previous: string | null };
}

export interface PreparedWindow {
  readonly question: ReadQuestion;
  readonly read: PreparedRead;
  readonly marks: readonly Mark[];
}

export const isWindow = (parsed: ParsedQuery): boolean => parsed.cursor !== null || parsed.meta.includes('cursor');

export async function readWindow(
  runner: ReadRunner,
  seal: Seal,
  work: Work,
  asked: ReadQuestion,
  parsed: ParsedQuery,
): Promise<WindowAnswer> {
  const purpose = purposeOf(work, asked, parsed);
  const cursor = openCursor(seal, parsed, purpose);
  const { question, read, marks } = prepareWindow(runner, work, asked, cursor);
  const found = await runner.rows(work, read, question, { marks });
  const limit = read.limit ?? found.length;
  const backwards = cursor?.backwards === true;
  const rows = backwards ? found.slice(0, limit).reverse() : found.slice(0, limit);
  const hasMore = found.length > limit;
  const place = (row: Row | undefined, way: 'next' | 'previous'): string | null =>
    row === undefined ? null : writeCursor(seal, { backwards: way === 'previous', marks: marksOf(row) }, purpose);
  return {
    items: rows.map((row) => String(row[0])).join(','),
    cursor: {
      next: hasMore || backwards ? place(rows.at(-1), 'next') : null,
      previous: (backwards ? hasMore : cursor !== null) ? place(rows[0], 'previous') : null,
    },
  };
}

/** The prepared window without running it, for EXPLAIN. */
export function prepareWindowOf(runner: ReadRunner, seal: Seal, work: Work, asked: ReadQuestion, parsed: ParsedQuery): PreparedWindow {
  return prepareWindow(runner, work, asked, openCursor(seal, parsed, purposeOf(work, asked, parsed)));
}

function openCursor(seal: Seal, parsed: ParsedQuery, purpose: string): Cursor | null {
  if (parsed.cursor === null) return null;
  if (parsed.query.offset !== null) throw invalidQuery('"cursor" cannot be used beside "offset" or "page".');
  return readCursor(seal, parsed.cursor, purpose);
}

function prepareWindow(runner: ReadRunner, work: Work, asked: ReadQuestion, cursor: Cursor | null): PreparedWindow {
  if (asked.query.aggregate.length > 0 || asked.query.groupBy.length > 0) throw invalidQuery('Groups cannot be paged by cursor.');
  const nulls = cursor === null ? null : cursor.marks.map((mark) => mark === null);
  const question: ReadQuestion = { ...asked, window: { backwards: cursor?.backwards ?? false, nulls } };
  return { question, read: runner.prepare(work.caller, question, work.clock), marks: cursor?.marks ?? [] };
}

/** A cursor is valid for the same items in the same order, requested by the same caller. */
function purposeOf(work: Work, { collection, target, literals }: ReadQuestion, parsed: ParsedQuery): string {
  const keys = target.kind === 'keys' ? literals.at(-1) : null;
  return JSON.stringify([work.caller.accountability.user, collection, resultSetKey(parsed), keys]);
}

const marksOf = (row: Row): readonly Mark[] => JSON.parse(String(row[1])) as readonly Mark[];
