// Which inserts need no answer: those at the end of a plan that make items nobody refers to. They go along with the statement after them.

import { isReference } from '../plan/bound-write.js';
import type { StepValue, WritePlan, WriteStep } from '../plan/write-steps.js';

export function mayWait({ steps, roots }: WritePlan, index: number): boolean {
  const step = steps[index];
  if (step?.kind !== 'insert') return false;
  const items = new Set(step.rows.map((row) => row.item));
  return !roots.some((item) => items.has(item)) && steps.slice(index + 1).every((later) => isIndependent(later, items));
}

const isIndependent = (step: WriteStep, items: ReadonlySet<number>): boolean =>
  step.kind === 'insert' && step.rows.every((row) => [...row.values.values()].every((value) => !refersTo(value, items)));

function refersTo(value: StepValue, items: ReadonlySet<number>): boolean {
  return isReference(value) && items.has(value.kind === 'ref' ? value.item : value.parent);
}
