// Which inserts need no answer before what follows them: those with nothing but inserts behind them, whose keys are known, are named as
// late values, or interest nobody. They go along with the statement after them.

import { isReference } from '../plan/bound-write.js';
import type { StepRow, StepValue, WritePlan } from '../plan/write-steps.js';
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
  return rows.every((row) => row.when === 'always' && !givesCounter(collection, row) && hasPlainReferences(collection, row));
}

/** A counter that has to go on behind what was given for it takes a statement more. */
const givesCounter = (collection: Collection, { values }: StepRow): boolean =>
  [...values.keys()].some((name) => columnField(collection, name).column.autoIncrement);

const countable: ReadonlySet<ColumnType> = new Set(['integer', 'bigInteger', 'string', 'text']);

/** Late values are numbers and their texts; other columns would want another form of them. */
const hasPlainReferences = (collection: Collection, { values }: StepRow): boolean =>
  [...values].every(([name, value]) => !isNamed(value) || countable.has(columnType(columnField(collection, name))));

const isNamed = (value: StepValue): boolean => isReference(value) && value.kind === 'ref';
