// WORKERS > 1: this process starts the others, replaces one that dies, and ends when they have ended.

import cluster from 'node:cluster';
import type { Config } from '../config.js';
import { openDesk } from './worker-desk.js';
import type { FromWorker } from './worker-messages.js';

export const isPrimary = cluster.isPrimary;

/** The one that tells the address: it would be told as often as there are workers. */
export const isFirstWorker = cluster.worker?.id === 1;

const pauseMs = 1000;

export function serveWithWorkers({ workers, rateLimit }: Pick<Config, 'workers' | 'rateLimit'>): void {
  const desk = openDesk(rateLimit);
  let stopping = false;
  for (let started = 0; started < workers; started += 1) cluster.fork();
  cluster.on('message', (worker, message: FromWorker) => desk.hear(worker, message));
  cluster.on('exit', (worker, code) => {
    desk.forget(worker);
    // A worker that could not start at all told why; starting it again would only repeat that.
    if (!stopping && !worker.exitedAfterDisconnect && code === 1) stop('SIGTERM', 1);
    else if (!stopping) setTimeout(() => cluster.fork(), pauseMs);
  });
  const stop = (signal: NodeJS.Signals, code: number): void => {
    stopping = true;
    process.exitCode = code;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal, 0));
}
