// What binding a payload works with: who writes, what time it is, how dynamic values read, and the failures found so far.

import type { Caller } from '../access/view.js';
import type { ErrorEntry } from '../errors/service-error.js';
import type { QueryLimits } from '../query/query.js';
import type { WriteValue } from './bound-write.js';

export interface WriteContext {
  readonly caller: Caller;
  readonly limits: QueryLimits;
  readonly now: Date;
  readonly makeUuid: () => string;
  /** `$CURRENT_USER`, `$NOW(-1 day)` and their kin in presets and rules become values; everything else stays. */
  readonly resolve: (value: unknown) => unknown;
  /** What stamps of this request came to, by flag and field: the same for every item. */
  readonly stamps: Map<string, WriteValue>;
  /** Every failing field of the whole payload; answered together. */
  readonly failures: Failures;
}

export class Failures {
  readonly #entries: ErrorEntry[] = [];

  add(...entries: readonly ErrorEntry[]): void {
    this.#entries.push(...entries);
  }

  get entries(): readonly ErrorEntry[] {
    return this.#entries;
  }
}
