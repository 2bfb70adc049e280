// Flows that a request starts, and runs that are begun again.

import { isPlainObject } from '../../core/util/plain-object.js';
import { type Operation, operation } from './operation.js';
import { boolean, choice, described, json, key, list, nothing, object, optional, text, withDefault } from './shape.js';

const tag = 'service_flows';

/** An operation as it ran. */
const step = object({
  operation: key,
  key: text(),
  status: choice(['resolve', 'reject', 'unknown']),
  options: described(json, 'With the values of the run in them; null where they could not be filled in.'),
  result: described(json, 'What it left for those behind it.'),
  left_out: described(boolean, 'It was not done, because it reaches outside or waits.'),
});

/** Open to everybody, because the author of the flow decides what it answers and with whose rights it works. */
export const triggerFlow = operation({
  id: 'triggerFlow',
  tag,
  summary: 'Run a flow that waits for requests, or that users start by hand',
  input: {
    id: key,
    method: described(withDefault(choice(['GET', 'POST']), 'POST'), 'As the flow wants it.'),
    query: described(withDefault(json, {}), 'What the flow knows as $trigger.query.'),
    body: described(
      optional(json),
      'What the flow knows as $trigger.body. A webhook takes forms, as an object, and texts, too. A flow that is started by hand takes `collection` and `keys`.',
    ),
    headers: described(withDefault(json, {}), 'What the flow knows as $trigger.headers.'),
  },
  output: withDefault(json, undefined),
  open: ['everybody'],
  once: 'never',
  run: ({ deps, caller }, { id, method, query, body, headers }) =>
    deps.automation.request(caller, String(id), {
      path: `/trigger/${id}`,
      method,
      query,
      body: body ?? {},
      headers: isPlainObject(headers) ? headers : {},
    }),
});

/** With the present version of the flow, and the present rights of who started it. */
export const replayRun = operation({
  id: 'replayRun',
  tag: 'service_runs',
  summary: 'Begin an ended run again, from its start',
  input: { id: key },
  output: nothing,
  open: ['administrators'],
  once: 'in-transaction',
  run: (call, { id }) =>
    call.transaction(async (work) => {
      await call.deps.automation.replay(work, String(id));
    }),
});

export const testFlow = operation({
  id: 'testFlow',
  tag,
  summary: 'Try a flow out, active or not: nothing of it stays, and nothing leaves the service',
  input: {
    id: key,
    trigger: described(optional(json), 'What the flow knows as $trigger.'),
  },
  output: object({
    status: described(choice(['ok', 'failed']), 'How the run ended.'),
    steps: described(list(step), 'The operations that ran, in their order. Secrets are masked.'),
    result: described(json, 'What the flow returns.'),
    error: described(json, 'What the operation that ended the run left by failing.'),
    triggered: described(
      list(object({ flow: key, status: choice(['ok', 'failed']), steps: list(step) })),
      'Flows that operations have started, in the order in which they ended; the first hundred.',
    ),
    truncated: described(boolean, 'Options and results are left out: they would be more than a megabyte.'),
  }),
  open: ['administrators'],
  once: 'never',
  run: ({ deps, caller }, { id, trigger }) => deps.automation.rehearse(caller, String(id), trigger),
});

/** What an application needs to offer it; what it does is for those who may read flows. */
const manualFlow = object(
  {
    id: key,
    name: text(),
    icon: optional(text()),
    color: optional(text()),
    options: described(
      json,
      '`collections`, `location`, `requireSelection`, `async`, and what users are asked before: `requireConfirmation`, `confirmationDescription`, `fields`.',
    ),
  },
  { name: 'flows_manual' },
);

/** They need no permission on flows: whoever may read items of the collection may start them there. */
export const readManualFlows = operation({
  id: 'readManualFlows',
  tag,
  summary: 'Active flows that the caller may start by hand',
  input: {},
  output: list(manualFlow),
  open: ['users'],
  once: 'never',
  run: ({ deps, caller }) => deps.automation.manualFor(caller),
});

export const flowOperations: readonly Operation[] = [triggerFlow, readManualFlows, testFlow, replayRun];
