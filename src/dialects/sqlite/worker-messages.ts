// What the main thread and a worker say to each other: flat tuples, since every read passes here twice. `cell` numbers a request among
// those under way, and is its place in the shared array of flags.

import type { BoundValue } from '../../core/sql/sql.js';
import type { Cell, Row } from '../../core/vendor/driver.js';
import type { ConnectionRole } from './connection.js';

export interface WorkerSettings {
  readonly file: string;
  readonly role: ConnectionRole;
  readonly busyTimeoutMs: number;
  /** One flag per cell: 0 go on, else the reason to stop. */
  readonly flags: Int32Array;
}

export const flag = { go: 0, cancelled: 1, timeout: 2 } as const;
export type StopFlag = typeof flag.cancelled | typeof flag.timeout;

export const ask = { rows: 0, run: 1, open: 2, exchange: 3, next: 4, end: 5, beginStructure: 6, commit: 7, rollback: 8, close: 9 } as const;

type StatementAsk = typeof ask.rows | typeof ask.run | typeof ask.open;
type PlainAsk = Exclude<(typeof ask)[keyof typeof ask], StatementAsk | typeof ask.exchange | typeof ask.close>;

/** How an exchange stands to its transaction: inside of it, opening it, committing it afterwards, or both of these. */
export const place = { inside: 0, first: 1, last: 2, only: 3 } as const;
export type Place = (typeof place)[keyof typeof place];

/** slot: where the worker keeps the prepared statement, -1 for nowhere; text: null when it is there already. */
export type SentStatement = readonly [slot: number, text: string | null, values: readonly BoundValue[]];

export type StatementRequest = readonly [ask: StatementAsk, cell: number, statement: SentStatement];

/** A number that another statement of the exchange counts, or a text with such numbers in it: its parts put together. */
export interface SentLate {
  readonly at: number;
  readonly isText: boolean;
  readonly parts: readonly (string | { readonly statement: number; readonly row: number })[];
}

/** Its rows, the number of rows it touched, or nothing. */
export const wanted = { nothing: 0, rows: 1, count: 2 } as const;
export type Wanted = (typeof wanted)[keyof typeof wanted];

export interface SentPart {
  readonly statement: SentStatement;
  readonly wanted: Wanted;
  readonly lates: readonly SentLate[];
}

/** Statements of one transaction, one after the other. */
export type ExchangeRequest = readonly [ask: typeof ask.exchange, cell: number, place: Place, parts: readonly SentPart[]];
export type PlainRequest = readonly [ask: PlainAsk, cell: number];
export type Request = StatementRequest | ExchangeRequest | PlainRequest | readonly [ask: typeof ask.close];

/** What a part of an exchange answers. */
export type PartAnswer = readonly Row[] | number | null;

export const say = { ready: 0, rows: 1, cells: 2, count: 3, last: 4, error: 5, exchange: 6 } as const;

export type Reply =
  | readonly [say: typeof say.ready, cell: -1]
  | readonly [say: typeof say.rows | typeof say.last, cell: number, rows: readonly Row[]]
  | readonly [say: typeof say.cells, cell: number, cells: readonly Cell[]]
  | readonly [say: typeof say.count, cell: number, count: number]
  | readonly [say: typeof say.exchange, cell: number, answers: readonly PartAnswer[]]
  /** cell -1: the database could not be opened; part: of an exchange, the one that failed. */
  | readonly [say: typeof say.error, cell: number, code: string, message: string, part?: number];
