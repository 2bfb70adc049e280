// The operation `exec`: a script of the flow's author over the data of the run.

import { serviceError } from '../../../core/errors/service-error.js';
import { type StepCall, type StepType, stepType } from './step.js';

export const scriptSteps: Readonly<Record<string, StepType>> = {
  exec: stepType(runScript, { raw: ['code'] }),
};

const limitMs = 10_000;

async function runScript({ deps, flow, options, chain, leftMs }: StepCall): Promise<unknown> {
  const code = typeof options['code'] === 'string' ? options['code'] : '';
  const timeoutMs = Math.max(1, Math.min(limitMs, Math.floor(leftMs ?? limitMs)));
  const result = await deps.scripts.run({ code, data: JSON.stringify(chain), timeoutMs });
  for (const line of result.said) deps.log(flow.id, line);
  if (result.kind === 'failed') throw serviceError('INTERNAL_SERVER_ERROR', result.reason);
  return result.json === null ? null : JSON.parse(result.json);
}
