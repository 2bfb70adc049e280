// Flows that a request starts, and runs that are begun again.

import { isPlainObject } from '../../core/util/plain-object.js';
import { type Operation, operation } from './operation.js';
import { choice, described, json, key, nothing, optional, withDefault } from './shape.js';

const tag = 'service_flows';

/** Open to everybody, because the author of the flow decides what it answers and with whose rights it works. */
export const triggerFlow = operation({
  id: 'triggerFlow',
  tag,
  summary: 'Run a flow that waits for requests, or that users start by hand',
  input: {
    id: key,
    method: described(withDefault(choice(['GET', 'POST']), 'POST'), 'As the flow wants it.'),
    query: described(withDefault(json, {}), 'What the flow knows as $trigger.query.'),
    body: described(optional(json), 'What the flow knows as $trigger.body. A flow that is started by hand takes `collection` and `keys`.'),
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

export const flowOperations: readonly Operation[] = [triggerFlow, replayRun];
