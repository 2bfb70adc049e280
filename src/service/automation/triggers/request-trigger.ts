// Flows that a request starts: webhooks, which everybody may call who knows their address, and flows that a user starts on items by hand.

import { refuseReader } from '../../../core/access/accountability.js';
import { type Caller, findCollection } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import { defaultQueryLimits } from '../../../core/query/query.js';
import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { publicFailure, refusalOf } from '../chain/failure.js';
import type { Flow } from '../model/flow.js';
import type { Run } from '../model/run.js';
import type { RunScope } from '../rights/scope.js';
import { resultOf } from '../runs/run-flow.js';

/** What operations know as `$trigger`. */
export interface RequestTrigger {
  /** Below `/flows`. */
  readonly path: string;
  readonly method: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: PlainObject;
}

export interface RequestTriggerDeps {
  readonly reader: Pick<Reader, 'keys'>;
  readonly connection: Connection;
  readonly start: (flow: Flow, trigger: unknown, scope: RunScope) => Promise<Run>;
  readonly report: (error: unknown) => void;
  /** Runs that were answered before their end. */
  readonly unwaited: Set<Promise<unknown>>;
}

/** Undefined: the flow answers nothing. FORBIDDEN alike for a flow that is missing, switched off, or not to be started so. */
export async function startByRequest(
  deps: RequestTriggerDeps,
  caller: Caller,
  flow: Flow | null,
  trigger: RequestTrigger,
): Promise<unknown> {
  refuseReader(caller.accountability);
  if (flow === null) throw forbidden();
  if (flow.trigger === 'manual') await checkManual(deps, caller, flow, trigger);
  else if (flow.trigger !== 'webhook' || (flow.options['method'] ?? 'GET') !== trigger.method) throw forbidden();
  const running = deps.start(flow, trigger, { starter: caller, write: null, origin: null, rehearsal: null, until: null });
  if (flow.options['async'] === true) {
    const ended = running.catch(deps.report).finally(() => deps.unwaited.delete(ended));
    deps.unwaited.add(ended);
    return undefined;
  }
  const run = await running;
  if (run.end === 'unknown') return undefined;
  if (run.end === 'failed') {
    if (flow.options['error_on_reject'] === true) throw refusalOf(run.error);
    return publicFailure(run.chain['$last']);
  }
  return resultOf(run, flow.trigger === 'manual' ? '$last' : (flow.options['return'] ?? '$last')) ?? undefined;
}

/** A user who may read all of the items, of a collection that the flow is for. */
async function checkManual(
  { reader, connection }: RequestTriggerDeps,
  caller: Caller,
  { options }: Flow,
  trigger: RequestTrigger,
): Promise<void> {
  const { accountability, view } = caller;
  if (trigger.method !== 'POST' || (accountability.user === null && !accountability.admin)) throw forbidden();
  const { collection, keys = [] } = isPlainObject(trigger.body) ? trigger.body : {};
  const offered = Array.isArray(options['collections']) ? options['collections'] : [];
  if (typeof collection !== 'string' || !offered.includes(collection) || !Array.isArray(keys)) throw forbidden();
  if (findCollection(view, collection, 'read') === null) throw forbidden();
  if (keys.length === 0 && options['requireSelection'] !== false) throw forbidden();
  if (accountability.admin || keys.length === 0) return;
  const work = { caller, connection, signal: null, afterCommit: null };
  const found = await reader.keys(work, collection, parseQueryObject({ limit: -1 }, defaultQueryLimits), keys);
  if (found.length < new Set(keys.map(String)).size) throw forbidden();
}
