// Carries out a run of the queue with the present flow and the present rights of who started it, and decides whether it is tried again.

import type { Caller } from '../../../core/access/view.js';
import type { WriteOrigin } from '../../../core/engine/work/work.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { Authenticator } from '../../auth/session/authenticate.js';
import type { Failure } from '../chain/failure.js';
import { maskSecrets } from '../chain/mask.js';
import type { Flow } from '../model/flow.js';
import type { Outcome } from '../model/interpreter.js';
import type { Run } from '../model/run.js';
import type { RunScope } from '../rights/scope.js';
import type { ExtensionRuns } from './extension-runs.js';
import type { DueRun, RunEnd } from './run-queue.js';

export interface PerformDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate' | 'ofUser' | 'ofAccessKey'>;
  readonly connection: Connection;
  readonly findFlow: (id: string) => Flow | null;
  readonly start: (flow: Flow, trigger: unknown, scope: RunScope, done: readonly Outcome[]) => Promise<Run>;
  readonly secrets: readonly string[];
  readonly extensions: Pick<ExtensionRuns, 'perform'>;
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** The longest pause before each further attempt; the real one is any time up to it, so that many do not come back at once. */
const pauses = [5 * second, 30 * second, 2 * minute, 15 * minute, hour, 4 * hour, 12 * hour, 24 * hour];

export async function performRun(deps: PerformDeps, run: DueRun): Promise<RunEnd> {
  if (run.extension !== null) return performExtension(deps, run, run.extension);
  const flow = deps.findFlow(run.flow);
  if (flow === null) return refused(run, 'The flow is gone or switched off.');
  const starter = run.slot === null ? await starterOf(deps, run) : null;
  if (starter === null && run.slot === null) return refused(run, goneStarter);
  const scope: RunScope = { starter, write: null, origin: originOf(run.origin), rehearsal: null, until: null };
  const made = await deps.start(flow, run.trigger, scope, outcomesOf(run.steps, flow));
  const again = made.end === 'failed' && flow.options['retry'] === true && mayPass(made.chain['$last']) ? pauses[run.attempt] : undefined;
  const steps = made.outcomes.map((outcome, index) => ({
    ...outcome,
    options: made.steps[index]?.options ?? null,
    duration_ms: made.steps[index]?.durationMs ?? null,
  }));
  // The operation that failed is the one to begin with again.
  if (again !== undefined) {
    const error = maskSecrets(made.chain['$last'], deps.secrets);
    return { status: 'again', dueInMs: Math.ceil(Math.random() * again), steps: made.outcomes.slice(0, -1), error, trigger: run.trigger };
  }
  const gaveUp = flow.options['retry'] === true && run.attempt >= pauses.length;
  const status = made.end === 'ok' ? 'ok' : made.end === 'failed' && gaveUp ? 'dead' : 'failed';
  const kept = maskSecrets({ trigger: run.trigger, steps }, deps.secrets) as { readonly trigger: unknown; readonly steps: unknown };
  return { status, ...kept, error: maskSecrets(errorOf(made), deps.secrets) };
}

/** The extension is asked again for as long as its failure may pass. */
async function performExtension(deps: PerformDeps, run: DueRun, extension: string): Promise<RunEnd> {
  const caller = await starterOf(deps, run);
  if (caller === null) return refused(run, goneStarter);
  const failure = await deps.extensions.perform({ extension, run, caller, origin: originOf(run.origin) });
  const error = maskSecrets(failure, deps.secrets);
  const pause = failure === null || !mayPass(failure) ? undefined : pauses[run.attempt];
  if (pause !== undefined) return { status: 'again', dueInMs: Math.ceil(Math.random() * pause), steps: null, error, trigger: run.trigger };
  const status = failure === null ? 'ok' : mayPass(failure) ? 'dead' : 'failed';
  return { status, trigger: maskSecrets(run.trigger, deps.secrets), steps: null, error };
}

function errorOf({ end, chain }: Run): unknown {
  if (end === 'ok') return null;
  if (end === 'failed') return chain['$last'];
  const message =
    end === 'unknown' ? 'The flow has an operation of a type that is not known.' : 'The flow leads back to an operation that has run.';
  return { code: 'INVALID_PAYLOAD', status: 400, message };
}

const goneStarter = 'Who started the run is gone, suspended or not let in from that address.';

const refused = ({ trigger, steps }: DueRun, message: string): RunEnd => ({
  status: 'refused',
  trigger: maskSecrets(trigger),
  steps: maskSecrets(steps),
  error: { code: 'FORBIDDEN', status: 403, message },
});

/** With the rights of this moment. null: they are gone. */
async function starterOf({ authenticator, connection }: PerformDeps, { user, ip, access_key }: DueRun): Promise<Caller | null> {
  const client = { ip: ip ?? '', userAgent: null, origin: null };
  if (access_key !== null) return authenticator.ofAccessKey(access_key, connection, client);
  return user === null ? authenticator.authenticate(null, client, 'anything') : authenticator.ofUser(user, connection, client);
}

/** Whether another attempt may end otherwise: what a request says is wrong stays wrong. */
function mayPass(left: unknown): boolean {
  const [first] = [left].flat();
  const { status } = (isPlainObject(first) ? first : {}) as Partial<Failure>;
  return typeof status !== 'number' || status < 400 || status >= 500 || [408, 409, 425, 429].includes(status);
}

function originOf(kept: unknown): WriteOrigin {
  const { depth, trail, isSilent } = isPlainObject(kept) ? kept : {};
  return { depth: Number(depth ?? 0), trail: Array.isArray(trail) ? trail.map(String) : [], isSilent: isSilent === true };
}

/** What an earlier attempt has done, as far as the flow still has these operations. */
function outcomesOf(kept: unknown, { steps }: Flow): readonly Outcome[] {
  if (!Array.isArray(kept)) return [];
  const known = (outcome: unknown): outcome is Outcome =>
    isPlainObject(outcome) && steps.get(String(outcome['operation']))?.key === outcome['key'];
  return kept.every(known) ? kept : [];
}
