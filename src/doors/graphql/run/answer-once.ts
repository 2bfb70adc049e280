// Under an idempotency key a root field that writes happens once, and its first answer is given again.

import type { Pending } from '../../../core/engine/gathering-connection.js';
import type { TransactionWork } from '../../../core/engine/transaction.js';
import type { KeyedRequest } from '../../../service/utilities/idempotency.js';
import type { RootField } from '../compile/root-field.js';
import type { RunContext } from './run-context.js';

/** All of it in one transaction; the answer is asked for when everything was sent. */
export async function answerOnce(
  run: RunContext,
  field: RootField,
  act: (work: TransactionWork) => Promise<Pending<string>>,
): Promise<string> {
  const kept = async (work: TransactionWork) => {
    const text = await act(work);
    return () => ({ status: 200, text: text() });
  };
  const { answer, replayed } = await run.engines.idempotency.run(run.work.caller, keyedRequest(run, field), kept);
  return textOf(run, answer.text, replayed);
}

/** For operations that have transactions of their own, or none. */
export async function answerOnceApart(run: RunContext, field: RootField, act: () => Promise<string>): Promise<string> {
  const kept = async () => ({ status: 200, text: await act() });
  const { answer, replayed } = await run.engines.idempotency.runApart(run.work.caller, keyedRequest(run, field), kept);
  return textOf(run, answer.text, replayed);
}

function textOf({ reply }: RunContext, text: string | null, replayed: boolean): string {
  if (replayed) reply.header('idempotent-replayed', 'true');
  return text ?? 'null';
}

/** Every root field is a request of its own under the same key. */
function keyedRequest({ request, operation }: RunContext, { key }: RootField): KeyedRequest | null {
  const given = request.headers['idempotency-key'];
  if (typeof given !== 'string') return null;
  const name = operation.selectionSet.selections.length === 1 ? given : `${given} ${key}`;
  return { key: name, content: JSON.stringify([request.url.split('?')[0], request.body, key]) };
}
