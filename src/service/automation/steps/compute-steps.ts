// Operations that compute: they touch nothing but the data of the run.

import type { ErrorEntry } from '../../../core/errors/service-error.js';
import { AuthoredError, ServiceError } from '../../../core/errors/service-error.js';
import { findUnfulfilled, type Unfulfilled } from '../chain/conditions.js';
import { StepFailure, toFailure } from '../chain/failure.js';
import { type StepCall, type StepType, stepType } from './step.js';

export const computeSteps: Readonly<Record<string, StepType>> = {
  condition: stepType(async ({ options, chain }) => checkCondition(options['filter'], chain)),
  log: stepType(async (call) => logMessage(call)),
  'throw-error': stepType(async ({ options }) => {
    throw authoredError(options);
  }),
  transform: stepType(async ({ options }) => options['json'] ?? null, { documents: ['json'] }),
};

function checkCondition(filter: unknown, chain: StepCall['chain']): null {
  if (filter === undefined || filter === null || filter === '') return null;
  const [first, ...more] = findUnfulfilled(filter, chain, new Date());
  if (first === undefined) return null;
  const entries: [ErrorEntry, ...ErrorEntry[]] = [toEntry(first), ...more.map(toEntry)];
  throw new StepFailure(entries.map(toFailure), new ServiceError(entries));
}

const toEntry = ({ field, type }: Unfulfilled): ErrorEntry => ({
  code: 'FAILED_VALIDATION',
  message: type === null ? `There is no "${field}".` : `"${field}" does not fulfil the condition "${type}".`,
  extensions: { field, type: type ?? 'required' },
});

/** Of a line of the log. */
const maxMessage = 1_000;

function logMessage({ deps, flow, options }: StepCall): null {
  const { message = '' } = options;
  deps.log(flow.id, (typeof message === 'string' ? message : (JSON.stringify(message) ?? '')).slice(0, maxMessage));
  return null;
}

function authoredError({ code, status, message }: StepCall['options']): AuthoredError {
  const number = Number(status);
  const known = Number.isInteger(number) && number >= 400 && number <= 599 ? number : 500;
  const name = typeof code === 'string' && code !== '' ? code.slice(0, 100) : 'INTERNAL_SERVER_ERROR';
  return new AuthoredError(
    name,
    known,
    typeof message === 'string' && message !== '' ? message.slice(0, 1_000) : 'The flow ended by an error.',
  );
}
