// When a group reads: one reading after the other, each in its turn between joins and moves, changes of the meantime together, and with a rest
// after readings of everything. A reading that fails is repeated later, with its changes.

import type { PendingChanges, TouchedItems } from './pending-changes.js';

export interface RoundsDeps {
  readonly pending: PendingChanges;
  /** Whether the list is loaded and has followers. */
  readonly areWanted: () => boolean;
  /** Reads these items, which may have changed. */
  readonly readTouched: (touched: TouchedItems) => Promise<void>;
  /** Any item may have changed, these have. */
  readonly readAll: (touched: TouchedItems) => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** After reading everything, the group pauses for a multiple of the time it took, within these bounds, but at least for that time. */
const restPerCost = 10;
const minRestMs = 100;
const maxRestMs = 1_500;
const retryMs = 1_000;

export class ReadingRounds {
  readonly #deps: RoundsDeps;
  #chain: Promise<unknown> = Promise.resolve();
  #isScheduled = false;
  #restsUntil = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: RoundsDeps) {
    this.#deps = deps;
  }

  /** Acts when all that came before has ended. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const run = this.#chain.then(act);
    this.#chain = run.catch(() => undefined);
    return run;
  }

  /** Changes have been recorded. */
  changed(): void {
    this.schedule();
  }

  /** Records that anything may have changed, without a sign that something has. */
  suspect(): void {
    const { pending } = this.#deps;
    pending.suspect();
    this.schedule();
  }

  schedule(): void {
    const { areWanted, pending, report } = this.#deps;
    if (this.#isScheduled || !areWanted() || !pending.areAny) return;
    this.#isScheduled = true;
    this.inTurn(async () => {
      this.#isScheduled = false;
      if (areWanted() && pending.areAny) await this.#round();
    }).catch((error: unknown) => {
      report(error);
      this.#later(retryMs);
    });
  }

  /** Reads what is pending now. Call it in turn. */
  async catchUp(): Promise<void> {
    const { pending, areWanted } = this.#deps;
    if (!pending.areAny) return;
    if (!areWanted()) this.#restsUntil = 0;
    await this.#round();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #later(ms: number): void {
    this.close();
    this.#timer = setTimeout(() => this.schedule(), ms).unref();
  }

  /** Reads what may have changed once. If it fails, the changes stay recorded. */
  async #round(): Promise<void> {
    const { pending, readTouched } = this.#deps;
    const rest = this.#restsUntil - performance.now();
    const isWhole = pending.areUnknown && rest <= 0;
    if (pending.areUnknown && !isWhole) this.#later(rest);
    if (!isWhole && !pending.areItems) return;
    const touched = pending.take(isWhole);
    try {
      if (isWhole) await this.#readAll(touched);
      else await readTouched(touched);
      pending.sent(isWhole);
    } catch (error) {
      pending.returned(touched);
      throw error;
    }
  }

  async #readAll(touched: TouchedItems): Promise<void> {
    const started = performance.now();
    await this.#deps.readAll(touched);
    const ended = performance.now();
    const cost = ended - started;
    this.#restsUntil = ended + Math.max(cost, Math.min(maxRestMs, Math.max(minRestMs, cost * restPerCost)));
  }
}
