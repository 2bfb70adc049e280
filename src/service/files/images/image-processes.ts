// The child processes behind the image pool: started if none is idle, kept for a while when idle, killed if a job takes too long or is
// aborted.

import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import type { ImageJob, ImageResult } from './image-jobs.js';
import { illegalTransformation } from './transformation.js';

export interface ImageProcesses {
  /** Runs one job in a process that has no other job meanwhile. Kills the process and rejects if `signal` aborts or the job takes too long. */
  run(job: ImageJob, limits: JobLimits, signal: AbortSignal): Promise<ImageResult>;
  endAll(): void;
}

export interface JobLimits {
  /** Of both time and processor time: on a busy machine the start of the process alone may take seconds, for which no image is to blame. */
  readonly jobMs: number;
  /** The maximal time where the machine is too busy to give the job that much processor time. */
  readonly busyMs: number;
}

export function keepProcesses(idleMs: number): ImageProcesses {
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const all = new Set<ChildProcess>();

  const start = (): ChildProcess => {
    const child = startProcess();
    all.add(child);
    child.once('exit', () => {
      all.delete(child);
      clearTimeout(idle.get(child));
      idle.delete(child);
    });
    return child;
  };
  const take = (): ChildProcess => {
    const [child = start()] = idle.keys();
    clearTimeout(idle.get(child));
    idle.delete(child);
    return child;
  };
  const putBack = (child: ChildProcess): void => {
    if (child.killed || !all.has(child)) return;
    const timer = setTimeout(() => {
      idle.delete(child);
      child.kill('SIGKILL');
    }, idleMs);
    idle.set(child, timer.unref());
  };
  return {
    async run(job, limits, signal) {
      const child = take();
      try {
        return await ask(child, job, limits, signal);
      } finally {
        putBack(child);
      }
    },
    endAll() {
      for (const child of all) child.kill('SIGKILL');
    },
  };
}

function ask(child: ChildProcess, job: ImageJob, { jobMs, busyMs }: JobLimits, signal: AbortSignal): Promise<ImageResult> {
  return new Promise((resolve, reject) => {
    const finish = (end: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onExit);
      signal.removeEventListener('abort', onAbort);
      end();
    };
    const kill = (reason: ServiceError): void => {
      child.kill('SIGKILL');
      finish(() => reject(reason));
    };
    const onMessage = (result: unknown): void => finish(() => resolve(result as ImageResult));
    const onExit = (): void => kill(unavailable('The image could not be worked on.'));
    const onAbort = (): void => kill(clientDisconnected());
    const usedBefore = processorMs(child.pid) ?? 0;
    const startedAt = performance.now();
    const onTime = (): void => {
      const left = jobMs - ((processorMs(child.pid) ?? Number.POSITIVE_INFINITY) - usedBefore);
      if (left <= 0) kill(illegalTransformation(`It takes longer than ${jobMs / 1000} s.`));
      else if (performance.now() - startedAt > busyMs) kill(unavailable('The service is too busy to work on images.'));
      else timer = setTimeout(onTime, Math.max(left, 100));
    };
    let timer = setTimeout(onTime, jobMs);
    child.on('message', onMessage).on('exit', onExit).on('error', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    child.send(job, (error) => (error === null ? undefined : onExit()));
  });
}

function startProcess(): ChildProcess {
  const fromSource = import.meta.url.endsWith('.ts');
  const program = new URL(fromSource ? './image-process-from-source.mjs' : './image-process.js', import.meta.url);
  const child = fork(program, [], { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  // Neither the process nor its channel keeps the service from ending.
  child.unref();
  child.channel?.unref();
  lowerPriority(child.pid);
  return child;
}

/** The processor time of all threads of a process; null where the system does not report it. */
function processorMs(pid: number | undefined): number | null {
  try {
    // Fields 14 and 15, in ticks of 10 ms. The second, the name of the program in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

/** Image processes get a lower priority, so that they do not slow down requests. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended already, or the system has no priorities.
  }
}

export const unavailable = (message: string): ServiceError => serviceError('SERVICE_UNAVAILABLE', message, { service: 'assets' });
export const clientDisconnected = (): ServiceError => unavailable('The client has disconnected.');
