// What the triggers and rules of a table mean for a write: neither the row that was sent, nor the row count, nor the returned values are
// certain to be what is stored.

import type { RowEvent } from './raw.js';
import type { Collection } from './schema.js';

/** Whether such a write fires a trigger; the stored item is then known only after it has been read again. */
export const hasTrigger = ({ table }: Collection, event: RowEvent): boolean => table?.triggers?.events.has(event) ?? false;

/** Whether a trigger fires before the row is stored: it may fill columns, or discard the row. */
export const hasBeforeTrigger = ({ table }: Collection, event: RowEvent): boolean => table?.triggers?.before.has(event) ?? false;

/** Whether an INSERT cannot return the rows it makes. */
export const insertsReturnNothing = ({ table }: Collection): boolean => table?.triggers?.silent ?? false;
