// All connections that outlive a request, WebSockets and event streams: their number is bounded, and the end of the service ends them.

export interface OpenConnection {
  /** The service is ending. */
  readonly end: () => void;
}

export class OpenConnections {
  readonly #open = new Set<OpenConnection>();
  readonly #max: number;
  #isClosed = false;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#open.size;
  }

  get isFull(): boolean {
    return this.#open.size >= this.#max;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** `onClose` is given what to call when the connection has closed. */
  add(connection: OpenConnection, onClose: (release: () => void) => void): void {
    this.#open.add(connection);
    onClose(() => this.#open.delete(connection));
    if (this.#isClosed) connection.end();
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open) connection.end();
  }
}
