// Runs a flow from its trigger to its end: one operation after the other, each with the data of those before it.

import type { WriteOrigin } from '../../../core/engine/work/work.js';
import { invalidPayload, serviceError } from '../../../core/errors/service-error.js';
import { makeMap, type PlainObject } from '../../../core/util/plain-object.js';
import { failureOf, unforeseen } from '../chain/failure.js';
import { valueAt } from '../chain/value-at.js';
import type { Flow, Step } from '../model/flow.js';
import { nextStep, type Outcome } from '../model/interpreter.js';
import { callerFor } from '../rights/caller-for.js';
import type { RunScope } from '../rights/scope.js';
import type { StepDeps } from '../steps/step.js';
import { findStepType, renderOptions } from '../steps/step-types.js';

/** An operation as the log of a run shows it. */
interface StepRecord {
  readonly operation: string;
  readonly key: string;
  readonly status: Outcome['status'];
  /** With the values of the run in them; null where they could not be filled in. */
  readonly options: PlainObject | null;
}

export interface Run {
  readonly flow: Flow;
  readonly end: 'ok' | 'failed' | 'unknown' | 'circle';
  /** `$trigger`, `$last`, `$accountability`, `$env`, and what each operation left, by its key. */
  readonly chain: PlainObject;
  readonly steps: readonly StepRecord[];
  readonly outcomes: readonly Outcome[];
  /** Why the last operation failed, where the run ended by it. */
  readonly error: unknown;
}

export interface RunDeps extends StepDeps {
  /** What `$env` holds. */
  readonly environment: PlainObject;
}

export interface RunOptions {
  readonly scope: RunScope;
  /** What an earlier attempt has done. */
  readonly done?: readonly Outcome[];
  /** How long the run may take before its next operation fails; null: as long as it takes. */
  readonly limitMs: number | null;
}

export async function runFlow(deps: RunDeps, flow: Flow, trigger: unknown, options: RunOptions): Promise<Run> {
  const chain = makeMap<unknown>();
  Object.assign(chain, { $trigger: trigger, $last: trigger, $accountability: accountabilityOf(options.scope), $env: deps.environment });
  const outcomes: Outcome[] = [...(options.done ?? [])];
  const steps: StepRecord[] = outcomes.map(({ operation, key, status }) => ({ operation, key, status, options: null }));
  for (const { key, result } of outcomes) Object.assign(chain, { [key]: result, $last: result });
  const startedAt = performance.now();
  let error: unknown = null;
  for (let next = nextStep(flow, outcomes); ; next = nextStep(flow, outcomes)) {
    if (next.kind === 'end') return { flow, end: next.end, chain, steps, outcomes, error };
    const leftMs = options.limitMs === null ? null : options.limitMs - (performance.now() - startedAt);
    const made = await runStep(deps, flow, next.step, { chain, scope: options.scope, leftMs });
    error = made.error;
    outcomes.push(made.outcome);
    steps.push({ operation: next.step.id, key: next.step.key, status: made.outcome.status, options: made.options });
    chain[next.step.key] = made.outcome.result;
    chain['$last'] = made.outcome.result;
  }
}

/** What the result of a run is, by the option `return` of its flow. Undefined: nothing. */
export function resultOf({ chain }: Pick<Run, 'chain'>, wanted: unknown): unknown {
  if (wanted === '$all') return { ...chain };
  return typeof wanted === 'string' && wanted !== '' ? valueAt(chain, wanted) : undefined;
}

function accountabilityOf({ starter }: RunScope): PlainObject | null {
  if (starter === null) return null;
  const { user, role, roles, admin, app, ip, userAgent, origin } = starter.accountability;
  return { user, role, roles, admin, app, ip, userAgent, ...(origin === null ? {} : { origin }) };
}

interface StepRun {
  readonly outcome: Outcome;
  readonly options: PlainObject | null;
  readonly error: unknown;
}

interface StepPlace {
  readonly chain: PlainObject;
  readonly scope: RunScope;
  readonly leftMs: number | null;
}

async function runStep(deps: RunDeps, flow: Flow, step: Step, { chain, scope, leftMs }: StepPlace): Promise<StepRun> {
  const type = findStepType(step.type);
  const outcome = { operation: step.id, key: step.key };
  if (type === null) return { outcome: { ...outcome, status: 'unknown', result: null }, options: null, error: null };
  let options: PlainObject | null = null;
  try {
    if (leftMs !== null && leftMs <= 0) throw serviceError('SERVICE_UNAVAILABLE', 'The flow takes too long.', { service: 'flow' });
    if (scope.write !== null && !type.whileWriting)
      throw invalidPayload(`A flow that filters writes cannot have the operation "${step.type}": it would hold up the write.`);
    options = renderOptions(type, step.options, chain);
    const { permissions } = options;
    const call = {
      deps,
      flow,
      step,
      options,
      chain,
      scope,
      leftMs,
      caller: () => callerFor(deps, permissions, scope),
      origin: originOf(scope, options),
    };
    const result = (await type.run(call)) ?? null;
    return { outcome: { ...outcome, status: 'resolve', result }, options, error: null };
  } catch (error) {
    const left = failureOf(error);
    if (left === undefined) deps.report(error);
    return { outcome: { ...outcome, status: 'reject', result: left ?? unforeseen }, options, error };
  }
}

const originOf = ({ origin }: RunScope, { emitEvents }: PlainObject): WriteOrigin => ({
  depth: origin?.depth ?? 0,
  trail: origin?.trail ?? [],
  isSilent: emitEvents === false || origin?.isSilent === true,
});
