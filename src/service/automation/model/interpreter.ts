// What comes next in a run: a pure function of the flow and the outcomes so far, so that a run can go on after a restart from what was kept
// of it. Operations may have several predecessors; a circle, which saving refuses, ends the run where it would begin again.

import type { Flow, Step } from './flow.js';

export interface Outcome {
  /** The id of the operation. */
  readonly operation: string;
  readonly key: string;
  /** `unknown`: nobody knows its type, so the run ended there. */
  readonly status: 'resolve' | 'reject' | 'unknown';
  /** What it left in the data of the run. */
  readonly result: unknown;
}

export type Next =
  | { readonly kind: 'step'; readonly step: Step }
  /** `failed`: the last operation failed, and the flow has no operation for that. `circle`: it would run an operation twice. */
  | { readonly kind: 'end'; readonly end: 'ok' | 'failed' | 'unknown' | 'circle' };

export function nextStep({ first, steps }: Pick<Flow, 'first' | 'steps'>, outcomes: readonly Outcome[]): Next {
  const last = outcomes.at(-1);
  if (last === undefined) return stepOrEnd(steps, first, 'ok');
  if (last.status === 'unknown') return { kind: 'end', end: 'unknown' };
  const done = steps.get(last.operation);
  const next = last.status === 'resolve' ? done?.resolve : done?.reject;
  if (outcomes.some(({ operation }) => operation === next)) return { kind: 'end', end: 'circle' };
  return stepOrEnd(steps, next ?? null, last.status === 'resolve' ? 'ok' : 'failed');
}

/** An operation of another flow is none of this one. */
function stepOrEnd(steps: Flow['steps'], id: string | null, end: 'ok' | 'failed'): Next {
  const step = id === null ? undefined : steps.get(id);
  return step === undefined ? { kind: 'end', end } : { kind: 'step', step };
}
