// What every engine call runs in: who asks, on which connection, until when. Inside a transaction `connection` is the
// transaction's own, so every read sees what was written before it.

import type { Caller } from '../access/view.js';
import type { Connection } from '../vendor/driver.js';
import type { StopSignal } from '../vendor/stop-signal.js';

export interface Work {
  readonly caller: Caller;
  readonly connection: Connection;
  readonly signal: StopSignal | null;
  /** Set inside a transaction: runs after the commit, never when it was rolled back (mails, events, cache clearing). */
  readonly afterCommit: ((effect: () => void | Promise<void>) => void) | null;
}

/** A primary key as requests and answers carry it: a number or text; composite keys are the parts in key order. */
type KeyPart = string | number;
export type Key = KeyPart | readonly KeyPart[];
