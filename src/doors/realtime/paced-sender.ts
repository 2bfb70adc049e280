// Sends the frames of one connection one after the other, with a pause between them: clients that wait for one message at a time lose
// those that arrive in the same turn of their event loop. A client that reads too slowly is dropped.

import type { WebSocket } from 'ws';
import type { SendTurns } from './send-turns.js';

export interface SenderOptions {
  /** Shared by all connections. */
  readonly turns: SendTurns;
  /** The number of bytes that may wait. */
  readonly maxWaiting: number;
  readonly onOverflow: () => void;
  /** Called with the number of bytes that wait, on their way through the socket or before it, when it has changed. */
  readonly onWaiting: (size: number) => void;
}

const pauseMs = 1;
const drainMs = 10;

export class PacedSender {
  readonly #socket: WebSocket;
  readonly #options: SenderOptions;
  #waiting: string[] = [];
  #size = 0;
  #isBusy = false;
  /** When the last frame was handed to the socket. */
  #sentAt = 0;
  #isClosed = false;

  constructor(socket: WebSocket, options: SenderOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  send(text: string): void {
    if (this.#isClosed) return;
    if (this.#size + text.length > this.#options.maxWaiting && this.#waiting.length > 0) {
      this.#isClosed = true;
      this.#waiting = [];
      this.#options.onOverflow();
      return;
    }
    this.#waiting.push(text);
    this.#size += text.length;
    this.#options.onWaiting(this.#size);
    if (!this.#isBusy) this.#nextInTime();
  }

  get #isShort(): boolean {
    return this.#size <= this.#options.maxWaiting / 4;
  }

  /** Whether the client takes what it is sent: the queue is short, or a frame has left it within this time. */
  isTaken(withinMs: number): boolean {
    return this.#isShort || performance.now() - this.#sentAt < withinMs;
  }

  /** Resolves when the queue is short; callers await it so that a client which does not read gets no further answers. */
  async drained(): Promise<void> {
    while (!this.#isShort && !this.#isClosed) await new Promise((resolve) => setTimeout(resolve, drainMs));
  }

  /** Resolves when everything is on its way. */
  async finish(): Promise<void> {
    while (this.#isBusy && !this.#isClosed) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    this.#isClosed = true;
  }

  stop(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  #nextInTime(): void {
    this.#isBusy = true;
    const rest = pauseMs - (performance.now() - this.#sentAt);
    if (rest <= 0) this.#nextInTurn();
    else setTimeout(() => this.#nextInTurn(), rest);
  }

  #nextInTurn(): void {
    this.#options.turns.send(() => this.#next());
  }

  #next(): void {
    const text = this.#waiting.shift();
    this.#isBusy = text !== undefined;
    if (text === undefined) return;
    this.#socket.send(text, () => {
      this.#size -= text.length;
      this.#options.onWaiting(this.#size);
      this.#sentAt = performance.now();
      this.#isBusy = false;
      if (this.#waiting.length > 0) this.#nextInTime();
    });
  }
}
