// Runs a bulk part by part: while the database writes one part, the next one is bound. Other requests get their turn in between, and only a few
// parts are in memory at a time.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bulks of up to this many payloads are one part, so that a small bulk is one statement per shape. */
const wholeLength = 1000;

/** The size of the parts of larger bulks. Small parts start the database early and leave little to write after the last one is bound. */
const partLength = 250;

/** Payloads that are parsed as they are taken. */
export interface PayloadParts {
  /** Lists of at most `length` payloads; each call starts from the beginning. */
  parts(length: number): Iterable<readonly unknown[]>;
}

export type Payloads = readonly unknown[] | PayloadParts;

/** Whether the body is read in parts. A client cannot fake this: JSON contains no functions. */
export const isInParts = (body: unknown): body is PayloadParts =>
  typeof body === 'object' && body !== null && 'parts' in body && typeof body.parts === 'function';

/** One part that the database is writing, and two that are queued behind it. */
const mostRunning = 3;

export interface PartStages<Ready, Made> {
  /** Called for every part, even after a failure, so that all refusals are found. null: this part and those behind it do not run. */
  readonly prepare: (part: readonly unknown[]) => Ready | null;
  /** Called when all parts were prepared: throws refusals, which take precedence over failures of parts that ran. */
  readonly judge: () => void;
  readonly run: (ready: Ready) => Promise<Made>;
  /** Whether the part needs several statements, which must not mix with those of other parts. */
  readonly runsAlone: (ready: Ready) => boolean;
}

/** Resolves to the results of the parts in order. The error does not depend on how the payloads are split. */
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
      // Lets the started part be sent before the next one is prepared.
      if (part.length >= partLength) await nextTurn();
    }
  } finally {
    // The transaction must not go on while a part is under way.
    await waitForAllBut(running, 0);
  }
  stages.judge();
  if (failures.length > 0) throw failures[0];
  return made;
}

/** Waits until at most `count` of them, the latest, are still running. */
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
