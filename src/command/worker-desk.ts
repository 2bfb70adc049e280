// The first process's side of WORKERS > 1: passes changes on and answers when everybody has noticed, and keeps the counters of all.

import type { Worker } from 'node:cluster';
import { ServiceError } from '../core/errors/service-error.js';
import { createMemoryLimiter, type LimitName, limitsOf } from '../service/auth/limiter.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

export interface WorkerDesk {
  hear(worker: Worker, message: FromWorker): void;
  /** A worker that has ended has nothing left to notice. */
  forget(worker: Worker): void;
}

interface Announcement {
  readonly awaited: Set<Worker>;
  readonly done: () => void;
}

/** Whoever says nothing for so long is stuck, and is replaced rather than waited for. */
const silenceMs = 10_000;

export function openDesk(rateLimit: number | null): WorkerDesk {
  const audience = new Set<Worker>();
  const open = new Map<number, Announcement>();
  const limiter = createMemoryLimiter(limitsOf(rateLimit));
  let announcements = 0;

  const say = (worker: Worker, message: ToWorker): void => {
    if (worker.isConnected()) worker.send(message);
  };
  const answer = (worker: Worker, id: number, resetsAt: number | null = null): void => say(worker, { kind: 'answer', id, resetsAt });

  const strike = (notice: number, worker: Worker): void => {
    const announcement = open.get(notice);
    announcement?.awaited.delete(worker);
    if (announcement?.awaited.size !== 0) return;
    open.delete(notice);
    announcement.done();
  };

  const announce = (from: Worker, id: number): void => {
    announcements += 1;
    const notice = announcements;
    const awaited = new Set([...audience].filter((worker) => worker !== from));
    if (awaited.size === 0) {
      answer(from, id);
      return;
    }
    const timer = setTimeout(() => {
      for (const worker of awaited) worker.process.kill('SIGKILL');
    }, silenceMs);
    const done = (): void => {
      clearTimeout(timer);
      answer(from, id);
    };
    open.set(notice, { awaited, done });
    for (const worker of awaited) say(worker, { kind: 'notice', notice });
  };

  return {
    hear(worker, message) {
      switch (message.kind) {
        case 'here':
          audience.add(worker);
          return answer(worker, message.id);
        case 'changed':
          return announce(worker, message.id);
        case 'noticed':
          return strike(message.notice, worker);
        case 'attempt':
          return answer(
            worker,
            message.id,
            windowEnd(() => limiter.take(message.name as LimitName, message.key)),
          );
      }
    },
    forget(worker) {
      audience.delete(worker);
      for (const notice of [...open.keys()]) strike(notice, worker);
    },
  };
}

/** The limiter refuses by an error that tells when to try again. */
function windowEnd(take: () => unknown): number | null {
  try {
    take();
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return Date.parse(String(error.entries[0].extensions['reset']));
  }
}
