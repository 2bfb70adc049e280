// The state of binding the payloads of one request, and the input and result of binding one item of them. The function that binds items is
// passed down to the binders of relations (`Binder`), which find further items.

import type { Caller } from '../../access/view.js';
import { refusal } from '../../errors/refusals.js';
import { type ErrorEntry, invalidPayload, ServiceError } from '../../errors/service-error.js';
import type { QueryLimits } from '../../query/query.js';
import type { Collection } from '../../schema/schema.js';
import type { Canonical } from '../../schema/types/coerced.js';
import type { BoundItem, BoundLink, BoundToMany, BoundToOne, PlainValue, WriteValue } from './bound-write.js';
import type { ItemKey } from './item-key.js';
import type { Payload, PayloadShapes } from './payload.js';

export interface WriteContext {
  readonly caller: Caller;
  readonly limits: QueryLimits;
  readonly now: Date;
  readonly makeUuid: () => string;
  /** Replaces dynamic values (`$CURRENT_USER`, `$NOW(-1 day)`) in presets and rules; returns anything else unchanged. */
  readonly resolve: (value: unknown) => unknown;
  /** The stamps of this request (`date-created`, `user-updated`, …) by flag and field: the same for every item. */
  readonly stamps: Map<string, PlainValue>;
  /** The meaning of the names in its payloads. */
  readonly shapes: PayloadShapes;
  /** The failing fields of the whole payload, reported together. */
  readonly failures: Failures;
  /** The number of items in this write so far, nested ones included. */
  readonly named: { items: number };
}

/** The service's own writes are not limited. */
export function countItems({ caller, named, limits }: WriteContext, count: number): void {
  if (limits.maxWritten === -1 || (caller.accountability.admin && caller.accountability.user === null)) return;
  named.items += count;
  if (named.items > limits.maxWritten) throw invalidPayload(refusal('too_many_written', { limit: limits.maxWritten }));
}

/** More failures than this would not help the client. */
const maxFailures = 1000;

export class Failures {
  readonly #entries: ErrorEntry[] = [];
  #index: number | null = null;

  /** The next item of a list is bound: failures name its place. */
  nextItem(): void {
    this.#index = (this.#index ?? -1) + 1;
  }

  add(entry: ErrorEntry): void {
    this.#entries.push(this.#index === null ? entry : { ...entry, extensions: { ...entry.extensions, index: this.#index } });
    if (this.#entries.length >= maxFailures) this.throwIfAny();
  }

  get entries(): readonly ErrorEntry[] {
    return this.#entries;
  }

  throwIfAny(): void {
    const [first, ...rest] = this.#entries;
    if (first !== undefined) throw new ServiceError([first, ...rest]);
  }
}

type WriteMode =
  | { readonly kind: 'create' }
  | { readonly kind: 'update'; readonly key: ItemKey }
  /** `match`: the fields of a unique key; `values`: their values if they are known, else the payload must contain them. */
  | { readonly kind: 'upsert'; readonly match: readonly string[]; readonly values?: readonly unknown[]; readonly onlyKey?: boolean };

/** Fields that the relation to the parent sets, with their values; undefined: a value that is not known yet. */
export type ParentValues = ReadonlyMap<string, Canonical | undefined>;

export interface ItemInput {
  readonly collection: Collection;
  readonly payload: Payload;
  readonly mode: WriteMode;
  readonly path: readonly string[];
  /** Fields that the relation to the parent sets. */
  readonly parentValues: ParentValues;
}

export interface Binder {
  readonly context: WriteContext;
  readonly bindItem: (input: ItemInput) => BoundItem;
}

/** The nested items and links of one item. */
export interface Nested {
  readonly toOne: BoundToOne[];
  readonly links: BoundLink[];
  readonly toMany: BoundToMany[];
  /** The values of the columns that hold relations. */
  readonly values: Map<string, WriteValue>;
}
