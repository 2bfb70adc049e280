// Late values on their way to the worker: as the numbers they are by now, or as the place in the exchange where they will be made.

import { LateValue } from '../../core/sql/late-value.js';
import type { Statement } from '../../core/vendor/driver.js';
import type { SentLate, Wanted } from './worker-messages.js';

export interface ExchangePart {
  readonly statement: Statement;
  readonly wanted: Wanted;
}

const none: readonly SentLate[] = [];

export function sendLates(parts: readonly ExchangePart[], { lates = [] }: Statement): readonly SentLate[] {
  if (lates.length === 0) return none;
  return lates.map(({ at, late }) => {
    const values = late instanceof LateValue ? [late] : late.parts;
    return {
      at,
      isText: !(late instanceof LateValue),
      parts: values.map((part) => (typeof part === 'string' ? part : placeOf(parts, part))),
    };
  });
}

function placeOf(parts: readonly ExchangePart[], late: LateValue): string | { readonly statement: number; readonly row: number } {
  const now = late.now();
  if (now !== late) return String(now);
  return { statement: parts.findIndex(({ statement }) => statement.counter === late.counter), row: late.row };
}
