// Limits how many callers work at a time. The others wait: users take turns, and each user's own callers keep their order, so that nobody
// waits for more than one caller of each other user.

export class Turns {
  #free: number;
  /** By user, in the order in which the users get their next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Resolves to the function that ends the turn. */
  async take(user: string): Promise<() => void> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#wait(user, resolve));
    else this.#free -= 1;
    return () => this.#end();
  }

  #wait(user: string, begin: () => void): void {
    const waiting = this.#waiting.get(user);
    if (waiting === undefined) this.#waiting.set(user, [begin]);
    else waiting.push(begin);
  }

  #end(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    const [user, waiting] = next;
    const begin = waiting.shift();
    this.#waiting.delete(user);
    if (waiting.length > 0) this.#waiting.set(user, waiting);
    begin?.();
  }
}
