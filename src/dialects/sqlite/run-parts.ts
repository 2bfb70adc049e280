// The statements of one exchange on the worker: one after the other, each with the numbers those before it have counted.

import type { BoundValue } from '../../core/sql/sql.js';
import type { Row } from '../../core/vendor/driver.js';
import type { SqliteStatement } from './connection.js';
import { type PartAnswer, readLateCode, type SentPart, wanted } from './worker-messages.js';

export class PartFailure extends Error {
  readonly part: number;

  constructor(part: number, cause: unknown) {
    super('a statement of the exchange failed', { cause });
    this.part = part;
  }
}

/** By what was sent of it: its slot and, where that is new or none, its text. */
type FindStatement = (slot: number, text: string | null) => SqliteStatement;

export function runParts(parts: readonly SentPart[], find: FindStatement): readonly PartAnswer[] {
  const answers: PartAnswer[] = [];
  const counted = new CountedNumbers(answers);
  for (const [index, part] of parts.entries()) {
    try {
      answers.push(run(find(part[0], part[1]), putLates(part, counted), part[3]));
    } catch (error) {
      throw new PartFailure(index, error);
    }
  }
  return answers;
}

function run(statement: SqliteStatement, values: readonly BoundValue[], what: SentPart[3]): PartAnswer {
  if (what === wanted.rows) return statement.rows(values);
  const count = statement.run(values);
  return what === wanted.count ? count : null;
}

function putLates([, , values, , numbers, texts]: SentPart, counted: CountedNumbers): readonly BoundValue[] {
  if (numbers === null && texts === null) return values;
  const complete = [...values];
  const places = numbers ?? [];
  for (let index = 0; index < places.length; index += 2) complete[places[index] ?? 0] = counted.at(places[index + 1] ?? 0);
  for (const [at, pieces] of texts ?? []) {
    let text = '';
    for (const piece of pieces) text += typeof piece === 'string' ? piece : counted.at(piece);
    complete[at] = text;
  }
  return complete;
}

/** What the statements of the exchange have counted so far. */
class CountedNumbers {
  readonly #answers: readonly PartAnswer[];
  readonly #sorted = new Map<number, readonly bigint[]>();

  constructor(answers: readonly PartAnswer[]) {
    this.#answers = answers;
  }

  at(code: number): bigint {
    const { statement, row } = readLateCode(code);
    const sorted = this.#sorted.get(statement) ?? this.#sort(statement);
    const number = sorted[row];
    if (number === undefined) throw new Error(`statement ${statement} of the exchange does not count so many`);
    return number;
  }

  /** Counters ascend in the order of the rows, whatever the order in which they are told. */
  #sort(statement: number): readonly bigint[] {
    const rows = this.#answers[statement];
    if (!isRows(rows)) throw new Error(`statement ${statement} of the exchange counts nothing`);
    const numbers = rows.map(([number]) => Number(number)).sort((a, b) => a - b);
    const sorted = numbers.map(BigInt);
    this.#sorted.set(statement, sorted);
    return sorted;
  }
}

const isRows = (answer: PartAnswer | undefined): answer is readonly Row[] => Array.isArray(answer);
