// Endpoints of extensions as tools, where their authors have marked them for assistants: `agents: true`.

import { isOpen } from '../../../service/operations/open-rule.js';
import type { Operation } from '../../../service/operations/operation.js';
import { inPayload, object } from '../../../service/operations/shape.js';
import { valueAnswer } from './bounded-answer.js';
import { isWriter, runOperation, type Tool } from './tool.js';

export interface MarkedEndpoint {
  readonly operation: Operation;
  /** It only reads items. */
  readonly reads: boolean;
}

export function endpointTool({ operation, reads }: MarkedEndpoint): Tool {
  const { id, summary, input, open } = operation;
  const shape = object(input, { strict: true });
  return {
    name: id,
    title: summary,
    description: summary,
    effect: reads ? 'reads' : 'starts',
    input,
    isOpen: (caller) => (reads || isWriter(caller)) && open.every((rule) => isOpen({ ...caller, registration: true }, rule)),
    run: async (call, values) => {
      shape.parse(values, inPayload(''));
      return valueAnswer(JSON.stringify((await runOperation(call, operation, values)) ?? null));
    },
  };
}
