// A statement that is read in batches: a portal that is executed once for each batch, and closed if the consumer stops early. Nothing is fetched
// in advance, so the server advances at the pace of the consumer.

import type { Row, Statement } from '../../../core/vendor/driver.js';
import { describeRows, encodeValue, type RowReader, readRow } from './cells.js';
import { sendCommand } from './statement-exchange.js';
import type { DataRow, Exchange, RowDescription, Wire } from './wire.js';

const mostRows = 500;
/** Large rows come in smaller batches. */
const batchBytes = 256 * 1024;
const portal = 'tain';
/** statement_timeout keeps running while a portal waits for its consumer. Executing another statement restarts it; this one has no rows. */
const restartClock = 'SELECT WHERE false';

interface Waiting {
  readonly resolve: (batch: readonly Row[]) => void;
  readonly reject: (error: Error) => void;
}

export class PortalExchange implements Exchange {
  readonly #statement: Statement;
  #wire: Wire | null = null;
  #reader: RowReader = null;
  #batch: Row[] = [];
  #waiting: Waiting | null = null;
  #state: 'open' | 'closing' | 'ended' = 'open';
  #fetched = 0;
  #batchBytes = 0;
  #nextRows: number;
  /** The number of commands sent besides the statement that are not complete. */
  #commands = 0;
  readonly #before: string | null;
  #error: Error | null = null;
  readonly #ended: Promise<void>;
  #end: () => void = () => {};

  /** `before`: a command to send first. `firstRows`: the size of the first batch; that of the others follows from the size of the rows. */
  constructor(statement: Statement, before: string | null, firstRows = mostRows) {
    this.#statement = statement;
    this.#nextRows = firstRows;
    this.#before = before;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** The next batch; empty at the end. Wait for it before the next call. */
  next(): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#error !== null) reject(this.#error);
      else if (this.#state !== 'open') resolve([]);
      else {
        this.#waiting = { resolve, reject };
        if (this.#wire !== null) this.#fetch(this.#wire);
      }
    });
  }

  /** Resolves when the connection is ready for the next statement. */
  close(): Promise<void> {
    if (this.#wire !== null) this.#finish(this.#wire);
    return this.#ended;
  }

  submit(wire: Wire): void {
    this.#wire = wire;
    wire.stream.cork();
    if (this.#before !== null) this.#command(wire, this.#before);
    wire.parse({ name: '', text: this.#statement.text });
    wire.bind({ portal, statement: '', values: this.#statement.values.map(encodeValue) });
    wire.describe({ type: 'P', name: portal });
    if (this.#waiting === null) wire.flush();
    else this.#fetch(wire);
    wire.stream.uncork();
  }

  handleRowDescription(message: RowDescription): void {
    this.#reader = describeRows(message);
  }

  handleDataRow(message: DataRow): void {
    if (this.#commands > 0) return;
    this.#batchBytes += message.length;
    this.#batch.push(readRow(this.#reader, message));
  }

  handlePortalSuspended(): void {
    this.#deliver();
  }

  handleCommandComplete(_message: { readonly text: string }, wire: Wire): void {
    if (this.#commands === 0) this.#finish(wire);
    else this.#commands -= 1;
  }

  handleEmptyQuery(wire: Wire): void {
    this.#finish(wire);
  }

  handleReadyForQuery(): void {
    this.#state = 'ended';
    this.#deliver();
    this.#end();
  }

  handleError(error: Error, wire: Wire): void {
    this.#error = error;
    if (this.#state === 'open') wire.sync();
    this.#state = 'ended';
    this.#waiting?.reject(error);
    this.#waiting = null;
    this.#end();
  }

  #fetch(wire: Wire): void {
    if (this.#fetched > 0) this.#command(wire, restartClock);
    this.#fetched += 1;
    wire.execute({ portal, rows: this.#nextRows });
    wire.flush();
  }

  #command(wire: Wire, text: string): void {
    this.#commands += 1;
    sendCommand(wire, text);
  }

  #finish(wire: Wire): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    wire.close({ type: 'P', name: portal });
    wire.sync();
  }

  #deliver(): void {
    const batch = this.#batch;
    const fitting = Math.max(1, Math.floor((batchBytes * batch.length) / Math.max(this.#batchBytes, 1)));
    if (batch.length > 0) this.#nextRows = Math.min(mostRows, this.#nextRows * 4, fitting);
    this.#batch = [];
    this.#batchBytes = 0;
    this.#waiting?.resolve(batch);
    this.#waiting = null;
  }
}
