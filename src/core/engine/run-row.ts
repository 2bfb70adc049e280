// A row on its way into the database.

import type { ItemKey } from '../plan/item-key.js';
import type { ItemNumber } from '../plan/write-steps.js';
import type { RowValues } from '../sql/insert-to-sql.js';

export interface RunRow {
  /** null until a new item has one. */
  readonly key: ItemKey | null;
  readonly values: RowValues;
  /** Its number in the plan; none for what only leaves a list. */
  readonly item?: ItemNumber;
}

/** An existing item that changes. */
export interface ChangedRow extends RunRow {
  readonly key: ItemKey;
}
