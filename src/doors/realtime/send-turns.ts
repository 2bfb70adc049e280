// Bounds how many sockets are written to in one turn of the event loop. What a thousand subscribers are told at once takes tens of milliseconds to
// write, and requests would wait for all of it: on SQLite the next write of anybody, whose statements go back and forth between two threads.

/** A frame takes about 20 microseconds. */
const mostPerTurn = 50;

export class SendTurns {
  /** In this turn. */
  #sent = 0;
  #waiting: (() => void)[] = [];
  #isCounting = false;

  /** Sends now, or in one of the next turns, behind what waits already. */
  send(act: () => void): void {
    if (this.#sent >= mostPerTurn || this.#waiting.length > 0) this.#waiting.push(act);
    else {
      this.#sent += 1;
      act();
    }
    this.#endTurn();
  }

  #endTurn(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    setImmediate(() => this.#begin());
  }

  #begin(): void {
    this.#isCounting = false;
    const next = this.#waiting.splice(0, mostPerTurn);
    this.#sent = next.length;
    if (next.length > 0) this.#endTurn();
    for (const act of next) act();
  }
}
