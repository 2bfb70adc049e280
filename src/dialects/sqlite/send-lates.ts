// Late values on their way to the worker: as the numbers they are by now, or as the place in the exchange where they will be made.

import { type LateText, LateValue } from '../../core/sql/late-value.js';
import type { BoundValue } from '../../core/sql/sql.js';
import type { Statement } from '../../core/vendor/driver.js';
import { lateCode, type SentPart, type Wanted } from './worker-messages.js';

export interface ExchangePart {
  readonly statement: Statement;
  readonly wanted: Wanted;
}

export interface SentLates {
  readonly values: readonly BoundValue[];
  readonly numbers: SentPart[4];
  readonly texts: SentPart[5];
}

const none: readonly never[] = [];

export function sendLates(parts: readonly ExchangePart[], { values, lates = none }: Statement): SentLates {
  if (lates.length === 0) return { values, numbers: null, texts: null };
  const complete = [...values];
  const numbers: number[] = [];
  const texts: [number, readonly (string | number)[]][] = [];
  // The same text at two places is the same list, which is sent once.
  const pieces = new Map<LateText, readonly (string | number)[]>();
  for (const { at, late } of lates) {
    if (late instanceof LateValue) {
      const piece = pieceOf(parts, late);
      if (typeof piece === 'number') numbers.push(at, piece);
      else complete[at] = BigInt(piece);
    } else {
      const known = pieces.get(late) ?? late.parts.map((part) => (typeof part === 'string' ? part : pieceOf(parts, part)));
      pieces.set(late, known);
      texts.push([at, known]);
    }
  }
  return { values: complete, numbers: numbers.length === 0 ? null : numbers, texts: texts.length === 0 ? null : texts };
}

/** The text of a number that is known, or the code of one that is not. */
function pieceOf(parts: readonly ExchangePart[], late: LateValue): string | number {
  const now = late.now();
  if (now !== late) return String(now);
  return lateCode(
    parts.findIndex(({ statement }) => statement.counter === late.counter),
    late.row,
  );
}
