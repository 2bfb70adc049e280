// The statements of one exchange on the worker: one after the other, each with the numbers those before it have counted.

import type { BoundValue } from '../../core/sql/sql.js';
import type { Row } from '../../core/vendor/driver.js';
import type { SqliteStatement } from './connection.js';
import { type PartAnswer, type SentLate, type SentPart, type SentStatement, wanted } from './worker-messages.js';

export class PartFailure extends Error {
  readonly part: number;

  constructor(part: number, cause: unknown) {
    super('a statement of the exchange failed', { cause });
    this.part = part;
  }
}

export function runParts(parts: readonly SentPart[], find: (statement: SentStatement) => SqliteStatement): readonly PartAnswer[] {
  const answers: PartAnswer[] = [];
  for (const [index, { statement, wanted: what, lates }] of parts.entries()) {
    try {
      const values = lates.length === 0 ? statement[2] : putLates(statement[2], lates, answers);
      answers.push(run(find(statement), values, what));
    } catch (error) {
      throw new PartFailure(index, error);
    }
  }
  return answers;
}

function run(statement: SqliteStatement, values: readonly BoundValue[], what: SentPart['wanted']): PartAnswer {
  if (what === wanted.rows) return statement.rows(values);
  const count = statement.run(values);
  return what === wanted.count ? count : null;
}

function putLates(values: readonly BoundValue[], lates: readonly SentLate[], answers: readonly PartAnswer[]): readonly BoundValue[] {
  const complete = [...values];
  for (const { at, isText, parts } of lates) {
    const text = parts.map((part) => (typeof part === 'string' ? part : numberAt(answers, part.statement, part.row))).join('');
    complete[at] = isText ? text : BigInt(text);
  }
  return complete;
}

/** Counters ascend in the order of the rows, whatever the order in which they are told. */
function numberAt(answers: readonly PartAnswer[], statement: number, row: number): string {
  const rows = answers[statement];
  if (!isRows(rows)) throw new Error(`statement ${statement} of the exchange counts nothing`);
  const numbers = rows.map(([number]) => Number(number));
  return String(numbers.sort((a, b) => a - b)[row]);
}

const isRows = (answer: PartAnswer | undefined): answer is readonly Row[] => Array.isArray(answer);
