// Bounds how many requests start in one turn of the event loop; the others start in the next turns, in their order. Node accepts one new
// connection in each turn, so connections that are always busy would otherwise keep new ones out for seconds.

/** Enough that a turn costs little for each request, and so few that a turn takes milliseconds. */
const maxPerTurn = 8;

/** A client may send requests without waiting for answers. Those beyond this number start at once, so that the queue costs no memory. */
const maxWaiting = 1_000;

export function takeTurns<Request extends readonly unknown[]>(start: (...request: Request) => void): (...request: Request) => void {
  const waiting: Request[] = [];
  let started = 0;

  function startNext(): void {
    const next = waiting.shift();
    if (next !== undefined) start(...next);
  }

  /** Runs after the sockets of a turn have been read. Each request that waits is started by a callback of its own, so that what it queues runs before the next. */
  function endTurn(): void {
    started = Math.min(waiting.length, maxPerTurn);
    if (started === 0) return;
    for (let count = 0; count < started; count += 1) setImmediate(startNext);
    setImmediate(endTurn);
  }

  return (...request) => {
    if (started < maxPerTurn && waiting.length === 0) {
      started += 1;
      if (started === 1) setImmediate(endTurn);
      start(...request);
    } else if (waiting.length < maxWaiting) waiting.push(request);
    else start(...request);
  };
}
