// What a transaction changes, for the subscribers of changes (service/events). It is collected only while there are any;
// otherwise a write costs one branch.

import type { Collection } from '../../schema/schema.js';
import { type ChangedRow, keyToWire, type RunRow } from './run-row.js';
import type { Key } from './work.js';

export type ChangeAction = 'create' | 'update' | 'delete';

export type Change =
  | {
      readonly kind: 'items';
      readonly collection: string;
      readonly action: ChangeAction;
      readonly keys: readonly Key[];
      /** The fields that an update has written; absent if they are unknown. */
      readonly fields?: readonly string[];
    }
  /**
   * Any item of this collection may have changed; null: of any collection. `logged`: includes collections whose changes otherwise come from
   * the database's log.
   */
  | { readonly kind: 'unknown'; readonly collection: string | null; readonly logged?: true };

export const anythingChanged: readonly Change[] = [{ kind: 'unknown', collection: null }];

export interface ChangeSink {
  /** Whether there are subscribers. */
  readonly isFollowed: boolean;
  /** Called after a commit, before the transaction's effects. Must not throw. */
  committed(changes: readonly Change[]): void;
}

/** A transaction that changes more items reports only their collections. */
const maxKeys = 10_000;

interface Step {
  readonly collection: string;
  readonly action: ChangeAction;
  /** null: more than `maxKeys`. */
  readonly keys: readonly ChangedRow['key'][] | null;
  readonly fields: readonly string[] | null;
}

export class TransactionChanges {
  readonly #steps: Step[] = [];
  #count = 0;

  add(action: ChangeAction, { name: collection }: Collection, rows: readonly RunRow[]): void {
    this.#count += rows.length;
    const keys = this.#count > maxKeys ? null : rows.flatMap(({ key }) => (key === null ? [] : [key]));
    const fields = action === 'update' && keys !== null ? [...new Set(rows.flatMap(({ values }) => [...values.keys()]))] : null;
    this.#steps.push({ collection, action, keys, fields });
  }

  /** In the order of writing. Call after the commit, when all keys are generated. */
  list(): readonly Change[] {
    return this.#steps.map(({ collection, action, keys, fields }) =>
      keys === null
        ? { kind: 'unknown', collection }
        : { kind: 'items', collection, action, keys: keys.map(keyToWire), ...(fields === null ? {} : { fields }) },
    );
  }

  /** For a transaction whose commit has an unknown result: reports the collections without their items. */
  listDoubtful(): readonly Change[] {
    return this.#steps.map(({ collection }) => ({ kind: 'unknown', collection }));
  }
}
