// Runs a flow from its trigger to its end: one operation after the other, each with the data of those before it.

import { isWorthRetrying } from '../../../core/engine/work/retry.js';
import type { WriteOrigin } from '../../../core/engine/work/work.js';
import { invalidPayload, ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { makeMap, type PlainObject } from '../../../core/util/plain-object.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { failureOf, unforeseen } from '../chain/failure.js';
import { valueAt } from '../chain/value-at.js';
import type { Flow, Step } from '../model/flow.js';
import { nextStep, type Outcome } from '../model/interpreter.js';
import type { Run, StepRecord } from '../model/run.js';
import { callerFor } from '../rights/caller-for.js';
import type { RunScope } from '../rights/scope.js';
import type { StepDeps } from '../steps/step.js';
import { findStepType, renderOptions } from '../steps/step-types.js';

export interface RunDeps extends StepDeps {
  /** What `$env` holds. */
  readonly environment: PlainObject;
}

export interface RunOptions {
  readonly scope: RunScope;
  /** What an earlier attempt has done. */
  readonly done?: readonly Outcome[];
}

export async function runFlow(deps: RunDeps, flow: Flow, trigger: unknown, options: RunOptions): Promise<Run> {
  const chain = makeMap<unknown>();
  Object.assign(chain, { $trigger: trigger, $last: trigger, $accountability: accountabilityOf(options.scope), $env: deps.environment });
  const outcomes: Outcome[] = [...(options.done ?? [])];
  const steps: StepRecord[] = outcomes.map(({ operation, key, status }) => ({
    operation,
    key,
    status,
    options: null,
    isLeftOut: false,
    durationMs: null,
  }));
  for (const { key, result } of outcomes) Object.assign(chain, { [key]: result, $last: result });
  let error: unknown = null;
  for (let next = nextStep(flow, outcomes); ; next = nextStep(flow, outcomes)) {
    if (next.kind === 'end') return { flow, end: next.end, chain, steps, outcomes, error };
    const begun = performance.now();
    const made = await runStep(deps, flow, next.step, { chain, scope: options.scope });
    error = made.error;
    outcomes.push(made.outcome);
    const { operation, key, status, result } = made.outcome;
    const durationMs = Math.round(performance.now() - begun);
    steps.push({ operation, key, status, options: made.options, isLeftOut: made.isLeftOut, durationMs });
    Object.assign(chain, { [key]: result, $last: result });
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
  readonly isLeftOut: boolean;
  readonly error: unknown;
}

interface StepPlace {
  readonly chain: PlainObject;
  readonly scope: RunScope;
}

async function runStep(deps: RunDeps, flow: Flow, step: Step, { chain, scope }: StepPlace): Promise<StepRun> {
  const type = findStepType(step.type);
  const outcome = { operation: step.id, key: step.key };
  if (type === null) return { outcome: { ...outcome, status: 'unknown', result: null }, options: null, isLeftOut: false, error: null };
  const isLeftOut = !type.whileWriting && scope.rehearsal !== null;
  const leftMs = scope.until === null ? null : scope.until - performance.now();
  let options: PlainObject | null = null;
  try {
    if (leftMs !== null && leftMs <= 0) throw serviceError('SERVICE_UNAVAILABLE', 'The flow takes too long.', { service: 'flow' });
    if (scope.write !== null && !type.whileWriting && !isLeftOut)
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
    const result = isLeftOut ? null : ((await type.run(call)) ?? null);
    return { outcome: { ...outcome, status: 'resolve', result }, options, isLeftOut, error: null };
  } catch (error) {
    // The whole transaction begins again, or has ended: whatever this run did in it is gone, and nothing may be written behind it.
    if (scope.write !== null && endsTransaction(error)) throw error;
    const left = failureOf(error);
    if (left === undefined) deps.report(error);
    return { outcome: { ...outcome, status: 'reject', result: left ?? unforeseen }, options, isLeftOut: false, error };
  }
}

function endsTransaction(error: unknown): boolean {
  const found = error instanceof ServiceError ? error.cause : error;
  return found instanceof DatabaseError && (found.kind === 'unavailable' || isWorthRetrying(found));
}

const originOf = ({ origin }: RunScope, { emitEvents }: PlainObject): WriteOrigin => ({
  depth: origin?.depth ?? 0,
  trail: origin?.trail ?? [],
  isSilent: emitEvents === false || origin?.isSilent === true,
  ...(origin?.isRehearsal === true ? { isRehearsal: true } : {}),
});
