// The keys that one INSERT of a transaction generates. Statements sent behind the INSERT refer to them as pending keys; once the INSERT
// has answered, the batch is settled and every pending key of it has its value.

import { type GeneratedKeys, PendingKey } from '../sql/pending-key.js';

/**
 * An INSERT of more rows is sent at once and its keys are read back. Each pending key becomes part of the text of the statements that
 * refer to it (PostgreSQL, MariaDB), so a large batch would cost more than the round trip it saves.
 */
export const maxPendingKeys = 16;

export class KeyBatch implements GeneratedKeys {
  readonly place: number;
  readonly rows: number;
  #keys: readonly unknown[] | null = null;

  constructor(place: number, rows: number) {
    this.place = place;
    this.rows = rows;
  }

  key(row: number): PendingKey {
    return new PendingKey(this, row);
  }

  /** `keys`: in the order of the rows of the INSERT (`inKeyOrder`). */
  settle(keys: readonly unknown[]): void {
    this.#keys = keys;
  }

  at(row: number): unknown {
    return this.#keys?.[row];
  }
}
