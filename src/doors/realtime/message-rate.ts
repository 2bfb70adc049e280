// Counts what a client sends before anything of it is parsed: messages, and the pings and pongs of the WebSocket protocol. Beyond the limit of
// requests a message is refused; a client that goes on far beyond it is a flood, and its connection is closed.

const windowMs = 1_000;
/** A connection may send this many times the limit of requests in a second. */
const floodFactor = 2;
/** All connections of a user may send this many times the limit together, and one message more for each of them: answers to our pings. */
const userFloodFactor = 10;

export class MessageRate {
  #count = 0;
  #endsAt = 0;

  /** Counts one more and returns how many these are in the present second. */
  count(): number {
    const now = performance.now();
    if (now >= this.#endsAt) {
      this.#endsAt = now + windowMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count;
  }
}

/** `limit`: of requests per second; null: none. */
export const isFlood = (limit: number | null, ofConnection: number, ofUser: number, connections: number): boolean =>
  limit !== null && (ofConnection > floodFactor * limit || ofUser > userFloodFactor * limit + connections);
