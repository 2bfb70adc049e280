// The functions of extensions that nobody waits for: so many run at once, so many wait, and what comes on top is dropped and said in the log.
// What must not be missed is `durable`.

const mostAtOnce = 50;
const mostWaiting = 1_000;

interface Waiting {
  readonly where: string;
  readonly run: () => Promise<void>;
}

export class AfterCommits {
  readonly #report: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();
  readonly #waiting: Waiting[] = [];
  #dropped = 0;
  #saidAt = -Infinity;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  start(where: string, run: () => Promise<void>): void {
    if (this.#waiting.length >= mostWaiting) this.#drop(where);
    else this.#waiting.push({ where, run });
    this.#next();
  }

  /** Resolves when all that was started has ended: each has a deadline. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #next(): void {
    while (this.#running.size < mostAtOnce) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const work = next
        .run()
        .catch(this.#report)
        .finally(() => {
          this.#running.delete(work);
          this.#next();
        });
      this.#running.add(work);
    }
  }

  /** Said once in ten seconds: a line for each would be the next thing that is too much. */
  #drop(where: string): void {
    this.#dropped += 1;
    if (performance.now() - this.#saidAt < 10_000) return;
    this.#report(
      new Error(`${mostWaiting} functions of extensions wait after commits, so ${this.#dropped} were dropped, the last one ${where}`),
    );
    this.#saidAt = performance.now();
    this.#dropped = 0;
  }
}
