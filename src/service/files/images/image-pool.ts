// A queue for work on images, with a few jobs at a time. A job is removed when its client disconnects. One slot is reserved for formats
// that are quick to encode, so that slow ones cannot block all work.

import { availableParallelism } from 'node:os';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import type { ImageJob, ImageResult } from './image-jobs.js';
import { clientDisconnected, type JobLimits, keepProcesses, unavailable } from './image-processes.js';
import { illegalTransformation } from './transformation.js';

export interface ImageWork {
  /** Called when the job starts, so that waiting jobs hold no image in memory. */
  readonly prepare: () => Promise<ImageJob>;
  /** Whether encoding the result is slow. */
  readonly slow: boolean;
}

type ImageAnswer = Exclude<ImageResult, { kind: 'refused' }>;

export interface ImagePool {
  /** Rejects if the image is refused, takes too long, or `signal` aborts because the client has disconnected. */
  run(work: ImageWork, signal: StopSignal | null): Promise<ImageAnswer>;
  close(): void;
}

interface PoolOptions extends JobLimits {
  readonly processes: number;
  readonly maxQueued: number;
  readonly idleMs: number;
}

const defaults: PoolOptions = {
  processes: Math.max(2, availableParallelism() - 1),
  maxQueued: 200,
  jobMs: 20_000,
  busyMs: 120_000,
  idleMs: 20_000,
};

interface QueuedJob {
  readonly slow: boolean;
  readonly start: () => Promise<void>;
}

export function openImagePool(options: Partial<PoolOptions> = {}): ImagePool {
  const { processes: slots, maxQueued, idleMs, ...limits } = { ...defaults, ...options };
  const processes = keepProcesses(idleMs);
  const queue: QueuedJob[] = [];
  let [running, slow] = [0, 0];

  const admit = (): void => {
    while (running < slots) {
      const next = queue.findIndex((job) => !job.slow || slow < slots - 1);
      const [job] = next < 0 ? [] : queue.splice(next, 1);
      if (job === undefined) return;
      running += 1;
      if (job.slow) slow += 1;
      void job.start().finally(() => {
        running -= 1;
        if (job.slow) slow -= 1;
        admit();
      });
    }
  };
  const carryOut = async (work: ImageWork, signal: AbortSignal): Promise<ImageAnswer> => {
    const job = await work.prepare();
    if (signal.aborted) throw clientDisconnected();
    const result = await processes.run(job, limits, signal);
    if (result.kind === 'refused') throw illegalTransformation(result.reason);
    return result;
  };
  const run: ImagePool['run'] = (work, signal) =>
    new Promise((resolve, reject) => {
      const stop = new AbortController();
      const start = (): Promise<void> =>
        carryOut(work, stop.signal)
          .then(resolve, reject)
          .finally(() => signal?.removeEventListener('abort', onDisconnect));
      const job: QueuedJob = { slow: work.slow, start };
      const onDisconnect = (): void => {
        const position = queue.indexOf(job);
        if (position >= 0) queue.splice(position, 1);
        stop.abort();
        reject(clientDisconnected());
      };
      if (signal?.aborted === true) return onDisconnect();
      if (queue.length >= maxQueued) return reject(unavailable('Too many images are waiting to be transformed.'));
      signal?.addEventListener('abort', onDisconnect, { once: true });
      queue.push(job);
      admit();
    });
  return { run, close: () => processes.endAll() };
}
