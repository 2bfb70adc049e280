// What a run works for: who started it, the write that it is part of, and what it follows from.

import type { Caller } from '../../../core/access/view.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { WriteOrigin } from '../../../core/engine/work/work.js';
import type { Run } from '../model/run.js';

export interface RunScope {
  /** null: nobody, as for a schedule. */
  readonly starter: Caller | null;
  /** The write that waits for this run; null: none does. */
  readonly write: TransactionWork | null;
  /** How this run came about; null: by a request. */
  readonly origin: WriteOrigin | null;
  /** The flow is tried out: what reaches outside is left out. null: it is done, or refused where a write waits. */
  readonly rehearsal: Rehearsal | null;
  /** When the next operation of the run fails, and of those that are part of it, as of `performance.now()`; null: never. */
  readonly until: number | null;
}

/** Told by each run that an operation of the flow has started. */
interface Rehearsal {
  readonly onRun: (run: Run) => void;
}

/** Runs that follow from runs end here: what leads further is a loop. */
export const deepest = 8;

export const depthOf = ({ origin }: Pick<RunScope, 'origin'>): number => origin?.depth ?? 0;
