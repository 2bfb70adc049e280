// What binding a payload works with: who writes, what time it is, how dynamic values read, and the failures found so far.

import type { Caller } from '../access/view.js';
import { type ErrorEntry, ServiceError } from '../errors/service-error.js';
import type { QueryLimits } from '../query/query.js';
import type { PlainValue } from './bound-write.js';
import type { PayloadShapes } from './payload-shape.js';

export interface WriteContext {
  readonly caller: Caller;
  readonly limits: QueryLimits;
  readonly now: Date;
  readonly makeUuid: () => string;
  /** `$CURRENT_USER`, `$NOW(-1 day)` and their kin in presets and rules become values; everything else stays. */
  readonly resolve: (value: unknown) => unknown;
  /** What stamps of this request came to, by flag and field: the same for every item. */
  readonly stamps: Map<string, PlainValue>;
  /** What the names of its payloads mean. */
  readonly shapes: PayloadShapes;
  /** Every failing field of the whole payload; answered together. */
  readonly failures: Failures;
}

/** Who breaks more rules than this learns nothing from the rest. */
const maxFailures = 1000;

export class Failures {
  readonly #entries: ErrorEntry[] = [];

  add(entry: ErrorEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length >= maxFailures) this.refuseAny();
  }

  get entries(): readonly ErrorEntry[] {
    return this.#entries;
  }

  refuseAny(): void {
    const [first, ...rest] = this.#entries;
    if (first !== undefined) throw new ServiceError([first, ...rest]);
  }
}
