// A bulk goes through the stages part by part: while the database writes one part the next is bound, others get their turn in between,
// and what is in between two stages is never more than a few parts.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** So many are one part: what they cost the database depends on their shape alone. */
const wholeLength = 1000;

/** The parts of more: the smaller they are, the sooner the first is written and the less is left when the last is bound. */
const partLength = 250;

/** Payloads that come into being as they are taken. */
export interface PayloadParts {
  /** Lists of at most so many; from the beginning each time. */
  parts(length: number): Iterable<readonly unknown[]>;
}

export type Payloads = readonly unknown[] | PayloadParts;

/** One the database works on, and some that are there when it is done. */
const mostRunning = 3;

export interface PartStages<Ready, Made> {
  /** Null for a part that shall not run, after which none runs. It sees every payload, whatever became of the parts before. */
  readonly prepare: (part: readonly unknown[]) => Ready | null;
  /** Once all of them were seen: throws what counts more than whatever became of the parts. */
  readonly judge: () => void;
  readonly run: (ready: Ready) => Promise<Made>;
  /** Whether it takes several statements, which must not meet those of other parts. */
  readonly runsAlone: (ready: Ready) => boolean;
}

/** What was made of each part, in their order. What is thrown is the same, however many parts there are. */
export async function inParts<Ready, Made>(payloads: Payloads, stages: PartStages<Ready, Made>): Promise<readonly Made[]> {
  const made: Made[] = [];
  const failures: unknown[] = [];
  let running: Promise<void>[] = [];
  const start = (ready: Ready, part: number): Promise<void> =>
    stages.run(ready).then(
      (result) => {
        made[part] = result;
      },
      (error: unknown) => void failures.push(error),
    );
  try {
    let count = 0;
    for (const part of partsOf(payloads)) {
      const ready = stages.prepare(part);
      const alone = ready !== null && stages.runsAlone(ready);
      running = await waitForAllBut(running, alone ? 0 : mostRunning - 1);
      if (ready !== null && failures.length === 0) running.push(start(ready, count));
      if (alone) running = await waitForAllBut(running, 0);
      count += 1;
      // Before the next part is made: what was started has not been sent yet.
      if (part.length >= partLength) await nextTurn();
    }
  } finally {
    // Nobody goes on in the transaction while a part is on its way.
    await waitForAllBut(running, 0);
  }
  stages.judge();
  if (failures.length > 0) throw failures[0];
  return made;
}

/** The latest may go on. */
async function waitForAllBut(running: readonly Promise<void>[], count: number): Promise<Promise<void>[]> {
  const first = Math.max(0, running.length - count);
  await Promise.all(running.slice(0, first));
  return running.slice(first);
}

function* partsOf(payloads: Payloads): Generator<readonly unknown[]> {
  if (!('parts' in payloads)) {
    yield* payloads.length <= wholeLength ? [payloads] : slices(payloads);
    return;
  }
  const parts = payloads.parts(partLength)[Symbol.iterator]();
  const first: unknown[] = [];
  let next = parts.next();
  for (; next.done !== true && first.length + next.value.length <= wholeLength; next = parts.next()) first.push(...next.value);
  yield* next.done === true ? [first] : slices(first);
  for (; next.done !== true; next = parts.next()) yield next.value;
}

function* slices(list: readonly unknown[]): Generator<readonly unknown[]> {
  for (let from = 0; from < list.length; from += partLength) yield list.slice(from, from + partLength);
}
