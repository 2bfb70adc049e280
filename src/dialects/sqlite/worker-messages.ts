// What the main thread and a worker say to each other: flat tuples, since every read passes here twice. `cell` numbers a request among
// those under way, and is its place in the shared array of flags.

import type { BoundValue } from '../../core/sql/sql.js';
import type { Cell, Row } from '../../core/vendor/driver.js';
import type { ConnectionRole } from './connection.js';

export interface WorkerSettings {
  readonly file: string;
  readonly role: ConnectionRole;
  readonly mapBytes: number;
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

/** Its rows, the number of rows it touched, or nothing. */
export const wanted = { nothing: 0, rows: 1, count: 2 } as const;
export type Wanted = (typeof wanted)[keyof typeof wanted];

/** Which row of which statement of the exchange counted a number. Flat, like all that is said: small objects cost most on the way. */
export const lateCode = (statement: number, row: number): number => statement * 1000 + row;
export const readLateCode = (code: number): { readonly statement: number; readonly row: number } => ({
  statement: Math.floor(code / 1000),
  row: code % 1000,
});

/** A statement of an exchange. numbers: places of late numbers, each followed by its code; texts: places of texts with their pieces. */
export type SentPart = readonly [
  ...statement: SentStatement,
  wanted: Wanted,
  numbers: readonly number[] | null,
  texts: readonly (readonly [at: number, pieces: readonly (string | number)[]])[] | null,
];

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
