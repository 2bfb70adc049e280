// Aborts when the client disconnects before its answer is complete. It stands in for an AbortSignal, which would cost a tenth of the time
// of a short list; until somebody listens it costs next to nothing.

import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';

/** Requests that a WebSocket injects have no connection of their own that could close: this header names the signal of their socket. */
const signalHeader = 'x-socket-signal';
const signalsOfSockets = new Map<string, StopSignal>();

/** Runs `ask` with a header for the injected request, whose work then ends with `signal`. Nobody outside can guess the name. */
export async function withSocketSignal<T>(signal: StopSignal, ask: (headers: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  const name = randomUUID();
  signalsOfSockets.set(name, signal);
  try {
    return await ask({ [signalHeader]: name });
  } finally {
    signalsOfSockets.delete(name);
  }
}

export const signalOf = (headers: IncomingHttpHeaders, response: ServerResponse): StopSignal =>
  signalsOfSockets.get(String(headers[signalHeader])) ?? new ClientSignal(response);

export class ClientSignal implements StopSignal {
  readonly #response: ServerResponse;
  #listeners: Set<() => void> | null = null;
  #aborted = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get aborted(): boolean {
    return this.#aborted || (this.#response.destroyed && !this.#response.writableFinished);
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listeners === null) {
      this.#listeners = new Set();
      this.#response.once('close', () => this.#onClose());
    }
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  #onClose(): void {
    if (this.#response.writableFinished || this.#listeners === null) return;
    this.#aborted = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
