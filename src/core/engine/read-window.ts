// Paging by cursor: one statement reads a page, each item with its place in the order, and one item more to know whether it goes on.

import { invalidQuery } from '../errors/service-error.js';
import type { ParsedQuery } from '../query/query.js';
import { meaningOf } from '../query/query-meaning.js';
import type { Row } from '../vendor/driver.js';
import { type Cursor, type Mark, readCursor, type Seal, writeCursor } from './cursor.js';
import type { ReadPlan, ReadQuestion } from './read-plan.js';
import type { ReadRunner } from './read-runner.js';
import type { Work } from './work.js';

export interface WindowAnswer {
  /** The items' JSON texts joined by commas. */
  readonly items: string;
  readonly cursor: { readonly next: string | null; readonly previous: string | null };
}

export interface PlannedWindow {
  readonly question: ReadQuestion;
  readonly plan: ReadPlan;
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
  const about = purposeOf(work, asked, parsed);
  const cursor = openCursor(seal, parsed, about);
  const { question, plan, marks } = planWindow(runner, work, asked, cursor);
  const found = await runner.rows(work, plan, question, { marks });
  const limit = plan.limit ?? found.length;
  const backwards = cursor?.backwards === true;
  const rows = backwards ? found.slice(0, limit).reverse() : found.slice(0, limit);
  const goesOn = found.length > limit;
  const place = (row: Row | undefined, way: 'next' | 'previous'): string | null =>
    row === undefined ? null : writeCursor(seal, { backwards: way === 'previous', marks: marksOf(row) }, about);
  return {
    items: rows.map((row) => String(row[0])).join(','),
    cursor: {
      next: goesOn || backwards ? place(rows.at(-1), 'next') : null,
      previous: (backwards ? goesOn : cursor !== null) ? place(rows[0], 'previous') : null,
    },
  };
}

/** The window without running it, for explaining. */
export function findWindow(runner: ReadRunner, seal: Seal, work: Work, asked: ReadQuestion, parsed: ParsedQuery): PlannedWindow {
  return planWindow(runner, work, asked, openCursor(seal, parsed, purposeOf(work, asked, parsed)));
}

function openCursor(seal: Seal, parsed: ParsedQuery, about: string): Cursor | null {
  if (parsed.cursor === null) return null;
  if (parsed.query.offset !== null) throw invalidQuery('"cursor" cannot be used beside "offset" or "page".');
  return readCursor(seal, parsed.cursor, about);
}

function planWindow(runner: ReadRunner, work: Work, asked: ReadQuestion, cursor: Cursor | null): PlannedWindow {
  if (asked.query.aggregate.length > 0 || asked.query.groupBy.length > 0) throw invalidQuery('Groups cannot be paged by cursor.');
  const nulls = cursor === null ? null : cursor.marks.map((mark) => mark === null);
  const question: ReadQuestion = { ...asked, window: { backwards: cursor?.backwards ?? false, nulls } };
  return { question, plan: runner.plan(work.caller, question), marks: cursor?.marks ?? [] };
}

/** A cursor is good for the same items in the same order, asked for by the same caller. */
function purposeOf(work: Work, { collection, target, literals }: ReadQuestion, parsed: ParsedQuery): string {
  const keys = target.kind === 'keys' ? literals.at(-1) : null;
  return JSON.stringify([work.caller.accountability.user, collection, meaningOf(parsed), keys]);
}

const marksOf = (row: Row): readonly Mark[] => JSON.parse(String(row[1])) as readonly Mark[];
