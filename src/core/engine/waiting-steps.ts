// Which inserts need no answer before what follows them: those with nothing but inserts behind them, whose keys are known, are named as
// late values, or interest nobody. They go along with the statement after them.

import { isReference } from '../plan/bound-write.js';
import type { StepRow, WritePlan } from '../plan/write-steps.js';
import type { ColumnType } from '../schema/field-type.js';
import type { Collection } from '../schema/schema.js';
import { columnField, columnType } from '../sql/written.js';
import type { InsertStep } from './run-insert.js';
import type { WriteRun } from './write-run.js';

/** From this step on everything may wait; steps before it run as they come. */
export function firstWaiting(run: WriteRun, { steps }: WritePlan): number {
  let first = steps.length;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index];
    if (step?.kind !== 'insert' || !mayWait(run, step)) break;
    first = index;
  }
  return first;
}

/** More rows are worth an exchange of their own. */
const mostWaiting = 200;

function mayWait({ engine: { hooks } }: WriteRun, { collection, rows }: InsertStep): boolean {
  if (rows.length > mostWaiting) return false;
  // Who looks at values, or does something of his own with the keys, wants them as they are.
  if (hooks.has(collection.name, 'create', ['before', 'after', 'committed'])) return false;
  return rows.every((row) => row.when === 'always' && hasPlainValues(collection, row));
}

const countable: ReadonlySet<ColumnType> = new Set(['integer', 'bigInteger', 'string', 'text']);

/**
 * No counter is given, which would have to go on behind that and take a statement more; and late values, being numbers and their texts, stand
 * only where a column wants no other form of them.
 */
function hasPlainValues(collection: Collection, { values }: StepRow): boolean {
  for (const [name, value] of values) {
    const field = columnField(collection, name);
    if (field.column.autoIncrement) return false;
    if (isReference(value) && value.kind === 'ref' && !countable.has(columnType(field))) return false;
  }
  return true;
}
