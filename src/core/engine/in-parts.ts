// A bulk goes through the stages part by part: while the database writes one part the next is bound, others get their turn in between,
// and what is in between two stages is never more than a few parts.

import { setImmediate as nextTurn } from 'node:timers/promises';

const partLength = 1000;

/** Payloads that come into being as they are taken. */
export interface PayloadParts {
  /** Lists of at most so many; from the beginning each time. */
  parts(length: number): Iterable<readonly unknown[]>;
}

export type Payloads = readonly unknown[] | PayloadParts;

/** One the database works on, and one that is there when it is done. */
const mostRunning = 2;

/**
 * `prepare` answers null for a part that shall not run, after which none runs. It sees every entry, whatever became of the parts before:
 * what it throws is the same then, however many parts there are.
 */
export async function inParts<Ready, Made>(
  payloads: Payloads,
  prepare: (part: readonly unknown[]) => Ready | null,
  run: (ready: Ready) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  const failures: unknown[] = [];
  const running: Promise<void>[] = [];
  const start = (ready: Ready, part: number): Promise<void> =>
    run(ready).then(
      (result) => {
        made[part] = result;
      },
      (error: unknown) => void failures.push(error),
    );
  try {
    let count = 0;
    for (const part of partsOf(payloads)) {
      const ready = prepare(part);
      if (running.length === mostRunning) await running.shift();
      if (ready !== null && failures.length === 0) running.push(start(ready, count));
      count += 1;
      // Before the next part is made: what was started has not been sent yet.
      if (part.length === partLength) await nextTurn();
    }
  } finally {
    // Nobody goes on in the transaction while a part is on its way.
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
  return made;
}

function* partsOf(payloads: Payloads): Generator<readonly unknown[]> {
  if ('parts' in payloads) yield* payloads.parts(partLength);
  else if (payloads.length <= partLength) yield payloads;
  else for (let from = 0; from < payloads.length; from += partLength) yield payloads.slice(from, from + partLength);
}
