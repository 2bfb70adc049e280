// The primary process of WORKERS > 1: starts the workers, replaces one that ends, and ends after them.

import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import type { Config } from '../config.js';
import { createCoordinator } from './worker-coordinator.js';
import type { FromWorker } from './worker-messages.js';

export const isPrimary = cluster.isPrimary;

/** Only this worker prints the welcome. */
export const isFirstWorker = cluster.worker?.id === 1;

/** Whether this worker replaces one that has ended. */
export const isReplacement = ({ workers }: Pick<Config, 'workers'>): boolean => (cluster.worker?.id ?? 0) > workers;

/** The pause before a worker that never served is replaced: what ended it may be quick to end the next one too. */
const restartDelayMs = 1000;

export function serveWithWorkers({ workers, rateLimit }: Pick<Config, 'workers' | 'rateLimit'>): void {
  const coordinator = createCoordinator(rateLimit);
  const served = new Set<number>();
  let stopping = false;
  for (let started = 0; started < workers; started += 1) startWorker();
  cluster.on('message', (worker, message: FromWorker) => coordinator.handle(worker, message));
  cluster.on('listening', ({ id }) => served.add(id));
  cluster.on('exit', (worker, code) => {
    coordinator.remove(worker);
    const pause = served.delete(worker.id) ? 0 : restartDelayMs;
    // A worker that cannot start has printed the reason; starting it again would only repeat it.
    if (!stopping && !worker.exitedAfterDisconnect && code === 1) stop('SIGTERM', 1);
    else setTimeout(replace, pause);
  });
  const replace = (): void => {
    if (!stopping) startWorker();
  };
  const stop = (signal: NodeJS.Signals, code: number): void => {
    stopping = true;
    process.exitCode = code;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal, 0));
}

/** The part of a connection handle that is used here; Node passes the handle to a worker. */
interface ConnectionHandle {
  close(...rest: readonly unknown[]): void;
}

function startWorker(): void {
  const worker = cluster.fork();
  const pending = trackConnections(worker.process);
  worker.once('exit', () => {
    for (const handle of pending) handle.close();
  });
}

/**
 * Tracks the connections that were passed to a worker and that it has not accepted yet. The cluster module keeps the primary's copy of a
 * connection open until the worker accepts it, and forever if the worker ends first: the client would never get an answer.
 */
function trackConnections(worker: ChildProcess): ReadonlySet<ConnectionHandle> {
  const pending = new Set<ConnectionHandle>();
  const send = worker.send.bind(worker) as (...given: readonly unknown[]) => boolean;
  worker.send = (...given: readonly unknown[]): boolean => {
    const handle = given[1];
    if (isConnection(handle)) {
      const close = handle.close.bind(handle);
      pending.add(handle);
      handle.close = (...rest) => {
        pending.delete(handle);
        close(...rest);
      };
    }
    return send(...given);
  };
  return pending;
}

const isConnection = (handle: unknown): handle is ConnectionHandle =>
  typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function';
