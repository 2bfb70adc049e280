// Tells when a client goes away before its answer is complete. An AbortSignal says the same, at a tenth of the cost of a short list.

import type { ServerResponse } from 'node:http';
import type { StopSignal } from '../../core/vendor/stop-signal.js';

export class ClientSignal implements StopSignal {
  readonly #listeners = new Set<() => void>();
  #aborted = false;

  constructor(response: ServerResponse) {
    const onClose = (): void => {
      if (!response.writableFinished) this.#abort();
    };
    if (response.destroyed) onClose();
    else response.once('close', onClose);
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  #abort(): void {
    this.#aborted = true;
    const told = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of told) listener();
  }
}
