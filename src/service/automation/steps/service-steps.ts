// Operations that hand something on: notifications to users, and data to other flows.

import { invalidPayload } from '../../../core/errors/service-error.js';
import { writing } from './item-steps.js';
import { type StepCall, type StepType, stepType } from './step.js';

export const serviceSteps: Readonly<Record<string, StepType>> = {
  notification: stepType(notify),
  trigger: stepType(trigger, { documents: ['payload'] }),
};

const maxRecipients = 1_000;

async function notify(call: StepCall): Promise<unknown> {
  const { recipient, subject, message, collection, item } = call.options;
  const recipients = (Array.isArray(recipient) ? recipient : [recipient]).filter(
    (user) => user !== null && user !== undefined && user !== '',
  );
  if (recipients.length === 0) return null;
  if (recipients.length > maxRecipients) throw invalidPayload(`A notification may have ${maxRecipients} recipients.`);
  const { accountability } = await call.caller();
  const about = { collection: collection ?? null, item: item === null || item === undefined ? null : String(item) };
  const text = typeof message === 'object' && message !== null ? JSON.stringify(message) : (message ?? null);
  const letters = recipients.map((user) => ({ recipient: user, sender: accountability.user, subject, message: text, ...about }));
  return writing(call, (work) => call.deps.writer.create(work, 'service_notifications', letters));
}

/** Runs of one list at once, unless the operation says otherwise. */
const maxAtOnce = 10;
const maxRuns = 10_000;

/** One run for each entry of a list, with the results in its order. */
async function trigger(call: StepCall): Promise<unknown> {
  const { flow, payload = null, iterationMode, batchSize } = call.options;
  const start = (entry: unknown): Promise<unknown> => call.deps.startFlow(String(flow), entry, { ...call.scope, origin: call.origin });
  if (!Array.isArray(payload)) return start(payload);
  if (payload.length > maxRuns) throw invalidPayload(`A flow may be started ${maxRuns} times by one operation.`);
  const wanted = iterationMode === 'serial' ? 1 : iterationMode === 'batch' ? Number(batchSize) : maxAtOnce;
  // The operations of a write that waits take turns on its one connection.
  const size = call.scope.write !== null || !(wanted >= 1) ? 1 : Math.min(Math.floor(wanted), maxAtOnce);
  const results: unknown[] = [];
  for (let from = 0; from < payload.length; from += size) results.push(...(await Promise.all(payload.slice(from, from + size).map(start))));
  return results;
}
