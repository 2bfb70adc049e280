// The primary process's side of WORKERS > 1: passes notices of changes on to the workers, answers when all have noticed, and holds the
// counters of the rate limits.

import type { Worker } from 'node:cluster';
import { ServiceError } from '../core/errors/service-error.js';
import { createMemoryLimiter, type LimitName, limitsOf, type TallyName } from '../service/auth/limits/limiter.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

interface WorkerCoordinator {
  handle(worker: Worker, message: FromWorker): void;
  /** Call when a worker has ended, so that nothing waits for it. */
  remove(worker: Worker): void;
}

/** A notice that not all workers have confirmed. */
interface OpenNotice {
  readonly awaited: Set<Worker>;
  readonly done: () => void;
}

/** A worker that does not confirm a notice within this time is killed and replaced. */
const confirmTimeoutMs = 10_000;

export function createCoordinator(rateLimit: number | null): WorkerCoordinator {
  const subscribers = new Set<Worker>();
  const open = new Map<number, OpenNotice>();
  const limiter = createMemoryLimiter(limitsOf(rateLimit));
  let lastNotice = 0;

  const send = (worker: Worker, message: ToWorker): void => {
    if (worker.isConnected()) worker.send(message);
  };
  const answer = (worker: Worker, id: number, value: number | null = null): void => send(worker, { kind: 'answer', id, value });

  const confirm = (notice: number, worker: Worker): void => {
    const waiting = open.get(notice);
    waiting?.awaited.delete(worker);
    if (waiting?.awaited.size !== 0) return;
    open.delete(notice);
    waiting.done();
  };

  const announce = (from: Worker, id: number): void => {
    lastNotice += 1;
    const notice = lastNotice;
    const awaited = new Set([...subscribers].filter((worker) => worker !== from));
    if (awaited.size === 0) {
      answer(from, id);
      return;
    }
    const timer = setTimeout(() => {
      for (const worker of awaited) worker.process.kill('SIGKILL');
    }, confirmTimeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      answer(from, id);
    };
    open.set(notice, { awaited, done });
    for (const worker of awaited) send(worker, { kind: 'notice', notice });
  };

  return {
    handle(worker, message) {
      switch (message.kind) {
        case 'subscribe':
          subscribers.add(worker);
          return answer(worker, message.id);
        case 'changed':
          return announce(worker, message.id);
        case 'noticed':
          return confirm(message.notice, worker);
        case 'attempt':
          return answer(
            worker,
            message.id,
            windowEnd(() => limiter.take(message.name as LimitName, message.key)),
          );
        case 'tally':
          return answer(worker, message.id, limiter.tally(message.name as TallyName, message.key));
        case 'publish':
          for (const other of subscribers) if (other !== worker) send(other, { kind: 'published', text: message.text });
      }
    },
    remove(worker) {
      subscribers.delete(worker);
      for (const notice of [...open.keys()]) confirm(notice, worker);
    },
  };
}

/** null when the attempt is allowed. The limiter refuses with an error that states when the window ends. */
function windowEnd(take: () => unknown): number | null {
  try {
    take();
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return Date.parse(String(error.entries[0].extensions['reset']));
  }
}
