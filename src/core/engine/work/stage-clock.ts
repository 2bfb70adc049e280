// The time that the stages of the pipeline take for one request, for the Server-Timing header, the metrics and the traces. With one of these on
// the HTTP frame makes one clock per request and passes it to the engine in `Work`; otherwise there is no clock and nothing is measured.

import type { Statement } from '../../vendor/driver.js';

export const stages = ['parse', 'bind', 'plan', 'sql', 'run', 'answer'] as const;

export type Stage = (typeof stages)[number];

/** One interval of a stage. A request may enter a stage several times, and its statements may run concurrently. */
export interface StageStretch {
  readonly stage: Stage;
  /** As of `performance.now()`. */
  readonly from: number;
  readonly to: number;
  /** The statement that was sent in this interval, if it is known. */
  readonly statement?: Statement | undefined;
  /** Set if the stage ended with an error. */
  readonly failure?: { readonly error: unknown };
}

export type StageListener = (stretch: StageStretch) => void;

export class StageClock {
  readonly #listener: StageListener | null;
  readonly #spent = new Map<Stage, number>();
  #stage: Stage | null = null;
  /** When the current stage began, or the last one ended. */
  #since = performance.now();
  #statements = 0;
  #runningSince = 0;
  #ended = false;

  /** `listener` is called with each interval when it ends. */
  constructor(listener: StageListener | null = null) {
    this.#listener = listener;
  }

  /** Begins a stage and ends the one under way. Stages other than `run` are synchronous: call `stop` before anything is awaited. */
  start(stage: Stage): void {
    this.stop();
    this.#stage = stage;
  }

  stop(): void {
    this.#stop();
  }

  /** Ends the stage that an error has ended. */
  fail(error: unknown): void {
    if (this.#stage !== null) this.#stop({ failure: { error } });
  }

  /** Counts the time in which at least one statement is under way as `run`: statements that run side by side do not add up. */
  async run<T>(send: () => Promise<T>, statement?: Statement): Promise<T> {
    this.stop();
    const from = this.#since;
    if (this.#statements === 0) this.#runningSince = from;
    this.#statements += 1;
    const end = (how: Pick<StageStretch, 'failure'> = {}): void => {
      this.stop();
      this.#statements -= 1;
      if (this.#statements === 0) this.#add('run', this.#since - this.#runningSince);
      this.#listener?.({ stage: 'run', from, to: this.#since, statement, ...how });
    };
    try {
      const result = await send();
      end();
      return result;
    } catch (error) {
      end({ failure: { error } });
      throw error;
    }
  }

  /** Measures a statement that `send` may answer synchronously. null: it did not, and the caller sends the statement. */
  runAtOnce<T>(send: () => T | null, statement: Statement): T | null {
    this.start('run');
    try {
      const result = send();
      if (result === null) this.#stage = null;
      else this.#stop({ statement });
      return result;
    } catch (error) {
      this.#stop({ statement, failure: { error } });
      throw error;
    }
  }

  /** The milliseconds of each stage that was needed. The time since the last one is `answer`, up to the first call. */
  end(): ReadonlyMap<Stage, number> {
    if (!this.#ended) {
      this.#stage = 'answer';
      this.#stop();
    }
    this.#ended = true;
    return this.#spent;
  }

  /** The value of the header. */
  header(): string {
    this.end();
    return stages.flatMap((stage) => this.#text(stage) ?? []).join(', ');
  }

  #stop(how: Pick<StageStretch, 'statement' | 'failure'> = {}): void {
    const now = performance.now();
    if (this.#stage !== null) {
      this.#add(this.#stage, now - this.#since);
      this.#listener?.({ stage: this.#stage, from: this.#since, to: now, ...how });
    }
    this.#stage = null;
    this.#since = now;
  }

  #add(stage: Stage, milliseconds: number): void {
    this.#spent.set(stage, (this.#spent.get(stage) ?? 0) + milliseconds);
  }

  #text(stage: Stage): string | null {
    const spent = this.#spent.get(stage);
    return spent === undefined ? null : `${stage};dur=${spent.toFixed(3)}`;
  }
}
