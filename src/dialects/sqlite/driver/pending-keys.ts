// Pending keys on their way to the worker: sent as the key where it is known by now, else as the place in the exchange where it will be
// generated (`pendingCode`), which the worker fills in.

import { PendingKey, type PendingText } from '../../../core/sql/pending-key.js';
import type { BoundValue } from '../../../core/sql/sql.js';
import type { Statement } from '../../../core/vendor/driver.js';
import { pendingCode, type SentPart, type Wanted } from './worker/messages.js';

export interface ExchangePart {
  readonly statement: Statement;
  readonly wanted: Wanted;
}

export interface SentPending {
  readonly values: readonly BoundValue[];
  readonly numbers: SentPart[4];
  readonly texts: SentPart[5];
}

const none: readonly never[] = [];

export function sendPending(parts: readonly ExchangePart[], { values, pending = none }: Statement): SentPending {
  if (pending.length === 0) return { values, numbers: null, texts: null };
  const complete = [...values];
  const numbers: number[] = [];
  const texts: [number, readonly (string | number)[]][] = [];
  // The same text at two places becomes the same list, which structured cloning sends once.
  const pieces = new Map<PendingText, readonly (string | number)[]>();
  for (const { at, pending: value } of pending) {
    if (value instanceof PendingKey) {
      const piece = pieceOf(parts, value);
      if (typeof piece === 'number') numbers.push(at, piece);
      else complete[at] = BigInt(piece);
    } else {
      const known = pieces.get(value) ?? value.parts.map((part) => (typeof part === 'string' ? part : pieceOf(parts, part)));
      pieces.set(value, known);
      texts.push([at, known]);
    }
  }
  return { values: complete, numbers: numbers.length === 0 ? null : numbers, texts: texts.length === 0 ? null : texts };
}

/** The text of a key that is known, or the code of one that is not. */
function pieceOf(parts: readonly ExchangePart[], key: PendingKey): string | number {
  const current = key.current();
  if (current !== key) return String(current);
  return pendingCode(
    parts.findIndex(({ statement }) => statement.batch === key.batch),
    key.row,
  );
}
