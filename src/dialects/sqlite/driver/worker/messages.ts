// The messages between the main thread and a worker: flat tuples, because every read crosses twice and small objects are expensive to clone.
// `requestId` identifies a request among those in flight, and is its index in the shared array of stop flags.

import type { BoundValue } from '../../../../core/sql/sql.js';
import type { JournalChoice } from '../../../../core/vendor/dialect.js';
import type { Cell, Row } from '../../../../core/vendor/driver.js';
import type { ConnectionRole } from '../connection.js';

export interface WorkerSettings {
  readonly file: string;
  readonly role: ConnectionRole;
  readonly mapBytes: number;
  readonly journal: JournalChoice;
  readonly busyTimeoutMs: number;
  /** Whether the file is opened with the first request instead of at once. */
  readonly opensLater: boolean;
  /** Shared memory: one entry per request in flight, a value of `flag`. The main thread sets it, and alive() in the worker reads it. */
  readonly flags: Int32Array;
}

export const flag = { go: 0, cancelled: 1, timeout: 2 } as const;
export type StopFlag = typeof flag.cancelled | typeof flag.timeout;

export const requestKind = {
  rows: 0,
  run: 1,
  open: 2,
  exchange: 3,
  next: 4,
  end: 5,
  beginStructure: 6,
  commit: 7,
  rollback: 8,
  close: 9,
} as const;

type StatementKind = typeof requestKind.rows | typeof requestKind.run | typeof requestKind.open;
type PlainKind = Exclude<
  (typeof requestKind)[keyof typeof requestKind],
  StatementKind | typeof requestKind.exchange | typeof requestKind.close
>;

/** The place of an exchange in its transaction. first: begins it; last: commits it; only: does both; recovery: rolls back to a savepoint. */
export const place = { inside: 0, first: 1, last: 2, only: 3, recovery: 4 } as const;
export type Place = (typeof place)[keyof typeof place];

/** slot: see statement-slots.ts, -1 for none; text: null if the worker already has it in the slot. */
type SentStatement = readonly [slot: number, text: string | null, values: readonly BoundValue[]];

export type StatementRequest = readonly [kind: StatementKind, requestId: number, statement: SentStatement];

/** What a statement of an exchange returns: nothing, its rows, or the number of rows it changed. */
export const wanted = { nothing: 0, rows: 1, count: 2 } as const;
export type Wanted = (typeof wanted)[keyof typeof wanted];

/** Refers to the key that a row of a statement of the same exchange generates. One number, because small objects are expensive to clone. */
export const pendingCode = (statement: number, row: number): number => statement * 1000 + row;
export const readPendingCode = (code: number): { readonly statement: number; readonly row: number } => ({
  statement: Math.floor(code / 1000),
  row: code % 1000,
});

/**
 * A statement of an exchange. numbers: indexes of values that are pending keys, each followed by its code; texts: indexes of values that are pending
 * texts, with their pieces.
 */
export type SentPart = readonly [
  ...statement: SentStatement,
  wanted: Wanted,
  numbers: readonly number[] | null,
  texts: readonly (readonly [at: number, pieces: readonly (string | number)[]])[] | null,
];

/** Statements of one transaction that run one after the other. */
export type ExchangeRequest = readonly [kind: typeof requestKind.exchange, requestId: number, place: Place, parts: readonly SentPart[]];
export type PlainRequest = readonly [kind: PlainKind, requestId: number];
export type Request = StatementRequest | ExchangeRequest | PlainRequest | readonly [kind: typeof requestKind.close];

/** The result of one statement of an exchange, as `wanted` says. */
export type PartAnswer = readonly Row[] | number | null;

export const replyKind = { ready: 0, rows: 1, cells: 2, count: 3, last: 4, error: 5, exchange: 6 } as const;

export type Reply =
  | readonly [kind: typeof replyKind.ready, requestId: -1]
  | readonly [kind: typeof replyKind.rows | typeof replyKind.last, requestId: number, rows: readonly Row[]]
  | readonly [kind: typeof replyKind.cells, requestId: number, cells: readonly Cell[]]
  | readonly [kind: typeof replyKind.count, requestId: number, count: number]
  | readonly [kind: typeof replyKind.exchange, requestId: number, answers: readonly PartAnswer[]]
  /** requestId -1: the database could not be opened. part: the statement of an exchange that failed. */
  | readonly [kind: typeof replyKind.error, requestId: number, code: string, message: string, part?: number];
