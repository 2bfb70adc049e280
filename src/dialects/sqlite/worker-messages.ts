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

export const ask = { rows: 0, run: 1, open: 2, next: 3, end: 4, begin: 5, beginStructure: 6, commit: 7, rollback: 8, close: 9 } as const;

type StatementAsk = typeof ask.rows | typeof ask.run | typeof ask.open;
type PlainAsk = Exclude<(typeof ask)[keyof typeof ask], StatementAsk | typeof ask.close>;

/** How a statement stands to transactions: alone, only inside one, opening one before it, committing after it, or both of these. */
export const place = { alone: 0, inside: 1, first: 2, last: 3, only: 4 } as const;
export type Place = (typeof place)[keyof typeof place];

/** slot: where the worker keeps the prepared statement, -1 for nowhere; text: null when it is there already. */
export type StatementRequest = readonly [
  ask: StatementAsk,
  cell: number,
  slot: number,
  text: string | null,
  values: readonly BoundValue[],
  place: Place,
];
export type PlainRequest = readonly [ask: PlainAsk, cell: number];
export type Request = StatementRequest | PlainRequest | readonly [ask: typeof ask.close];

export const say = { ready: 0, rows: 1, cells: 2, count: 3, last: 4, error: 5 } as const;

export type Reply =
  | readonly [say: typeof say.ready, cell: -1]
  | readonly [say: typeof say.rows | typeof say.last, cell: number, rows: readonly Row[]]
  | readonly [say: typeof say.cells, cell: number, cells: readonly Cell[]]
  | readonly [say: typeof say.count, cell: number, count: number]
  /** cell -1: the database could not be opened. */
  | readonly [say: typeof say.error, cell: number, code: string, message: string];
