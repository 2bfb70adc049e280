// Bounds how many sockets are read in one turn of the event loop. When thousands of clients leave or send at the same moment, the system
// reports all of it in one turn, and what each takes would keep everybody else waiting for a second. Beyond the bound no socket is read
// for a moment; then they are read again, some in each turn.

import type { Duplex } from 'node:stream';

/** What Node reads a socket by. Pausing the stream is not enough: it would still take the end of the connection at once. */
interface Handle {
  reading: boolean;
  readStart(): void;
  readStop(): void;
}

/** The end of a socket takes a tenth of a millisecond. */
const mostPerTurn = 200;
/** Fewer, so that sockets which are read again do not reach the bound by themselves. */
const startedPerTurn = 100;

export class SocketReads {
  readonly #open = new Set<Duplex>();
  /** In this turn. */
  #reads = 0;
  #stopped: Duplex[] = [];
  #isStarting = false;

  /** May be called again: a connection can carry several event streams. */
  watch(stream: Duplex): void {
    if (this.#open.has(stream)) return;
    const note = (): void => this.#note();
    this.#open.add(stream);
    stream.on('data', note).on('end', note).on('error', note);
    stream.once('close', () => this.#open.delete(stream));
  }

  #note(): void {
    this.#reads += 1;
    if (this.#reads === 1) setImmediate(() => this.#endTurn());
    if (this.#reads === mostPerTurn) this.#stop();
  }

  #endTurn(): void {
    this.#reads = 0;
  }

  #stop(): void {
    for (const stream of this.#open) if (stop(stream)) this.#stopped.push(stream);
    if (this.#isStarting) return;
    this.#isStarting = true;
    setImmediate(() => this.#start());
  }

  #start(): void {
    for (const stream of this.#stopped.splice(0, startedPerTurn)) start(stream);
    this.#isStarting = this.#stopped.length > 0;
    if (this.#isStarting) setImmediate(() => this.#start());
  }
}

/** null for a stream that is closed, or not of the system. */
function handleOf(stream: Duplex): Handle | null {
  const { _handle: handle } = stream as { readonly _handle?: Partial<Handle> | null };
  const isHandle = typeof handle?.readStart === 'function' && typeof handle.readStop === 'function';
  return isHandle && !stream.destroyed ? (handle as Handle) : null;
}

/** Whether it was being read. */
function stop(stream: Duplex): boolean {
  const handle = handleOf(stream);
  if (handle?.reading !== true) return false;
  handle.reading = false;
  handle.readStop();
  return true;
}

function start(stream: Duplex): void {
  const handle = handleOf(stream);
  if (handle === null || handle.reading) return;
  handle.reading = true;
  handle.readStart();
}
