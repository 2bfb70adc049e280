// A flow's run as far as it has come: what its operations got, and what they left.

import type { PlainObject } from '../../../core/util/plain-object.js';
import type { Flow } from './flow.js';
import type { Outcome } from './interpreter.js';

/** An operation as the log of a run shows it. */
export interface StepRecord {
  readonly operation: string;
  readonly key: string;
  readonly status: Outcome['status'];
  /** With the values of the run in them; null where they could not be filled in. */
  readonly options: PlainObject | null;
  /** It was not done, because the flow is only tried out. */
  readonly isLeftOut: boolean;
  /** How long it took, in milliseconds; null: an earlier attempt has done it. */
  readonly durationMs: number | null;
}

export interface Run {
  readonly flow: Flow;
  readonly end: 'ok' | 'failed' | 'unknown' | 'circle';
  /** `$trigger`, `$last`, `$accountability`, `$env`, and what each operation left, by its key. */
  readonly chain: PlainObject;
  readonly steps: readonly StepRecord[];
  readonly outcomes: readonly Outcome[];
  /** Why the last operation failed, where the run ended by it. */
  readonly error: unknown;
}
