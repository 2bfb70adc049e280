// The time that the stages of the pipeline take for one request, for the Server-Timing header and the metrics. With SERVER_TIMING or METRICS on
// the HTTP frame makes one clock per request and passes it to the engine in `Work`; otherwise there is no clock and nothing is measured.

export const stages = ['parse', 'bind', 'plan', 'sql', 'run', 'answer'] as const;

export type Stage = (typeof stages)[number];

export class StageClock {
  readonly #spent = new Map<Stage, number>();
  #stage: Stage | null = null;
  /** When the stage under way began, or the last one ended. */
  #since = performance.now();
  #statements = 0;
  #runningSince = 0;
  #ended = false;

  /** Begins a stage and ends the one under way. Stages other than `run` are synchronous: call `stop` before anything is awaited. */
  start(stage: Stage): void {
    this.stop();
    this.#stage = stage;
  }

  stop(): void {
    const now = performance.now();
    if (this.#stage !== null) this.#add(this.#stage, now - this.#since);
    this.#stage = null;
    this.#since = now;
  }

  /** Counts the time in which at least one statement is under way as `run`: statements that run side by side do not add up. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    this.stop();
    if (this.#statements === 0) this.#runningSince = this.#since;
    this.#statements += 1;
    try {
      return await send();
    } finally {
      this.stop();
      this.#statements -= 1;
      if (this.#statements === 0) this.#add('run', this.#since - this.#runningSince);
    }
  }

  /** The milliseconds of each stage that was needed. The time since the last one is `answer`, up to the first call. */
  end(): ReadonlyMap<Stage, number> {
    if (!this.#ended) this.#add('answer', performance.now() - this.#since);
    this.#ended = true;
    return this.#spent;
  }

  /** The value of the header. */
  header(): string {
    this.end();
    return stages.flatMap((stage) => this.#text(stage) ?? []).join(', ');
  }

  #add(stage: Stage, milliseconds: number): void {
    this.#spent.set(stage, (this.#spent.get(stage) ?? 0) + milliseconds);
  }

  #text(stage: Stage): string | null {
    const spent = this.#spent.get(stage);
    return spent === undefined ? null : `${stage};dur=${spent.toFixed(3)}`;
  }
}
