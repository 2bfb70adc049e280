// Which inserts of a plan may be deferred: queued, and sent with the statement behind them. That holds for inserts with only inserts behind them,
// whose keys are known, can be pending, or are not used.

import { isReference } from '../../plan/write/bound-write.js';
import type { StepRow, WritePlan } from '../../plan/write/write-steps.js';
import type { Collection } from '../../schema/schema.js';
import { hasTrigger } from '../../schema/triggers.js';
import type { ColumnType } from '../../schema/types/field-type.js';
import { columnField, columnType } from '../../sql/written.js';
import type { InsertStep } from './run-insert.js';
import type { WriteRun } from './write-run.js';

/** The number of the first step that may be deferred; all steps behind it may be too. */
export function deferredFrom(run: WriteRun, { steps }: WritePlan): number {
  let first = steps.length;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index];
    if (step?.kind !== 'insert' || !mayDefer(run, step)) break;
    first = index;
  }
  return first;
}

/** A larger INSERT is worth a round trip: meanwhile the next part of a bulk is bound. */
const maxDeferredRows = 200;

function mayDefer({ engine: { hooks } }: WriteRun, { collection, rows }: InsertStep): boolean {
  if (rows.length > maxDeferredRows || hasTrigger(collection, 'insert')) return false;
  // Hooks that use keys need real ones.
  if (hooks.has(collection, 'create', ['after', 'committed'])) return false;
  // So do those that read values, where keys are among these.
  if (hooks.has(collection, 'create', ['before']) && rows.some(hasReferences)) return false;
  return rows.every((row) => row.when === 'always' && hasPlainValues(collection, row));
}

const hasReferences = ({ values }: StepRow): boolean => [...values.values()].some(isReference);

const keyTypes: ReadonlySet<ColumnType> = new Set(['integer', 'bigInteger', 'string', 'text']);

/**
 * Not when a key is given for a generated column: its counter has to be moved past the key by another statement. And pending keys, which are
 * numbers or their text, may only be used in columns that store exactly that, and where nothing has to be compared with them.
 */
function hasPlainValues(collection: Collection, { values }: StepRow): boolean {
  for (const [name, value] of values) {
    const field = columnField(collection, name);
    if (field.column.autoIncrement) return false;
    if (isReference(value) && value.kind === 'ref' && (value.agrees !== undefined || !keyTypes.has(columnType(field)))) return false;
  }
  return true;
}
