// Puts automation together: the flows in memory, the hooks by which they see writes, the runs that nobody waits for, and the ways in which flows
// are started.

import type { Caller } from '../../core/access/view.js';
import type { Jobs } from '../../core/engine/store/jobs.js';
import type { SchemaStore } from '../../core/engine/store/schema-store.js';
import type { TransactionWork } from '../../core/engine/work/transaction.js';
import type { Hooks } from '../../core/engine/write/hooks.js';
import { forbidden, invalidPayload } from '../../core/errors/service-error.js';
import { readUuid } from '../../core/util/read-uuid.js';
import { refusalOf } from './chain/failure.js';
import { WriteListeners } from './events/write-listeners.js';
import { FlowRegistry, type FlowTables } from './flows/flow-registry.js';
import { guardFlows } from './flows/guard-flows.js';
import type { Flow } from './model/flow.js';
import type { Run } from './model/run.js';
import { deepest, depthOf, type RunScope } from './rights/scope.js';
import { ExtensionRuns } from './runs/extension-runs.js';
import { performRun } from './runs/perform-run.js';
import { type RunDeps, type RunOptions, resultOf, runFlow } from './runs/run-flow.js';
import type { RunLog } from './runs/run-log.js';
import { RunQueue, type RunQueueDeps } from './runs/run-queue.js';
import { sweepRuns } from './runs/sweep-runs.js';
import { Schedules } from './schedules/schedules.js';
import type { ScriptPool } from './script/script-pool.js';
import { type ManualFlow, manualFlowsFor } from './triggers/manual-flows.js';
import { type RehearsalAnswer, rehearseFlow } from './triggers/rehearse-flow.js';
import { type RequestTrigger, startByRequest } from './triggers/request-trigger.js';

export interface AutomationDeps extends Omit<RunDeps, 'startFlow' | 'scripts' | 'authenticator'> {
  readonly authenticator: RunDeps['authenticator'] & Parameters<typeof performRun>[0]['authenticator'];
  readonly hooks: Hooks;
  readonly store: SchemaStore;
  readonly jobs: Jobs;
  readonly tables: FlowTables;
  readonly runs: Pick<RunQueueDeps, 'rows' | 'bulk' | 'maxAtOnce'>;
  readonly scripts: ScriptPool;
  /** null: HISTORY is off. */
  readonly runLog: RunLog | null;
  /** Further texts to mask. */
  readonly secrets: readonly string[];
}

export interface Automation {
  /** A request to `/flows/trigger/:id`. Undefined: the flow answers nothing. */
  request(caller: Caller, id: string, trigger: RequestTrigger): Promise<unknown>;
  /** The active flows that the caller may start by hand, without what they do. */
  manualFor(caller: Caller): readonly ManualFlow[];
  /** Tries the flow out, active or not, and undoes what it did; FORBIDDEN for one that does not exist. */
  rehearse(caller: Caller, id: string, trigger: unknown): Promise<RehearsalAnswer>;
  /** Begins an ended run again after the commit; FORBIDDEN for one that has not ended, or does not exist. */
  replay(work: TransactionWork, id: string): Promise<void>;
  /** The runs by which extensions follow writes. */
  readonly extensionRuns: ExtensionRuns;
  /** Resolves when what is under way has ended. */
  close(): Promise<void>;
}

type Start = (flow: Flow, trigger: unknown, scope: RunScope, options?: Partial<RunOptions>) => Promise<Run>;

/** Call before the first write. */
export async function openAutomation(given: AutomationDeps): Promise<Automation> {
  const { store, hooks, report, connection } = given;
  const registry = new FlowRegistry(given);
  const start = openStart(given, registry);
  const extensions = new ExtensionRuns(() => queue);
  const queue: RunQueue = new RunQueue({
    ...given.runs,
    connection,
    report,
    perform: (run) =>
      performRun(
        {
          ...given,
          extensions,
          findFlow: (id) => registry.find(id),
          start: (flow, trigger, scope, done) => start(flow, trigger, scope, { done }),
        },
        run,
      ),
  });
  const schedules = new Schedules({ add: (...slot) => queue.addScheduled(...slot), report });
  const listeners = new WriteListeners({
    hooks,
    queue,
    start,
  });
  registry.onChange((flows) => {
    listeners.follow(flows, store.current());
    schedules.follow(flows);
  });
  const refresh = (): Promise<void> => registry.refresh();
  const unsubscribe = store.subscribe(() => void refresh().catch(report));
  guardFlows(hooks, { tables: given.tables, store, refresh });
  await refresh();
  given.jobs.add(
    queue.watch(() => listeners.areFollowed || extensions.areFollowed || registry.all.some(({ trigger }) => trigger === 'schedule')),
  );
  given.jobs.add(sweepRuns(given.runs.rows, connection));
  const unwaited = new Set<Promise<unknown>>();
  return {
    extensionRuns: extensions,
    request: (caller, id, trigger) => startByRequest({ ...given, start, unwaited }, caller, registry.find(id), trigger),
    manualFor: (caller) => manualFlowsFor(caller, registry.all),
    async rehearse(caller, name, trigger) {
      const id = readUuid(name);
      const flow = id === null ? null : await registry.read(id);
      if (flow === null) throw forbidden();
      return rehearseFlow({ ...given, start }, caller, flow, trigger);
    },
    async replay({ connection: within, afterCommit }, name) {
      const id = readUuid(name);
      if (id === null || !(await queue.replay(within, id))) throw forbidden();
      afterCommit(() => queue.wake());
    },
    async close() {
      unsubscribe();
      schedules.stop();
      await queue.close();
      await Promise.all(unwaited);
      await given.runLog?.close();
      given.scripts.close();
    },
  };
}

/** Runs flows, and those that they start. */
function openStart(given: AutomationDeps, registry: FlowRegistry): Start {
  const start: Start = async (flow, trigger, scope, options = {}) => {
    const isRehearsal = scope.origin?.isRehearsal === true;
    const log = isRehearsal ? () => undefined : given.log;
    const run = await runFlow({ ...given, log, startFlow }, flow, trigger, { ...options, scope });
    if (!isRehearsal) given.runLog?.add(run, scope.starter);
    return run;
  };
  const startFlow = async (id: string, payload: unknown, scope: RunScope): Promise<unknown> => {
    const flow = registry.find(id);
    if (flow === null || flow.trigger !== 'operation') throw forbidden();
    const depth = depthOf(scope) + 1;
    if (depth > deepest) throw invalidPayload(`The flow "${flow.name}" leads back to itself.`);
    const origin = { trail: [], isSilent: false, ...scope.origin, depth };
    const run = await start(flow, payload, { ...scope, origin });
    scope.rehearsal?.onRun(run);
    if (run.end === 'failed') throw refusalOf(run.error);
    return resultOf(run, flow.options['return']) ?? null;
  };
  return start;
}
