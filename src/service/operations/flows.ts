// Flows that a request triggers, and the list of extensions, which is empty: none are loaded.

import { runWebhookFlow } from '../utilities/webhook-flow.js';
import { type Operation, operation } from './operation.js';
import { choice, described, json, key, list, optional, withDefault } from './shape.js';

const tag = 'service_flows';

/** Open to everybody, because the author of the flow decides what it answers. The flow sees no headers and no tokens. */
export const triggerFlow = operation({
  id: 'triggerFlow',
  tag,
  summary: 'Run a flow that waits for requests and merely computes its answer',
  input: {
    id: key,
    method: described(withDefault(choice(['GET', 'POST']), 'POST'), 'As the flow wants it.'),
    query: described(withDefault(json, {}), 'What the flow knows as $trigger.query.'),
    body: described(optional(json), 'What the flow knows as $trigger.body.'),
  },
  output: withDefault(json, undefined),
  open: ['everybody'],
  once: 'never',
  run: ({ deps, caller }, { id, method, query, body }) =>
    runWebhookFlow(deps.flows, caller, String(id), { path: `/flows/trigger/${id}`, method, query, body }),
});

export const listExtensions = operation({
  id: 'listExtensions',
  tag: 'server',
  summary: 'Extensions; there are none',
  input: {},
  output: list(json),
  open: ['administrators'],
  once: 'never',
  run: () => [],
});

export const flowOperations: readonly Operation[] = [triggerFlow, listExtensions];
