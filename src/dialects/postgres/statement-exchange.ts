// One statement, sent and answered whole. A prepared one that the server has described is only bound and executed: its row
// description is not asked for again. The first of a transaction may carry BEGIN with it and the last COMMIT: after an error the
// server skips whatever was sent with it, so nothing is committed then.

import type { Row, Statement } from '../../core/vendor/driver.js';
import { describeRows, encodeValue, type RowReader, readRow } from './cells.js';
import type { Prepared, PreparedNames } from './prepared-names.js';
import type { DataRow, Exchange, RowDescription, Wire } from './wire.js';

export interface StatementResult {
  readonly rows: readonly Row[];
  readonly count: number;
  /** The server's last command tag: `SELECT 3`, `COMMIT`. */
  readonly tag: string;
}

/** Commands without values and rows that go with a statement, in the same message to the server. */
export interface Carried {
  readonly before: string | null;
  readonly after: string | null;
}

export const nothingCarried: Carried = { before: null, after: null };

export class StatementExchange implements Exchange {
  readonly #statement: Statement;
  readonly #names: PreparedNames;
  readonly #prepared: Prepared | null;
  readonly #done: (error: Error | null, result: StatementResult) => void;
  readonly #carried: Carried;
  readonly #rows: Row[] = [];
  #reader: RowReader = null;
  readonly #tags: string[] = [];

  constructor(statement: Statement, names: PreparedNames, carried: Carried, done: (error: Error | null, result: StatementResult) => void) {
    this.#statement = statement;
    this.#names = names;
    this.#carried = carried;
    this.#prepared = statement.prepare === true ? names.get(statement.text) : null;
    this.#done = done;
  }

  submit(wire: Wire): void {
    const values = this.#statement.values.map(encodeValue);
    const name = this.#prepared?.name ?? '';
    wire.stream.cork();
    for (const closable of this.#names.takeClosable()) wire.close({ type: 'S', name: closable });
    if (this.#carried.before !== null) sendCommand(wire, this.#carried.before);
    if (this.#prepared?.reader === undefined) {
      wire.parse({ name, text: this.#statement.text });
      wire.bind({ portal: '', statement: name, values });
      wire.describe({ type: 'P', name: '' });
    } else {
      this.#reader = this.#prepared.reader;
      wire.bind({ portal: '', statement: name, values });
    }
    wire.execute({ portal: '', rows: 0 });
    if (this.#carried.after !== null) sendCommand(wire, this.#carried.after);
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription(message: RowDescription): void {
    this.#reader = describeRows(message);
  }

  handleDataRow(message: DataRow): void {
    this.#rows.push(readRow(this.#reader, message));
  }

  handleCommandComplete(message: { readonly text: string }): void {
    this.#tags.push(message.text);
  }

  handlePortalSuspended(): void {}

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    if (this.#prepared !== null) this.#prepared.reader = this.#reader;
    const own = this.#tags[this.#carried.before === null ? 0 : 1] ?? '';
    this.#done(null, { rows: this.#rows, count: countOf(own), tag: this.#tags.at(-1) ?? '' });
  }

  handleError(error: Error): void {
    // A name that was never described may or may not exist on the server: it is closed before the next use.
    if (this.#prepared !== null && this.#prepared.reader === undefined) this.#names.forget(this.#statement.text);
    this.#done(error, { rows: this.#rows, count: 0, tag: '' });
  }
}

function sendCommand(wire: Wire, text: string): void {
  wire.parse({ name: '', text });
  wire.bind({ portal: '', statement: '', values: [] });
  wire.execute({ portal: '', rows: 0 });
}

/** `UPDATE 3`, `INSERT 0 3`, `SELECT 3`; commands without a number touch no items. */
function countOf(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
  return Number.isNaN(count) ? 0 : count;
}
