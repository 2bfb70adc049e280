// Starts flows that their authors have marked for assistants: `"agents": true` in the options of a flow that is started by hand.

import { findCollection } from '../../../core/access/view.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import { triggerFlow } from '../../../service/operations/flows.js';
import { described, itemKey, list, text, withDefault } from '../../../service/operations/shape.js';
import { valueAnswer } from './bounded-answer.js';
import { isWriter, runOperation, type ToolCall, tool } from './tool.js';

const flowsCollection = 'service_flows';
const mostKeys = 100;
const mostFlows = 200;

export const runFlow = tool({
  name: 'run_flow',
  title: 'Run a flow',
  description:
    'Without arguments: the flows that may be run, and the collections they are for. With "flow": runs it on items of a collection and answers what it returns.',
  effect: 'starts',
  input: {
    flow: described(withDefault(text(), undefined), 'Its id.'),
    collection: withDefault(text(), undefined),
    keys: withDefault(list(itemKey, { max: mostKeys }), []),
  },
  isOpen: (caller) => isWriter(caller) && findCollection(caller.view, flowsCollection, 'read') !== null,
  run: async (call, { flow, collection, keys }) => {
    const flows = await marked(call);
    if (flow === undefined) return valueAnswer(JSON.stringify(flows));
    if (!flows.some(({ id }) => id === flow)) throw forbidden();
    const answer = await runOperation(call, triggerFlow, { id: flow, method: 'POST', body: { collection, keys } });
    return valueAnswer(JSON.stringify(answer ?? null));
  },
});

interface MarkedFlow {
  readonly id: unknown;
  readonly name: unknown;
  readonly collections: unknown;
}

/** Those that the caller may read. */
async function marked({ deps, work }: ToolCall): Promise<readonly MarkedFlow[]> {
  const query = {
    fields: ['id', 'name', 'options'],
    filter: { _and: [{ trigger: { _eq: 'manual' } }, { status: { _eq: 'active' } }] },
    sort: ['name', 'id'],
    limit: mostFlows,
  };
  const flows = await deps.serve.operations.reader.objects(work, flowsCollection, query);
  return flows.flatMap(({ id, name, options }) =>
    isPlainObject(options) && options['agents'] === true ? [{ id, name, collections: options['collections'] ?? [] }] : [],
  );
}
