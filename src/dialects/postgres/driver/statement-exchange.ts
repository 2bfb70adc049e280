// Statements that are sent together and answered completely (PostgreSQL's extended query protocol with one Sync). A prepared statement that the
// server has described is only bound and executed. The first exchange of a transaction may carry BEGIN and the last one COMMIT: after an
// error the server skips everything up to the Sync, so a failed exchange commits nothing.

import type { QueuedStatement, Row } from '../../../core/vendor/driver.js';
import { describeRows, encodeValue, type RowReader, readRow } from './cells.js';
import type { Prepared, PreparedNames } from './prepared-names.js';
import type { DataRow, Exchange, RowDescription, Wire } from './wire.js';

/** The result of the last statement. */
export interface StatementResult {
  readonly rows: readonly Row[];
  readonly count: number;
  /** The server's last command tag: `SELECT 3`, `COMMIT`. */
  readonly tag: string;
}

/** Commands without values that are sent in the same exchange. The rows of those before are ignored. */
export interface Carried extends CarriedAfter {
  readonly before: readonly string[];
}

export interface CarriedAfter {
  readonly after: readonly string[];
  /** Called with the first cell of each row that the commands answer. */
  readonly onCell?: (cell: string | null) => void;
}

/** `failed`: the index of the statement that failed. */
export type OnDone = (error: Error | null, result: StatementResult, failed: number) => void;

interface Part {
  readonly statement: QueuedStatement;
  readonly prepared: Prepared | null;
}

export class StatementExchange implements Exchange {
  readonly #parts: readonly Part[];
  readonly #names: PreparedNames | null;
  readonly #done: OnDone;
  readonly #carried: Carried;
  #rows: Row[] = [];
  #reader: RowReader = null;
  /** The number of completed commands, BEGIN and COMMIT included. */
  #complete = 0;
  #own = '';
  #tag = '';

  /** `names`: null where the server forgets prepared statements between exchanges. */
  constructor(statements: readonly QueuedStatement[], names: PreparedNames | null, carried: Carried, done: OnDone) {
    this.#names = names;
    this.#carried = carried;
    this.#parts = toParts(statements, names);
    this.#done = done;
    this.#begin(0);
  }

  submit(wire: Wire): void {
    wire.stream.cork();
    if (this.#names !== null) for (const closable of this.#names.takeClosable()) wire.close({ type: 'S', name: closable });
    for (const command of this.#carried.before) sendCommand(wire, command);
    for (const part of this.#parts) sendPart(wire, part);
    for (const command of this.#carried.after) sendCommand(wire, command);
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription(message: RowDescription): void {
    this.#reader = describeRows(message);
  }

  handleDataRow(message: DataRow): void {
    if (this.#current < this.#parts.length) this.#rows.push(readRow(this.#reader, message));
    else this.#carried.onCell?.(message.fields[0] ?? null);
  }

  handleCommandComplete(message: { readonly text: string }): void {
    const part = this.#parts[this.#current];
    this.#tag = message.text;
    this.#complete += 1;
    if (part === undefined) {
      if (this.#current === 0) this.#begin(0);
      return;
    }
    if (part.prepared !== null) part.prepared.reader = this.#reader;
    if (this.#current === this.#parts.length) this.#own = message.text;
    else {
      part.statement.onRows?.(this.#rows);
      this.#begin(this.#current);
    }
  }

  handlePortalSuspended(): void {}

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.#done(null, { rows: this.#rows, count: countOf(this.#own), tag: this.#tag }, -1);
  }

  handleError(error: Error): void {
    // A name that was not described may or may not exist on the server, so it is closed before its next use.
    for (const { statement, prepared } of this.#parts)
      if (prepared !== null && prepared.reader === undefined) this.#names?.forget(statement.text);
    const failed = Math.min(Math.max(this.#current, 0), this.#parts.length - 1);
    this.#done(error, { rows: this.#rows, count: 0, tag: '' }, failed);
  }

  /** The index of the statement in progress; negative during the commands before it, the number of statements when all are complete. */
  get #current(): number {
    return this.#complete - this.#carried.before.length;
  }

  #begin(index: number): void {
    this.#rows = [];
    this.#reader = this.#parts[index]?.prepared?.reader ?? null;
  }
}

/** A name can be parsed only once, so a statement that is not described yet uses it once per exchange; its repetitions are unnamed. */
function toParts(statements: readonly QueuedStatement[], names: PreparedNames | null): readonly Part[] {
  if (names === null) return statements.map((statement) => ({ statement, prepared: null }));
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

export function sendCommand(wire: Wire, text: string): void {
  wire.parse({ name: '', text });
  wire.bind({ portal: '', statement: '', values: [] });
  wire.execute({ portal: '', rows: 0 });
}

/** The number in a command tag: `UPDATE 3`, `INSERT 0 3`, `SELECT 3`; 0 for a command without one. */
function countOf(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
  return Number.isNaN(count) ? 0 : count;
}
