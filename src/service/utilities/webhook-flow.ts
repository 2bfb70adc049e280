// Runs a flow that a request triggers, if the flow only computes its answer. Operations that write, send or wait would need a run that
// outlives the request and are not supported: a flow that can reach one of them is refused before anything runs.

import type { Caller } from '../../core/access/view.js';
import type { SystemRows } from '../../core/engine/own-rows/system-rows.js';
import { forbidden } from '../../core/errors/service-error.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import { isPlainObject, makeMap } from '../../core/util/plain-object.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { flows, operations } from '../definitions/flows.js';
import { renderTemplate } from './render-template.js';

type Flow = RowOf<typeof flows>;
type Step = Pick<RowOf<typeof operations>, 'id' | 'key' | 'type' | 'options' | 'resolve'>;

export interface FlowDeps {
  readonly flows: Pick<SystemRows<Flow>, 'read'>;
  readonly operations: Pick<SystemRows<RowOf<typeof operations>>, 'read'>;
  readonly connection: Connection;
  /** For operations that write to the log of the service. */
  readonly log: (flow: string, message: string) => void;
}

/** What operations know as `$trigger`. Headers and tokens are not part of it: a flow could answer with them. */
export interface FlowTrigger {
  readonly path: string;
  readonly method: string;
  readonly query: unknown;
  readonly body: unknown;
}

const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Undefined: the flow answers nothing. FORBIDDEN alike for a flow that is missing, switched off, of another kind, or not executed here. */
export async function runWebhookFlow(deps: FlowDeps, { accountability }: Caller, key: string, trigger: FlowTrigger): Promise<unknown> {
  const [flow] = isUuid(key)
    ? await deps.flows.read(deps.connection, ['id', 'status', 'trigger', 'options', 'operation'], { id: key.toLowerCase() })
    : [];
  if (flow?.status !== 'active' || flow.trigger !== 'webhook') throw forbidden();
  const options = isPlainObject(flow.options) ? flow.options : {};
  if ((options['method'] ?? 'GET') !== trigger.method) throw forbidden();
  const stored = await deps.operations.read(deps.connection, ['id', 'key', 'type', 'options', 'resolve'], { flow: flow.id });
  const steps = stepsOf(flow.operation, stored);
  const answered = options['return'] ?? '$last';
  if (answered !== '$last' && !steps.some((step) => step.key === answered)) throw forbidden();
  const chain = makeMap<unknown>();
  const { user, role, roles, admin, app } = accountability;
  chain['$trigger'] = trigger;
  chain['$accountability'] = { user, role, roles, admin, app };
  chain['$last'] = trigger;
  for (const step of steps) {
    const result = runStep(deps, flow.id, step, chain);
    chain[step.key] = result;
    chain['$last'] = result;
  }
  return options['async'] === true ? undefined : (chain[String(answered)] ?? undefined);
}

/** The operations in the order in which they run. None of them can fail, so the other branch of each is never taken. */
function stepsOf(first: string | null, stored: readonly Step[]): readonly Step[] {
  const left = new Map(stored.map((step) => [step.id, step]));
  const steps: Step[] = [];
  for (let next = first; next !== null; ) {
    const step = left.get(next);
    // A successor that is missing or has already run is refused: the result would depend on where the flow is cut off.
    if (step === undefined || !isExecuted(step)) throw forbidden();
    left.delete(next);
    steps.push(step);
    next = step.resolve;
  }
  if (steps.length === 0) throw forbidden();
  return steps;
}

const isExecuted = (step: Step): boolean => step.type === 'log' || (step.type === 'transform' && templateOf(step) !== undefined);

/** The parsed template of a `transform`; undefined if it is not JSON before values are filled in. */
function templateOf({ options }: Step): unknown {
  const json = isPlainObject(options) ? options['json'] : undefined;
  if (typeof json !== 'string') return json;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function runStep({ log }: FlowDeps, flow: string, step: Step, chain: Readonly<Record<string, unknown>>): unknown {
  if (step.type === 'transform') return renderTemplate(templateOf(step), chain);
  const message = isPlainObject(step.options) ? step.options['message'] : '';
  log(flow, String(renderTemplate(String(message ?? ''), chain)).slice(0, 1000));
  return null;
}
