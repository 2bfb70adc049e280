// How long each stage of the pipeline took for one request; the names are those of the folders, the header is Server-Timing.

export type Stage = 'parse' | 'bind' | 'plan' | 'sql' | 'run' | 'answer';

const stages: readonly Stage[] = ['parse', 'bind', 'plan', 'sql', 'run', 'answer'];

export class Timings {
  readonly #spent = new Map<Stage, number>();

  add(stage: Stage, milliseconds: number): void {
    this.#spent.set(stage, (this.#spent.get(stage) ?? 0) + milliseconds);
  }

  measure<T>(stage: Stage, work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.add(stage, performance.now() - started);
    }
  }

  async measureAsync<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.add(stage, performance.now() - started);
    }
  }

  /** The value of the Server-Timing header; empty when nothing was measured. */
  toHeader(): string {
    return stages
      .filter((stage) => this.#spent.has(stage))
      .map((stage) => `${stage};dur=${(this.#spent.get(stage) ?? 0).toFixed(2)}`)
      .join(', ');
  }
}
