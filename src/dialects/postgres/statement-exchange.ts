// Statements sent together and answered whole. A prepared one that the server has described is only bound and executed: its row
// description is not asked for again. The first exchange of a transaction may carry BEGIN with it and the last COMMIT: after an error the
// server skips whatever was sent with it, so nothing is committed then.

import type { AheadStatement, Row } from '../../core/vendor/driver.js';
import { describeRows, encodeValue, type RowReader, readRow } from './cells.js';
import type { Prepared, PreparedNames } from './prepared-names.js';
import type { DataRow, Exchange, RowDescription, Wire } from './wire.js';

/** Of the last statement. */
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

/** `failed`: the number of the statement that was refused. */
export type OnDone = (error: Error | null, result: StatementResult, failed: number) => void;

interface Part {
  readonly statement: AheadStatement;
  readonly prepared: Prepared | null;
}

export class StatementExchange implements Exchange {
  readonly #parts: readonly Part[];
  readonly #names: PreparedNames;
  readonly #done: OnDone;
  readonly #carried: Carried;
  #rows: Row[] = [];
  #reader: RowReader = null;
  /** How many commands are complete, those carried included. */
  #complete = 0;
  #own = '';
  #tag = '';

  constructor(statements: readonly AheadStatement[], names: PreparedNames, carried: Carried, done: OnDone) {
    this.#names = names;
    this.#carried = carried;
    this.#parts = toParts(statements, names);
    this.#done = done;
    this.#begin(0);
  }

  submit(wire: Wire): void {
    wire.stream.cork();
    for (const closable of this.#names.takeClosable()) wire.close({ type: 'S', name: closable });
    if (this.#carried.before !== null) sendCommand(wire, this.#carried.before);
    for (const part of this.#parts) sendPart(wire, part);
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
    const part = this.#parts[this.#current];
    this.#tag = message.text;
    this.#complete += 1;
    if (part === undefined) return;
    if (part.prepared !== null) part.prepared.reader = this.#reader;
    if (this.#current === this.#parts.length) this.#own = message.text;
    else {
      part.statement.told?.(this.#rows);
      this.#begin(this.#current);
    }
  }

  handlePortalSuspended(): void {}

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.#done(null, { rows: this.#rows, count: countOf(this.#own), tag: this.#tag }, -1);
  }

  handleError(error: Error): void {
    // A name that was never described may or may not exist on the server: it is closed before the next use.
    for (const { statement, prepared } of this.#parts)
      if (prepared !== null && prepared.reader === undefined) this.#names.forget(statement.text);
    const failed = Math.min(Math.max(this.#current, 0), this.#parts.length - 1);
    this.#done(error, { rows: this.#rows, count: 0, tag: '' }, failed);
  }

  /** The part being answered; -1 while BEGIN is, the number of parts once all are. */
  get #current(): number {
    return this.#complete - (this.#carried.before === null ? 0 : 1);
  }

  #begin(index: number): void {
    this.#rows = [];
    this.#reader = this.#parts[index]?.prepared?.reader ?? null;
  }
}

/** A name the server has not described yet stands for one statement of an exchange only: it can be parsed but once. */
function toParts(statements: readonly AheadStatement[], names: PreparedNames): readonly Part[] {
  const fresh = new Set<Prepared>();
  return statements.map((statement) => {
    if (statement.prepare !== true) return { statement, prepared: null };
    const prepared = names.get(statement.text);
    if (prepared.reader !== undefined) return { statement, prepared };
    if (fresh.has(prepared)) return { statement, prepared: null };
    fresh.add(prepared);
    return { statement, prepared };
  });
}

function sendPart(wire: Wire, { statement, prepared }: Part): void {
  const values = statement.values.map(encodeValue);
  const name = prepared?.name ?? '';
  const known = prepared !== null && prepared.reader !== undefined;
  if (!known) wire.parse({ name, text: statement.text });
  wire.bind({ portal: '', statement: name, values });
  if (!known) wire.describe({ type: 'P', name: '' });
  wire.execute({ portal: '', rows: 0 });
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
