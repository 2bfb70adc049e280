// Runs the statements of one exchange on the worker, one after the other, and fills in the keys that the earlier ones have generated.

import type { BoundValue } from '../../../../core/sql/sql.js';
import type { Row } from '../../../../core/vendor/driver.js';
import { inKeyOrder } from '../../../../core/vendor/key-order.js';
import type { SqliteStatement } from '../connection.js';
import { type PartAnswer, readPendingCode, type SentPart, wanted } from './messages.js';

export class PartFailure extends Error {
  readonly part: number;

  constructor(part: number, cause: unknown) {
    super('a statement of the exchange failed', { cause });
    this.part = part;
  }
}

/** Finds a statement by its slot, or by its text if it has none. */
type FindStatement = (slot: number, text: string | null) => SqliteStatement;

export function runParts(parts: readonly SentPart[], find: FindStatement): readonly PartAnswer[] {
  const answers: PartAnswer[] = [];
  const generated = new GeneratedKeys(answers);
  for (const [index, part] of parts.entries()) {
    try {
      answers.push(run(find(part[0], part[1]), putPending(part, generated), part[3]));
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

function putPending([, , values, , numbers, texts]: SentPart, generated: GeneratedKeys): readonly BoundValue[] {
  if (numbers === null && texts === null) return values;
  const complete = [...values];
  const places = numbers ?? [];
  for (let index = 0; index < places.length; index += 2) complete[places[index] ?? 0] = generated.at(places[index + 1] ?? 0);
  for (const [at, pieces] of texts ?? []) {
    let text = '';
    for (const piece of pieces) text += typeof piece === 'string' ? piece : generated.at(piece);
    complete[at] = text;
  }
  return complete;
}

/** The keys that the statements of the exchange have generated so far. */
class GeneratedKeys {
  readonly #answers: readonly PartAnswer[];
  readonly #ordered = new Map<number, readonly Row[]>();

  constructor(answers: readonly PartAnswer[]) {
    this.#answers = answers;
  }

  at(code: number): bigint {
    const { statement, row } = readPendingCode(code);
    const ordered = this.#ordered.get(statement) ?? this.#order(statement);
    const key = ordered[row]?.[0];
    if (key === undefined) throw new Error(`statement ${statement} of the exchange generates fewer keys`);
    return typeof key === 'bigint' ? key : BigInt(Number(key));
  }

  #order(statement: number): readonly Row[] {
    const rows = this.#answers[statement];
    if (!isRows(rows)) throw new Error(`statement ${statement} of the exchange returns no keys`);
    const ordered = inKeyOrder(rows, 0);
    this.#ordered.set(statement, ordered);
    return ordered;
  }
}

const isRows = (answer: PartAnswer | undefined): answer is readonly Row[] => Array.isArray(answer);
