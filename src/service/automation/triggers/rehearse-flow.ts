// Tries a flow out: it runs with what its trigger would hand it, in a transaction that is rolled back. What reaches outside, or waits, is left
// out and told with its options. Nothing is stored, queued or recorded, and nobody hears of it.

import { refuseReader } from '../../../core/access/accountability.js';
import type { Caller } from '../../../core/access/view.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { PlainObject } from '../../../core/util/plain-object.js';
import { maskSecrets } from '../chain/mask.js';
import { momentOf } from '../events/listeners.js';
import type { Flow } from '../model/flow.js';
import type { Run, StepRecord } from '../model/run.js';
import type { RunScope } from '../rights/scope.js';
import { resultOf } from '../runs/run-flow.js';

export interface RehearsalDeps {
  readonly writer: Pick<Writer, 'transaction'>;
  readonly start: (flow: Flow, trigger: unknown, scope: RunScope) => Promise<Run>;
  readonly secrets: readonly string[];
}

interface RehearsedStep extends Pick<StepRecord, 'operation' | 'key' | 'status' | 'options'> {
  readonly result: unknown;
  readonly left_out: boolean;
}

interface Rehearsed {
  readonly flow: string;
  readonly status: 'ok' | 'failed';
  readonly steps: readonly RehearsedStep[];
}

export interface RehearsalAnswer extends Omit<Rehearsed, 'flow'> {
  /** What the flow returns. */
  readonly result: unknown;
  readonly error: unknown;
  /** Flows that its operations have started, in the order in which they ended. */
  readonly triggered: readonly Rehearsed[];
  /** What the operations got and left was too much to answer. */
  readonly truncated: boolean;
}

/** A filter of a write may hold it up for as long; the transaction holds what it has locked. */
const limitMs = 5_000;
/** Of one process: each holds a connection, and on SQLite the only one that writes. */
const mostAtOnce = 2;
const mostTriggered = 100;
const maxDocument = 1_000_000;

let underWay = 0;

/** With the rights of the caller, who has to be an administrator. */
export async function rehearseFlow(
  { writer, start, secrets }: RehearsalDeps,
  caller: Caller,
  flow: Flow,
  trigger: unknown,
): Promise<RehearsalAnswer> {
  refuseReader(caller.accountability);
  if (underWay >= mostAtOnce) throw serviceError('SERVICE_UNAVAILABLE', 'Other flows are being tried out.', { service: 'flow' });
  underWay += 1;
  try {
    return await writer.transaction(
      caller,
      async (write) => {
        const triggered: Run[] = [];
        const rehearsal = { onRun: (run: Run) => void (triggered.length < mostTriggered ? triggered.push(run) : null) };
        const origin = { depth: 1, trail: [], isSilent: false, isRehearsal: true };
        // What a filter of writes is refused in earnest it is refused here.
        const isFilter = flow.trigger === 'event' && momentOf(flow) === 'filter';
        const scope = { starter: caller, write, origin, rehearsal: isFilter ? null : rehearsal, until: performance.now() + limitMs };
        return answerOf(await start(flow, trigger, scope), triggered, secrets);
      },
      { dryRun: true },
    );
  } finally {
    underWay -= 1;
  }
}

function answerOf(run: Run, triggered: readonly Run[], secrets: readonly string[]): RehearsalAnswer {
  const { steps, status } = rehearsed(run);
  const error = run.end === 'failed' ? run.chain['$last'] : null;
  const told = { steps, result: resultOf(run, returnOf(run.flow)) ?? null, error, triggered: triggered.map(rehearsed) };
  // With the trigger, so that a secret in it is known wherever an operation has copied it to.
  const { answer } = maskSecrets({ trigger: run.chain['$trigger'], answer: told }, secrets) as { readonly answer: typeof told };
  if (JSON.stringify(answer).length <= maxDocument) return { status, ...answer, truncated: false };
  const short = ({ flow, status: end, steps: taken }: Rehearsed): Rehearsed => ({ flow, status: end, steps: taken.map(withoutData) });
  return {
    status,
    steps: answer.steps.map(withoutData),
    result: null,
    error: null,
    triggered: answer.triggered.map(short),
    truncated: true,
  };
}

const rehearsed = ({ flow, end, steps, outcomes }: Run): Rehearsed => ({
  flow: flow.id,
  status: end === 'ok' ? 'ok' : 'failed',
  steps: steps.map(({ operation, key, status, options, isLeftOut }, index) => ({
    operation,
    key,
    status,
    options,
    result: outcomes[index]?.result ?? null,
    left_out: isLeftOut,
  })),
});

const withoutData = (step: RehearsedStep): RehearsedStep => ({ ...step, options: null, result: null });

/** As the trigger has it: what starts a flow by hand is answered what the last operation left, and a webhook has that as its default. */
function returnOf({ trigger, options }: { readonly trigger: string | null; readonly options: PlainObject }): unknown {
  if (trigger === 'manual') return '$last';
  return trigger === 'webhook' ? (options['return'] ?? '$last') : options['return'];
}
