// A synchronous connection to the file: settings, SQL functions, and statements that return exact integers. Each worker has one, and the main
// thread has one for cheap reads. The only file that imports better-sqlite3.

import Database from 'better-sqlite3';
import type { BoundValue } from '../../../core/sql/sql.js';
import type { JournalChoice } from '../../../core/vendor/dialect.js';
import type { Cell, Row } from '../../../core/vendor/driver.js';
import { aggregateFunctions, scalarFunctions } from './functions.js';

export type ConnectionRole = 'writer' | 'reader' | 'stream';

export interface ConnectionOptions {
  readonly file: string;
  readonly role: ConnectionRole;
  /** The number of bytes of the file to map into memory; used by readers only. */
  readonly mapBytes: number;
  /** Whether the writer changes the journal mode of an existing file. */
  readonly journal: JournalChoice;
  readonly busyTimeoutMs: number;
  /** Called by the SQL function alive(). Throws to stop the running statement. */
  readonly checkAlive: () => void;
}

export interface SqliteStatement {
  /** Whether the statement returns one column. If so, `cells` returns the same as `rows` without the array around each value. */
  readonly single: boolean;
  rows(values: readonly BoundValue[]): Row[];
  cells(values: readonly BoundValue[]): Cell[];
  /** For a read that finds at most one row. */
  first(values: readonly BoundValue[]): Row[];
  run(values: readonly BoundValue[]): number;
  iterate(values: readonly BoundValue[]): IterableIterator<Row>;
}

export interface SqliteConnection {
  prepare(text: string): SqliteStatement;
  inTransaction(): boolean;
  /** Whether the file has a write-ahead log: only then can others write while this connection reads. */
  hasWal(): boolean;
  close(): void;
}

/** A larger cache saves hardly any reads: the pages that are read repeatedly are the upper levels of the b-trees. */
const cacheKilobytes: Readonly<Record<ConnectionRole, number>> = { writer: 8_192, reader: 2_048, stream: 8_192 };

export function openConnection(options: ConnectionOptions): SqliteConnection {
  const readonly = options.role !== 'writer';
  const database = new Database(options.file, { readonly, fileMustExist: readonly, timeout: options.busyTimeoutMs });
  try {
    applySettings(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
  registerFunctions(database, options.checkAlive);
  return {
    prepare: (text) => wrapStatement(database.prepare<unknown[], unknown>(text)),
    inTransaction: () => database.inTransaction,
    hasWal: () => database.pragma('journal_mode', { simple: true }) === 'wal',
    close: () => database.close(),
  };
}

function applySettings(database: Database.Database, { role, mapBytes, journal }: ConnectionOptions): void {
  if (role === 'writer') {
    // The journal mode is stored in the file and other programs may rely on it, so an existing file keeps it unless the operator decides otherwise.
    if (journal === 'wal' || database.pragma('page_count', { simple: true }) === 0) database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
  } else {
    database.pragma('query_only = ON');
  }
  // Mapped pages count as resident memory for each connection, and a stream would map the whole file.
  database.pragma(`mmap_size = ${role === 'reader' ? mapBytes : 0}`);
  database.pragma(`cache_size = -${cacheKilobytes[role]}`);
  // The first read of the file: fails if it is not a database.
  database.pragma('schema_version');
}

function registerFunctions(database: Database.Database, checkAlive: () => void): void {
  // The arguments only place the call: SQLite evaluates a condition in the outermost loop that has its columns, so alive(a.id, b.id) runs in the
  // inner loop of a join.
  database.function('alive', { varargs: true }, () => {
    checkAlive();
    return 1;
  });
  for (const { name, arity, call } of scalarFunctions) {
    // better-sqlite3 takes the number of arguments from the function's length.
    const exact: typeof call = (...values) => call(...values);
    Object.defineProperty(exact, 'length', { value: arity });
    database.function(name, { deterministic: true, safeIntegers: true }, exact as (...values: unknown[]) => unknown);
  }
  for (const { name, start, step, result } of aggregateFunctions) {
    database.aggregate(name, { deterministic: true, safeIntegers: true, start, step, result });
  }
}

function wrapStatement(statement: Database.Statement<unknown[], unknown>): SqliteStatement {
  const single = statement.reader && statement.columns().length === 1;
  let flat = false;
  if (statement.reader) statement.raw(true);
  // The rows of a write cannot be read a second time, so they are read with exact integers at once.
  let exact = !statement.readonly;
  if (exact && statement.reader) statement.safeIntegers(true);

  /** Whether rows of one column are returned as bare values. */
  const setFlat = (wanted: boolean): void => {
    if (flat === wanted) return;
    flat = wanted;
    if (wanted) statement.pluck(true);
    else statement.raw(true);
  };

  /** Reads integers as numbers, which is faster, and repeats the read with BigInts if a number may have been rounded. */
  const read = <T>(values: readonly unknown[], isRounded: (answer: T) => boolean, narrow: (answer: T) => T): T => {
    const answer = statement.all(...values) as T;
    if (exact) return narrow(answer);
    if (!isRounded(answer)) return answer;
    exact = true;
    statement.safeIntegers(true);
    return narrow(statement.all(...values) as T);
  };

  const rows = (values: readonly BoundValue[]): Row[] => {
    if (!statement.reader) return runWithoutRows(statement, values);
    setFlat(false);
    return read<Cell[][]>(
      bindAll(values),
      (found) => found.some(hasRounded),
      (found) => found.map(narrowAll),
    );
  };

  return {
    single,
    rows,
    cells(values) {
      setFlat(true);
      return read<Cell[]>(bindAll(values), hasRounded, narrowAll);
    },
    first(values) {
      if (!single || exact) return rows(values);
      setFlat(true);
      const cell = statement.get(...bindAll(values)) as Cell | undefined;
      if (cell === undefined) return [];
      return isRounded(cell) ? rows(values) : [[cell]];
    },
    run: (values) => (statement.reader ? statement.all(...bindAll(values)).length : statement.run(...bindAll(values)).changes),
    *iterate(values) {
      setFlat(false);
      statement.safeIntegers(true);
      exact = true;
      for (const row of statement.iterate(...bindAll(values)) as IterableIterator<Cell[]>) yield narrowAll(row);
    },
  };
}

function runWithoutRows(statement: Database.Statement<unknown[], unknown>, values: readonly BoundValue[]): Row[] {
  statement.run(...bindAll(values));
  return [];
}

const isRounded = (cell: Cell): boolean => typeof cell === 'number' && (cell > Number.MAX_SAFE_INTEGER || cell < Number.MIN_SAFE_INTEGER);
const hasRounded = (cells: readonly Cell[]): boolean => cells.some(isRounded);

const narrowAll = (cells: readonly Cell[]): Cell[] => cells.map(narrow);

function narrow(cell: Cell): Cell {
  if (typeof cell !== 'bigint') return cell;
  return cell > Number.MAX_SAFE_INTEGER || cell < Number.MIN_SAFE_INTEGER ? cell : Number(cell);
}

const bindAll = (values: readonly BoundValue[]): readonly unknown[] => (values.every(isNative) ? values : values.map(bind));

const isNative = (value: BoundValue): boolean => typeof value !== 'boolean' && !Array.isArray(value);

function bind(value: BoundValue): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (Array.isArray(value)) return `[${value.map(listElement).join(',')}]`;
  return value;
}

/** A list is bound as one JSON text, which json_each reads. Big integers keep their digits. */
const listElement = (value: string | number | bigint | boolean | null): string =>
  typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
