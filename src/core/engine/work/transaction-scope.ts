// The identity of one transaction, or of one rehearsal inside it. Hooks that keep something per transaction (history, the check for the last
// administrator) keep it by the scope; copies of a work with another caller share it.

type ClosingStep = () => Promise<void>;

export class TransactionScope {
  readonly #steps: ClosingStep[] = [];

  /** Runs `step` inside the transaction, after all other work and before the commit. */
  beforeCommit(step: ClosingStep): void {
    this.#steps.push(step);
  }

  /** Runs the steps in the order in which they came, and those that they add. */
  async close(): Promise<void> {
    for (let step = this.#steps.shift(); step !== undefined; step = this.#steps.shift()) await step();
  }
}
