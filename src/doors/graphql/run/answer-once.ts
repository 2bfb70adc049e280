// Runs a writing root field once per idempotency key: a repeated request gets the first answer.

import type { TransactionWork, WriteOptions } from '../../../core/engine/work/transaction.js';
import type { AfterFlush } from '../../../core/engine/work/work.js';
import type { KeyedRequest } from '../../../service/utilities/idempotency.js';
import type { RunContext } from './run-context.js';

/** Runs `act` and stores its answer in one transaction. The answer is read once all statements are sent. */
export async function answerOnce(
  run: RunContext,
  field: string,
  act: (work: TransactionWork) => Promise<AfterFlush<string>>,
): Promise<string> {
  const kept = async (work: TransactionWork) => {
    const text = await act(work);
    return () => ({ status: 200, text: text() });
  };
  const { answer, replayed } = await run.deps.idempotency.run(run.work.caller, keyedRequest(run, field), kept, timed(run));
  return textOf(run, answer.text, replayed);
}

const timed = ({ work: { clock } }: RunContext): WriteOptions | undefined => (clock ? { clock } : undefined);

/** For operations that open their own transactions, or none. */
export async function answerOnceApart(run: RunContext, field: string, act: () => Promise<string>): Promise<string> {
  const kept = async () => ({ status: 200, text: await act() });
  const { answer, replayed } = await run.deps.idempotency.runApart(run.work.caller, keyedRequest(run, field), kept);
  return textOf(run, answer.text, replayed);
}

function textOf({ reply }: RunContext, text: string | null, replayed: boolean): string {
  if (replayed) reply.header('idempotent-replayed', 'true');
  return text ?? 'null';
}

/** With several root fields each has its own key, derived from the request's. */
export function idempotencyKeyOf({ request, operation: { definition } }: RunContext, field: string): string | null {
  const given = request.headers['idempotency-key'];
  if (typeof given !== 'string') return null;
  return definition.selectionSet.selections.length === 1 ? given : `${given} ${field}`;
}

function keyedRequest(run: RunContext, field: string): KeyedRequest | null {
  const key = idempotencyKeyOf(run, field);
  return key === null ? null : { key, content: JSON.stringify([run.request.url.split('?')[0], run.request.body, field]) };
}
