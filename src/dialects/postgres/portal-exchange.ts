// One statement read in batches: a portal that is executed again for every batch the reader asks for, and closed when the reader
// leaves early. Nothing is fetched ahead, so the reader's pace is the server's pace.

import type { Row, Statement } from '../../core/vendor/driver.js';
import { describeRows, encodeValue, type RowReader, readRow } from './cells.js';
import type { DataRow, Exchange, RowDescription, Wire } from './wire.js';

const batchSize = 500;
const portal = 'tain';
/** The server's clock of one statement runs on while a portal waits for its reader; only another statement's end stops it. */
const restartClock = "SET tain.batch TO 'next'";

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
  /** Ends of `restartClock` still to come. */
  #clocks = 0;
  #error: Error | null = null;
  readonly #ended: Promise<void>;
  #end: () => void = () => {};

  constructor(statement: Statement) {
    this.#statement = statement;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** The next batch; empty at the end. One call at a time. */
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

  /** Resolves when the connection is free for the next statement. */
  close(): Promise<void> {
    if (this.#wire !== null) this.#finish(this.#wire);
    return this.#ended;
  }

  submit(wire: Wire): void {
    this.#wire = wire;
    wire.stream.cork();
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
    this.#batch.push(readRow(this.#reader, message));
  }

  handlePortalSuspended(): void {
    this.#deliver();
  }

  handleCommandComplete(_message: { readonly text: string }, wire: Wire): void {
    if (this.#clocks === 0) this.#finish(wire);
    else this.#clocks -= 1;
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
    if (this.#fetched > 0) this.#restartClock(wire);
    this.#fetched += 1;
    wire.execute({ portal, rows: batchSize });
    wire.flush();
  }

  #restartClock(wire: Wire): void {
    this.#clocks += 1;
    wire.parse({ name: '', text: restartClock });
    wire.bind({ portal: '', statement: '', values: [] });
    wire.execute({ portal: '', rows: 0 });
  }

  #finish(wire: Wire): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    wire.close({ type: 'P', name: portal });
    wire.sync();
  }

  #deliver(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#waiting?.resolve(batch);
    this.#waiting = null;
  }
}
