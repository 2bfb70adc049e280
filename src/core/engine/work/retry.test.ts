import { expect, it } from 'vitest';
import { forbidden } from '../../errors/service-error.js';
import { DatabaseError, type DatabaseErrorKind } from '../../vendor/database-error.js';
import { RetryQueue, retry, retryUntil } from './retry.js';

const failing = (kind: DatabaseErrorKind): DatabaseError => new DatabaseError(kind, kind);
const soon = (ms = 30_000): number => performance.now() + ms;

/** Fails with these errors, one after the other, and then succeeds. */
function attempts(...errors: readonly unknown[]): { readonly attempt: () => Promise<string>; count: () => number } {
  let count = 0;
  return {
    count: () => count,
    attempt: async () => {
      const error = errors[count];
      count += 1;
      if (error !== undefined) throw error;
      return 'done';
    },
  };
}

const options = (until = soon()) => ({ queue: new RetryQueue(), until, signal: null });

it.each<DatabaseErrorKind>(['retry', 'deadlock', 'locked'])('runs again after "%s" until it succeeds', async (kind) => {
  const { attempt, count } = attempts(failing(kind), failing('deadlock'));
  expect(await retry(failing(kind), attempt, options())).toBe('done');
  expect(count()).toBe(3);
});

it.each<DatabaseErrorKind>(['unique', 'timeout', 'unavailable', 'cancelled', 'other'])('does not run again after "%s"', async (kind) => {
  const { attempt, count } = attempts();
  await expect(retry(failing(kind), attempt, options())).rejects.toMatchObject({ kind });
  expect(count()).toBe(0);
});

it('throws the error of the last attempt when that is final', async () => {
  const refusal = forbidden();
  await expect(retry(failing('deadlock'), attempts(refusal).attempt, options())).rejects.toBe(refusal);
});

it('begins no attempt after the deadline', async () => {
  const { attempt, count } = attempts(...Array.from({ length: 1000 }, () => failing('retry')));
  const until = soon(1_000);
  await expect(retry(failing('retry'), attempt, options(until))).rejects.toMatchObject({ kind: 'retry' });
  expect(count()).toBeGreaterThan(0);
  expect(count()).toBeLessThan(1000);
  await expect(retry(failing('deadlock'), attempt, options(performance.now()))).rejects.toMatchObject({ kind: 'deadlock' });
});

it('stops when the caller has gone', async () => {
  const { attempt, count } = attempts();
  const work = retry(failing('deadlock'), attempt, { ...options(), signal: AbortSignal.abort() });
  await expect(work).rejects.toMatchObject({ kind: 'deadlock' });
  expect(count()).toBe(0);
});

it('leaves room for one more attempt that waits as long as it may', () => {
  expect(retryUntil({ poolMs: 2_000, lockMs: 3_000 }, 100)).toBe(5_100);
  expect(retryUntil({ poolMs: 0, lockMs: 0 }, 100)).toBe(1_100);
});

it('runs losers of locks one after the other, and out of turn at the deadline', async () => {
  const queue = new RetryQueue();
  const events: string[] = [];
  let resolve = (): void => undefined;
  const release = new Promise<void>((done) => {
    resolve = done;
  });
  const first = queue.run(async () => {
    events.push('first begins');
    await release;
    events.push('first ends');
  }, soon());
  const second = queue.run(async () => void events.push('second'), soon());
  const hasty = queue.run(async () => void events.push('hasty'), performance.now() + 20);
  await hasty;
  expect(events).toEqual(['first begins', 'hasty']);
  resolve();
  await Promise.all([first, second]);
  expect(events).toEqual(['first begins', 'hasty', 'first ends', 'second']);
});
