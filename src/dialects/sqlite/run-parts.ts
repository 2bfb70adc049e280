// The statements of one exchange on the worker: one after the other, each with the numbers those before it have counted.

import type { BoundValue } from '../../core/sql/sql.js';
import type { Row } from '../../core/vendor/driver.js';
import type { SqliteStatement } from './connection.js';
import { type PartAnswer, readLateCode, type SentPart, type SentStatement, wanted } from './worker-messages.js';

export class PartFailure extends Error {
  readonly part: number;

  constructor(part: number, cause: unknown) {
    super('a statement of the exchange failed', { cause });
    this.part = part;
  }
}

export function runParts(parts: readonly SentPart[], find: (statement: SentStatement) => SqliteStatement): readonly PartAnswer[] {
  const answers: PartAnswer[] = [];
  for (const [index, part] of parts.entries()) {
    try {
      const [statement, what] = part;
      answers.push(run(find(statement), putLates(part, answers), what));
    } catch (error) {
      throw new PartFailure(index, error);
    }
  }
  return answers;
}

function run(statement: SqliteStatement, values: readonly BoundValue[], what: SentPart[1]): PartAnswer {
  if (what === wanted.rows) return statement.rows(values);
  const count = statement.run(values);
  return what === wanted.count ? count : null;
}

function putLates([[, , values], , numbers, texts]: SentPart, answers: readonly PartAnswer[]): readonly BoundValue[] {
  if (numbers.length === 0 && texts.length === 0) return values;
  const complete = [...values];
  for (let index = 0; index < numbers.length; index += 2)
    complete[numbers[index] ?? 0] = BigInt(numberAt(answers, numbers[index + 1] ?? 0));
  for (const [at, pieces] of texts)
    complete[at] = pieces.map((piece) => (typeof piece === 'string' ? piece : numberAt(answers, piece))).join('');
  return complete;
}

/** Counters ascend in the order of the rows, whatever the order in which they are told. */
function numberAt(answers: readonly PartAnswer[], code: number): string {
  const { statement, row } = readLateCode(code);
  const rows = answers[statement];
  if (!isRows(rows)) throw new Error(`statement ${statement} of the exchange counts nothing`);
  if (rows.length === 1) return String(rows[0]?.[0]);
  const numbers = rows.map(([number]) => Number(number));
  return String(numbers.sort((a, b) => a - b)[row]);
}

const isRows = (answer: PartAnswer | undefined): answer is readonly Row[] => Array.isArray(answer);
